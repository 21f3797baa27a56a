// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_html(figure)`: a page that needs no network. Pointing at a cell shows the other cells of its thread.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/svg.hpp>

namespace COSMATI_NAMESPACE {

/// A whole page. @param body HTML; pointing at a cell with a thread shows the thread's other cells
inline std::string html_page(std::string const& title, std::string const& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         detail::xml(title) +
         "</title>\n<style>\n"
         ":root{color-scheme:light "
         "dark}body{font-family:system-ui,sans-serif;margin:1rem}h1,h2,h3,p,li{overflow-wrap:anywhere}\n"
         "figure{margin:1rem 0;overflow-x:auto}svg{max-width:none}pre{overflow-x:auto}\n"
         "@media print{figure{overflow:visible}svg{max-width:100%;height:auto}pre{white-space:pre-wrap}}\n"
         "svg.some .c g:not(.fellow){opacity:.25}\n"
         "</style>\n</head>\n<body>\n<h1>" +
         detail::xml(title) + "</h1>\n" + body +
         "<script>\n"
         "for (const svg of document.querySelectorAll('svg')) {\n"
         "  const show = (thread) => {\n"
         "    svg.classList.toggle('some', thread !== undefined);\n"
         "    for (const cell of svg.querySelectorAll('[data-t]'))\n"
         "      cell.classList.toggle('fellow', cell.dataset.t === thread);\n"
         "  };\n"
         "  svg.addEventListener('pointerover', (e) => show(e.target.closest('[data-t]')?.dataset.t));\n"
         "  svg.addEventListener('pointerleave', () => show(undefined));\n"
         "}\n"
         "</script>\n</body>\n</html>\n";
}
/// A whole page of pictures.
inline std::string to_html(std::string const& title, std::vector<figure> const& figures, picture_size size = {}) {
  std::string body;
  for (figure const& f : figures) body += "<figure>\n" + to_svg(f, size) + "</figure>\n";
  return html_page(title, body);
}
inline std::string to_html(figure const& f, picture_size size = {}) { return to_html(f.title, {f}, size); }

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
