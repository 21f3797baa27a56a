// SPDX-License-Identifier: Apache-2.0
// Flattened modes, every nth mode, and offsets counted by residue: each is compared with the values, one by one.
#include <cosmati/analysis/side_access.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace cosmati;

namespace {

std::mt19937 engine(7);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

struct plain {
  int count = 0;
  std::int64_t extent[4] = {}, stride[4] = {};
  std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < count; ++i) n *= extent[i];
    return n;
  }
  std::int64_t operator()(std::int64_t index) const {
    std::int64_t offset = 0;
    for (int i = 0; i < count; ++i) {
      offset += index % extent[i] * stride[i];
      index /= extent[i];
    }
    return offset;
  }
};
plain draw() {
  plain p;
  p.count = 1 + below(4);
  for (int i = 0; i < p.count; ++i) {
    p.extent[i] = 1 + below(5);
    bool const goes_on = i > 0 && below(2) == 0;
    p.stride[i] = goes_on ? p.stride[i - 1] * p.extent[i - 1] : below(40) - 8;
  }
  return p;
}
plain_modes modes_of(plain const& p) {
  plain_modes m;
  for (int i = 0; i < p.count; ++i) m.add(p.extent[i], p.stride[i]);
  return m;
}

TEST(SideAccess, ModesThatGoOnAreOne) {
  plain_modes m;
  m.add(4, 1);
  m.add(1, 17);
  m.add(8, 4);
  m.add(2, 100);
  EXPECT_EQ(m.count, 2);
  EXPECT_EQ(m.extent[0], 32);
  for (int round = 0; round < 500; ++round) {
    plain const p = draw();
    plain_modes const q = modes_of(p);
    ASSERT_EQ(q.size(), p.size());
    for (std::int64_t i = 0; i < p.size(); ++i) ASSERT_EQ(q(i), p(i));
  }
}

TEST(SideAccess, EveryNth) {
  int cut = 0;
  for (int round = 0; round < 500; ++round) {
    plain const p = draw();
    std::int64_t const n = 1 + below(8);
    plain_modes out;
    if (p.size() % n != 0 || !cut_modes(modes_of(p), n, out)) continue;
    ++cut;
    ASSERT_EQ(out.size(), p.size() / n);
    for (std::int64_t i = 0; i < out.size(); ++i) ASSERT_EQ(out(i), p(n * i));
  }
  EXPECT_GT(cut, 100);
}

TEST(SideAccess, Residues) {
  for (int round = 0; round < 500; ++round) {
    plain const p = draw();
    residue_counts r(1 + below(64));
    for (int i = 0; i < p.count; ++i) ASSERT_TRUE(r.add_mode(p.extent[i], p.stride[i]));
    std::map<std::int64_t, std::int64_t> wanted, found;
    for (std::int64_t i = 0; i < p.size(); ++i) ++wanted[(p(i) % r.period + r.period) % r.period];
    for (int i = 0; i < r.count; ++i) found[r.residue[i]] += r.times[i];
    ASSERT_EQ(found, wanted);
    residue_table table(r.period);
    for (int i = 0; i < p.count; ++i) table.add_mode(p.extent[i], p.stride[i]);
    for (std::int64_t i = 0; i < r.period; ++i) ASSERT_EQ(table.times[i], wanted.count(i) != 0 ? wanted[i] : 0);
  }
  residue_counts many(1 << 20);
  EXPECT_FALSE(many.add_mode(1000, 1));
}

TEST(SideAccess, Periods) {
  side_access a;
  a.value_bits = 16;
  EXPECT_EQ(a.period(), 64);  // 128 bytes
  a.swizzle = AnySwizzle(3, 3, 3);
  EXPECT_EQ(a.period(), 512);
  a.swizzle = {};
  a.address_swizzle = AnySwizzle(3, 4, 3);  // 1024 bytes
  EXPECT_EQ(a.period(), 512);
  a.value_bits = 96;
  a.address_swizzle = {};
  EXPECT_EQ(a.period(), 32);  // 3 lines
  for (AnySwizzle const s : {AnySwizzle(3, 3, 3), AnySwizzle(2, 0, 5), AnySwizzle(2, 1, -3)}) {
    a.value_bits = 32;
    a.swizzle = s;
    for (std::int64_t i = 0; i < 300; ++i) ASSERT_EQ(a.bytes_at(i + a.period()), a.bytes_at(i) + 4 * a.period());
  }
}

}  // namespace
