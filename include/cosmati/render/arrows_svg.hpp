// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_svg(mode_arrows)`: columns of modes and digits, with arrows between them; it follows the reader's dark mode.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/arrows.hpp>
#include <cosmati/render/svg.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// Where the columns stand.
struct arrow_places {
  static constexpr int margin = 16, letter = 8, row = 34, box = 24, gap = 64, head = 78;
  std::vector<int> left, wide;
  int width = 0, height = 0, most = 0;

  explicit arrow_places(mode_arrows const& a) {
    int x = margin;
    for (arrow_column const& c : a.column) {
      std::size_t letters = std::max(c.title.size(), c.layout.size()) + 1;
      for (arrow_node const& n : c.node) letters = std::max(letters, n.text.size() + 2);
      left.push_back(x);
      wide.push_back(static_cast<int>(letters) * letter);
      x += wide.back() + gap;
      most = std::max(most, static_cast<int>(c.node.size()));
    }
    width = std::max(x - gap + margin, 2 * margin + 9 * static_cast<int>(a.title.size()));
    height = head + most * row + margin;
  }
  /// The middle of a node: short columns stand in the middle of long ones.
  int y(mode_arrows const& a, std::size_t column, int node) const {
    int const shorter = most - static_cast<int>(a.column[column].node.size());
    return head + node * row + shorter * row / 2 + box / 2;
  }
};

inline std::string arrow_style() {
  return svg_style() +
         ".n{stroke:#555;stroke-width:.8}.y{fill:none;stroke:#333;stroke-width:1.4}.p{fill:#333}"
         "@media (prefers-color-scheme:dark){.y{stroke:#ddd}.p{fill:#ddd}.d{fill:#111}}";
}

}  // namespace detail

/// The picture as one `<svg>` element with its own style.
inline std::string to_svg(mode_arrows const& a) {
  using detail::xml;
  detail::arrow_places const at(a);
  auto const n = [](int x) { return std::to_string(x); };
  std::string const size = "width=\"" + n(at.width) + "\" height=\"" + n(at.height) + "\"";
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + n(at.width) + " " +
                    n(at.height) + "\" role=\"img\">\n<title>" + xml(a.title) + "</title>\n<style>" +
                    detail::arrow_style() + "</style>\n<rect class=\"bg\" " + size + "/>\n<text class=\"t\" x=\"" +
                    n(detail::arrow_places::margin) + "\" y=\"24\">" + xml(a.title) + "</text>\n";
  for (mode_arrow const& x : a.arrow) {
    auto const c = static_cast<std::size_t>(x.column);
    int const x0 = at.left[c] + at.wide[c], x1 = at.left[c + 1] - 7, middle = (x0 + x1) / 2;
    int const y0 = at.y(a, c, x.from), y1 = at.y(a, c + 1, x.to);
    out += "<path class=\"y\" d=\"M" + n(x0) + " " + n(y0) + "C" + n(middle) + " " + n(y0) + " " + n(middle) + " " +
           n(y1) + " " + n(x1) + " " + n(y1) + "\"/><path class=\"p\" d=\"M" + n(x1 + 6) + " " + n(y1) +
           "l-9 -4v8z\"/>\n";
  }
  for (std::size_t c = 0; c < a.column.size(); ++c) {
    auto const heading = [&](int y, std::string const& text) {
      out += "<text class=\"a\" x=\"" + n(at.left[c]) + "\" y=\"" + n(y) + "\">" + xml(text) + "</text>\n";
    };
    heading(48, a.column[c].title);
    if (!a.column[c].layout.empty()) heading(64, a.column[c].layout);
    for (std::size_t i = 0; i < a.column[c].node.size(); ++i) {
      arrow_node const& node = a.column[c].node[i];
      int const y = at.y(a, c, static_cast<int>(i));
      out += "<rect class=\"n k" + (node.color < 0 ? std::string() : n(detail::palette_index(node.color))) +
             "\" rx=\"4\" x=\"" + n(at.left[c]) + "\" y=\"" + n(y - detail::arrow_places::box / 2) + "\" width=\"" +
             n(at.wide[c]) + "\" height=\"" + n(detail::arrow_places::box) + "\"/><text xml:space=\"preserve\"" +
             (node.color < 0 ? "" : " class=\"d\"") + " x=\"" + n(at.left[c] + 8) + "\" y=\"" +
             n(y + detail::baseline) + "\">" + xml(node.text) + "</text>\n";
    }
  }
  return out + "</svg>\n";
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
