// SPDX-License-Identifier: Apache-2.0
#include "elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

namespace cosmati_sim {

elf_file::elf_file(char const* path) {
  int const fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status;
  if (fstat(fd, &status) == 0 && status.st_size > static_cast<off_t>(sizeof(Elf64_Ehdr))) {
    void* const p = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) {
      bytes_ = static_cast<char const*>(p);
      size_ = static_cast<std::size_t>(status.st_size);
    }
  }
  close(fd);
  if (bytes_ != nullptr && (std::memcmp(bytes_, ELFMAG, SELFMAG) != 0 || bytes_[EI_CLASS] != ELFCLASS64)) size_ = 0;
}

elf_file::section elf_file::find(char const* name) const {
  if (size_ == 0) return {};
  auto const& header = *reinterpret_cast<Elf64_Ehdr const*>(bytes_);
  if (header.e_shoff == 0 || header.e_shoff + std::size_t{header.e_shnum} * sizeof(Elf64_Shdr) > size_) return {};
  auto const* const sections = reinterpret_cast<Elf64_Shdr const*>(bytes_ + header.e_shoff);
  if (header.e_shstrndx >= header.e_shnum) return {};
  char const* const names = bytes_ + sections[header.e_shstrndx].sh_offset;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr const& s = sections[i];
    if (std::strcmp(names + s.sh_name, name) != 0 || s.sh_type == SHT_NOBITS) continue;
    if ((s.sh_flags & SHF_COMPRESSED) != 0 || s.sh_offset + s.sh_size > size_) return {};
    return {bytes_ + s.sh_offset, s.sh_size};
  }
  return {};
}

bool elf_file::is_variable_data(unsigned index) const {
  if (size_ == 0) return false;
  auto const& header = *reinterpret_cast<Elf64_Ehdr const*>(bytes_);
  if (index >= header.e_shnum || header.e_shoff + std::size_t{header.e_shnum} * sizeof(Elf64_Shdr) > size_)
    return false;
  auto const* const sections = reinterpret_cast<Elf64_Shdr const*>(bytes_ + header.e_shoff);
  char const* const name = bytes_ + sections[header.e_shstrndx].sh_offset + sections[index].sh_name;
  return (sections[index].sh_flags & SHF_WRITE) != 0 && !std::string_view(name).starts_with(".data.rel.ro");
}

bool elf_file::is_zeroed(unsigned index) const {
  if (size_ == 0) return false;
  auto const& header = *reinterpret_cast<Elf64_Ehdr const*>(bytes_);
  if (index >= header.e_shnum || header.e_shoff + std::size_t{header.e_shnum} * sizeof(Elf64_Shdr) > size_)
    return false;
  return reinterpret_cast<Elf64_Shdr const*>(bytes_ + header.e_shoff)[index].sh_type == SHT_NOBITS;
}

}  // namespace cosmati_sim
