// SPDX-License-Identifier: Apache-2.0
/// @file
/// The text form of `flat_tree` values (tuples, layouts, tilers) and of swizzles, identical to CuTe's.
///
/// A run-time integer is written as it is. A static integer has an underscore on request, so that `(_8,n):(_1,_8)`
/// distinguishes the two. All functions append to the caller's string, and allocate nothing if the string has room.
/// This header is opt-in: kernels never include it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <charconv>
#include <cosmati/core/flat_tree.hpp>
#include <string>

namespace COSMATI_NAMESPACE {

/// The format of a value's integers. Bit i belongs to leaf i.
struct text_format {
  std::uint64_t static_shape = 0;   ///< the leaves with static extents, written `_8`
  std::uint64_t static_stride = 0;  ///< the leaves with static strides
  std::uint64_t integers = 0;       ///< the leaves of a tiler that are integers, written `8` instead of `8:1`
  bool blanks = false;              ///< `(8, 4):(1, 8)`
  /// An underscore at every integer: the text of a fully static layout.
  static constexpr text_format all_static() { return {~std::uint64_t{0}, ~std::uint64_t{0}, 0, false}; }
};

/// @name Functions that append to a string
/// @{
inline void append_text(std::string& out, std::int64_t value) {
  char digits[24];
  std::to_chars_result const end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

/// A basis is written innermost first: `4@1@0` is 4 steps along mode 1 of mode 0. A run-time integer is `?`.
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

/// Writes one `flat_tree` from front to back.
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

  /// Writes the shape (`stride` is false) or the strides of the subtree at `node`, and moves behind it.
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

  /// Writes a tiler: `_`, an integer, a layout, or a tuple of tilers.
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

/// @name Functions that append a value in CuTe's text form
/// @{

/// Appends `(8,(4,_))`: the integers of a tuple, or the shape of a layout.
template <class Num>
void append_tuple(std::string& out, flat_tree<Num> const& tuple, text_format const& format = {}) {
  detail::text_writer<Num>{out, tuple, format}.tuple(false);
}

/// Appends `(1,8)`: the strides of a layout.
template <class Num>
void append_strides(std::string& out, flat_tree<Num> const& layout, text_format const& format = {}) {
  detail::text_writer<Num>{out, layout, format}.tuple(true);
}

/// Appends `((2,1),3,4):((1,0),4,24)`.
template <class Num>
void append_layout(std::string& out, flat_tree<Num> const& layout, text_format const& format = {}) {
  detail::text_writer<Num>{out, layout, format}.layout();
}

/// Appends `(4:1,(2,2):(4,1),_)`.
template <class Num>
void append_tiler(std::string& out, flat_tree<Num> const& tiler, text_format const& format = {}) {
  detail::text_writer<Num>{out, tiler, format}.tiler();
}

/// Appends `Sw<3,4,3>`.
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

/// @name The same texts as new strings
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
