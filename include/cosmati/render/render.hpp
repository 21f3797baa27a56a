// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pictures: `to_svg(x)`, `to_html(x)`, `to_typst(x)`, `to_latex(x)`, `to_terminal(x)` of whatever has a
/// `picture(x)`; `print_svg`, `print_latex` and `print_typst`, which write to standard output.
///
/// @code
///   std::ofstream("copy.svg") << to_svg(tiled_copy);
///   print_latex(tiled_mma);
/// @endcode
/// Opt-in, for hosts.
#pragma once

#include <cosmati/render/html.hpp>
#include <cosmati/render/latex.hpp>
#include <cosmati/render/picture.hpp>
#include <cosmati/render/svg.hpp>
#include <cosmati/render/terminal.hpp>
#include <cosmati/render/typst.hpp>

namespace COSMATI_NAMESPACE {

/// Something that `picture(x)` draws and is no figure yet.
template <class T>
concept has_picture = !std::is_same_v<T, figure> && requires(T const& x) {
  picture(x);
};

/// @name Documents
/// @{
template <has_picture T>
std::string to_svg(T const& x) {
  return to_svg(picture(x));
}
template <has_picture T>
std::string to_html(T const& x) {
  return to_html(picture(x));
}
template <has_picture T>
std::string to_typst(T const& x) {
  return to_typst(picture(x));
}
template <has_picture T>
std::string to_latex(T const& x) {
  return to_latex(picture(x));
}
template <has_picture T>
std::string to_terminal(T const& x, bool color = false, std::size_t columns = 160) {
  return to_terminal(picture(x), color, columns);
}
/// @}

/// @name To standard output, under CuTe's and MoYe's names
/// @{
template <has_picture T>
void print_svg(T const& x) {
  std::fputs(to_svg(x).c_str(), stdout);
}
template <has_picture T>
void print_latex(T const& x) {
  std::fputs(to_latex(x).c_str(), stdout);
}
template <has_picture T>
void print_typst(T const& x) {
  std::fputs(to_typst(x).c_str(), stdout);
}
/// @}

}  // namespace COSMATI_NAMESPACE
