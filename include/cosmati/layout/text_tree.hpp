// SPDX-License-Identifier: Apache-2.0
/// @file
/// The text form of `flat_tree` values (tuples, layouts, tilers) and of swizzles, identical to what CuTe prints.
///
/// Plain integers stand as they are; an integer known while compiling carries an underscore when asked for, so that
/// `(_8,n):(_1,_8)` tells the two apart. Everything is appended to a caller's string: nothing is allocated when that
/// string has room. Opt-in: kernels never include this header.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <charconv>
#include <cosmati/core/flat_tree.hpp>
#include <string>

namespace COSMATI_NAMESPACE {

/// How the integers of a value are written. Bit i belongs to leaf i.
struct text_format {
  std::uint64_t static_shape = 0;   ///< leaves whose extent is known while compiling: `_8`
  std::uint64_t static_stride = 0;  ///< leaves whose stride is
  std::uint64_t integers = 0;       ///< in tilers: leaves that are integers, written `8` instead of `8:1`
  bool blanks = false;              ///< `(8, 4):(1, 8)`
  /// Every integer with an underscore: the text of a wholly static layout.
  static constexpr text_format all_static() { return {~std::uint64_t{0}, ~std::uint64_t{0}, 0, false}; }
};

/// @name Appending to a string
/// @{
inline void append_text(std::string& out, std::int64_t value) {
  char digits[24];
  std::to_chars_result const end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

/// A basis is written innermost first: `4@1@0` is 4 steps along index 1 of mode 0. A run-time integer is `?`.
inline void append_text(std::string& out, symbolic_integer const& x) {
  if (!is_known(x)) {
    out += '?';
  } else {
    append_text(out, x.value);
  }
  for (int level = 7; level >= 0; --level) {
    std::uint32_t const index = (x.basis >> (4 * level)) & 0xf;
    if (index == 0) continue;
    out += '@';
    append_text(out, static_cast<std::int64_t>(index) - 1);
  }
}
/// @}

namespace detail {

/// Writes one value of `flat_tree` from front to back.
template <class Num>
struct text_writer {
  std::string& out;
  flat_tree<Num> const& value;
  text_format const& format;
  int node = 0;
  int leaf = 0;

  void separator() { out += format.blanks ? ", " : ","; }
  void integer(Num const& x, std::uint64_t mask) {
    if ((mask >> leaf) & 1) out += '_';
    append_text(out, x);
  }

  /// Shapes (`stride` false) or strides of the subtree at `node`; moves on behind it.
  void tuple(bool stride) {
    std::uint8_t const code = value.node[node++];
    if (code == flat_tree<Num>::leaf) {
      stride ? integer(value.stride[leaf], format.static_stride) : integer(value.shape[leaf], format.static_shape);
      ++leaf;
      return;
    }
    if (code == flat_tree<Num>::any) {
      out += '_';
      return;
    }
    out += '(';
    for (int i = 0; i < flat_tree<Num>::children(code); ++i) {
      if (i != 0) separator();
      tuple(stride);
    }
    out += ')';
  }

  void layout() {
    int const first_node = node;
    int const first_leaf = leaf;
    tuple(false);
    out += ':';
    node = first_node;
    leaf = first_leaf;
    tuple(true);
  }

  /// A tiler: `_`, an integer, a layout, or a tuple of tilers.
  void tiler() {
    std::uint8_t const code = value.node[node];
    if (code == flat_tree<Num>::any) {
      out += '_';
      ++node;
    } else if (code == flat_tree<Num>::leaf && ((format.integers >> leaf) & 1)) {
      tuple(false);
    } else if ((code & flat_tree<Num>::tile_flag) == 0) {
      layout();
    } else {
      ++node;
      out += '(';
      for (int i = 0; i < flat_tree<Num>::children(code); ++i) {
        if (i != 0) separator();
        tiler();
      }
      out += ')';
    }
  }
};

}  // namespace detail

/// @name Appending a value in CuTe's text form
/// @{

/// `(8,(4,_))`: the integers of a tuple, or the shape of a layout.
template <class Num>
void append_tuple(std::string& out, flat_tree<Num> const& tuple, text_format const& format = {}) {
  detail::text_writer<Num>{out, tuple, format}.tuple(false);
}

/// `(1,8)`: the strides of a layout.
template <class Num>
void append_strides(std::string& out, flat_tree<Num> const& layout, text_format const& format = {}) {
  detail::text_writer<Num>{out, layout, format}.tuple(true);
}

/// `((2,1),3,4):((1,0),4,24)`
template <class Num>
void append_layout(std::string& out, flat_tree<Num> const& layout, text_format const& format = {}) {
  detail::text_writer<Num>{out, layout, format}.layout();
}

/// `(4:1,(2,2):(4,1),_)`
template <class Num>
void append_tiler(std::string& out, flat_tree<Num> const& tiler, text_format const& format = {}) {
  detail::text_writer<Num>{out, tiler, format}.tiler();
}

/// `Sw<3,4,3>`
inline void append_swizzle(std::string& out, int bits, int base, int shift) {
  out += "Sw<";
  append_text(out, static_cast<std::int64_t>(bits));
  out += ',';
  append_text(out, static_cast<std::int64_t>(base));
  out += ',';
  append_text(out, static_cast<std::int64_t>(shift));
  out += '>';
}
/// @}

/// @name The same as a new string
/// @{
template <class Num>
std::string tuple_text(flat_tree<Num> const& tuple, text_format const& format = {}) {
  std::string out;
  append_tuple(out, tuple, format);
  return out;
}
template <class Num>
std::string layout_text(flat_tree<Num> const& layout, text_format const& format = {}) {
  std::string out;
  append_layout(out, layout, format);
  return out;
}
template <class Num>
std::string tiler_text(flat_tree<Num> const& tiler, text_format const& format = {}) {
  std::string out;
  append_tiler(out, tiler, format);
  return out;
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
