// SPDX-License-Identifier: Apache-2.0
// The parts of swizzles and composed layouts, and the number of elements that they keep together.
#include "call.hpp"
#include "composed.hpp"

#include <cosmati/layout/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

void max_alignment(call const& c) {
  value const& a = c.at(0);
  if (a.what == kind::swizzle) return set_integer(c.result, std::int64_t{1} << a.swizzle.base);
  if (a.is_integer()) return copy_value(c.result, a);
  if (a.what == kind::composed) {
    if (a.flag) c.refuse("expected a layout or a swizzled layout");
    std::int64_t const of_layout = algebra::max_alignment(a.main).value;
    std::int64_t of_offset = 0;
    for (int i = 0; i < a.offset.leaves; ++i) of_offset = algebra::gcd(of_offset, a.offset.shape[i].value);
    std::int64_t const common = algebra::gcd(std::int64_t{1} << a.swizzle.base, of_offset);
    return set_integer(c.result, algebra::gcd(of_layout, algebra::magnitude(common)));
  }
  set_integer(c.result, algebra::max_alignment(c.layout(0)));
}

/// The number of consecutive elements, up to `count`, that a swizzle keeps together.
symbolic_integer kept_together(symbolic_integer const& count, std::int64_t limit) {
  return algebra::smaller(count, symbolic_integer(limit));
}
tree const& inner(call const& c, int i) { return c.is_composed(i) ? c.at(i).main : c.layout(i); }
std::int64_t kept_by(value const& v) {
  if (v.what != kind::composed) return std::int64_t{1} << 62;
  if (v.flag) throw error("expected a layout or a swizzled layout");
  return std::int64_t{1} << v.swizzle.base;
}
bool same_swizzle(call const& c) {
  return c.is_composed(0) && c.is_composed(1) && !c.at(0).flag && !c.at(1).flag && c.at(0).swizzle == c.at(1).swizzle;
}
void max_common_vector(call const& c) {
  bool const turned = !c.is_composed(0) && c.is_composed(1);  // the swizzled one comes first, as in CuTe
  symbolic_integer n = algebra::max_common_vector(inner(c, turned), inner(c, !turned));
  if (!same_swizzle(c)) n = kept_together(n, algebra::smaller(kept_by(c.at(0)), kept_by(c.at(1))));
  set_integer(c.result, n);
}
void max_common_layout(call const& c) {
  if (c.is_composed(0) && c.is_composed(1)) c.refuse("one of the layouts must be without a swizzle");
  c.result.what = kind::layout;
  tree const common = algebra::max_common_layout(inner(c, 0), inner(c, 1));
  std::int64_t const limit = algebra::smaller(kept_by(c.at(0)), kept_by(c.at(1)));
  symbolic_integer const n = algebra::size(common);
  emplace(c.result.main, [&] {
    return n.value <= limit
               ? common
               : algebra::composition(common, algebra::make_leaf(symbolic_integer(limit), symbolic_integer(1)));
  });
}

void layout_a(call const& c) {
  if (c.what(0) == kind::stacked) return swizzle_result(c.result, c.at(0).above);
  if (!c.is_composed(0)) c.wrong(0, "a composed layout");
  value const& v = c.at(0);
  if (!v.flag) return swizzle_result(c.result, v.swizzle);
  c.result.what = kind::layout;
  copy_tree(c.result.main, v.outer);
}
void layout_b(call const& c) {
  if (c.what(0) == kind::stacked) {
    copy_value(c.result, c.at(0));
    c.result.what = kind::composed;
    return;
  }
  if (!c.is_composed(0)) c.wrong(0, "a composed layout");
  c.result.what = kind::layout;
  copy_tree(c.result.main, c.at(0).main);
}
void offset(call const& c) {
  if (c.what(0) == kind::stacked) return set_integer(c.result, c.at(0).above_offset);
  if (!c.is_composed(0)) c.wrong(0, "a composed layout");
  c.result.what = kind::tuple;
  copy_tree(c.result.main, c.at(0).offset);
}
void swizzle_portion(call const& c) {
  if (c.is_composed(0)) return layout_a(c);
  if (c.what(0) == kind::swizzle) return copy_value(c.result, c.at(0));
  c.layout(0);
  swizzle_result(c.result, {0, 4, 3});
}
void nonswizzle_portion(call const& c) {
  if (c.is_composed(0)) return layout_b(c);
  c.layout(0);
  copy_value(c.result, c.at(0));
}
template <int Which>
void swizzle_number(call const& c) {
  if (c.what(0) != kind::swizzle) c.wrong(0, "a swizzle");
  AnySwizzle const& s = c.at(0).swizzle;
  set_integer(c.result, std::int64_t{Which == 0 ? s.bits : Which == 1 ? s.base : s.shift});
}
/// 0: the bits that are read; 1: those that change; 2: as many of the lowest bits
template <int Which>
void swizzle_mask(call const& c) {
  if (c.what(0) != kind::swizzle) c.wrong(0, "a swizzle");
  AnySwizzle const& s = c.at(0).swizzle;
  set_integer(c.result, Which == 0   ? std::int64_t{s.source_mask()}
                        : Which == 1 ? std::int64_t{s.target_mask()}
                                     : (std::int64_t{1} << s.bits) - 1);
}

}  // namespace

std::span<function const> swizzle_parts() {
  static constexpr function table[] = {
      {"max_alignment", max_alignment, 1, 1},
      {"max_common_vector", max_common_vector, 2, 2},
      {"max_common_layout", max_common_layout, 2, 2},
      {"layout_a", layout_a, 1, 1},
      {"layout_b", layout_b, 1, 1},
      {"offset", offset, 1, 1},
      {"layout_fn", layout_a, 1, 1},
      {"get_swizzle", swizzle_portion, 1, 1},
      {"get_swizzle_portion", swizzle_portion, 1, 1},
      {"get_nonswizzle_portion", nonswizzle_portion, 1, 1},
      {"num_bits", swizzle_number<0>, 1, 1},
      {"num_base", swizzle_number<1>, 1, 1},
      {"num_shft", swizzle_number<2>, 1, 1},
      {"yyy_msk", swizzle_mask<0>, 1, 1},
      {"zzz_msk", swizzle_mask<1>, 1, 1},
      {"bit_msk", swizzle_mask<2>, 1, 1},
  };
  return table;
}

}  // namespace cosmati::cli
