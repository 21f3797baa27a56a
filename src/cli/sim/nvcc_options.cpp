// SPDX-License-Identifier: Apache-2.0
#include "nvcc_options.hpp"

#include "../command_end.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cosmati/kernel/device_model.hpp>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace cosmati::cli {

namespace {

constexpr char const* always = "it is always so on the simulated device";
constexpr char const* no_ptx = "no code for a GPU is made";
constexpr char const* no_warnings = "the compiler of the host sees translated text";

/// An option without effect, with the reason.
struct ignored_option {
  std::string_view name;
  bool has_value;
  char const* reason;
};
constexpr ignored_option ignored[] = {
    {"-lineinfo", false, always},
    {"--generate-line-info", false, always},
    {"-G", false, always},
    {"--device-debug", false, always},
    {"-g", false, always},
    {"--debug", false, always},
    {"-dc", false, always},
    {"--device-c", false, always},
    {"-rdc", true, always},
    {"--relocatable-device-code", true, always},
    {"-expt-relaxed-constexpr", false, always},
    {"--expt-relaxed-constexpr", false, always},
    {"-expt-extended-lambda", false, always},
    {"--expt-extended-lambda", false, always},
    {"-extended-lambda", false, always},
    {"--extended-lambda", false, always},
    {"-restrict", false, "the simulated device assumes nothing of pointers"},
    {"--restrict", false, "the simulated device assumes nothing of pointers"},
    {"-use_fast_math", false, "functions are as exact as the host's"},
    {"--use_fast_math", false, "functions are as exact as the host's"},
    {"-ftz", true, "functions are as exact as the host's"},
    {"--ftz", true, "functions are as exact as the host's"},
    {"-prec-div", true, "functions are as exact as the host's"},
    {"--prec-div", true, "functions are as exact as the host's"},
    {"-prec-sqrt", true, "functions are as exact as the host's"},
    {"--prec-sqrt", true, "functions are as exact as the host's"},
    {"-fmad", true, "functions are as exact as the host's"},
    {"--fmad", true, "functions are as exact as the host's"},
    {"-maxrregcount", true, "registers are not counted"},
    {"--maxrregcount", true, "registers are not counted"},
    {"-Xptxas", true, no_ptx},
    {"--ptxas-options", true, no_ptx},
    {"-Xnvlink", true, no_ptx},
    {"--nvlink-options", true, no_ptx},
    {"-Xfatbin", true, no_ptx},
    {"-Xcudafe", true, no_ptx},
    {"-code", true, no_ptx},
    {"--gpu-code", true, no_ptx},
    {"-res-usage", false, no_ptx},
    {"--resource-usage", false, no_ptx},
    {"-keep", false, no_ptx},
    {"--keep", false, no_ptx},
    {"-c", false, "the program is run at once"},
    {"--compile", false, "the program is run at once"},
    {"-o", true, "the program is run at once, and --program FILE keeps it"},
    {"--output-file", true, "the program is run at once, and --program FILE keeps it"},
    {"-ccbin", true, "--cxx names the compiler"},
    {"--compiler-bindir", true, "--cxx names the compiler"},
    {"-cudart", true, "the simulated device stands for CUDA's library"},
    {"--cudart", true, "the simulated device stands for CUDA's library"},
    {"-default-stream", true, "a launch without a stream goes to the legacy default stream"},
    {"--default-stream", true, "a launch without a stream goes to the legacy default stream"},
    {"-x", true, "the extension of a file tells its language"},
    {"-w", false, no_warnings},
    {"-Wno-deprecated-gpu-targets", false, no_warnings},
    {"-diag-suppress", true, no_warnings},
    {"--diag-suppress", true, no_warnings},
    {"-m64", false, always},
    {"-v", false, "--compile-flags=-v shows what the compiler does"},
    {"--verbose", false, "--compile-flags=-v shows what the compiler does"},
};

/// Options of nvcc that have an effect, and take a value.
constexpr std::string_view applied[] = {
    "-arch",
    "--gpu-architecture",
    "-gencode",
    "--generate-code",
    "-std",
    "--std",
    "-Xcompiler",
    "--compiler-options",
    "-Xlinker",
    "--linker-options",
    "-include",
    "--pre-include",
    "-isystem",
    "--system-include",
    "--include-path",
    "--define-macro",
    "-U",
    "--undefine-macro",
    "-L",
    "--library-path",
    "-l",
    "--library",
};

/// Libraries of CUDA that the simulated device stands for.
constexpr std::string_view own_libraries[] = {"cublas", "cublasLt",      "cuda",   "cudadevrt",
                                              "cudart", "cudart_static", "curand", "nvToolsExt"};
/// Libraries of CUDA that are absent. Their functions end the program where they are called.
constexpr std::string_view absent_libraries[] = {"cudnn", "cufft",  "cupti", "cusolver", "cusparse", "nccl",
                                                 "nppc",  "nppial", "nppif", "nvjpeg",   "nvrtc",    "nvidia-ml"};

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t comma; (comma = text.find(',')) != std::string_view::npos; text.remove_prefix(comma + 1))
    parts.emplace_back(text.substr(0, comma));
  parts.emplace_back(text);
  return parts;
}

/// The number of "sm_90a" or "compute_90": 90. 0 if there is none.
int capability_of(std::string_view text) {
  std::size_t const at = text.rfind('_');
  return at == std::string_view::npos ? 0 : std::atoi(std::string(text.substr(at + 1)).c_str());
}

class translator {
 public:
  explicit translator(std::vector<std::string> const& words) : words_(words) {
    is_cuda_ = std::any_of(words.begin(), words.end(), [](std::string const& w) { return w.ends_with(".cu"); });
    has_device_ = std::any_of(words.begin(), words.end(),
                              [](std::string const& w) { return w == "--device" || w.starts_with("--device="); });
  }

  translated_words run() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      if (!is_cuda_ || !translate(words_[at_])) out_.words.push_back(words_[at_]);
    }
    choose_device();
    return std::move(out_);
  }

 private:
  /// @return false if the word is no option of nvcc
  bool translate(std::string const& word) {
    std::string_view const name = std::string_view(word).substr(0, word.find('='));
    for (ignored_option const& o : ignored) {
      bool const is = o.name == name && (o.has_value || name.size() == word.size());
      if (!is) continue;
      if (o.has_value) value_of(word, name);
      out_.notes.push_back(fmt::format("{} has no effect: {}", name, o.reason));
      return true;
    }
    for (std::string_view const option : applied) {
      // `-lm`, `-L/usr/lib` and `-UX` have their value in the same word.
      bool const joined = option.size() == 2 && name.starts_with(option) && word.size() > 2;
      if (option != name && !joined) continue;
      apply(option, joined ? word.substr(2) : value_of(word, name));
      return true;
    }
    return false;
  }

  std::string value_of(std::string const& word, std::string_view name) {
    if (name.size() < word.size()) return word.substr(name.size() + 1);
    if (++at_ < words_.size()) return words_[at_];
    throw command_error(bad_input, fmt::format("sim: {} of nvcc takes a value, and none follows", word));
  }

  void compiler_word(std::string const& word) { out_.words.push_back("--compile-flags='" + word + "'"); }
  void linker_word(std::string const& word) { out_.words.push_back("--link-flags='" + word + "'"); }

  void apply(std::string_view option, std::string const& value) {
    auto const is = [option](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), option) != names.end();
    };
    if (is({"-arch", "--gpu-architecture"})) return architecture("-arch=" + value, capability_of(value));
    if (is({"-gencode", "--generate-code"})) {
      std::string_view const first = std::string_view(value).substr(0, value.find(','));
      return architecture("-gencode " + value, capability_of(first));
    }
    if (is({"-std", "--std"})) return standard(value);
    if (is({"-Xcompiler", "--compiler-options"})) return for_compiler(value);
    if (is({"-Xlinker", "--linker-options"})) {
      for (std::string const& part : parts_of(value)) linker_word("-Wl," + part);
    } else if (is({"-include", "--pre-include"})) {
      compiler_word("-include");
      compiler_word(value);
    } else if (is({"-isystem", "--system-include", "--include-path"})) {
      for (std::string const& folder : parts_of(value)) out_.words.push_back("-I" + folder);
    } else if (is({"--define-macro"})) {
      out_.words.push_back("-D" + value);
    } else if (is({"-U", "--undefine-macro"})) {
      compiler_word("-U" + value);
    } else if (is({"-L", "--library-path"})) {
      linker_word("-L" + value);
    } else {
      library(value);
    }
  }

  void library(std::string const& name) {
    auto const is_in = [&name](auto const& list) {
      return std::find(std::begin(list), std::end(list), name) != std::end(list);
    };
    if (is_in(own_libraries)) return;
    if (!is_in(absent_libraries)) return linker_word("-l" + name);
    out_.notes.push_back(
        fmt::format("-l{} has no effect: a function of this library ends the program where it is called", name));
  }

  void for_compiler(std::string const& value) {
    for (std::string const& part : parts_of(value)) {
      if (part.starts_with("-W") || part.starts_with("/") || part.starts_with("-O")) {
        out_.notes.push_back(fmt::format("-Xcompiler {} has no effect: {}", part,
                                         part.starts_with("-O") ? "-O chooses the level for all code" : no_warnings));
        continue;
      }
      compiler_word(part);
      if (part == "-fopenmp" || part == "-pthread") linker_word(part);
    }
  }

  void standard(std::string const& value) {
    if (value == "c++20" || value == "c++23" || value == "gnu++20") {
      out_.words.push_back("--std=" + value);
    } else {
      out_.notes.push_back(fmt::format("-std={} has no effect: the headers of the simulated device need c++20", value));
    }
  }

  void architecture(std::string const& option, int capability) {
    if (has_device_) {
      out_.notes.push_back(fmt::format("{} has no effect: --device chooses the device", option));
      return;
    }
    named_device_model const* found = nullptr;
    for (named_device_model const& d : device_models) {
      // Of two devices the one of fewer bytes a second is more common.
      bool const better = found == nullptr || d.model.bytes_per_us < found->model.bytes_per_us;
      if (d.model.compute_capability == capability && better && d.name != std::string_view("l40s")) found = &d;
    }
    if (found == nullptr) {
      out_.notes.push_back(fmt::format("{} has no effect: no simulated device has this capability", option));
    } else if (found->model.compute_capability >= capability_) {
      capability_ = found->model.compute_capability;
      device_ = found->name;
    }
  }
  void choose_device() {
    if (device_.empty()) return;
    out_.words.insert(out_.words.begin(), "--device=" + device_);
  }

  std::vector<std::string> const& words_;
  std::size_t at_ = 0;
  bool is_cuda_ = false, has_device_ = false;
  int capability_ = 0;  // of the device that the options choose
  std::string device_;
  translated_words out_;
};

}  // namespace

translated_words without_nvcc_options(std::vector<std::string> const& words) { return translator(words).run(); }

std::vector<std::string> words_of_sim(std::vector<std::string> const& words) {
  auto const end = std::find(words.begin(), words.end(), "--");
  translated_words made = without_nvcc_options({words.begin(), end});
  std::vector<std::string> out = std::move(made.words);
  for (std::string const& note : made.notes) out.push_back("--note=" + note);
  if (end == words.end()) return out;
  out.push_back(fmt::format("--program-words={}", words.end() - end - 1));
  out.insert(out.end(), end, words.end());
  return out;
}

}  // namespace cosmati::cli
