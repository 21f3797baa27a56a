// SPDX-License-Identifier: Apache-2.0
/// @file
/// Launches of the matrix product kernels whose counters are compared: the hardware's, read by Nsight Compute, with the
/// simulated device's. One launch each, of one block.
#pragma once

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/problem.hpp>
#include <string>
#include <vector>

namespace gemm_counters {

using namespace cosmati;

/// A launch. Its memory is allocated, and written by the host, in `prepare`.
struct counted_case {
  std::string name;  ///< kernel, type, layout, and what is special: "mma f16 TN long"
  void (*run)();
};

/// @name Each file's launches
/// @{
void add_mma_f16(std::vector<counted_case>& all);
void add_mma_bf16(std::vector<counted_case>& all);
void add_mma_tf32(std::vector<counted_case>& all);
void add_mma_s8(std::vector<counted_case>& all);
void add_mma_f64(std::vector<counted_case>& all);
void add_simt_f32(std::vector<counted_case>& all);
void add_simt_f64(std::vector<counted_case>& all);
/// @}

/// How a problem stands to the kernel's tiles.
enum class extents {
  brief,     ///< a whole tile of C, two stages along K
  extended,  ///< the same, six stages: what is more is the main loop's
  added,     ///< two stages, beta 1
  wide,      ///< over the edges, accessed by 16 bytes, beta 1
  odd        ///< over the edges, accessed by elements, beta 1
};
inline constexpr extents all_extents[] = {extents::brief, extents::extended, extents::added, extents::wide,
                                          extents::odd};
inline constexpr char const* extents_names[] = {"brief", "extended", "added", "wide", "odd"};

/// A (x, y), contiguous along its mode `mode`, in rows or columns of `leading` elements.
template <int mode, class T>
auto matrix(device_buffer<T>& of, int x, int y, int leading) {
  T* const data = of.data();
  if constexpr (mode == 0)
    return make_tensor(make_gmem_ptr(data), make_shape(x, y), make_stride(_1{}, leading));
  else
    return make_tensor(make_gmem_ptr(data), make_shape(x, y), make_stride(leading, _1{}));
}

/// One product of ones: what is moved counts, not what is computed. @param run run(A, B, C, beta)
template <class T, class TC, int mode_a, int mode_b, class Run>
void multiply(extents how, int tile_m, int tile_n, int tile_k, Run const& run) {
  int const vector = 16 / static_cast<int>(sizeof(T));
  int m = tile_m, n = tile_n, k = (how == extents::brief || how == extents::added ? 2 : 6) * tile_k, gap = 0;
  if (how == extents::wide) m -= vector, n -= 2 * vector + (mode_b == 1 ? 3 : 0), k -= vector, gap = vector;
  if (how == extents::odd) m -= 3, n -= 5, k -= 7;  // and so no row begins where the one before it does
  auto const leading = [&](int mode, int x, int y) {
    int const along = (mode == 0 ? x : y) + gap;
    return how == extents::wide ? (along + vector - 1) / vector * vector : along;
  };
  auto const count = [&](int mode, int x, int y) {
    return static_cast<std::size_t>(leading(mode, x, y)) * static_cast<std::size_t>(mode == 0 ? y : x);
  };
  device_buffer<T> a(std::vector<T>(count(mode_a, m, k), static_cast<T>(1)));
  device_buffer<T> b(std::vector<T>(count(mode_b, n, k), static_cast<T>(1)));
  device_buffer<TC> c(std::vector<TC>(count(1, m, n), static_cast<TC>(1)));
  using Sum = gemm_sum_t<T, T>;
  bool const adds = how == extents::added || how == extents::wide || how == extents::odd;
  run(matrix<mode_a>(a, m, k, leading(mode_a, m, k)), matrix<mode_b>(b, n, k, leading(mode_b, n, k)),
      matrix<1>(c, m, n, leading(1, m, n)), static_cast<Sum>(adds ? 1 : 0));
  synchronize();
  auto const wanted = static_cast<float>(static_cast<TC>(static_cast<float>(k + (adds ? 1 : 0))));
  auto const got = static_cast<float>(c.download()[0]);
  if (got != wanted)
    throw error("a product of ones is %g, not %g", static_cast<double>(got), static_cast<double>(wanted));
}

/// TN, NT, NN, TT (A along K or M, B along K or N), each with all extents. @tparam Launch
/// Launch<mode_a, mode_b>::run(extents)
template <template <int, int> class Launch>
void add_layouts(std::vector<counted_case>& all, std::string const& kernel) {
  auto const add = [&](char const* layout, auto of) {
    using L = decltype(of);
    void (*const runs[])() = {[] { L::run(extents::brief); }, [] { L::run(extents::extended); },
                              [] { L::run(extents::added); }, [] { L::run(extents::wide); },
                              [] { L::run(extents::odd); }};
    for (extents const e : all_extents)
      all.push_back({kernel + " " + layout + " " + extents_names[static_cast<int>(e)], runs[static_cast<int>(e)]});
  };
  add("TN", Launch<1, 1>{});
  add("NT", Launch<0, 0>{});
  add("NN", Launch<0, 1>{});
  add("TT", Launch<1, 0>{});
}

}  // namespace gemm_counters
