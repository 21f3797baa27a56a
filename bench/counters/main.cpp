// SPDX-License-Identifier: Apache-2.0
/// @file
/// Kernels counted by the hardware and by the simulated device, each beside the other.
///
///     bench_counters           launches every case in order; on the simulated device prints what each counted
///     bench_counters --list    the cases
///
/// Nsight Compute reads the hardware's counters: run.py starts it, and compares.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cases.hpp"
#include "copies.hpp"
#if defined(COSMATI_SIMULATED)
#include <cosmati/runtime/cost_trace.hpp>
#endif

namespace counters {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = uint128_t;

template <int m, int n>
using L = Layout<Shape<C<m>, C<n>>>;
template <int m, int n>
using right = Layout<Shape<C<m>, C<n>>, Stride<C<n>, _1>>;
template <int m, int n, int ld>
using rows = Layout<Shape<C<m>, C<n>>, Stride<C<ld>, _1>>;
template <int m, int n, int ld>
using columns = Layout<Shape<C<m>, C<n>>, Stride<_1, C<ld>>>;
template <class Atom>
using universal = UniversalCopy<Atom>;
template <class Atom>
using async = SM80_CP_ASYNC_CACHEALWAYS<Atom>;

template <class T, class Atom, class Thr, class Val = Layout<Shape<_1, _1>>>
using tiled = decltype(make_tiled_copy(Copy_Atom<Atom, T>{}, Thr{}, Val{}));

// What ldmatrix and stmatrix deal out: the fragment of a 16 x 16, a 16 x 8 and an 8 x 8 tile.
template <class Atom>
using matrices_4 = decltype(make_tiled_copy_impl(
    Copy_Atom<Atom, half_t>{},
    Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>{},
    Shape<_16, _16>{}));
template <class Atom>
using matrices_2 = decltype(make_tiled_copy_impl(
    Copy_Atom<Atom, half_t>{}, Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>{},
    Shape<_16, _8>{}));
template <class Atom>
using matrices_1 = decltype(make_tiled_copy_impl(
    Copy_Atom<Atom, half_t>{}, Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>{}, Shape<_8, _8>{}));
// The transposing forms deal out columns: the same fragment of the tile turned.
template <class Atom>
using turned_4 = decltype(make_tiled_copy_impl(
    Copy_Atom<Atom, half_t>{},
    Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_2, _16>, Stride<_1, _128, _8>>>{},
    Shape<_16, _16>{}));

template <int bits, int base, int shift, class Plain>
using swizzled = decltype(composition(Swizzle<bits, base, shift>{}, Plain{}));

using half_tile = Shape<_64, _64>;
using narrow_tile = Shape<_64, _32>;

template <class Case>
void start(void const* in, void* out) {
  launch(counted<Case>,
         {.grid = Case::launch.grid, .block = Case::launch.block, .shared_bytes = Case::launch.shared_bytes}, in, out);
}
template <class Case>
listed of(char const* name) {
  return {name, &start<Case>};
}

template <int rows, int pitch, int shift>
void start_boxes(void const* in, void* out) {
  using Case = boxes<rows, pitch, shift>;
  launch(counted_boxes<Case, rows, shift>,
         {.grid = Case::launch.grid, .block = Case::launch.block, .shared_bytes = Case::launch.shared_bytes},
         Case::of(in), Case::of(out));
}
template <int rows, int pitch, int shift>
listed boxes_of(char const* name) {
  return {name, &start_boxes<rows, pitch, shift>};
}

std::vector<listed> cases() {
  using by_8 = Layout<Shape<_16, _8>, Stride<_8, _1>>;    // 16 rows of 8 threads
  using by_32 = Layout<Shape<_4, _32>, Stride<_32, _1>>;  // 4 rows of 32 threads
  using down_32 = Layout<Shape<_32, _4>>;                 // 32 threads down a column
  using one = L<1, 1>;
  using square = Shape<_32, _32>;
  return {
      // Widths, contiguous.
      of<direct<u8, universal<u8>, by_32, one, rows<64, 32, 64>>>("direct_1_byte"),
      of<direct<u16, universal<u16>, by_32, one, rows<64, 32, 64>>>("direct_2_bytes"),
      of<direct<u32, universal<u32>, by_32, one, rows<64, 32, 64>>>("direct_4_bytes"),
      of<direct<u32, universal<u64>, by_32, L<1, 2>, rows<64, 64, 64>>>("direct_8_bytes"),
      of<direct<u32, universal<u128>, by_32, L<1, 4>, rows<64, 128, 128>>>("direct_16_bytes"),
      of<direct<u16, universal<u128>, by_8, L<1, 8>, rows<64, 64, 64>>>("direct_16_bytes_of_halves"),
      // The seven of "TiledCopy with cp.async": 16-bit values, rows or columns of 4096.
      of<direct<u16, universal<u16>, by_8, L<1, 4>, rows<64, 32, 4096>>>("row_major_scalar"),
      of<direct<u16, universal<u64>, by_8, L<1, 4>, rows<64, 32, 4096>>>("row_major_8_bytes"),
      of<direct<u16, universal<u16>, by_8, L<1, 4>, columns<64, 32, 4096>>>("column_major_scalar"),
      of<direct<u16, universal<u16>, Layout<Shape<_8, _16>, Stride<_16, _1>>, L<4, 1>, columns<128, 16, 4096>>>(
          "column_major_documents_scalar"),
      of<direct<u16, universal<u64>, Layout<Shape<_8, _16>, Stride<_16, _1>>, L<4, 1>, columns<128, 16, 4096>>>(
          "column_major_documents_8_bytes"),
      of<direct<u16, universal<u16>, L<8, 16>, L<4, 1>, columns<128, 16, 4096>>>("column_major_remedy_scalar"),
      of<direct<u16, universal<u64>, L<8, 16>, L<4, 1>, columns<128, 16, 4096>>>("column_major_remedy_8_bytes"),
      // Strides and beginnings.
      of<direct<u32, universal<u32>, by_32, one, rows<64, 32, 4100>, 1>>("beginning_4_bytes_late"),
      of<direct<u64, universal<u64>, by_32, one, rows<64, 32, 36>, 3>>("beginning_24_bytes_late"),
      of<direct<u32, universal<u32>, down_32, one, rows<128, 4, 36>>>("strided_by_144_bytes"),
      of<direct<u8, universal<u8>, down_32, one, rows<128, 4, 7>>>("bytes_strided_by_7"),
      // Ragged: 16-bit and 32-bit values.
      of<ragged<u32, universal<u32>, by_32, one, Shape<_16, _32>, rows<27, 29, 32>>>("ragged_4_bytes"),
      of<ragged<u16, universal<u16>, by_8, L<1, 4>, Shape<_16, _32>, rows<25, 31, 33>>>("ragged_odd_rows"),
      of<ragged<u32, universal<u128>, by_8, L<1, 4>, Shape<_32, _32>, rows<50, 28, 32>>>("ragged_16_bytes"),
      // Through shared memory: how a stage is laid out.
      of<staged<u32, tiled<u32, universal<u32>, by_32>, tiled<u32, universal<u32>, by_32>, square, right<32, 32>,
                right<64, 32>, right<64, 32>>>("staged_4_bytes"),
      of<staged<u32, tiled<u32, universal<u128>, by_8, L<1, 4>>, tiled<u32, universal<u128>, by_8, L<1, 4>>, square,
                right<32, 32>, right<64, 32>, right<64, 32>>>("staged_16_bytes"),
      of<staged<u32, tiled<u32, universal<u64>, Layout<Shape<_8, _16>, Stride<_16, _1>>, L<1, 2>>,
                tiled<u32, universal<u64>, Layout<Shape<_8, _16>, Stride<_16, _1>>, L<1, 2>>, square, rows<32, 32, 36>,
                right<64, 32>, right<64, 32>>>("staged_8_bytes_padded"),
      of<staged<u32, tiled<u32, universal<u32>, by_32>, tiled<u32, universal<u32>, down_32>, square, right<32, 32>,
                right<64, 32>, columns<64, 32, 64>>>("transpose_plain"),
      of<staged<u32, tiled<u32, universal<u32>, by_32>, tiled<u32, universal<u32>, down_32>, square, rows<32, 32, 33>,
                right<64, 32>, columns<64, 32, 64>>>("transpose_padded"),
      of<staged<u32, tiled<u32, universal<u32>, by_32>, tiled<u32, universal<u32>, down_32>, square,
                swizzled<5, 0, 5, right<32, 32>>, right<64, 32>, columns<64, 32, 64>>>("transpose_swizzled"),
      of<staged<u32, tiled<u32, universal<u128>, by_8, L<1, 4>>, tiled<u32, universal<u32>, down_32>, square,
                rows<32, 32, 36>, right<64, 32>, columns<64, 32, 64>>>("transpose_16_bytes_in_padded"),
      of<staged<u32, tiled<u32, universal<u128>, by_8, L<1, 4>>, tiled<u32, universal<u32>, down_32>, square,
                swizzled<3, 2, 3, right<32, 32>>, right<64, 32>, columns<64, 32, 64>>>(
          "transpose_16_bytes_in_swizzled"),
      of<staged<u16, tiled<u16, universal<u16>, by_32>, tiled<u16, universal<u16>, down_32>, square, right<32, 32>,
                right<64, 32>, columns<64, 32, 64>>>("transpose_2_bytes_plain"),
      of<staged<u16, tiled<u16, universal<u16>, by_32>, tiled<u16, universal<u16>, down_32>, square, rows<32, 32, 34>,
                right<64, 32>, columns<64, 32, 64>>>("transpose_2_bytes_padded"),
      of<staged<u64, tiled<u64, universal<u64>, by_32>, tiled<u64, universal<u64>, down_32>, square, rows<32, 32, 33>,
                right<64, 32>, columns<64, 32, 64>>>("transpose_8_bytes_padded"),
      of<staged<u8, tiled<u8, universal<u8>, by_32>, tiled<u8, universal<u8>, down_32>, square, rows<32, 32, 36>,
                right<64, 32>, columns<64, 32, 64>>>("transpose_1_byte_padded"),
      // cp.async.
      of<staged<u32, tiled<u32, async<u32>, by_32>, tiled<u32, universal<u32>, by_32>, square, right<32, 32>,
                right<64, 32>, right<64, 32>>>("cp_async_4_bytes"),
      of<staged<u32, tiled<u32, async<u64>, Layout<Shape<_8, _16>, Stride<_16, _1>>, L<1, 2>>,
                tiled<u32, universal<u64>, Layout<Shape<_8, _16>, Stride<_16, _1>>, L<1, 2>>, square, right<32, 32>,
                right<64, 32>, right<64, 32>>>("cp_async_8_bytes"),
      of<staged<u16, tiled<u16, async<u128>, by_8, L<1, 8>>, tiled<u16, universal<u128>, by_8, L<1, 8>>, half_tile,
                right<64, 64>, right<128, 64>, right<128, 64>>>("cp_async_16_bytes"),
      of<staged<u16, tiled<u16, async<u128>, by_8, L<1, 8>>, tiled<u16, universal<u128>, by_8, L<1, 8>>, half_tile,
                swizzled<3, 3, 3, right<64, 64>>, right<128, 64>, right<128, 64>>>("cp_async_16_bytes_swizzled"),
      of<staged<u16, tiled<u16, async<u128>, Layout<Shape<_32, _4>, Stride<_4, _1>>, L<1, 8>>,
                tiled<u16, universal<u128>, Layout<Shape<_32, _4>, Stride<_4, _1>>, L<1, 8>>, narrow_tile,
                rows<64, 32, 40>, right<128, 32>, right<128, 32>>>("cp_async_16_bytes_padded"),
      // ldmatrix.
      of<matrix_loads<matrices_4<SM75_U32x4_LDSM_N>, half_tile, right<64, 64>>>("ldmatrix_x4_plain"),
      of<matrix_loads<matrices_4<SM75_U32x4_LDSM_N>, half_tile, rows<64, 64, 72>>>("ldmatrix_x4_padded"),
      of<matrix_loads<matrices_4<SM75_U32x4_LDSM_N>, half_tile, swizzled<3, 3, 3, right<64, 64>>>>(
          "ldmatrix_x4_swizzled"),
      of<matrix_loads<matrices_4<SM75_U32x4_LDSM_N>, narrow_tile, right<64, 32>>>("ldmatrix_x4_narrow_plain"),
      of<matrix_loads<matrices_4<SM75_U32x4_LDSM_N>, narrow_tile, swizzled<2, 3, 3, right<64, 32>>>>(
          "ldmatrix_x4_narrow_swizzled"),
      of<matrix_loads<matrices_4<SM75_U32x4_LDSM_N>, narrow_tile, swizzled<1, 3, 3, right<64, 32>>>>(
          "ldmatrix_x4_narrow_half_swizzled"),
      of<matrix_loads<matrices_2<SM75_U32x2_LDSM_N>, half_tile, rows<64, 64, 72>>>("ldmatrix_x2_padded"),
      of<matrix_loads<matrices_1<SM75_U32x1_LDSM_N>, half_tile, right<64, 64>>>("ldmatrix_x1_plain"),
      of<matrix_loads<turned_4<SM75_U16x8_LDSM_T>, half_tile, right<64, 64>>>("ldmatrix_x4_trans_plain"),
      of<matrix_loads<turned_4<SM75_U16x8_LDSM_T>, half_tile, swizzled<3, 3, 3, right<64, 64>>>>(
          "ldmatrix_x4_trans_swizzled"),
      // stmatrix.
      of<matrix_stores<matrices_4<SM90_U32x4_STSM_N>, half_tile, right<64, 64>>>("stmatrix_x4_plain"),
      of<matrix_stores<matrices_4<SM90_U32x4_STSM_N>, half_tile, rows<64, 64, 72>>>("stmatrix_x4_padded"),
      of<matrix_stores<matrices_4<SM90_U32x4_STSM_N>, half_tile, swizzled<3, 3, 3, right<64, 64>>>>(
          "stmatrix_x4_swizzled"),
      of<matrix_stores<matrices_2<SM90_U32x2_STSM_N>, half_tile, right<64, 64>>>("stmatrix_x2_plain"),
      of<matrix_stores<turned_4<SM90_U16x8_STSM_T>, half_tile, swizzled<3, 3, 3, right<64, 64>>>>(
          "stmatrix_x4_trans_swizzled"),
      // Bulk copies: whole tiles, and rows (columns of the layout) whose pitch and beginning differ from the stage's.
      of<bulk<u32, square, right<32, 32>, right<64, 32>>>("bulk_whole_tiles"),
      of<bulk<u32, square, L<32, 32>, columns<64, 32, 64>>>("bulk_lines"),
      of<bulk<u32, square, L<32, 32>, columns<64, 32, 68>>>("bulk_lines_apart_by_272_bytes"),
      of<bulk<u32, square, L<32, 32>, columns<64, 32, 64>, 4>>("bulk_lines_16_bytes_late"),
      of<bulk<u32, square, columns<32, 32, 36>, columns<64, 32, 68>, 8>>("bulk_lines_apart_on_both_sides"),
      of<bulk<u16, Shape<_8, _32>, L<8, 32>, columns<16, 32, 24>>>("bulk_16_bytes"),
      of<bulk<u16, Shape<Int<40>, _16>, columns<40, 16, 48>, columns<80, 16, 88>>>("bulk_80_bytes"),
      of<bulk<u8, Shape<Int<1008>, _2>, L<1008, 2>, columns<2016, 2, 2048>, 48>>("bulk_1008_bytes"),
      // Tensor copies: rows of 128 bytes in a row, at multiples of 16 and of 128 bytes.
      boxes_of<32, 64, 0>("boxes_of_lines"),
      boxes_of<32, 128, 32>("boxes_64_bytes_late"),
      boxes_of<16, 128, 8>("boxes_16_bytes_late"),
      boxes_of<24, 72, 0>("boxes_apart_by_144_bytes"),
      boxes_of<64, 136, 64>("boxes_apart_by_272_bytes"),
      boxes_of<1, 200, 24>("boxes_of_one_row"),
  };
}

}  // namespace
}  // namespace counters

namespace {

#if defined(COSMATI_SIMULATED)
/// Runs a case and prints what it counted.
void count(counters::listed const& c, void const* in, void* out) {
  cosmati::cost_trace const counting;
  c.run(in, out);
  std::vector<cosmati::kernel_costs> const kernels = counting.kernels();
  std::string const name = c.name;
  std::size_t const slash = name.find('/');
  if (kernels.size() != 1 || kernels[0].launches != 1 ||
      (slash != std::string::npos && kernels[0].kernel.find(name.substr(0, slash) + '<') == std::string::npos))
    throw cosmati::error("it launched %s %zu times", kernels.empty() ? "nothing" : kernels[0].kernel.c_str(),
                         kernels.empty() ? std::size_t{0} : static_cast<std::size_t>(kernels[0].launches));
  std::printf("%s", c.name);
  for (int k = 0; k < cosmati::instruction_kinds; ++k) {
    auto const& x = kernels[0].of[k];
    if (x.instructions == 0) continue;
    std::printf(",%s:%llu:%llu:%llu:%llu:%llu", cosmati::instruction_kind_names[k], (unsigned long long)x.instructions,
                (unsigned long long)x.requests, (unsigned long long)x.sectors, (unsigned long long)x.wavefronts,
                (unsigned long long)x.bank_conflicts);
  }
  std::printf("\n");
}
#else
void count(counters::listed const& c, void const* in, void* out) { c.run(in, out); }
#endif

}  // namespace

int main(int argc, char** argv) {
  auto all = counters::cases();
  for (counters::listed const& c : counters::copies()) all.push_back(c);
  if (argc > 1 && std::strcmp(argv[1], "--list") == 0) {
    for (auto const& c : all) std::printf("%s\n", c.name);
    return 0;
  }
  std::vector<unsigned char> host(counters::bytes);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  cosmati::device_buffer<unsigned char> in(host), out(counters::bytes);
  int wrong = 0;
  for (auto const& c : all) {
    try {
      count(c, in.data(), out.data());
    } catch (cosmati::error const& e) {
      std::fprintf(stderr, "counters: %s: %s\n", c.name, e.what());
      wrong = 1;
    }
  }
  return wrong;
}
