// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_latex`, `print_latex_tv`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/render/render.hpp>
#include <cosmati/tiled/tiled_copy.hpp>
#include <cute/tensor.hpp>

#include <cosmati/core/macros_begin.hpp>

namespace COSMATI_NAMESPACE {

/// @name CuTe's colours
/// They name TikZ's colours. Pictures by Cosmati have colours of their own, and take these arguments for compatibility.
/// @{
struct TikzColor_White {
  COSMATI_HD char const* operator()(int) const { return "white"; }
};
struct TikzColor_BWx8 {
  COSMATI_HD char const* operator()(int index) const {
    char const* const colors[8] = {"black!00", "black!40", "black!20", "black!60",
                                   "black!10", "black!50", "black!30", "black!70"};
    return colors[index % 8];
  }
};
struct TikzColor_TV {
  COSMATI_HD char const* operator()(int thread, int) const {
    char const* const colors[8] = {"{rgb,255:red,175;green,175;blue,255}", "{rgb,255:red,175;green,255;blue,175}",
                                   "{rgb,255:red,255;green,255;blue,175}", "{rgb,255:red,255;green,175;blue,175}",
                                   "{rgb,255:red,210;green,210;blue,255}", "{rgb,255:red,210;green,255;blue,210}",
                                   "{rgb,255:red,255;green,255;blue,210}", "{rgb,255:red,255;green,210;blue,210}"};
    return colors[thread % 8];
  }
};
template <has_picture T, class Color>
void print_latex(T const& x, Color const&) {
  print_latex(x);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
