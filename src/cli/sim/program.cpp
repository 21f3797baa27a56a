// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "compile_hint.hpp"

#include "../command_end.hpp"
#include "assembly.hpp"
#include "compiler.hpp"
#include "compiler_output.hpp"
#include "cuda_absent.hpp"
#include "cuda_launches.hpp"
#include "installation.hpp"
#include "macros.hpp"
#include "source.hpp"
#include "source_unit.hpp"
#include "words.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

// Given by the build.
#if !defined(COSMATI_BOOST_CONTEXT)
#error "COSMATI_BOOST_CONTEXT is to be defined"
#endif

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

std::string read_file(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has_extension(std::string const& path, char const* extension) { return fs::path(path).extension() == extension; }

class builder {
 public:
  builder(program_options const& o, temporary_folder const& folder, locals_begin locals)
      : o_(o),
        temporary_(folder),
        folder_(folder.path()),
        at_(find_installation()),
        compiler_(o.compiler, folder, o.compile_seconds),
        is_clang_(compiler_.is_clang()),
        locals_(locals) {
    flags_ = words_of(o.compile_flags);
    list_the_units();
    for (std::string const& f : flags_) {
      if (f.starts_with("-ftrivial-auto-var-init")) fills_locals_ = false;
      if (!f.starts_with("-fsanitize=")) continue;
      if (f != "-fsanitize=thread") sanitizers_.push_back(f);
      for (char const* const other : {"address", "memory", "leak", "hwaddress"}) {
        if (f.find(other) != std::string::npos) instrumented_ = false;
      }
    }
  }

  program build() {
    program p;
    p.compiler = fmt::format("{}", fmt::join(compiler_.words(), " "));
    p.instrumented = instrumented_;
#if defined(__x86_64__)
    p.marked = instrumented_;
#else
    p.marked = false;
#endif
    for (source_unit& u : units_) {
      unit_ = &u;
      compile(p.marked ? "-S" : "-c", file_of(u, p.marked ? ".s" : ".o"));
      add_read_files(p.inputs);
    }
    if (p.marked) assemble();
    for (std::string const& word : words_of(o_.link_flags)) {
      if (!word.starts_with('-') && is_there(word)) p.inputs.push_back(word);
    }
    p.path = folder_ / "program";
    link(p.path);
    p.warnings = cut_output(said_);
    if (instrumented_ && fills_locals_) p.local_byte = is_clang_ ? 0xAA : 0xFE;
    return p;
  }

 private:
  static fs::path file_of(source_unit const& u, char const* extension) { return u.stem.string() + extension; }
  bool is_cuda() const {
    return unit_->kind == source_unit::kind_type::cuda || unit_->kind == source_unit::kind_type::cuda_host;
  }

  void list_the_units() {
    std::vector<std::string> defines = o_.defines, folders = o_.includes;
    std::vector<std::string> const more = take_macros(flags_, folders);
    defines.insert(defines.end(), more.begin(), more.end());
    has_cuda_ = std::any_of(o_.sources.begin(), o_.sources.end(), [](std::string const& s) {
      return has_extension(s, ".cu") || (!has_extension(s, ".c") && includes_only_cuda(read_file(s)));
    });
    has_cute_ = std::any_of(o_.sources.begin(), o_.sources.end(),
                            [](std::string const& s) { return includes_cute(read_file(s)); });
    for (std::string const& path : o_.sources) {
      using enum source_unit::kind_type;
      source_unit u;
      u.path = path;
      u.kind = has_extension(path, ".cu") ? cuda : has_extension(path, ".c") ? c : has_cuda_ ? cuda_host : cxx;
      u.stem = folder_ / fmt::format("source{}", units_.size());
      if (u.kind == c) {
        u.macros.before = defines;
      } else {  // macros come after the library's headers, because these use short names
        u.macros = u.kind == cxx ? place_macros(path, folders, defines) : place_letters(defines);
      }
      if (!u.macros.text.empty()) std::ofstream(file_of(u, "_macros.hpp"), std::ios::binary) << u.macros.text;
      units_.push_back(std::move(u));
    }
    unit_ = &units_.front();
  }

  /// Marks the assembly of each file, and assembles it. What one file defines is no foreign function of another.
  void assemble() {
    std::vector<std::set<std::string>> defined;
    for (source_unit& u : units_) {
      u.assembly = read_file(file_of(u, ".s"));
      defined.push_back(definitions_of(u.assembly));
    }
    std::set<std::string> arrays, initialisers;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      source_unit& u = units_[i];
      unit_ = &u;
      std::set<std::string> elsewhere;
      for (std::size_t k = 0; k < units_.size(); ++k) {
        if (k != i) elsewhere.insert(defined[k].begin(), defined[k].end());
      }
      // The search finds the attribute's names in comments too, which only makes it stricter.
      std::string const source = read_file(u.path) + fmt::format("{}{}{}", fmt::join(flags_, " "),
                                                                 fmt::join(u.macros.before, " "), u.macros.text);
      bool const avoids = source.find("no_sanitize") != std::string::npos ||
                          source.find("disable_sanitizer_instrumentation") != std::string::npos;
      marked_text marked = with_marks(u.assembly, avoids, (at_.include / "cosmati").string(), elsewhere, !is_clang_);
      u.assembly.clear();
      arrays.insert(marked.extern_shared.begin(), marked.extern_shared.end());
      initialisers.insert(marked.initialisers.begin(), marked.initialisers.end());
      if (i + 1 == units_.size()) marked.text += definitions_of_extern_shared(arrays, initialisers);
      fs::path const assembly = file_of(u, ".s");
      put(assembly, marked.text);
      std::string const said = said_;
      std::vector<std::string> words = compiler_.words();
      words.insert(words.end(), {"-c", "-o", file_of(u, ".o"), assembly});
      run(words, "assembled");
      said_ = said;  // warnings about the compiler's own text
    }
  }

  void compile(char const* what, fs::path const& out) {
    if (unit_->kind == source_unit::kind_type::cuda) return compile_cuda(what, out);
    bool const is_c = unit_->kind == source_unit::kind_type::c;
    std::vector<std::string> words = compiler_.words();
    append_language(words);
    append_headers(words);
    append_flags(words);
    words.insert(words.end(), {what, "-o", out, "-x", is_c ? "c" : "c++"});
    std::string const text = read_file(unit_->path), changed = with_alignment_first(text);
    if (changed == text) {
      words.push_back(unit_->path);
    } else {
      fs::path const copy = file_of(*unit_, ".cpp");
      put(copy, "#line 1 \"" + unit_->path + "\"\n" + changed);
      fs::path const source_folder = fs::path(unit_->path).parent_path();
      words.insert(words.end(), {"-iquote", source_folder.empty() ? "." : source_folder.string(), copy});
    }
    run(words, "compiled");
  }

  /// Preprocesses a CUDA file with all its headers, turns its syntax into C++, and compiles the result. Launches in
  /// macros and in headers are plain then. The lines that the preprocessor writes name the program's files.
  void compile_cuda(char const* what, fs::path const& out) {
    fs::path const text = file_of(*unit_, ".ii");
    std::vector<std::string> words = compiler_.words();
    append_language(words);
    append_headers(words);
    append_flags(words);
    words.insert(words.end(), {"-E", "-o", text, "-x", "c++", unit_->path});
    run(words, "compiled");
    put(text, without_cuda_syntax(with_alignment_first(read_file(text)), units_.size() > 1));
    words = compiler_.words();
    append_language(words);
    append_flags(words);
    if (is_clang_)
      words.insert(words.end(),
                   {"-Wno-unused-command-line-argument", "-Wno-static-float-init", "-Wno-undefined-var-template"});
    words.insert(words.end(), {what, "-o", out, "-x", "c++-cpp-output", text});
    run(words, "compiled");
  }

  void append_language(std::vector<std::string>& words) const {
    bool const is_c = unit_->kind == source_unit::kind_type::c;
    if (!is_c) words.push_back("-std=" + o_.standard);
    words.push_back("-O" + o_.optimization);
    words.insert(words.end(), {"-Wno-unknown-pragmas", is_clang_ ? "-ferror-limit=100" : "-fmax-errors=100"});
    if (!is_c) words.push_back("-ftemplate-backtrace-limit=4");
    // CUDA's default is C++17, in which `volatile` is less restricted.
    if (is_cuda()) words.push_back(is_clang_ ? "-Wno-deprecated-volatile" : "-Wno-volatile");
    // nvcc accepts `dim3{n / 8, 1}` with an int.
    if (is_cuda()) words.push_back(is_clang_ ? "-Wno-c++11-narrowing" : "-Wno-narrowing");
    // Kernels read vectors and pairs of halves through pointers to words, which nvcc allows.
    if (is_cuda()) words.push_back("-fno-strict-aliasing");
    // g++ -g1 omits inlined functions, and with them the program's lines in the library's code.
    words.push_back(is_clang_ ? "-g1" : "-g");
    if (!is_clang_) words.push_back("-fno-var-tracking");
  }

  void append_headers(std::vector<std::string>& words) const {
    using enum source_unit::kind_type;
    words.insert(words.end(), {"-MD", "-MF", folder_ / "read"});
    if (is_cuda()) words.insert(words.end(), {"-DCOSMATI_CUDA_FILE", "-I" + at_.cuda.string()});
    if (unit_->kind == cuda) {
      words.insert(words.end(), {"-D__CUDACC__=1", "-D__NVCC__=1"});
      words.insert(words.end(), {"-include", "cuda_runtime.h", "-include", "math.h", "-include", "stdlib.h"});
    }
    // In a program for CuTe the library lives in namespace cute, as its headers of CuTe's names have it. The headers
    // that stand before the program must agree.
    if (unit_->kind != c && has_cute_)
      words.insert(words.end(), {"-DCOSMATI_NAMESPACE=cute", "-DCOSMATI_CUTE_PROGRAM"});
    // A program may include only cosmati.hpp. With nvcc the words of these headers exist; without them the program
    // would not compile.
    if (unit_->kind != c) {
      for (char const* const header :
           {"algorithm", "cassert", "cmath", "cstdio", "cstdlib", "cstring", "numeric", "string"})
        words.insert(words.end(), {"-include", header});
    }
    for (std::string const& d : unit_->macros.before) words.push_back("-D" + d);
    if (!unit_->macros.text.empty()) words.insert(words.end(), {"-include", file_of(*unit_, "_macros.hpp")});
    for (std::string const& i : o_.includes) words.push_back("-I" + i);
    words.push_back("-I" + at_.include.string());
  }

  /// The flags of the user, and the instrumentation.
  void append_flags(std::vector<std::string>& words) const {
    words.insert(words.end(), flags_.begin(), flags_.end());
    // Some distributions turn it on. It calls __printf_chk and its like, whose accesses nothing sees.
    words.push_back("-U_FORTIFY_SOURCE");
    if (!instrumented_) return;
    // As cosmati::sim_instrumented does. clang knows -fno-builtin-NAME too.
    words.insert(words.end(), {"-fsanitize=thread", "-fsanitize=alignment,bounds,float-cast-overflow",
                               "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"});
    // nvcc compiles host code without optimization: a function without its `return` returns anything, and does not end
    // the program. With this check g++ does not take the function's end as unreachable either.
    if (is_cuda()) words.push_back(is_clang_ ? "-fno-strict-return" : "-fsanitize=unreachable");
    words.push_back(is_clang_ ? "-mllvm" : "--param");
    words.push_back(is_clang_ ? "-tsan-distinguish-volatile=1" : "tsan-distinguish-volatile=1");
    if (is_clang_) words.insert(words.end(), {"-mllvm", "-tsan-compound-read-before-write=1"});
    if (fills_locals_) fill_locals(words);
  }

  /// Uninitialised local variables get a pattern that reveals them. g++ reports comparisons.
  void fill_locals(std::vector<std::string>& words) const {
    words.push_back(locals_ == locals_begin::as_pattern ? "-ftrivial-auto-var-init=pattern"
                                                        : "-ftrivial-auto-var-init=zero");
    if (is_clang_) {
      if (locals_ == locals_begin::as_zero)
        words.push_back("-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang");
      return;
    }
    // Otherwise g++ assumes that a variable has the value of some path, and evaluates what `&&` guards.
    words.insert(words.end(), {"-fno-tree-fre", "-fno-tree-pre", "-fno-tree-vrp", "-fno-code-hoisting",
                               "-fno-split-paths", "--param", "logical-op-non-short-circuit=0"});
    words.push_back("-Wno-error=maybe-uninitialized");
#if defined(__x86_64__)  // otherwise nothing would leave out the library's own
    words.push_back("-fsanitize-coverage=trace-cmp");
#endif
  }

  /// Adds the files that the compiler says it has read.
  void add_read_files(std::vector<std::string>& files) const {
    std::string const text = read_file(folder_ / "read");
    std::string name;
    bool is_target = true;  // the first name is the ':'
    for (std::size_t i = std::min(text.find(": "), text.size()); i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        if (text[++i] != '\n') name += text[i];
      } else if (text[i] != ' ' && text[i] != '\n') {
        name += text[i];
      } else if (!name.empty()) {
        if (!is_target) files.push_back(name);
        is_target = false;
        name.clear();
      }
    }
  }

  void link(fs::path const& out) {
    std::vector<std::string> words = compiler_.words();
    words.insert(words.end(), {"-o", out});
    for (source_unit const& u : units_) words.push_back(file_of(u, ".o"));
    words.push_back(at_.library);
    words.push_back(is_there(COSMATI_BOOST_CONTEXT) ? COSMATI_BOOST_CONTEXT : "-lboost_context");
    // glibc refuses the program with read-only relocations if a __shared__ array is aligned to more than a page.
    if (is_cuda()) words.push_back("-Wl,-z,norelro");
    words.insert(words.end(), {"-pthread", "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",
                               "-Wl,--wrap=printf,--wrap=puts,--wrap=putchar,--wrap=vprintf",
                               "-Wl,--wrap=__assert_fail,--wrap=__cxa_throw,--wrap=clock"});
    words.insert(words.end(), sanitizers_.begin(), sanitizers_.end());
    std::vector<std::string> const more = words_of(o_.link_flags);
    words.insert(words.end(), more.begin(), more.end());
    if (has_cuda_) define_absent(words);
    linking_ = true;
    run(words, "linked");
  }

  /// Adds definitions of the functions of CUDA's libraries that the program names, if it names some.
  void define_absent(std::vector<std::string>& words) const {
    captured_text said;
    if (compiler_.run(words, said).clean()) return;
    std::set<std::string> const names = absent_functions(said.text());
    if (names.empty()) return;
    put(folder_ / "absent.s", definitions_of_absent(names, read_file(at_.library)));
    // In front of the library, from which the linker takes what the definitions call.
    words.insert(std::find(words.begin(), words.end(), at_.library.string()), folder_ / "absent.s");
  }

  /// Writes a file of the temporary folder.
  void put(fs::path const& path, std::string const& text) const {
    std::ofstream file(path, std::ios::binary);
    if (file << text << std::flush) return;
    int const why = errno;
    temporary_.check_room();
    throw command_error(failure, fmt::format("sim: the temporary folder {} takes no file of {} bytes: {}; TMPDIR names "
                                             "another",
                                             folder_.parent_path().string(), text.size(), std::strerror(why)));
  }

  void run(std::vector<std::string> const& words, char const* what) {
    captured_text said;
    process_end const end = compiler_.run(words, said);
    std::string const text = said.text();
    if (end.clean()) {
      said_ += text;
      return;
    }
    if (is_cuda() && refuses_only_initializers(text)) {
      std::vector<std::string> lenient = words;
      lenient.insert(lenient.end(), {"-fpermissive", "-w"});
      return run(lenient, what);
    }
    std::string how;
    if (end.timed_out) {
      how = fmt::format(" within {:g} s: {} was ended; --compile-timeout gives it more", o_.compile_seconds, words[0]);
    } else if (end.too_long) {
      how = fmt::format(": {} was ended, as it said more than {} MB", words[0], compiler::most_output >> 20);
    } else {
      compiler_.check_room(text);
      if (end.signal != 0) how = fmt::format(" ({} ended by {})", words[0], signal_text(end.signal));
    }
    std::string const hint = is_cuda() ? cuda_hint(text) : compile_hint(text);
    if (how.empty() && !hint.empty()) how = ": " + hint;
    throw command_error(bad_input, fmt::format("sim: {} cannot be {}{}\n{}", linking_ ? o_.name() : unit_->path, what,
                                               how, cut_output(text)));
  }

  program_options const& o_;
  temporary_folder const& temporary_;
  fs::path folder_;
  installation at_;
  compiler compiler_;
  bool is_clang_;
  std::vector<std::string> flags_, sanitizers_;
  std::vector<source_unit> units_;
  source_unit const* unit_ = nullptr;  // the file that is compiled now
  bool has_cuda_ = false, linking_ = false;
  bool has_cute_ = false;  // whether a file includes CuTe's headers
  bool instrumented_ = true, fills_locals_ = true;
  locals_begin locals_;
  std::string said_;
};

}  // namespace

program build_program(program_options const& options, temporary_folder const& folder, locals_begin locals) {
  return builder(options, folder, locals).build();
}

}  // namespace cosmati::cli
