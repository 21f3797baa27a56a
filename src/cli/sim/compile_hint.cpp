// SPDX-License-Identifier: Apache-2.0
#include "compile_hint.hpp"

#include <regex>
#include <set>

namespace cosmati::cli {
namespace {

struct hint {
  char const* of;  // a pattern of one line
  char const* sentence;
};

hint const hints[] = {
    {"\\w\\s*<<<.*>>>\\s*\\(",
     "a kernel is started by launch(kernel, {.grid = 4, .block = 256}, arguments...), on the simulated device and with "
     "nvcc; kernel<<<4, 256>>>(arguments...) is nvcc's alone"},
    {"error: .*cuda(Malloc|Free|Memcpy|Memset)",
     "memory of the device is a device_buffer<T>: device_buffer<float> in(host_vector), out(1000); in.data() is what a "
     "kernel gets, out.download() a vector; cudaMalloc and cudaMemcpy need the CUDA toolkit"},
    {"error: .*cuda(Device|Stream|Event|GetLastError|Get|Set|Error)",
     "launch waits for its kernel and throws what is wrong; functions of the CUDA runtime need the CUDA toolkit"},
    {"error: .*\\b(cuda_\\w+|cooperative_groups|device_launch_parameters)\\.h",
     "leave the CUDA toolkit's header out: cosmati/cosmati.hpp has the words of kernels, such as threadIdx and "
     "__syncthreads(), and numbers such as half_t"},
    {"error: .*\\b(cute|cutlass)/[\\w/]+\\.h",
     "a program for CuTe is compiled with -I and the folder of Cosmati's headers for it: compat of the repository, "
     "include/cosmati-compat of an installation"},
};

/// The sentence about the first name that a namespace or class of CUDA, CUB or Thrust lacks. g++ writes an alias of a
/// namespace as the program does.
std::string absent_member(std::string const& said) {
  std::string const place = "([^\n:]+:[0-9]+):[0-9]+: error: ";
  std::string const scope = "((?:(?:nv)?cuda|cub|thrust|cooperative_groups|cg|cde)(?:::\\w+)*)";
  // Two of g++, one of clang, and g++'s of a class whose member is wanted.
  struct form {
    std::string pattern;
    int scope, name;
  };
  form const forms[] = {{place + "(?:‘|')?(\\w+)(?:’|')? is not a member of (?:‘|')" + scope + "(?:’|')", 3, 2},
                        {place + "(?:‘|')?(\\w+)(?:’|')? in namespace (?:‘|')" + scope + "(?:’|') does not", 3, 2},
                        {place + "no (?:type|template|member) named '(\\w+)' in (?:namespace )?'" + scope + "'", 3, 2},
                        {place + "(?:‘|')" + scope + "::(\\w+)(?:’|') has not been declared", 2, 3}};
  std::string sentence;
  std::ptrdiff_t first = -1;
  for (form const& f : forms) {
    std::smatch found;
    if (!std::regex_search(said, found, std::regex(f.pattern))) continue;
    if (first >= 0 && found.position() > first) continue;
    first = found.position();
    std::string of = found[static_cast<std::size_t>(f.scope)].str();
    if (of == "cg") of = "cooperative_groups";
    if (of == "cde") of = "cuda::device::experimental";
    sentence = found[1].str() + ": " + of + "::" + found[static_cast<std::size_t>(f.name)].str() +
               " is not on the simulated device";
  }
  return sentence;
}

/// The sentence about texture and surface references, and the functions that bind them.
std::string removed_reference(std::string const& said) {
  // Of g++ and clang: a declaration; a call.
  struct form {
    char const* pattern;
    bool is_call;
  };
  form const forms[] = {
      {"([^\n:]+:[0-9]+):[0-9]+: error: (?:‘)?(texture|surface)(?:’)? does not name a (?:type|template type)", false},
      {"([^\n:]+:[0-9]+):[0-9]+: error: (?:no template named|unknown type name) '(texture|surface)'", false},
      {"([^\n:]+:[0-9]+):[0-9]+: error: (?:‘)?(cuda(?:Bind|Unbind|GetTexture|GetSurface)(?:Texture|Surface|Reference|"
       "AlignmentOffset)\\w*)(?:’)? was not declared",
       true},
      {"([^\n:]+:[0-9]+):[0-9]+: error: use of undeclared identifier "
       "'(cuda(?:Bind|Unbind|GetTexture|GetSurface)(?:Texture|"
       "Surface|Reference|AlignmentOffset)\\w*)'",
       true}};
  for (form const& f : forms) {
    std::smatch found;
    if (!std::regex_search(said, found, std::regex(f.pattern))) continue;
    bool const surface = found[2].str().find("urface") != std::string::npos;
    return found[1].str() + ": " + found[2].str() + (f.is_call ? " is" : " references are") +
           " not on the simulated device: CUDA 12 removed " + (surface ? "surface" : "texture") +
           " references; make an object by cudaCreate" + (surface ? "Surface" : "Texture") +
           "Object, and give it to the kernel";
  }
  return {};
}

/// The sentence about functions of warps without a mask.
std::string removed_warp_function(std::string const& said) {
  // Of g++ and clang.
  std::regex const form(
      "([^\n:]+:[0-9]+):[0-9]+: error: (?:use of undeclared identifier )?(?:‘|')?(__(?:shfl(?:_up|_down|_xor)?|any|all|"
      "ballot))(?:’|')(?: was not declared|[^\n]*\n)");
  std::smatch found;
  if (!std::regex_search(said, found, form)) return {};
  std::string const name = found[2].str();
  return found[1].str() + ": " + name +
         " is not on the simulated device: CUDA removed it for compute capability 7.0 and later; write " + name +
         "_sync, with the mask of the lanes as its first argument";
}

/// Whether a place is in a header of the library.
bool is_of_library(std::string const& place) {
  return std::regex_search(place, std::regex("cosmati/[a-z_]+/.*\\.hpp:"));
}

/// The first place in the compiler's words, behind `from`, that leads to the error and is not in the library's header.
std::string place_that_leads_there(std::string const& said, std::size_t from) {
  std::regex const place(
      "([^\\s:][^\n:]*:[0-9]+):[0-9]+: +(?:required from|note: in instantiation|note: while substituting)");
  auto const end = std::sregex_iterator();
  auto const begin = said.begin() + static_cast<std::ptrdiff_t>(from);
  for (auto i = std::sregex_iterator(begin, said.end(), place); i != end; ++i) {
    if (!is_of_library((*i)[1].str())) return (*i)[1].str() + ": ";
  }
  return {};
}

/// The sentence about an operand of an asm statement whose type does not fit its constraint.
std::string wrong_operand(std::string const& said) {
  std::regex const form("ptx_operand<([0-9]+), '(\\w)', ([^\n]*?), ([0-9]+)>");
  std::smatch found;
  if (said.find("does not fit its constraint") == std::string::npos || !std::regex_search(said, found, form)) return {};
  struct row {
    char constraint;
    char const* takes;
  };
  constexpr row rows[] = {{'h', "an integer of 2 bytes"},
                          {'r', "an integer of 4 bytes"},
                          {'l', "an integer of 8 bytes"},
                          {'q', "an integer of 16 bytes"},
                          {'f', "a float"},
                          {'d', "a double"},
                          {'n', "an integer constant"}};
  std::string takes, type = found[3].str();
  for (row const& r : rows) {
    if (found[2].str()[0] == r.constraint) takes = r.takes;
  }
  std::string const bytes = found[4].str();
  std::string const fits = type == "float"    ? "\"f\""
                           : type == "double" ? "\"d\""
                           : bytes == "2"     ? "\"h\""
                           : bytes == "4"     ? "\"r\""
                           : bytes == "8"     ? "\"l\""
                                              : "";
  std::string const fix = fits.empty() ? "cast it to such a type" : "cast it, or bind it with " + fits;
  return place_that_leads_there(said, static_cast<std::size_t>(found.position())) + "operand %" + found[1].str() +
         " of the asm statement is of type " + type + ", " + bytes + (bytes == "1" ? " byte" : " bytes") +
         ", and its constraint \"" + found[2].str() + "\" takes " + takes + ": " + fix;
}

/// ": it has 2, and the launch passes 1", if the check is of a launch's arguments.
std::string numbers_of_arguments(std::string const& said) {
  std::smatch found;
  if (!std::regex_search(said, found, std::regex("launch_passes_arguments<([0-9]+)[ul]*, ([0-9]+)"))) return {};
  return ": it has " + found[2].str() + ", and the launch passes " + found[1].str();
}

/// The sentence of a check in a header of the library, such as of a launch with too few arguments, behind the program's
/// line. g++ names that line before the check, and clang behind it.
std::string failed_check(std::string const& said) {
  std::regex const form(
      "/cosmati/[^\n:]+:[0-9]+:[0-9]+: error: static(?: assertion failed: |_assert failed[^\n\"]*\")([^\n\"]+)");
  std::smatch found;
  if (!std::regex_search(said, found, form)) return {};
  std::string const before = said.substr(0, static_cast<std::size_t>(found.position()));
  std::regex const place("([^\\s:][^\n:]*:[0-9]+):[0-9]+: +required from");
  std::string line;
  for (std::sregex_iterator i(before.begin(), before.end(), place), end; i != end; ++i) {
    std::string const file = (*i)[1].str();
    if (!is_of_library(file)) line = file + ": ";
  }
  if (line.empty()) line = place_that_leads_there(said, before.size());
  return line + found[1].str() + numbers_of_arguments(said);
}

/// The sentence about a program without main, in the linker's words.
std::string absent_main(std::string const& said) {
  bool const absent = std::regex_search(said, std::regex("undefined (?:reference to `main'|symbol: main\\b)"));
  return absent ? "no file has a function main; give the file that has it as well, or add one that launches the kernels"
                : "";
}

/// Whether a header's name is one of a CUDA toolkit, or of a library that is used with one. `quoted` tells whether the
/// program includes it as "name": people's own headers have names such as cuda_utils.h and device_code.cuh.
bool is_header_of_cuda(std::string const& name, bool quoted) {
  std::regex const of_cuda(
      "(cu|nv|npp|thrust/|cub/|crt/|cooperative_groups|mma\\.h|nccl|sm_|device_|library_types|math_|"
      "vector_|texture_|surface_|driver_|host_|builtin_types|channel_|common_functions).*");
  if (!quoted) return std::regex_match(name, of_cuda);
  std::regex const quoted_of_cuda(
      "(thrust/|cub/|crt/|cuda/|nvtx3/|cooperative_groups).*|mma\\.h|nccl\\.h|nvml\\.h|nvrtc\\.h|npp\\w*\\.h|"
      "cu(blas|dnn|fft|rand|solver|sparse|file|pti|tensor)\\w*\\.h|cuda_(egl|gl|vdpau)_interop\\.h|cuda(EGL|GL|VDPAU)"
      "\\.h");
  return std::regex_match(name, quoted_of_cuda);
}

/// The sentence about a header that is no one's of CUDA.
std::string absent_header(std::string const& said) {
  std::smatch found;
  std::regex const form("([^\n:]+:[0-9]+):[0-9]+: fatal error: '?([\\w./+-]+)'?(?:: No such file| file not found)");
  if (!std::regex_search(said, found, form)) return {};
  std::string const name = found[2].str();
  bool const quoted = found.suffix().str().find("include \"" + name + "\"") != std::string::npos;
  if (is_header_of_cuda(name, quoted)) return {};
  bool const of_samples = std::regex_match(name, std::regex("(helper_\\w+|exception)\\.h"));
  return found[1].str() + ": there is no header " + name +
         (of_samples ? "; it is in the folder Common of NVIDIA's samples: give that by -I" : "; give its folder by -I");
}

/// The sentence about functions and variables that no file defines, in the linker's words.
std::string absent_definition(std::string const& said) {
  std::regex const form("undefined (?:reference to `([^'\n]+)'|symbol: ([^\n]+))");
  std::set<std::string> names;
  std::string first;
  for (std::sregex_iterator i(said.begin(), said.end(), form), end; i != end; ++i) {
    std::string const name = (*i)[1].matched ? (*i)[1].str() : (*i)[2].str();
    bool const of_cuda = name.starts_with("cu") && name.find('(') == std::string::npos;  // they are not linked
    if (of_cuda || !names.insert(name).second) continue;
    if (first.empty()) first = name;
  }
  if (first.empty()) return {};
  if (first.starts_with("omp_") || first.starts_with("GOMP_")) return first + " is of OpenMP: add -Xcompiler -fopenmp";
  std::string const more = names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
  return "no file defines " + first + more + "; give the file as well, or its library by -l";
}

}  // namespace

std::string compile_hint(std::string const& said) {
  if (std::string absent = absent_main(said); !absent.empty()) return absent;
  if (std::string absent = absent_definition(said); !absent.empty()) return absent;
  bool const failed = said.find("error: ") != std::string::npos;
  for (hint const& h : hints) {
    if (failed && std::regex_search(said, std::regex(h.of))) return h.sentence;
  }
  return {};
}

std::string cuda_hint(std::string const& said) {
  // Of g++ and clang: an unknown name, an unknown header, an instruction that the host's assembler does not know.
  struct form {
    char const* pattern;
    char const* what;
  };
  form const forms[] = {
      {"([^\n:]+:[0-9]+):[0-9]+: error: "
       "(?:‘|')?(?:::)?((?:cu[A-Z]|cuda[A-Z]|cub|nvcuda|__|curand|cublas|thrust)\\w*)(?:’|') "
       "(?:was not declared|has not been declared|does not name)",
       ""},
      {"([^\n:]+:[0-9]+):[0-9]+: error: (?:use of undeclared identifier|unknown type name) "
       "'((?:cu[A-Z]|cuda[A-Z]|cub|nvcuda|__|curand|cublas|thrust)\\w*)'",
       ""},
      {"([^\n:]+:[0-9]+):[0-9]+: fatal error: '?([\\w./]+)'?(?:: No such file| file not found)", "the header "},
      {"([^\n:]+:[0-9]+): Error: (?:no such instruction|invalid character|junk|bad)[^\n]*(?:`|‘|')([^\n']+?)(?:'|’)",
       "the instruction "},
      {"([^\n:]+:[0-9]+):[0-9]+: error: [^\n]*\n[^\n]*\n[^\n]*\n<inline asm>:[^\n]*\n\\s*([^\n]+)", "the instruction "},
  };
  if (std::string absent = absent_main(said); !absent.empty()) return absent;
  if (std::string absent = absent_definition(said); !absent.empty()) return absent;
  if (std::string absent = absent_header(said); !absent.empty()) return absent;
  if (std::string removed = removed_reference(said); !removed.empty()) return removed;
  if (std::string removed = removed_warp_function(said); !removed.empty()) return removed;
  if (std::string operand = wrong_operand(said); !operand.empty()) return operand;
  if (std::string absent = absent_member(said); !absent.empty()) return absent;
  if (std::string check = failed_check(said); !check.empty()) return check;
  for (form const& f : forms) {
    std::regex const pattern(f.pattern);
    for (std::sregex_iterator found(said.begin(), said.end(), pattern), end; found != end; ++found) {
      std::string const at = (*found)[1].str();
      if (at.find("/c++/") != std::string::npos) continue;  // a header of the C++ library, which lacks no word of CUDA
      return at + ": " + f.what + (*found)[2].str() + " is not on the simulated device";
    }
  }
  return {};
}

}  // namespace cosmati::cli
