// SPDX-License-Identifier: Apache-2.0
#include "cuda_absent.hpp"

#include "starts_with.hpp"

#include <fmt/format.h>
#include <string_view>

namespace cosmati::cli {

std::set<std::string> absent_functions(std::string const& said) {
  constexpr std::string_view words = "undefined reference to `";
  std::set<std::string> names;
  for (std::size_t at = said.find(words); at != std::string::npos; at = said.find(words, at + 1)) {
    std::size_t const begin = at + words.size(), end = said.find('\'', begin);
    if (end == std::string::npos) return {};
    std::string const name = said.substr(begin, end - begin);
    bool const of_cuda = starts_with_one_of(name, {"cublas", "cudnn", "curand", "cusparse", "cusolver", "cufft", "nccl",
                                                   "nvtx", "nvml", "nvrtc", "cuda", "cuTensor", "cuMem", "cuModule"});
    if (!of_cuda || name.find_first_of("(): ") != std::string::npos) return {};
    names.insert(name);
  }
  return names;
}

namespace {

/// Whether the function only makes, sets up or frees a handle. It may succeed; what uses the handle ends the program.
bool is_of_handle(std::string_view name) {
  for (std::string_view const word : {"Create", "Destroy", "SetStream", "SetMathMode", "SetWorkspace"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

/// Whether an archive defines the symbol: its index has the names, each with a zero behind it.
bool is_in_index(std::string_view archive, std::string const& symbol) {
  std::string const word = symbol + '\0';
  for (std::size_t at = archive.find(word); at != std::string_view::npos; at = archive.find(word, at + 1)) {
    if (at > 0 && archive[at - 1] == '\0') return true;
  }
  return false;
}

}  // namespace

std::string definitions_of_absent(std::set<std::string> const& names, std::string_view library) {
  std::string out = "\t.text\n";
  for (std::string const& name : names) {
    if (is_in_index(library, "cosmati_sim_" + name)) {
      out += fmt::format("\t.globl\t{0}\n\t.type\t{0}, @function\n{0}:\n\tjmp\tcosmati_sim_{0}@PLT\n", name);
      continue;
    }
    if (is_of_handle(name)) {
      out += fmt::format("\t.globl\t{0}\n\t.type\t{0}, @function\n{0}:\n\txorl\t%eax, %eax\n\tret\n", name);
      continue;
    }
    out += fmt::format(
        "\t.globl\t{0}\n\t.type\t{0}, @function\n{0}:\n\tleaq\t.Lname_{0}(%rip), %rdi\n"
        "\tjmp\tcosmati_sim_absent@PLT\n\t.size\t{0}, .-{0}\n",
        name);
  }
  out += "\t.section\t.rodata\n";
  for (std::string const& name : names) out += fmt::format(".Lname_{0}:\n\t.string\t\"{0}\"\n", name);
  return out + "\t.section\t.note.GNU-stack,\"\",@progbits\n";
}

}  // namespace cosmati::cli
