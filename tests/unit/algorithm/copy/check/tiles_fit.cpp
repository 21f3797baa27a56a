// SPDX-License-Identifier: Apache-2.0
// Copies without bounds that reach beyond the tensor. The program finds this at run time, and the error names the mode
// and the elements.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>

#include <string>

using namespace cosmati;

namespace {

template <class TC, class T>
std::string error_of(TC const& tc, T const& t) {
  auto const thr = tc.get_slice(0);
  try {
    copy(tc, thr.partition_S(t), thr.partition_D(t));
  } catch (error const& e) {
    return e.what();
  }
  return "";
}
float data[4096];

TEST(TilesFit, ATensorThatTheTiledCopyDoesNotDivide) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_16, _16>>{});
  int const m = 20, n = 35;
  // Two tiles of 16 cover 0 to 31 of 20; three cover 0 to 47 of 35.
  auto const rows = error_of(tc, make_tensor(make_gmem_ptr(&data[0]), make_shape(m, _16{})));
  EXPECT_NE(rows.find("along mode 0 it covers elements 0 to 31 of 20;"), std::string::npos) << rows;
  auto const columns = error_of(tc, make_tensor(make_gmem_ptr(&data[0]), make_shape(_16{}, n)));
  EXPECT_NE(columns.find("along mode 1 it covers elements 0 to 47 of 35;"), std::string::npos) << columns;
  int const whole = 64;
  EXPECT_EQ(error_of(tc, make_tensor(make_gmem_ptr(&data[0]), make_shape(whole, _16{}))), "");
}

TEST(TilesFit, ATileAtTheEdge) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _4>>{});
  int const m = 40;
  auto const t = make_tensor(make_gmem_ptr(&data[0]), make_shape(m, _4{}));
  EXPECT_EQ(error_of(tc, local_tile(t, Shape<_16, _4>{}, make_coord(1, 0))), "");
  auto const last = error_of(tc, local_tile(t, Shape<_16, _4>{}, make_coord(2, 0)));
  EXPECT_NE(last.find("along mode 0 it covers elements 32 to 47 of 40;"), std::string::npos) << last;
}

}  // namespace
