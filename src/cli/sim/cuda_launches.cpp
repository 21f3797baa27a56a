// SPDX-License-Identifier: Apache-2.0
#include "cuda_launches.hpp"

#include "cuda_kernels.hpp"
#include "inline_ptx.hpp"
#include "launch_arguments.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cosmati::cli {

namespace {

class rewriter {
 public:
  rewriter(std::string const& text, bool other_files_launch)
      : text_(text),
        tokens_(cuda_tokens(text)),
        kernels_(cuda_kernels(tokens_)),
        launches_by_address_(other_files_launch) {}

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      cuda_token const& t = tokens_[i];
      if (t.is("__shared__")) replace(i, i, "thread_local");
      if (t.is("__global__")) replace(i, i, "__attribute__((__noinline__))");
      if (t.is("namespace") && is(i + 1, "{") && has_extern_shared(i + 1)) name_namespace(i);
      if (t.is("__cluster_dims__") && is(i + 1, "(")) replace(i, closing_bracket(tokens_, i + 1), "");
      bool const by_address =
          t.is("cudaLaunchKernel") || t.is("cudaLaunchCooperativeKernel") || t.is("cudaLaunchKernelExC");
      if (by_address && i > 0 && !is(i - 1, "cudaError_t")) {
        launches_by_address_ = true;
        drop_cast(i);
      }
      // A node's parameters have the kernel's address, too. The library's own headers only declare the types, and
      // pointers to them.
      bool const of_a_node = t.is("cudaKernelNodeParams") || t.is("cudaGraphNodeParams");
      if (of_a_node && i > 0 && !is(i - 1, "struct") && !is(i + 1, "const") && !is(i + 1, "*"))
        launches_by_address_ = true;
      if (opens_launch(i)) launch(i);
      std::vector<text_edit> const call = ptx_call(tokens_, i, statements_);
      if (!call.empty()) ++statements_;
      edits_.insert(edits_.end(), call.begin(), call.end());
    }
    for (auto const& [name, kernel] : kernels_) {
      if (kernel.one_function) {
        if (launches_by_address_ && !kernel.bodies.empty()) make_known(name, kernel.bodies.front().open);
        continue;
      }
      for (cuda_kernel::body const& b : kernel.bodies) {
        std::string begin = "{ if (::cosmati_cuda::cosmati_sim_kernel_entered()";
        if (b.cluster != 0 && kernel.clusters_have_names)
          begin.append(" && ::cosmati_cuda::found_with_clusters").append(dimensions(b.cluster));
        replace(b.open, b.open, begin.append(") return; "));
      }
    }
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](text_edit const& a, text_edit const& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t at = 0;
    for (text_edit const& e : edits_) {
      if (e.begin < at) continue;
      out.append(text_, at, e.begin - at);
      out += e.by;
      at = e.end;
    }
    return out.append(text_, at, std::string::npos);
  }

 private:
  bool is(std::size_t i, std::string_view what) const { return i < tokens_.size() && tokens_[i].is(what); }
  bool adjoin(std::size_t i) const { return i + 1 < tokens_.size() && tokens_[i].end() == tokens_[i + 1].begin; }
  void replace(std::size_t first, std::size_t last, std::string by) {
    edits_.push_back({tokens_[first].begin, tokens_[last].end(), std::move(by)});
  }
  void insert(std::size_t before, std::string what) {
    edits_.push_back({tokens_[before].begin, tokens_[before].begin, std::move(what)});
  }

  /// Whether the braces that open here contain an `extern __shared__` array.
  bool has_extern_shared(std::size_t open) const {
    std::size_t const end = closing_bracket(tokens_, open);
    for (std::size_t i = open; i + 1 < end; ++i) {
      if ((is(i, "extern") && is(i + 1, "__shared__")) || (is(i, "__shared__") && is(i + 1, "extern"))) return true;
    }
    return false;
  }

  /// Gives an unnamed namespace a name that no other file has. Inside, an `extern` variable would be the namespace's
  /// own, and another than the block's dynamic shared memory.
  void name_namespace(std::size_t i) {
    bool const is_inline = i > 0 && is(i - 1, "inline");
    std::string const number = std::to_string(std::hash<std::string_view>()(text_));
    replace(i, i, std::string(is_inline ? "" : "inline ") + "namespace cosmati_unnamed_" + number);
  }

  /// Whether `<<<` begins here. A preprocessor may set a blank between `<<` and `<`.
  bool opens_launch(std::size_t i) const {
    return i > 0 && is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && adjoin(i) && !is(i - 1, "operator") &&
           !is(i - 1, "<");
  }

  /// The first `>` of the `>>>(` that closes a launch's configuration; the number of tokens if there is none. Of more
  /// than three `>` the last ones count: those before are of template arguments.
  std::size_t configuration_end(std::size_t i) const {
    for (; i < tokens_.size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = closing_bracket(tokens_, i);
      } else if (is(i, ")") || is(i, "]") || is(i, "}") || is(i, ";")) {
        break;
      } else if (is(i, ">") && is(i + 1, ">") && is(i + 2, ">") && is(i + 3, "(")) {
        return i;
      }
    }
    return tokens_.size();
  }

  /// The `<` of the template arguments that end with the `>` at `close`.
  std::size_t template_arguments_begin(std::size_t close) const {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
      if (is(i, ")") || is(i, "]") || is(i, "}")) {
        i = opening_bracket(tokens_, i);
        if (i >= tokens_.size()) break;
      } else if (is(i, ">") && !(i > 0 && is(i - 1, "-") && adjoin(i - 1))) {
        ++depth;
      } else if (is(i, "<") && --depth == 0) {
        return i;
      } else if (is(i, ";")) {
        break;
      }
    }
    return tokens_.size();
  }

  bool is_name(std::size_t i) const {
    if (i >= tokens_.size() || tokens_[i].kind != cuda_token::kind_type::name) return false;
    for (char const* const word : {"return", "else", "do", "case", "co_return", "throw"}) {
      if (tokens_[i].is(word)) return false;
    }
    return true;
  }

  /// The kernel's name, without its namespaces and template arguments; empty if the kernel is another expression.
  struct kernel_expression {
    std::size_t first;
    std::string_view name;
  };

  /// The expression before the `<<<` at `end`: a name with namespaces and template arguments, a member, an element, a
  /// call, something in parentheses.
  kernel_expression kernel_before(std::size_t end) const {
    kernel_expression k = {end, {}};
    bool last_part = true;
    for (std::size_t i = end; i-- > 0;) {
      if (is(i, ">")) {
        i = template_arguments_begin(i);
        if (i == 0 || i >= tokens_.size()) break;
        --i;
      }
      if (is(i, ")") || is(i, "]")) {
        bool const parentheses = is(i, ")");
        i = opening_bracket(tokens_, i);
        if (i >= tokens_.size()) break;
        if (last_part && parentheses) k.name = name_inside(i);
        k.first = i;
        last_part = false;
        if (i > 0 && !ends_statement_head(i - 1) &&
            (is_name(i - 1) || is(i - 1, ">") || is(i - 1, ")") || is(i - 1, "]"))) {
          k.name = {};
          continue;
        }
        break;
      }
      if (!is_name(i)) break;
      k.first = i;
      if (last_part) k.name = tokens_[i].text;
      last_part = false;
      if (i > 0 && is(i - 1, "template")) k.first = --i;
      if (i > 1 && is(i - 1, ":") && is(i - 2, ":")) {
        i -= 2;
        k.first = i;
      } else if (i > 0 && is(i - 1, ".")) {
        k.first = --i;
      } else if (i > 1 && is(i - 1, ">") && is(i - 2, "-")) {
        i -= 2;
        k.first = i;
      } else {
        break;
      }
    }
    return k;
  }

  /// Whether the `)` at `close` ends what stands before a statement: `for (...)`, `if (...)`, `while (...)`.
  bool ends_statement_head(std::size_t close) const {
    if (!is(close, ")")) return false;
    std::size_t const open = opening_bracket(tokens_, close);
    if (open == 0 || open >= tokens_.size()) return false;
    for (char const* const word : {"for", "if", "while", "switch", "constexpr"}) {
      if (is(open - 1, word)) return true;
    }
    return false;
  }

  /// Whether an argument of the launch is a list in braces.
  bool has_braces(std::size_t open, std::size_t close) const {
    for (std::size_t i = open + 1; i < close; ++i) {
      if (is(i, "{") && (i - 1 == open || is(i - 1, ","))) return true;
      if (is(i, "(") || is(i, "[") || is(i, "{")) i = closing_bracket(tokens_, i);
    }
    return false;
  }

  /// Of `(ns::kernel<int>)`: `kernel`.
  std::string_view name_inside(std::size_t open) const {
    std::size_t i = open + 1;
    while (is_name(i) && is(i + 1, ":") && is(i + 2, ":")) i += 3;
    return is_name(i) ? tokens_[i].text : std::string_view();
  }

  bool is_one_function(std::string_view name) const {
    auto const found = kernels_.find(name);
    return found == kernels_.end() || found->second.one_function;
  }

  /// The call that makes the launch's shape, up to the configuration.
  std::string shape_of(std::string_view name) const {
    auto const found = kernels_.find(name);
    bool const has_clusters = found != kernels_.end() && found->second.cluster != 0;
    // If the extents have names, the kernel tells them when it is found.
    if (!has_clusters || found->second.clusters_have_names) return "::cosmati_cuda::shape(";
    return "::cosmati_cuda::shape_of_clusters(::dim3" + dimensions(found->second.cluster) + ", ";
  }

  /// Of `__cluster_dims__(2, 1)` at `i`: `(2, 1)`.
  std::string dimensions(std::size_t i) const {
    std::size_t const open = i + 1, close = closing_bracket(tokens_, open);
    if (close >= tokens_.size()) return "(1)";
    return text_.substr(tokens_[open].begin, tokens_[close].end() - tokens_[open].begin);
  }

  void launch(std::size_t open) {
    kernel_expression const kernel = kernel_before(open);
    std::size_t const close = configuration_end(open + 3);
    if (kernel.first == open || close >= tokens_.size()) return;
    std::size_t const arguments = close + 3, end = closing_bracket(tokens_, arguments);
    if (end >= tokens_.size()) return;
    if (is_one_function(kernel.name)) {
      insert(kernel.first, has_braces(arguments, end) ? "::cosmati_cuda::launch_exactly(" : "::cosmati_cuda::launch(");
      replace(open, open + 2, ", " + shape_of(kernel.name));
    } else {
      launch_arguments const taken = launch_arguments_of(tokens_, arguments, end);
      insert(kernel.first, "::cosmati_cuda::launch([=](" + taken.parameters + ") -> void { ");
      replace(open, open + 2, "(" + taken.passed + "); }, " + shape_of(kernel.name));
      edits_.insert(edits_.end(), taken.edits.begin(), taken.edits.end());
    }
    replace(close, close + 2, ")");
    replace(arguments, arguments, arguments + 1 == end ? "" : ", ");
    null_pointers(arguments, end);
  }

  /// An argument `NULL` is a null pointer, and would become an integer.
  void null_pointers(std::size_t open, std::size_t close) {
    for (std::size_t i = open + 1; i < close; ++i) {
      bool const begins = is(i - 1, ",") || is(i - 1, "{") || is(i - 1, "=") || i - 1 == open;
      if (is(i, "__null") && begins && (is(i + 1, ",") || is(i + 1, "}") || i + 1 == close)) replace(i, i, "nullptr");
    }
  }

  /// Sets an object behind the kernel's definition.
  void make_known(std::string_view name, std::size_t body) {
    std::size_t const end = closing_bracket(tokens_, body);
    if (end >= tokens_.size()) return;
    std::string const kernel(name);
    edits_.push_back({tokens_[end].end(), tokens_[end].end(),
                      " static ::cosmati_cuda::known_kernel const cosmati_known_" + kernel + "(" + kernel + ");"});
  }

  void drop_cast(std::size_t i) {
    std::size_t at = i + 1;
    if (!is(at, "(")) return;
    ++at;
    bool const named = is(at, "reinterpret_cast");
    std::size_t const first = at;
    if (named) ++at;
    if (!is(at, named ? "<" : "(")) return;
    ++at;
    while (is(at, "const") || is(at, "void")) ++at;
    if (!is(at - 1, "void") && !is(at - 1, "const")) return;
    if (!is(at, "*") || !is(at + 1, named ? ">" : ")")) return;
    replace(first, at + 1, "");
  }

  std::string const& text_;
  std::vector<cuda_token> tokens_;
  std::map<std::string_view, cuda_kernel> kernels_;
  std::vector<text_edit> edits_;
  bool launches_by_address_;
  int statements_ = 0;  // asm statements with PTX
};

}  // namespace

std::string without_cuda_syntax(std::string const& text, bool other_files_launch) {
  return rewriter(text, other_files_launch).run();
}

}  // namespace cosmati::cli
