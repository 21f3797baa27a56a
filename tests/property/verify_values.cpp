// SPDX-License-Identifier: Apache-2.0
// The verifier compared with trying. Each value of each thread is looked up by the definition of a tiled copy, in row
// `thread row x values' rows + value row`, and written to the place that the destination's layout gives.
#include <cosmati/analysis/verify_values.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

using namespace cosmati;

namespace {

using tree = flat_tree<symbolic_integer>;
std::mt19937 engine(20260117);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
bool chance(int percent) { return below(100) < percent; }

struct matrix {  // (m,n):(dm,dn)
  std::int64_t m = 1, n = 1, dm = 0, dn = 0;
  std::int64_t operator()(std::int64_t i, std::int64_t j) const { return i * dm + j * dn; }
  tree value() const {
    tree t;
    t.add_open(2);
    t.add_leaf(symbolic_integer(m), symbolic_integer(dm));
    t.add_leaf(symbolic_integer(n), symbolic_integer(dn));
    return t;
  }
  std::string text() const {
    return "(" + std::to_string(m) + "," + std::to_string(n) + "):(" + std::to_string(dm) + "," + std::to_string(dn) +
           ")";
  }
};
matrix compact(int m, int n) { return chance(50) ? matrix{m, n, 1, m} : matrix{m, n, n, 1}; }

struct a_case {
  matrix thr, val, src, dst;
  AnySwizzle swizzle;
  bool swizzled = false, bounded = false;
  int at_once = 1;
  std::int64_t bound_m = 0, bound_n = 0;

  std::string text() const {
    return "thr " + thr.text() + " val " + val.text() + " src " + src.text() + " dst " + dst.text() + " at once " +
           std::to_string(at_once) + (swizzled ? " swizzled" : "") +
           (bounded ? " bounds " + std::to_string(bound_m) + "," + std::to_string(bound_n) : "");
  }
};
matrix tensor(std::int64_t m, std::int64_t n, bool wild) {
  matrix t{m, n, 1, m};
  if (chance(50)) t.dm = n, t.dn = 1;
  if (chance(30)) (t.dm == 1 ? t.dn : t.dm) += 4 * below(3);
  if (wild) (chance(50) ? t.dm : t.dn) = below(static_cast<int>(m + n));
  return t;
}
a_case draw() {
  a_case c;
  c.thr = compact(1 + below(6), 1 + below(6));
  c.val = compact(1 << below(3), 1 << below(3));
  std::int64_t m = c.thr.m * c.val.m * (1 + below(2)), n = c.thr.n * c.val.n * (1 + below(2));
  if (chance(25)) m += below(3), n -= below(2);
  if (n == 0) n = 1;
  c.src = tensor(m, n, chance(10));
  c.dst = tensor(m, n, chance(20));
  if (chance(5)) c.dst.m += 1;
  std::int64_t const first = c.val.dm == 1 && c.val.m > 1 ? c.val.m : c.val.n;
  if (chance(60)) c.at_once = static_cast<int>(first);
  if (chance(20)) {
    c.swizzled = true;
    c.swizzle = AnySwizzle(2, below(4), 3);
  }
  if (chance(30)) {
    c.bounded = true;
    c.bound_m = m - below(3);
    c.bound_n = n + (chance(10) ? 1 : -below(2));
    if (c.bound_m < 1) c.bound_m = 1;
    if (c.bound_n < 1) c.bound_n = 1;
  }
  return c;
}

copy_values<symbolic_integer> copy_of(a_case const& c) {
  copy_values<symbolic_integer> v;
  v.operation = {copy_means::at_once, 32 * c.at_once, 0, 0, 0};
  v.layout_tv = algebra::layout_tv_of(c.thr.value(), c.val.value());
  v.tiler = algebra::as_tiler(algebra::tiler_of(c.thr.value(), c.val.value()));
  v.ref.add_open(2);
  v.ref.add_leaf(symbolic_integer(1), symbolic_integer(0));
  v.ref.add_leaf(symbolic_integer(c.at_once), symbolic_integer(1));
  v.src = v.dst = v.ref;
  return v;
}
tensor_values<symbolic_integer> in_memory(matrix const& m, a_case const& c, bool swizzled) {
  tensor_values<symbolic_integer> t;
  t.space = memory_space::gmem;
  t.layout = m.value();
  t.composed = swizzled;
  if (swizzled) t.swizzle = c.swizzle;
  return t;
}

struct element {
  std::int64_t i, j;
};
/// The element of a thread's value, by definition.
element element_of(a_case const& c, std::int64_t thread, std::int64_t value) {
  std::int64_t const values = c.val.m * c.val.n;
  std::int64_t const tile_m = c.thr.m * c.val.m, tile_n = c.thr.n * c.val.n;
  std::int64_t const rest = value / values;
  std::int64_t const tiles_m = (c.src.m + tile_m - 1) / tile_m;
  for (std::int64_t tm = 0; tm < c.thr.m; ++tm) {
    for (std::int64_t tn = 0; tn < c.thr.n; ++tn) {
      if (c.thr(tm, tn) != thread) continue;
      for (std::int64_t vm = 0; vm < c.val.m; ++vm) {
        for (std::int64_t vn = 0; vn < c.val.n; ++vn) {
          if (c.val(vm, vn) != value % values) continue;
          return {tm * c.val.m + vm + tile_m * (rest % tiles_m), tn * c.val.n + vn + tile_n * (rest / tiles_m)};
        }
      }
    }
  }
  return {-1, -1};
}

/// Whether trying finds no mistake.
bool works(a_case const& c) {
  if (c.src.m != c.dst.m || c.src.n != c.dst.n) return false;
  std::int64_t const bound_m = c.bounded ? c.bound_m : c.src.m, bound_n = c.bounded ? c.bound_n : c.src.n;
  if (bound_m > c.src.m || bound_n > c.src.n) return false;
  std::int64_t const threads = c.thr.m * c.thr.n, values = c.val.m * c.val.n;
  std::int64_t const tile_m = c.thr.m * c.val.m, tile_n = c.thr.n * c.val.n;
  std::int64_t const rests = ((c.src.m + tile_m - 1) / tile_m) * ((c.src.n + tile_n - 1) / tile_n);
  auto const place = [&](matrix const& m, bool swizzled, element e) {
    std::int64_t const at = m(e.i, e.j);
    return swizzled ? c.swizzle(at) : at;
  };
  std::map<std::int64_t, int> written;
  for (std::int64_t t = 0; t < threads; ++t) {
    for (std::int64_t v = 0; v < values * rests; ++v) {
      element const e = element_of(c, t, v);
      if (e.i >= bound_m || e.j >= bound_n) {
        if (!c.bounded) return false;
      } else if (++written[place(c.dst, c.swizzled, e)] > 1) {
        return false;
      }
      if (v % c.at_once != 0) continue;
      for (bool const source : {true, false}) {
        matrix const& m = source ? c.src : c.dst;
        std::int64_t const first = place(m, !source && c.swizzled, e);
        if (first % c.at_once != 0) return false;
        for (int k = 1; k < c.at_once; ++k) {
          if (place(m, !source && c.swizzled, element_of(c, t, v + k)) != first + k) return false;
        }
      }
    }
  }
  return static_cast<std::int64_t>(written.size()) == bound_m * bound_n;
}

TEST(Verify, AgreesWithTrying) {
  int right = 0, kinds[16] = {};
  for (int round = 0; round < 6000; ++round) {
    a_case const c = draw();
    SCOPED_TRACE(c.text());
    detail::mode_extents bounds;
    if (c.bounded) bounds = {2, {c.bound_m, c.bound_n}};
    copy_verdict const v =
        verify_values(copy_of(c), in_memory(c.src, c, false), in_memory(c.dst, c, c.swizzled), c.bounded, bounds);
    ++kinds[static_cast<int>(v.fault)];
    bool const swizzle_only = v.fault == copy_fault::destination_vector && c.swizzled;
    if (!swizzle_only && !c.bounded) {
      ASSERT_EQ(v.ok(), works(c)) << "fault " << static_cast<int>(v.fault);
    }
    // A swizzle is refused if it could split a vector. Vectors beyond the bounds are never copied.
    if (v.ok()) {
      ASSERT_TRUE(works(c));
      ++right;
    }
    for (copy_place const* p : {&v.place, &v.other}) {
      if (p->thread < 0) continue;
      element const e = element_of(c, p->thread, p->value);
      ASSERT_EQ(e.i, p->coordinate[0]) << "fault " << static_cast<int>(v.fault);
      ASSERT_EQ(e.j, p->coordinate[1]) << "fault " << static_cast<int>(v.fault);
    }
    if (v.fault == copy_fault::written_twice) {
      auto const at = [&](copy_place const& p) { return c.dst(p.coordinate[0], p.coordinate[1]); };
      ASSERT_EQ(at(v.place), at(v.other));
      ASSERT_EQ(c.swizzled ? c.swizzle(at(v.place)) : at(v.place), v.found);
      ASSERT_FALSE(v.place.thread == v.other.thread && v.place.value == v.other.value);
    }
    if (v.fault == copy_fault::source_alignment) {
      ASSERT_EQ(c.src(v.place.coordinate[0], v.place.coordinate[1]), v.found);
      ASSERT_NE(v.found % c.at_once, 0);
    }
  }
  EXPECT_GT(right, 1000);
  for (copy_fault const f : {copy_fault::shapes_differ, copy_fault::beyond, copy_fault::bounds,
                             copy_fault::written_twice, copy_fault::source_vector, copy_fault::destination_vector,
                             copy_fault::source_alignment, copy_fault::destination_alignment}) {
    EXPECT_GT(kinds[static_cast<int>(f)], 10) << static_cast<int>(f);
  }
}

}  // namespace
