// SPDX-License-Identifier: Apache-2.0
#include "symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cosmati/render/kernel_names.hpp>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "elf_file.hpp"
#include "formatted.hpp"
#include "lines.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

namespace {

struct module {
  std::string path;
  std::uintptr_t base = 0;  // added to the addresses in the file
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;
  std::size_t tls_bytes = 0;
  void* tls = nullptr;  // the thread-local storage of the calling thread
};

/// All loaded modules, as the calling thread sees them.
std::vector<module> loaded_modules() {
  std::vector<module> all;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        module m;
        m.path = info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe";
        m.base = info->dlpi_addr;
        m.tls = info->dlpi_tls_data;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          auto const& p = info->dlpi_phdr[i];
          if (p.p_type == PT_LOAD) m.ranges.push_back({m.base + p.p_vaddr, m.base + p.p_vaddr + p.p_memsz});
          if (p.p_type == PT_TLS) m.tls_bytes = p.p_memsz;
        }
        static_cast<std::vector<module>*>(out)->push_back(std::move(m));
        return 0;
      },
      &all);
  return all;
}

struct function_symbol {
  std::uintptr_t low;
  std::size_t bytes;
  char const* name;
};
struct tls_symbol {
  std::uintptr_t offset;
  std::size_t bytes;
  char const* name;
  bool shared;
};

/// The symbol table of one module. Names point into the mapped file, which stays.
struct symbol_table {
  elf_file file;
  std::vector<function_symbol> functions;  // the symbols, sorted by address
  std::vector<tls_symbol> variables;       // the variables, sorted by offset
  std::vector<function_symbol> objects;    // writable variables of static storage, sorted by address

  /// Whether the name is not a guard, a table of virtual functions, or the standard library's.
  static bool is_of_program(std::string_view name) {
    for (std::string_view const other : {"_ZGV", "_ZTV", "_ZTT", "_ZSt", "_ZNSt", "_ZZNSt"}) {
      if (name.starts_with(other)) return false;
    }
    return true;
  }
  /// `__shared__` means thread_local here. The function accepts every thread-local variable of a function, a namespace
  /// or a class of the program. It excludes the device's own words, and the variables of compilers and the standard
  /// library.
  static bool is_shared_of_program(std::string_view name) {
    for (std::string_view const other : {"_ZGV", "_ZZNSt", "_ZZNKSt", "_ZSt", "_ZNSt", "_ZN11cosmati_sim",
                                         "_ZZN11cosmati_sim", "cosmati_sim_", "threadIdx", "blockIdx", "__"}) {
      if (name.starts_with(other)) return false;
    }
    return true;
  }
  explicit symbol_table(char const* path) : file(path) {
    elf_file::section const symbols = file.find(".symtab");
    elf_file::section const names = file.find(".strtab");
    if (symbols.bytes == nullptr || names.bytes == nullptr) return;
    auto const* const s = reinterpret_cast<Elf64_Sym const*>(symbols.bytes);
    for (std::size_t i = 0; i < symbols.size / sizeof(Elf64_Sym); ++i) {
      if (s[i].st_shndx == SHN_UNDEF || s[i].st_name >= names.size) continue;
      char const* const name = names.bytes + s[i].st_name;
      unsigned const type = ELF64_ST_TYPE(s[i].st_info);
      if (type == STT_OBJECT && s[i].st_size != 0 && file.is_variable_data(s[i].st_shndx) && is_of_program(name)) {
        objects.push_back({s[i].st_value, s[i].st_size, name});
      }
      if (type == STT_FUNC) functions.push_back({s[i].st_value, s[i].st_size, name});
      if (type == STT_TLS && s[i].st_size != 0) {
        bool const shared = file.is_zeroed(s[i].st_shndx) && is_shared_of_program(name);
        variables.push_back({s[i].st_value, s[i].st_size, name, shared});
      }
    }
    std::sort(functions.begin(), functions.end(), [](auto const& a, auto const& b) { return a.low < b.low; });
    std::sort(objects.begin(), objects.end(), [](auto const& a, auto const& b) { return a.low < b.low; });
    std::sort(variables.begin(), variables.end(), [](auto const& a, auto const& b) { return a.offset < b.offset; });
  }
};

symbol_table const& symbols_of(std::string const& path) {
  static std::mutex mutex;
  static auto* const tables = new std::map<std::string, symbol_table>;
  std::lock_guard const lock(mutex);
  auto const found = tables->find(path);
  if (found != tables->end()) return found->second;
  return tables->try_emplace(path, path.c_str()).first->second;
}

/// Gives "_Z1kPf" for "_ZZ1kPfE5stage": the function that declares a local static.
std::string owner_name(char const* mangled) {
  std::string const text = mangled + 2;  // drops "_Z"
  for (std::size_t at = text.rfind('E'); at != std::string::npos && at != 0; at = text.rfind('E', at - 1)) {
    char* end = nullptr;
    unsigned long const length = std::strtoul(text.c_str() + at + 1, &end, 10);
    std::size_t const begin = static_cast<std::size_t>(end - text.c_str());
    if (length == 0 || begin + length > text.size()) continue;
    if (begin + length == text.size() || text[begin + length] == '_') return "_" + text.substr(0, at);
  }
  return {};
}

bool system_library(std::string const& path) {
  return path.starts_with("/lib/") || path.starts_with("/lib64/") || path.starts_with("/usr/lib/") ||
         path.starts_with("linux-vdso");
}

std::string demangled(char const* name) {
  if (std::strncmp(name, "_Z", 2) != 0) return name;  // a variable named `s` is not a short
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  // `cosmati sim` gives a name to an unnamed namespace in which dynamic shared memory is declared.
  constexpr std::string_view given = "cosmati_unnamed_";
  for (std::size_t at; (at = result.find(given)) != std::string::npos;) {
    std::size_t const end = result.find_first_not_of("0123456789", at + given.size());
    result.replace(at, std::min(end, result.size()) - at, "(anonymous namespace)");
  }
  return result;
}

/// Gives "k<A, B>" for "void (anonymous namespace)::k<A, B>(float const*, int)".
/// @param parameters whether their list stays
std::string name_of_kernel(std::string text, bool parameters) {
  for (std::size_t at; (at = text.find("(anonymous namespace)::")) != std::string::npos;) text.erase(at, 23);
  // The parameter list is the last parenthesis at depth 0.
  int depth = 0;
  std::size_t end = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == '>' && (i == 0 || text[i - 1] != '-')) || text[i] == '}' || text[i] == ']') --depth;
    if (text[i] == '(' && depth == 0) {
      end = i;
      break;
    }
  }
  std::string const list = text.substr(end);
  text.resize(end);
  depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {  // removes the return type
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] == ' ' && depth == 0) {
      text.erase(0, i + 1);
      i = static_cast<std::size_t>(-1);
    }
  }
  return parameters ? text + list : text;
}

}  // namespace

namespace {
std::mutex kernels_mutex;
std::map<std::uintptr_t, std::string>& kernel_names() {
  static auto* const names = new std::map<std::uintptr_t, std::string>;
  return *names;
}
}  // namespace

std::string kernel_name(void const* function) {
  auto const address = reinterpret_cast<std::uintptr_t>(function);
  std::lock_guard const lock(kernels_mutex);
  auto* const names = &kernel_names();
  if (auto const found = names->find(address); found != names->end()) return found->second;
  std::string full;
  for (module const& m : loaded_modules()) {
    bool const here = std::any_of(m.ranges.begin(), m.ranges.end(),
                                  [&](auto const& r) { return r.first <= address && address < r.second; });
    if (!here) continue;
    auto const& functions = symbols_of(m.path).functions;
    auto after = std::upper_bound(functions.begin(), functions.end(), address - m.base,
                                  [](std::uintptr_t a, function_symbol const& f) { return a < f.low; });
    if (after != functions.begin() &&
        address - m.base < (after - 1)->low + std::max((after - 1)->bytes, std::size_t{1})) {
      full = demangled((after - 1)->name);
    }
    break;
  }
  Dl_info info;
  if (full.empty() && dladdr(function, &info) != 0 && info.dli_sname != nullptr) full = demangled(info.dli_sname);
  if (full.empty()) full = formatted("at {:#x}", address);
  // For overloaded functions, the names after the first include their parameters.
  auto const taken = [&](std::string const& name) {
    return std::any_of(names->begin(), names->end(), [&](auto const& known) { return known.second == name; });
  };
  std::string name = name_of_kernel(full, false);
  if (taken(name)) name = name_of_kernel(full, true);
  if (taken(name)) name += formatted(" at {:#x}", address);
  return names->emplace(address, name).first->second;
}

std::string kernel_text(void const* function) {
  std::string const name = kernel_name(function);
  std::lock_guard const lock(kernels_mutex);
  std::vector<std::string> all;
  for (auto const& [address, one] : kernel_names()) all.push_back(one);
  std::vector<std::string> const texts = cosmati::detail::short_kernel_names(all);
  return texts[static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin())];
}

bool is_code_of_program(void const* pc) {
  std::uintptr_t const address = reinterpret_cast<std::uintptr_t>(pc) - 1;
  for (module const& m : loaded_modules()) {
    if (std::any_of(m.ranges.begin(), m.ranges.end(),
                    [&](auto const& r) { return r.first <= address && address < r.second; }))
      return !system_library(m.path);
  }
  return false;
}

bool has_code_of_clang() {
  elf_file::section const compilers = symbols_of("/proc/self/exe").file.find(".comment");
  return compilers.bytes != nullptr &&
         std::string_view(compilers.bytes, compilers.size).find("clang version") != std::string_view::npos;
}

std::size_t function_bytes(void const* function) {
  auto const address = reinterpret_cast<std::uintptr_t>(function);
  static std::mutex mutex;
  static auto* const known = new std::map<std::uintptr_t, std::size_t>;
  std::lock_guard const lock(mutex);
  if (auto const found = known->find(address); found != known->end()) return found->second;
  std::size_t bytes = 0;
  for (module const& m : loaded_modules()) {
    bool const here = std::any_of(m.ranges.begin(), m.ranges.end(),
                                  [&](auto const& r) { return r.first <= address && address < r.second; });
    if (!here) continue;
    auto const& functions = symbols_of(m.path).functions;
    auto const after = std::upper_bound(functions.begin(), functions.end(), address - m.base,
                                        [](std::uintptr_t a, function_symbol const& f) { return a < f.low; });
    if (after != functions.begin()) bytes = (after - 1)->bytes;
    break;
  }
  return known->emplace(address, bytes).first->second;
}

void const* function_begin(void const* pc) {
  auto const address = reinterpret_cast<std::uintptr_t>(pc);
  for (module const& m : loaded_modules()) {
    bool const here = std::any_of(m.ranges.begin(), m.ranges.end(),
                                  [&](auto const& r) { return r.first <= address && address < r.second; });
    if (!here) continue;
    auto const& functions = symbols_of(m.path).functions;
    auto const after = std::upper_bound(functions.begin(), functions.end(), address - m.base,
                                        [](std::uintptr_t a, function_symbol const& f) { return a < f.low; });
    return after != functions.begin() ? reinterpret_cast<void const*>(m.base + (after - 1)->low) : nullptr;
  }
  return nullptr;
}

std::string variable_name(char const* mangled) {
  std::string const full = demangled(mangled);
  std::size_t const last = full.rfind("::");
  return last == std::string::npos ? full : full.substr(last + 2);
}

void find_thread_locals(worker& w) {
  w.thread_locals.clear();
  w.tls_ranges.clear();
  for (module const& m : loaded_modules()) {
    if (m.tls == nullptr || m.tls_bytes == 0 || system_library(m.path)) continue;
    auto* const base = static_cast<char*>(m.tls);
    auto const& table = symbols_of(m.path);
    if (table.functions.empty()) continue;  // stripped, so nothing is known
    w.tls_ranges.push_back(
        {reinterpret_cast<std::uintptr_t>(base), reinterpret_cast<std::uintptr_t>(base) + m.tls_bytes});
    for (tls_symbol const& s : table.variables) {
      std::uintptr_t owner = 0;
      if (s.shared) {
        std::string const name = owner_name(s.name);
        for (function_symbol const& f : table.functions) {
          if (name == f.name) owner = m.base + f.low;
        }
      }
      w.thread_locals.push_back({base + s.offset, s.bytes, s.name, s.shared, owner});
    }
  }
  std::sort(w.thread_locals.begin(), w.thread_locals.end(), [](auto const& a, auto const& b) { return a.low < b.low; });
}

bool is_module_memory(std::uintptr_t address) {
  struct query {
    std::uintptr_t address;
    bool found;
  } q = {address, false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* raw) {
        auto& query_ = *static_cast<query*>(raw);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          auto const& p = info->dlpi_phdr[i];
          std::uintptr_t const low = info->dlpi_addr + p.p_vaddr;
          if (p.p_type == PT_LOAD && query_.address - low < p.p_memsz) query_.found = true;
        }
        return query_.found ? 1 : 0;
      },
      &q);
  return q.found;
}

module_variable find_module_variable(std::uintptr_t address) {
  static std::mutex mutex;
  static auto* const shadows = new std::map<std::uintptr_t, std::unique_ptr<shadow_region>>;
  for (module const& m : loaded_modules()) {
    bool const here = std::any_of(m.ranges.begin(), m.ranges.end(),
                                  [&](auto const& r) { return r.first <= address && address < r.second; });
    if (!here) continue;
    if (system_library(m.path)) return {};
    auto const& objects = symbols_of(m.path).objects;
    auto const after = std::upper_bound(objects.begin(), objects.end(), address - m.base,
                                        [](std::uintptr_t a, function_symbol const& o) { return a < o.low; });
    if (after == objects.begin()) return {};
    function_symbol const& o = *(after - 1);
    if (address - m.base - o.low >= o.bytes) return {};
    std::lock_guard const lock(mutex);
    auto& shadow = (*shadows)[m.base + o.low];
    if (shadow == nullptr) {
      shadow = std::make_unique<shadow_region>(m.base + o.low, o.bytes, false);
      shadow->counts_as_written = true;
      shadow->prepare();
    }
    return {m.base + o.low, o.bytes, o.name, shadow.get()};
  }
  return {};
}

site line_of(void const* pc) { return line_before(pc, nullptr); }

site line_before(void const* pc, bool (*is_meant)(std::string const&)) {
  // The call is before the return address.
  std::uintptr_t const address = reinterpret_cast<std::uintptr_t>(pc) - 1;
  for (module const& m : loaded_modules()) {
    bool const here = std::any_of(m.ranges.begin(), m.ranges.end(),
                                  [&](auto const& r) { return r.first <= address && address < r.second; });
    if (!here) continue;
    std::uint64_t least = 0;
    if (is_meant != nullptr) {
      auto const& functions = symbols_of(m.path).functions;
      auto const after = std::upper_bound(functions.begin(), functions.end(), address - m.base,
                                          [](std::uintptr_t a, function_symbol const& f) { return a < f.low; });
      if (after != functions.begin()) least = (after - 1)->low;
    }
    found_line const found = find_line(symbols_of(m.path).file, address - m.base, least, is_meant);
    if (found.line == 0) return {};
    static std::mutex mutex;
    static auto* const files = new std::set<std::string>;
    std::lock_guard const lock(mutex);
    return {files->insert(found.file).first->c_str(), found.line};
  }
  return {};
}

}  // namespace cosmati_sim
