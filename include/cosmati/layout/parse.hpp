// SPDX-License-Identifier: Apache-2.0
/// @file
/// The parser of layouts, tuples, tilers and swizzles. It reads what text.hpp writes and what people type.
///
/// Blanks have no meaning. Integers may be written `8`, `_8` or `Int<8>`. A shape without a stride is its compact
/// column-major layout, as in CuTe's `make_layout(shape)`. `_` and `X` are the underscore. Strides may be negative or
/// carry bases (`1@0`). A wrong text throws `parse_error` with the position, the expected token, and a caret. This
/// header is opt-in: kernels never include it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/any_composed_layout.hpp>
#include <cosmati/layout/parse_tree.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

inline void expect_end(text_cursor& in) {
  in.skip_blanks();
  if (in.at != in.end) in.fail_here("expected the end");
}

/// Reads a layout at the front of `in`. A shape alone becomes compact.
inline AnyLayout read_layout(text_cursor& in) {
  in.skip_blanks();
  char const* const place = in.at;
  flat_tree<symbolic_integer> value;
  flat_reader reader(in, value);
  literal_kind const kind = reader.item();
  if (kind == literal_kind::tiler) in.fail_at(place, "expected a layout or a shape, not a tuple of layouts");
  if (kind == literal_kind::tuple) {
    for (int i = 0; i < value.nodes; ++i) {
      if (value.node[i] == flat_tree<symbolic_integer>::any)
        in.fail_at(place, "expected a layout or a shape, without '_'");
    }
    try {
      reader.compact(0, value.leaves);
    } catch (error const& e) {
      in.fail_at(place, e.what());
    }
  }
  return AnyLayout(value);
}

/// Reads `Sw<3,4,3>` or `Swizzle<3,4,3>{}` at the front of `in`. @return false if there is something else
inline bool read_swizzle(text_cursor& in, AnySwizzle& swizzle) {
  std::string_view const word = in.word();
  if (word != "Sw" && word != "Swizzle") return false;
  char const* const place = in.at;
  in.at += word.size();
  in.expect('<', "as in Sw<3,4,3>");
  std::int64_t part[3]{};
  int count = 0;
  for (; count < 3; ++count) {
    if (count == 2 && in.peek() == '>') {
      part[2] = part[0];  // Swizzle<B, M> is Swizzle<B, M, B>
      break;
    }
    if (count != 0) in.expect(',', "as in Sw<3,4,3>");
    bool const negative = in.accept('-');
    part[count] = negative ? -in.digits() : in.digits();
    if (part[count] > 64 || part[count] < -64) in.fail_at(place, "a swizzle's numbers must fit 30 bits");
  }
  in.expect('>', "behind the swizzle's numbers");
  in.accept("{}");
  try {
    swizzle = AnySwizzle(static_cast<int>(part[0]), static_cast<int>(part[1]), static_cast<int>(part[2]));
  } catch (error const& e) {
    in.fail_at(place, e.what());
  }
  return true;
}

}  // namespace detail

/// Reads `((2,1),3,4):((1,0),4,24)`, or a shape alone.
inline AnyLayout parse_layout(std::string_view text) {
  text_cursor in(text);
  AnyLayout const layout = detail::read_layout(in);
  detail::expect_end(in);
  return layout;
}

/// Reads `(4,(2,_))`.
inline AnyTuple parse_tuple(std::string_view text) {
  text_cursor in(text);
  flat_tree<symbolic_integer> value;
  if (detail::flat_reader(in, value).item() != detail::literal_kind::tuple) {
    in.fail_at(in.begin, "expected an integer or a tuple of integers, not a layout");
  }
  detail::expect_end(in);
  return AnyTuple(value);
}

/// Reads `(4:1,(2,2):(4,1),_)`, `(4,8)`, or one layout.
inline AnyTiler parse_tiler(std::string_view text) {
  text_cursor in(text);
  flat_tree<symbolic_integer> value;
  detail::flat_reader reader(in, value);
  detail::literal_kind const kind = reader.item();
  detail::expect_end(in);
  if (kind == detail::literal_kind::tuple) return AnyTiler(AnyTuple(value));
  return AnyTiler(value, reader.integers);
}

/// Reads `Sw<3,4,3>`.
inline AnySwizzle parse_swizzle(std::string_view text) {
  text_cursor in(text);
  AnySwizzle swizzle;
  if (!detail::read_swizzle(in, swizzle)) in.fail_here("expected Sw<bits,base,shift>");
  detail::expect_end(in);
  return swizzle;
}

/// Reads `Sw<3,4,3> o 0 o (8,64):(64,1)`, or a layout, which gets the identity swizzle.
inline AnyComposedLayout parse_composed_layout(std::string_view text) {
  text_cursor in(text);
  AnyComposedLayout composed;
  if (detail::read_swizzle(in, composed.swizzle)) {
    if (!in.accept('o')) in.fail_here("expected 'o' and an offset, as in Sw<3,4,3> o 0 o (8,64):(64,1)");
    flat_tree<symbolic_integer> unused;
    composed.offset = detail::flat_reader(in, unused).integer();
    if (!in.accept('o')) in.fail_here("expected 'o' and a layout, as in Sw<3,4,3> o 0 o (8,64):(64,1)");
  }
  composed.layout = detail::read_layout(in);
  detail::expect_end(in);
  return composed;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
