// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mode_arrows`: arrows from each mode of a layout to where it goes: digits of the offset, modes of another layout.
///
/// A mode of extent s and stride d counts the offsets from d to d * s. Two modes meet where these overlap: that is all
/// that arrows say. arrows_svg.hpp draws them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/layout/text.hpp>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// One mode, or one digit of an offset.
struct arrow_node {
  std::string text;
  int color = -1;  ///< of the palette: that of the mode it comes from; -1: none
};
/// Modes or digits, one below the other.
struct arrow_column {
  std::string title;
  std::string layout;  ///< whose modes these are; empty of digits
  std::vector<arrow_node> node;

  /// In one line.
  std::string heading() const { return layout.empty() ? title : title + " " + layout; }
};
/// From node `from` of a column to node `to` of the next.
struct mode_arrow {
  int column = 0, from = 0, to = 0;
  friend bool operator==(mode_arrow const&, mode_arrow const&) = default;
};
/// The picture.
struct mode_arrows {
  std::string title;
  std::vector<arrow_column> column;
  std::vector<mode_arrow> arrow;
};

namespace detail {

/// What a node takes of a ruler: the numbers from `low` to before `high`; nothing where they are equal.
struct stretch {
  std::int64_t low = 1, high = 1;
  bool meets(stretch const& o) const { return std::max(low, o.low) < std::min(high, o.high); }
};
/// The offsets that each mode counts.
inline std::vector<stretch> stretches_of_offset(AnyLayout const& l) {
  std::vector<stretch> all;
  for (int i = 0; i < l.value().leaves; ++i) {
    std::int64_t const extent = l.value().shape[i].value, stride = l.value().stride[i].value;
    all.push_back(extent > 1 && stride > 0 ? stretch{stride, stride * extent} : stretch{});
  }
  return all;
}
/// The indices, as a layout called by one integer counts them, that each mode counts.
inline std::vector<stretch> stretches_of_index(AnyLayout const& l) {
  std::vector<stretch> all;
  std::int64_t low = 1;
  for (int i = 0; i < l.value().leaves; ++i) {
    std::int64_t const extent = l.value().shape[i].value;
    all.push_back({low, low * extent});
    low *= extent;
  }
  return all;
}
/// A ruler cut wherever one of these begins or ends.
inline std::vector<stretch> cut_ruler(std::vector<std::vector<stretch>> const& sets) {
  std::vector<std::int64_t> bounds;
  for (auto const& set : sets) {
    for (stretch const& s : set) {
      if (s.low < s.high) bounds.insert(bounds.end(), {s.low, s.high});
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<stretch> cut;
  for (std::size_t i = 1; i < bounds.size(); ++i) cut.push_back({bounds[i - 1], bounds[i]});
  return cut;
}

/// Columns of one picture, from left to right; nodes take the colour of the first arrow that reaches them.
class arrow_builder {
 public:
  explicit arrow_builder(std::string title) { a_.title = std::move(title); }

  void modes(std::string title, AnyLayout const& l) {
    a_.column.push_back({std::move(title), to_string(l), {}});
    for (int i = 0; i < l.value().leaves; ++i) {
      a_.column.back().node.push_back({"mode " + std::to_string(i) + "  " + std::to_string(l.value().shape[i].value) +
                                           ":" + std::to_string(l.value().stride[i].value),
                                       a_.column.size() == 1 ? i : -1});
    }
  }
  void digits(std::string title, std::vector<stretch> const& ruler) {
    a_.column.push_back({std::move(title), {}, {}});
    for (stretch const& s : ruler) {
      bool const whole = s.high % s.low == 0;
      a_.column.back().node.push_back(
          {whole ? "digit " + std::to_string(s.low) + ", " + std::to_string(s.high / s.low) + " steps"
                 : std::to_string(s.low) + " to " + std::to_string(s.high),
           -1});
    }
  }
  /// Arrows between the last two columns, where what the nodes take of one ruler overlaps.
  void join(std::vector<stretch> const& from, std::vector<stretch> const& to) {
    int const column = static_cast<int>(a_.column.size()) - 2;
    arrow_column const& left = a_.column[static_cast<std::size_t>(column)];
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t k = 0; k < to.size(); ++k) {
        if (!from[i].meets(to[k])) continue;
        a_.arrow.push_back({column, static_cast<int>(i), static_cast<int>(k)});
        int& color = a_.column.back().node[k].color;
        if (color < 0) color = left.node[i].color;
      }
    }
  }
  mode_arrows built() { return std::move(a_); }

 private:
  mode_arrows a_;
};

/// The modes of `argument`, the digits of its offset, and the modes of `result` that take these digits. `taken` is what
/// each mode of `result` takes.
inline mode_arrows arrows_by_offset(std::string title, AnyLayout const& argument, char const* result_name,
                                    AnyLayout const& result, std::vector<stretch> const& taken) {
  arrow_builder arrows(std::move(title));
  std::vector<stretch> const given = stretches_of_offset(argument), ruler = cut_ruler({given, taken});
  arrows.modes("argument", argument);
  arrows.digits("offset", ruler);
  arrows.join(given, ruler);
  arrows.modes(result_name, result);
  arrows.join(ruler, taken);
  return arrows.built();
}

}  // namespace detail

/// Which mode goes to which digits of the offset.
inline mode_arrows arrows_of_layout(std::string title, AnyLayout const& l) {
  detail::arrow_builder b(std::move(title));
  std::vector<detail::stretch> const modes = detail::stretches_of_offset(l), ruler = detail::cut_ruler({modes});
  b.modes("layout", l);
  b.digits("offset", ruler);
  b.join(modes, ruler);
  return b.built();
}

/// R(c) = A(B(c)): the modes of B, the digits of what B gives, the modes of A that count these.
inline mode_arrows arrows_of_composition(std::string title, AnyLayout const& a, AnyLayout const& b) {
  detail::arrow_builder arrows(std::move(title));
  std::vector<detail::stretch> const inner = detail::stretches_of_offset(b), index = detail::stretches_of_index(a);
  std::vector<detail::stretch> const middle = detail::cut_ruler({inner, index});
  std::vector<detail::stretch> const outer = detail::stretches_of_offset(a), ruler = detail::cut_ruler({outer});
  arrows.modes("second argument", b);
  arrows.digits("index into the first", middle);
  arrows.join(inner, middle);
  arrows.modes("first argument", a);
  arrows.join(middle, index);
  arrows.digits("offset", ruler);
  arrows.join(outer, ruler);
  return arrows.built();
}

/// Two layouts of one memory, a divide's argument and its result: which mode becomes which.
inline mode_arrows arrows_between(std::string title, AnyLayout const& argument, AnyLayout const& result) {
  detail::arrow_builder arrows(std::move(title));
  arrows.modes("argument", argument);
  arrows.modes("result", result);
  arrows.join(detail::stretches_of_offset(argument), detail::stretches_of_offset(result));
  return arrows.built();
}

/// A layout and its complement: each digit of the offset belongs to one of them.
inline mode_arrows arrows_of_complement(std::string title, AnyLayout const& argument, AnyLayout const& result) {
  return detail::arrows_by_offset(std::move(title), argument, "complement", result,
                                  detail::stretches_of_offset(result));
}

/// A layout and an inverse of it: what the one counts in the offset, the other counts in the index.
inline mode_arrows arrows_of_inverse(std::string title, AnyLayout const& argument, AnyLayout const& result) {
  return detail::arrows_by_offset(std::move(title), argument, "inverse", result, detail::stretches_of_index(result));
}

/// A line for each arrow: "mode 0  4:2 -> digit 2, 4 steps".
inline std::string to_text(mode_arrows const& a) {
  std::string out = a.title + "\n";
  for (std::size_t c = 0; c + 1 < a.column.size(); ++c) {
    out += "\n" + a.column[c].heading() + "  ->  " + a.column[c + 1].heading() + "\n";
    for (mode_arrow const& x : a.arrow) {
      if (x.column != static_cast<int>(c)) continue;
      out += "  " + a.column[c].node[static_cast<std::size_t>(x.from)].text + "  ->  " +
             a.column[c + 1].node[static_cast<std::size_t>(x.to)].text + "\n";
    }
  }
  return out;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
