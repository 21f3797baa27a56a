// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_html(run_report)`: the result of a run on the simulated device on one page that needs no network: the verdict,
/// hazards next to the source, costs and time lines.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/html.hpp>
#include <cosmati/render/run_report.hpp>
#include <cosmati/render/timeline_svg.hpp>
#include <fstream>

namespace COSMATI_NAMESPACE {

namespace detail {

inline std::string cost_cell(std::uint64_t n) {
  return "<td>" + (n != 0 ? std::to_string(n) : std::string()) + "</td>";
}

inline std::string cost_table(run_kernel const& kernel) {
  std::string out =
      "<figure><table class=\"costs\"><thead><tr><th>warp "
      "instructions</th><th>number</th><th>requests</th><th>sectors</th>"
      "<th>fewest</th><th>lines</th><th>bytes used</th><th>bytes moved</th><th>wavefronts</th><th>without "
      "conflicts</th>"
      "<th>fewest</th><th>bank conflicts</th></tr></thead><tbody>\n";
  for (run_costs const& c : kernel.costs) {
    out += "<tr><th>" + xml(c.kind) + "</th>";
    for (std::uint64_t const n :
         {c.instructions, c.requests, c.sectors, c.ideal_sectors, c.lines, c.bytes_used, c.bytes_moved, c.wavefronts,
          c.wavefronts_floor, c.wavefronts_ideal, c.bank_conflicts})
      out += cost_cell(n);
    out += "</tr>\n";
  }
  return out + "</tbody></table></figure>\n";
}

/// A chart of sectors and wavefronts next to the smallest possible numbers.
inline std::string cost_chart(run_kernel const& kernel) {
  std::uint64_t most_sectors = 1, most_wavefronts = 1;
  for (run_costs const& c : kernel.costs) {
    most_sectors = std::max(most_sectors, c.sectors);
    most_wavefronts = std::max(most_wavefronts, c.wavefronts);
  }
  constexpr int label = 200, full = 480, step = 20, margin = 16;
  std::string body;
  int y = margin + 30;
  auto const draw = [&](std::string const& what, std::uint64_t is, std::uint64_t fewest, std::uint64_t most) {
    auto const wide = [&](std::uint64_t n) {
      return std::max(1, static_cast<int>(static_cast<double>(n) / static_cast<double>(most) * full));
    };
    std::string const at = std::to_string(y);
    body += "<text x=\"" + std::to_string(margin + label - 8) + "\" y=\"" + std::to_string(y + 12) +
            "\" class=\"lab\">" + xml(what) + "</text><rect class=\"k6\" x=\"" + std::to_string(margin + label) +
            "\" y=\"" + at + "\" width=\"" + std::to_string(wide(is)) + "\" height=\"14\"/>";
    if (fewest != 0) {
      body += "<rect class=\"k3\" x=\"" + std::to_string(margin + label) + "\" y=\"" + at + "\" width=\"" +
              std::to_string(wide(std::min(is, fewest))) + "\" height=\"14\"/>";
    }
    body += "<text x=\"" + std::to_string(margin + label + wide(is) + 6) + "\" y=\"" + std::to_string(y + 12) + "\">" +
            std::to_string(is) + (fewest != 0 && fewest != is ? " (fewest " + std::to_string(fewest) + ")" : "") +
            "</text>\n";
    y += step;
  };
  for (run_costs const& c : kernel.costs) {
    if (c.sectors != 0) draw(c.kind + " sectors", c.sectors, c.ideal_sectors, most_sectors);
    if (c.wavefronts != 0) draw(c.kind + " wavefronts", c.wavefronts, c.wavefronts_ideal, most_wavefronts);
  }
  if (body.empty()) {
    body = "<text x=\"16\" y=\"" + std::to_string(y + 12) + "\">no access to global or shared memory</text>\n";
    y += step;
  }
  std::string const size = "width=\"920\" height=\"" + std::to_string(y + margin) + "\"";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 920 " + std::to_string(y + margin) +
         "\" role=\"img\">\n<title>costs of " + xml(kernel.name) + "</title>\n<style>" + svg_style() +
         ".lab{text-anchor:end}</style>\n<rect class=\"bg\" " + size + "/>\n<text class=\"t\" x=\"16\" y=\"24\">" +
         "sectors and wavefronts: green = the fewest that would do, pink = what is more</text>\n" + body + "</svg>\n";
}

/// The lines around `line`, with that line marked. It is empty if the file cannot be read.
inline std::string source_excerpt(std::string const& file, int line) {
  constexpr int around = 2;
  std::ifstream in(file);
  std::string out;
  std::string text;
  for (int i = 1; line > 0 && i <= line + around && std::getline(in, text); ++i) {
    if (i < line - around) continue;
    std::string number = std::to_string(i);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    std::string const whole = xml(number.append("  ").append(text));
    out += i == line ? "<mark>" + whole + "</mark>\n" : whole + "\n";
  }
  return out.find("<mark>") == std::string::npos ? std::string() : "<pre class=\"source\">" + out + "</pre>\n";
}

/// What is paid at one line beyond what the bytes need, the line, and what to change.
inline std::string place_section(run_place const& p) {
  auto const n = [](std::uint64_t x) { return std::to_string(x); };
  std::string out = "<section class=\"place\">\n<h4>";
  out += p.bank_conflicts != 0 ? n(p.bank_conflicts) + " bank conflicts"
                               : n(p.sectors) + " sectors, where " + n(p.ideal_sectors) + " would do";
  if (p.line != 0) out += " at " + xml(p.file) + ":" + std::to_string(p.line);
  out += "</h4>\n<p>" + xml(p.kind) + ": " + n(p.instructions) + " instructions of warps";
  if (p.bank_conflicts != 0) out += ", " + n(p.wavefronts) + " wavefronts";
  if (p.bank_conflicts != 0 && p.sectors > p.ideal_sectors)
    out += "; " + n(p.sectors) + " sectors, where " + n(p.ideal_sectors) + " would do";
  out += "</p>\n";
  if (!p.remedy.empty()) out += "<p class=\"remedy\">What to change: " + xml(p.remedy) + ".</p>\n";
  return out + source_excerpt(p.file, p.line) + "</section>\n";
}

/// The dearest places of a kernel first: conflicts and sectors that could be done without.
inline std::string place_sections(run_kernel const& kernel) {
  std::vector<run_place> dear;
  for (run_place const& p : kernel.places) {
    if (p.is_dear()) dear.push_back(p);
  }
  if (dear.empty()) return {};
  std::stable_sort(dear.begin(), dear.end(), [](run_place const& a, run_place const& b) {
    auto const paid = [](run_place const& p) { return p.bank_conflicts + p.sectors - p.ideal_sectors; };
    return paid(a) > paid(b);
  });
  std::string out = "<h3>What costs more than it needs</h3>\n";
  for (run_place const& p : dear) out += place_section(p);
  return out;
}

inline std::string hazard_section(run_hazard const& h) {
  auto const place = [](std::string const& file, int line) { return xml(file) + ":" + std::to_string(line); };
  std::string const& other = h.other_file.empty() ? h.file : h.other_file;
  bool const two = h.other_line != 0 && (h.other_line != h.line || other != h.file);
  std::string out = "<section class=\"hazard\">\n<h3>" + std::string(h.severity == "note" ? "note: " : "") +
                    xml(h.kind) + (h.severity == "review" ? ", to be reviewed" : "");
  if (h.line != 0) out += " at " + place(h.file, h.line);
  if (two) out += ", with " + place(other, h.other_line);
  out += "</h3>\n<p>" + xml(h.message) + "</p>\n<p>kernel " + xml(h.kernel);
  if (!h.block.empty()) out += ", block " + xml(h.block);
  if (!h.thread.empty()) out += ", thread " + xml(h.thread);
  if (!h.tensor.empty()) out += "; " + xml(h.tensor);
  out += "</p>\n" + source_excerpt(h.file, h.line);
  if (two) out += source_excerpt(other, h.other_line);
  return out + "</section>\n";
}

}  // namespace detail

/// The page. Lines of source come from the files that hazards name, if these can be read.
inline std::string to_html(run_report const& r) {
  using detail::xml;
  std::string body =
      "<style>table.costs{border-collapse:collapse}table.costs th,table.costs td{padding:.15rem .6rem;text-align:right;"
      "border-bottom:1px solid #8888}table.costs tbody th{text-align:left;font-weight:normal}mark{background:#ffd54a;"
      "color:#111;print-color-adjust:exact}.hazard{border-left:4px solid #c00000;padding-left:1rem;margin:1rem 0}"
      ".place{border-left:4px solid #b06000;padding-left:1rem;margin:1rem 0}h4{margin:.3rem 0}"
      ".verdict{font-weight:bold}pre.source{background:#8881;padding:.5rem}"
      "@media print{table.costs{font-size:60%}table.costs th,table.costs td{padding:.1rem .3rem}}</style>\n";
  body += "<p class=\"verdict\">verdict: " + xml(r.verdict) + "</p>\n";
  if (!r.reasons.empty()) {
    body += "<ul>\n";
    for (std::string const& s : r.reasons) body += "<li>" + xml(s) + "</li>\n";
    body += "</ul>\n";
  }
  if (!r.hazards.empty()) body += "<h2>Hazards</h2>\n";
  for (run_hazard const& h : r.hazards) body += detail::hazard_section(h);
  for (run_kernel const& k : r.kernels) {
    body += "<h2>Kernel " + xml(k.name) + ", " + std::to_string(k.launches) +
            (k.launches == 1 ? " launch" : " launches") + "</h2>\n<figure>\n" + detail::cost_chart(k) + "</figure>\n" +
            detail::cost_table(k) + detail::place_sections(k);
    for (run_timeline const& t : k.timelines) body += "<figure>\n" + to_svg(t) + "</figure>\n";
  }
  if (!r.unseen.empty()) {
    body += "<h2>Not seen</h2>\n<ul>\n";
    for (std::string const& s : r.unseen) body += "<li>" + xml(s) + "</li>\n";
    body += "</ul>\n";
  }
  return html_page(r.title, body);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
