// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_svg(run_timeline)`: a row for each warp, then a row for each mbarrier. Copies in flight and waits are bars;
/// arrivals and completions are marks.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/svg.hpp>
#include <cosmati/render/timeline.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// A drawing of one time line. Columns after `most_columns` are left out, and the words say so.
class timeline_drawing {
 public:
  static constexpr int most_columns = 800;
  static constexpr int step = 16, label = 118, margin = 16, bar = 13, gap = 8, most_levels = 24;

  explicit timeline_drawing(run_timeline const& t) : t_(t), c_(t) {
    shown_ = std::min(c_.columns, most_columns) + 1;
    find_levels();
    place_rows();
  }

  std::string svg() {
    std::string const title =
        "time line of block (" + n(t_.block[0]) + "," + n(t_.block[1]) + "," + n(t_.block[2]) + ")";
    std::vector<std::string> words = {
        "Left to right is the order of the simulated device's events, no measure of seconds. "
        "What no release orders stands side by side."};
    if (c_.columns > most_columns) words.push_back(n(c_.columns - most_columns) + " columns more are not drawn.");
    if (t_.dropped != 0)
      words.push_back(n(static_cast<std::int64_t>(t_.dropped)) + " later events of single threads were not kept.");
    if (folded_ != 0)
      words.push_back(n(folded_) + " copies are drawn over others: more than " + n(most_levels) +
                      " of a warp are in flight at once, and the last row of the warp holds the rest.");
    int const words_height = 24 + 18 * static_cast<int>(words.size() + 1);
    int const top = words_height + margin;
    int const width = std::max(2 * margin + label + shown_ * step, 1064);
    std::string const names = names_of_copies();
    int const height = top + height_ + margin + (names.empty() ? 0 : 18);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + n(width) + "\" height=\"" + n(height) +
           "\" viewBox=\"0 0 " + n(width) + " " + n(height) + "\" role=\"img\">\n<title>" + xml(title) +
           "</title>\n<style>" + svg_style() + style() + "</style>\n<rect class=\"bg\" width=\"" + n(width) +
           "\" height=\"" + n(height) + "\"/>\n";
    text("t", margin, margin + 8, title + (t_.why.empty() ? "" : ", the " + t_.why));
    int y = margin + 30;
    for (std::string const& w : words) {
      text("", margin, y, w);
      y += 18;
    }
    legend(y);
    if (!names.empty()) text("", margin, height - margin + 4, names);
    top_ = top;
    releases();
    rows();
    for (std::size_t const i : c_.order) draw(t_.event[i], c_.column[i]);
    return out_ + "</svg>\n";
  }

 private:
  using k = run_event_kind;
  struct row {
    int top = 0, levels = 0;  ///< levels of copies; one more level below is for waits
    std::vector<int> free_from;
  };

  static std::string n(std::int64_t x) { return std::to_string(x); }
  static std::string style() {
    return ".w{fill:#c9ccd2;stroke:#555}.wm{fill:#e2d3b4;stroke:#555}.never{stroke:#c00000;stroke-width:2;"
           "stroke-dasharray:4 2}.rel{stroke:#777;stroke-width:1}.row{fill:none;stroke:#bbb;stroke-width:.5}"
           ".m{fill:#222;stroke:none}.open{fill-opacity:.45}.b{stroke:#555;stroke-width:.5}"
           ".bad{fill:#c00000}.badt{fill:#fff;font-weight:bold;text-anchor:middle}.s{font-size:10px;fill:#111}"
           ".p0{fill:#e6e8ec;stroke:#777}.p1{fill:#b9d3ea;stroke:#777}.lab{text-anchor:end}"
           "@media (prefers-color-scheme:dark){.open{fill-opacity:.65}.m{fill:#e8e8e8}.s{fill:#111}.rel{stroke:#999}"
           ".badt{fill:#fff}}";
  }
  /// What the letters in copies stand for.
  std::string names_of_copies() const {
    std::string out;
    auto const name = [&](k kind, char const* words) {
      bool const any =
          std::any_of(t_.event.begin(), t_.event.end(), [&](run_event const& e) { return e.kind == kind; });
      if (any) out += (out.empty() ? "" : "; ") + std::string(words);
    };
    name(k::cp_async, "g0 = a thread's first group of cp.async, g1 its next");
    name(k::bulk_store, "s0 = its first group of bulk stores");
    name(k::bulk_load, "m0 p1 = a bulk load of which phase 1 of mbarrier 0 tells");
    return out.empty() ? out : out + "; colour = group or mbarrier";
  }
  int x(int column) const { return margin + label + std::min(column, shown_) * step; }

  /// Assigns levels, so that copies in flight at once are below each other.
  void find_levels() {
    row_.resize((t_.threads + 31) / 32);
    level_.assign(t_.event.size(), 0);
    for (std::size_t const i : c_.order) {
      run_event const& e = t_.event[i];
      if (!is_copy(e.kind) || e.warp >= row_.size()) continue;
      row& r = row_[e.warp];
      std::size_t l = 0;
      while (l < r.free_from.size() && r.free_from[l] > c_.column[i]) ++l;
      if (l == r.free_from.size()) r.free_from.push_back(0);
      r.free_from[l] = std::max(c_.at(e.until), c_.column[i] + 1);
      if (l >= most_levels) ++folded_;
      level_[i] = static_cast<int>(std::min<std::size_t>(l, most_levels - 1));
      r.levels = std::max(r.levels, level_[i] + 1);
    }
    for (run_event const& e : t_.event) {
      bool const of_mbarrier = e.kind == k::mbarrier_init || e.kind == k::phase_done || e.kind == k::landed;
      if (of_mbarrier && e.object >= mbarriers_.size()) mbarriers_.resize(std::min<std::size_t>(e.object + 1, 256));
    }
  }
  void place_rows() {
    int at = 0;
    for (row& r : row_) {
      r.top = at;
      at += (r.levels + 1) * (bar + 2) + gap;
    }
    for (int& m : mbarriers_) {
      m = at;
      at += bar + gap;
    }
    height_ = at;
  }

  void text(char const* style_class, int at_x, int at_y, std::string const& s) {
    out_ += "<text" + (*style_class != 0 ? " class=\"" + std::string(style_class) + "\"" : std::string()) + " x=\"" +
            n(at_x) + "\" y=\"" + n(at_y) + "\">" + xml(s) + "</text>\n";
  }
  void rectangle(std::string const& style_class, int from, int to, int y, std::string const& words,
                 std::string inside) {
    if (from >= x(shown_)) return;
    out_ += "<g><title>" + xml(words) + "</title><rect class=\"" + style_class + "\" x=\"" + n(from) + "\" y=\"" +
            n(y) + "\" width=\"" + n(std::max(to - from, 3)) + "\" height=\"" + n(bar) + "\"/>";
    if (to - from < 6 * static_cast<int>(inside.size()) + 4) inside.resize(std::min(inside.find(' '), inside.size()));
    if (!inside.empty() && to - from >= 6 * static_cast<int>(inside.size()) + 4)
      out_ += "<text class=\"s\" x=\"" + n(from + 3) + "\" y=\"" + n(y + bar - 3) + "\">" + xml(inside) + "</text>";
    out_ += "</g>\n";
  }
  /// Draws a mark within a column, by points relative to the middle of its cell.
  void mark(int column, int y, char const* points, std::string const& words) {
    if (column >= shown_) return;
    out_ += "<g transform=\"translate(" + n(x(column) + step / 2) + " " + n(y + bar / 2) + ")\"><title>" + xml(words) +
            "</title><rect x=\"-8\" y=\"-7\" width=\"16\" height=\"14\" fill-opacity=\"0\"/><polygon class=\"m\" "
            "points=\"" +
            points + "\"/></g>\n";
  }
  static constexpr char const* tick = "-1,-6 1,-6 1,6 -1,6";
  static constexpr char const* diamond = "0,-6 5,0 0,6 -5,0";
  static constexpr char const* up = "0,-5 5,5 -5,5";
  static constexpr char const* down = "-5,-5 5,-5 0,5";

  void legend(int y) {
    int at = margin;
    auto const word = [&](std::string const& s) {
      text("", at, y, s);
      at += 8 * static_cast<int>(s.size()) + 22;
    };
    auto const box = [&](std::string const& style_class) {
      out_ += "<rect class=\"" + style_class + "\" x=\"" + n(at) + "\" y=\"" + n(y - 10) + "\" width=\"22\" height=\"" +
              n(bar) + "\"/>\n";
      at += 28;
    };
    auto const shape = [&](char const* points) {
      out_ += "<polygon class=\"m\" transform=\"translate(" + n(at + 6) + " " + n(y - 4) + ")\" points=\"" +
              std::string(points) + "\"/>\n";
      at += 18;
    };
    box("b k0 open");
    word("copies issued");
    box("b k0");
    word("committed");
    box("w");
    word("at a barrier");
    box("wm");
    word("at an mbarrier");
    shape(tick);
    word("commit, end");
    shape(diamond);
    word("wait");
    shape(up);
    word("arrive");
    shape(down);
    word("landed");
    out_ += "<circle class=\"bad\" cx=\"" + n(at + 6) + "\" cy=\"" + n(y - 4) + "\" r=\"6\"/>\n";
    at += 18;
    word("hazard");
  }

  void releases() {
    for (std::size_t const i : c_.order) {
      run_event const& e = t_.event[i];
      if (e.kind != k::barrier_done || c_.column[i] >= shown_) continue;
      int const at = x(c_.column[i]) + step / 2;
      out_ += "<g><title>" + xml(words_of(e)) + "</title><line class=\"rel\" x1=\"" + n(at) + "\" y1=\"" + n(top_) +
              "\" x2=\"" + n(at) + "\" y2=\"" + n(top_ + height_) + "\"/></g>\n";
    }
  }
  void rows() {
    for (std::size_t w = 0; w < row_.size(); ++w) {
      text("lab", margin + label - 8, top_ + row_[w].top + bar, "warp " + n(static_cast<int>(w)));
      int const y = top_ + row_[w].top + (row_[w].levels + 1) * (bar + 2) + gap / 2;
      out_ += "<line class=\"row\" x1=\"" + n(margin) + "\" y1=\"" + n(y) + "\" x2=\"" + n(x(shown_)) + "\" y2=\"" +
              n(y) + "\"/>\n";
    }
    for (std::size_t m = 0; m < mbarriers_.size(); ++m) {
      text("lab", margin + label - 8, top_ + mbarriers_[m] + bar - 2, "mbarrier " + n(static_cast<int>(m)));
      int from = -1;
      std::uint64_t phase = 0;
      auto const close = [&](int to, bool completes, std::string const& words) {
        rectangle(std::string(phase % 2 == 0 ? "p0" : "p1") + (completes ? "" : " open"), x(from), x(to),
                  top_ + mbarriers_[m], words, n(static_cast<int>(phase)));
      };
      for (std::size_t const i : c_.order) {
        run_event const& e = t_.event[i];
        if (e.object != m) continue;
        if (e.kind == k::mbarrier_init) from = c_.column[i], phase = 0;
        if (e.kind == k::phase_done && from >= 0) {
          close(c_.column[i], true, words_of(e));
          from = c_.column[i];
          phase = e.amount + 1;
        }
        if (e.kind == k::mbarrier_inval && from >= 0) {
          close(c_.column[i], false, "phase " + n(static_cast<int>(phase)) + " does not complete");
          from = -1;
        }
      }
      if (from >= 0) close(c_.columns, false, "phase " + n(static_cast<int>(phase)) + " does not complete");
    }
  }

  void draw(run_event const& e, int column) {
    std::string const words = words_of(e);
    if (e.kind == k::landed && e.object < mbarriers_.size()) mark(column, top_ + mbarriers_[e.object], down, words);
    if (e.of_no_warp() || e.warp >= row_.size() || column >= shown_) return;
    row const& r = row_[e.warp];
    int const waits_y = top_ + r.top + r.levels * (bar + 2);
    std::size_t const index = static_cast<std::size_t>(&e - t_.event.data());
    int const until = std::max(c_.at(e.until), column + 1);
    switch (e.kind) {
      case k::cp_async:
      case k::bulk_store: {
        int const y = top_ + r.top + level_[index] * (bar + 2);
        int const commit = std::min(commit_of(e), until);
        std::string const color = "k" + n(palette_index(static_cast<int>(e.object % 1000)));
        std::string const never = e.until == 0 ? " never" : "";
        std::string const name = (e.kind == k::cp_async ? "g" : "s") + n(e.object);
        if (commit > column)
          rectangle("b open " + color + never, x(column), x(commit), y, words, commit < until ? "" : name);
        if (until > commit) rectangle("b " + color + never, x(commit), x(until), y, words, name);
        break;
      }
      case k::bulk_load:
        rectangle("b k" + n(palette_index(static_cast<int>(e.object))) + (e.until == 0 ? " never" : ""), x(column),
                  x(until), top_ + r.top + level_[index] * (bar + 2), words,
                  "m" + n(e.object) + " p" + n(static_cast<std::int64_t>(e.amount)));
        break;
      case k::barrier:
        rectangle(std::string("w") + (e.until == 0 ? " never" : ""), x(column),
                  x(until) + (e.until == 0 ? 0 : step / 2), waits_y, words,
                  e.object == 0 ? "sync" : "bar " + n(e.object));
        break;
      case k::mbarrier_wait:
        rectangle(std::string("wm") + (e.until == 0 ? " never" : ""), x(column),
                  x(until) + (e.until == 0 ? 0 : step / 2), waits_y, words,
                  "m" + n(e.object) + " p" + n(static_cast<std::int64_t>(e.amount)));
        break;
      case k::commit:
      case k::bulk_commit:
        mark(column, waits_y, tick, words);
        break;
      case k::wait:
      case k::bulk_wait:
        mark(column, waits_y, diamond, words);
        break;
      case k::hazard:
        out_ += "<g><title>" + xml(words) + "</title><circle class=\"bad\" cx=\"" + n(x(column) + step / 2) +
                "\" cy=\"" + n(waits_y + bar / 2) + "\" r=\"7\"/><text class=\"badt\" x=\"" + n(x(column) + step / 2) +
                "\" y=\"" + n(waits_y + bar / 2 + baseline) + "\">!</text></g>\n";
        break;
      case k::exit:
        mark(column, waits_y, tick, words);
        break;
      default:
        mark(column, waits_y, up, words);
    }
  }
  /// The column at which the warp committed the group of these copies; far right if it did not.
  int commit_of(run_event const& e) const {
    k const wanted = e.kind == k::cp_async ? k::commit : k::bulk_commit;
    for (std::size_t i = 0; i < t_.event.size(); ++i) {
      run_event const& c = t_.event[i];
      if (c.kind == wanted && c.warp == e.warp && c.object == e.object) return c_.column[i];
    }
    return c_.columns;
  }

  run_timeline const& t_;
  timeline_columns c_;
  int shown_ = 0, height_ = 0, top_ = 0;
  std::int64_t folded_ = 0;  ///< copies that share a row with one that is in flight
  std::vector<row> row_;
  std::vector<int> level_;      ///< the level of each copy
  std::vector<int> mbarriers_;  ///< the rows at which they begin
  std::string out_;
};

}  // namespace detail

/// The time line as one `<svg>` element with its own style. Pointing at a part shows what it is.
inline std::string to_svg(run_timeline const& t) { return detail::timeline_drawing(t).svg(); }

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
