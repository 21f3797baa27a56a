// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pictures of anything that has a `picture(x)`: `to_svg(x)`, `to_html(x)`, `to_typst(x)`, `to_latex(x)`,
/// `to_terminal(x)`. `to_svg(out, x)` and its siblings write to a stream, `save_picture` to a file. `print_svg`,
/// `print_latex` and `print_typst` write to standard output.
///
/// @code
///   save_picture("copy.svg", tiled_copy);
///   print_latex(tiled_mma);
/// @endcode
/// This header is opt-in, and for hosts only.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/host/whole_file.hpp>
#include <cosmati/render/html.hpp>
#include <cosmati/render/latex.hpp>
#include <cosmati/render/picture.hpp>
#include <cosmati/render/svg.hpp>
#include <cosmati/render/terminal.hpp>
#include <cosmati/render/typst.hpp>

namespace COSMATI_NAMESPACE {

/// Whether `picture(x)` draws x, and x is not a figure.
template <class T>
concept has_picture = !std::is_same_v<T, figure> && requires(T const& x) {
  picture(x);
};

/// @name Documents
/// @{
template <has_picture T>
std::string to_svg(T const& x, picture_size size = {}) {
  return to_svg(picture(x), size);
}
template <has_picture T>
std::string to_html(T const& x, picture_size size = {}) {
  return to_html(picture(x), size);
}
template <has_picture T>
std::string to_typst(T const& x, picture_size size = {}) {
  return to_typst(picture(x), size);
}
template <has_picture T>
std::string to_latex(T const& x, picture_size size = {}) {
  return to_latex(picture(x), size);
}
template <has_picture T>
std::string to_terminal(T const& x, bool color = false, std::size_t columns = 160) {
  return to_terminal(picture(x), color, columns);
}
/// @}

/// Whether x has a document: a figure, or anything that `picture(x)` draws.
template <class T>
concept drawable = has_picture<T> || std::is_same_v<T, figure>;

/// @name Functions that write to a stream
/// @{
template <drawable T>
void to_svg(std::ostream& out, T const& x) {
  out << to_svg(x);
}
template <drawable T>
void to_html(std::ostream& out, T const& x) {
  out << to_html(x);
}
template <drawable T>
void to_typst(std::ostream& out, T const& x) {
  out << to_typst(x);
}
template <drawable T>
void to_latex(std::ostream& out, T const& x) {
  out << to_latex(x);
}
template <drawable T>
void to_terminal(std::ostream& out, T const& x, bool color = false, std::size_t columns = 160) {
  out << to_terminal(x, color, columns);
}
/// @}

/// Writes to a file, in the form of its extension: .svg, .html, .typ, .tex or .txt. The file is written completely or
/// not at all. @throws error for other extensions, and if the file cannot be written
template <drawable T>
void save_picture(std::string const& path, T const& x) {
  std::size_t const dot = path.find_last_of("./");
  std::string const form = dot == std::string::npos ? std::string() : path.substr(dot);
  std::string text;
  if (form == ".svg")
    text = to_svg(x);
  else if (form == ".html")
    text = to_html(x);
  else if (form == ".typ")
    text = to_typst(x);
  else if (form == ".tex")
    text = to_latex(x);
  else if (form == ".txt")
    text = to_terminal(x);
  else
    throw error("save_picture: %s says no form: end it in .svg, .html, .typ, .tex or .txt", path.c_str());
  detail::write_whole_file("save_picture", path, text);
}

/// @name Functions that write to standard output, by CuTe's and MoYe's names
/// @{
template <has_picture T>
void print_svg(T const& x) {
  std::fputs(to_svg(x).c_str(), stdout);
}
template <has_picture T>
void print_latex(T const& x) {
  if constexpr (detail::is_flagged<T>)  // the places behind an aligned pointer
    std::fputs(to_latex(as_position_independent_swizzle_layout(x)).c_str(), stdout);
  else
    std::fputs(to_latex(x).c_str(), stdout);
}
template <has_picture T>
void print_typst(T const& x) {
  std::fputs(to_typst(x).c_str(), stdout);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
