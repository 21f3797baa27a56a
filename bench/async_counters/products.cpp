// SPDX-License-Identifier: Apache-2.0
#include "products.hpp"

namespace async_counters {
namespace {

using layout = GMMA::LayoutType;
using major = GMMA::Major;

template <class Op>
void start_product(product_case const& c, void* sums) {
  launch(product_counted<Op>, {.grid = 1, .block = 128, .shared_bytes = product_stage_bytes},
         product_launch{c.a, c.b, c.count, sums});
}

/// An operand of `extent` rows and 32 bytes of K, packed as the canonical layouts say.
operand packed(layout l, major m, int extent, int element_bytes, unsigned address) {
  unsigned const span = 16u * static_cast<unsigned>(detail::chunks_of(l)), eight = 8 * span;
  unsigned const in_row = 16u / static_cast<unsigned>(element_bytes) * static_cast<unsigned>(detail::chunks_of(l));
  unsigned const groups = static_cast<unsigned>(extent) / (m == major::K ? 8u : in_row);
  operand o = {l, address, 0, 0};
  if (m == major::K) {
    o.stride_bytes = eight;
    o.leading_bytes = l == layout::INTERLEAVE ? eight * groups : 16;
  } else if (l == layout::INTERLEAVE) {
    o.stride_bytes = eight;
    o.leading_bytes = eight * groups;
  } else {
    o.stride_bytes = eight;
    o.leading_bytes = 2 * eight;  // two groups of eight K
  }
  return o;
}

template <int n, class D, class T, bool registers, major a_major = major::K, major b_major = major::K>
product_case made(layout l) {
  using Op = detail::wgmma_async<n, D, T, T, registers ? detail::wgmma_source::registers : detail::wgmma_source::shared,
                                 a_major, b_major>;
  product_case c;
  c.n = n;
  c.element_bytes = static_cast<int>(sizeof(T));
  c.a_in_registers = registers;
  c.a_major = a_major;
  c.b_major = b_major;
  c.a = packed(l, a_major, 64, c.element_bytes, 0);
  c.b = packed(l, b_major, n, c.element_bytes, begin_of_b);
  c.start = &start_product<Op>;
  return c;
}

constexpr layout layouts[] = {layout::INTERLEAVE, layout::B32, layout::B64, layout::B128};

template <int n, class D, class T, bool registers, major a_major = major::K, major b_major = major::K>
void add(std::vector<product_case>& all) {
  for (layout const l : layouts) all.push_back(made<n, D, T, registers, a_major, b_major>(l));
}

/// Operands that are not packed: later begins along K, groups further apart, both orders of the groups.
void add_places(std::vector<product_case>& all) {
  auto const at = [&](layout l, unsigned a_late, unsigned b_late) {
    all.push_back(made<64, float, half_t, false>(l));
    all.back().a.address += a_late;
    all.back().b.address += b_late;
  };
  for (unsigned const late : {32u, 64u, 96u}) at(layout::B128, late, late);
  at(layout::B128, 32, 0);
  at(layout::B128, 0, 32);
  at(layout::B64, 32, 32);
  at(layout::INTERLEAVE, 16, 0);
  at(layout::INTERLEAVE, 0, 16);
  auto const apart = [&](layout l, unsigned leading, unsigned stride) {
    all.push_back(made<64, float, half_t, false>(l));
    for (operand* o : {&all.back().a, &all.back().b}) {
      if (leading != 0) o->leading_bytes = leading;
      o->stride_bytes = stride;
    }
  };
  apart(layout::INTERLEAVE, 128, 256);
  apart(layout::INTERLEAVE, 128, 272);
  apart(layout::INTERLEAVE, 144, 288);
  apart(layout::INTERLEAVE, 1024, 144);
  apart(layout::B32, 0, 512);
  apart(layout::B64, 0, 1024);
  apart(layout::B128, 0, 2048);
  apart(layout::B128, 0, 1024 + 128);
  apart(layout::B128, 0, 1024 + 16);
  for (layout const l : layouts) {
    all.push_back(made<64, float, half_t, false>(l));
    all.back().count = 4;
  }
}

}  // namespace

std::vector<product_case> product_cases() {
  std::vector<product_case> all;
  all.push_back(made<8, float, half_t, false>(layout::INTERLEAVE));
  all.back().count = 0;
  add<8, float, half_t, false>(all);
  add<16, float, half_t, false>(all);
  add<24, float, half_t, false>(all);
  add<32, float, half_t, false>(all);
  add<64, float, half_t, false>(all);
  add<96, float, half_t, false>(all);
  add<128, float, half_t, false>(all);
  add<192, float, half_t, false>(all);
  add<256, float, half_t, false>(all);
  add<8, float, half_t, true>(all);
  add<64, float, half_t, true>(all);
  add<256, float, half_t, true>(all);
  add<64, float, half_t, false, major::MN, major::K>(all);
  add<64, float, half_t, false, major::K, major::MN>(all);
  add<64, float, half_t, false, major::MN, major::MN>(all);
  add<256, float, half_t, false, major::MN, major::MN>(all);
  add<64, float, half_t, true, major::K, major::MN>(all);
  add<128, float, half_t, true, major::K, major::MN>(all);
  add<64, float, tfloat32_t, false>(all);
  add<64, float, float_e4m3_t, false>(all);
  add<64, std::int32_t, std::int8_t, false>(all);
  add<64, half_t, half_t, false>(all);
  add_places(all);
  return all;
}

}  // namespace async_counters
