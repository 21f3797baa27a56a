// SPDX-License-Identifier: Apache-2.0
// The cost of a copy, predicted from its layouts, equals the simulated device's counts. It is compared for many thread
// layouts, value layouts, atoms, types and memory layouts, drawn at compile time. A copy without vectors is refused.
#include <gtest/gtest.h>

#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>

#include <vector>

#include "expect_cost.hpp"
#include "message.hpp"

using namespace cosmati;

namespace {

using K = instruction_kind;

void expect_equal(side_cost const& predicted, instruction_costs const& counted, bool with_traffic = true) {
  auto const u = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
  if (!with_traffic) {
    EXPECT_EQ(u(predicted.instructions), counted.instructions);
    return;
  }
  expect_traffic(predicted, counted);
  EXPECT_EQ(u(predicted.wavefronts), counted.wavefronts);
  EXPECT_EQ(u(predicted.wavefronts_floor), counted.wavefronts_floor);
  EXPECT_EQ(u(predicted.wavefronts_ideal), counted.wavefronts_ideal);
  EXPECT_EQ(u(predicted.bank_conflicts), counted.bank_conflicts);
  EXPECT_EQ(predicted.exact, counted.inexact_instructions == 0);
}

// Drawing
// ---------------------------------------------------------------------------------------------------------------

/// Numbers that a seed determines.
struct draw {
  std::uint64_t state;
  constexpr explicit draw(unsigned seed) : state(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  constexpr unsigned operator()(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<unsigned>((state >> 20) % n);
  }
};

enum class atom_kind { automatic, scalar, wide, any };
struct drawn {
  int type = 0;                  // log2 of bytes
  int thr[2] = {}, val[2] = {};  // extents
  bool thr_row = false, val_row = false;
  int tiles[2] = {1, 1};  // of the tensor
  bool gmem_row = false, smem_row = false;
  int gmem_pad = 0, smem_pad = 0;
  bool swizzled = false;
  int atom_bytes = 0;  // 0: automatic
};
constexpr drawn draw_case(unsigned seed) {
  draw d(seed);
  drawn c;
  c.type = static_cast<int>(d(4));
  int const threads = static_cast<int>(d(4));  // 32 ... 256
  int const rows = static_cast<int>(d(static_cast<unsigned>(threads + 6)));
  c.thr[0] = 1 << rows;
  c.thr[1] = 1 << (threads + 5 - rows);
  if (d(8) == 0) c.thr[0] = 3, c.thr[1] = 16;  // a warp and a half
  c.val[0] = 1 << d(3);
  c.val[1] = 1 << d(3);
  c.thr_row = d(2) == 0;
  c.val_row = d(2) == 0;
  c.tiles[0] = 1 + static_cast<int>(d(2));
  c.tiles[1] = 1 + static_cast<int>(d(2));
  c.gmem_row = d(2) == 0;
  c.smem_row = d(2) == 0;
  c.gmem_pad = d(3) == 0 ? static_cast<int>(d(9)) : 0;
  c.smem_pad = d(3) == 0 ? static_cast<int>(d(9)) : 0;
  c.swizzled = d(3) == 0;
  c.atom_bytes = d(3) == 0 ? 0 : 1 << (c.type + static_cast<int>(d(static_cast<unsigned>(5 - c.type))));
  return c;
}

template <int log2>
using element_of = std::tuple_element_t<log2, std::tuple<std::uint8_t, std::uint16_t, float, double>>;
template <int bytes>
using operation_of = UniversalCopy<typename detail::vector_type<bytes>::type>;
template <int m, int n, bool row>
using compact = Layout<Shape<Int<m>, Int<n>>, Stride<Int<row ? n : 1>, Int<row ? 1 : m>>>;
template <int m, int n, bool row, int pad>
using padded = Layout<Shape<Int<m>, Int<n>>, Stride<Int<row ? n + pad : 1>, Int<row ? 1 : m + pad>>>;

template <unsigned seed>
struct a_case {
  static constexpr drawn c = draw_case(seed);
  using T = element_of<c.type>;
  using thr = compact<c.thr[0], c.thr[1], c.thr_row>;
  using val = compact<c.val[0], c.val[1], c.val_row>;
  static constexpr int m = c.thr[0] * c.val[0] * c.tiles[0], n = c.thr[1] * c.val[1] * c.tiles[1];
  using gmem = padded<m, n, c.gmem_row, c.gmem_pad>;
  using smem_plain = padded<m, n, c.smem_row, c.smem_pad>;
  using smem = std::conditional_t<c.swizzled, ComposedLayout<Swizzle<2, 4 - c.type, 3>, _0, smem_plain>, smem_plain>;
  // A wide atom where the values fill it; `copy` may still refuse it.
  static constexpr int wanted = c.atom_bytes >> c.type;
  static constexpr bool fills = wanted > 0 && c.val[c.val_row ? 1 : 0] % wanted == 0;
  static constexpr int bytes = fills ? c.atom_bytes : 1 << c.type;
  using op = std::conditional_t<c.atom_bytes == 0, AutoVectorizingCopy, operation_of<bytes>>;
  using tiled = decltype(make_tiled_copy(Copy_Atom<op, T>{}, thr{}, val{}));
};

template <class Case>
__global__ void through(typename Case::T const* in, typename Case::T* out) {
  using T = typename Case::T;
  T* const stage = dynamic_shared<T>();
  typename Case::tiled tiled_copy;
  auto const g = make_tensor(make_gmem_ptr(in), typename Case::gmem{});
  auto const s = make_tensor(make_smem_ptr(stage), typename Case::smem{});
  auto const o = make_tensor(make_gmem_ptr(out), typename Case::gmem{});
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(g), thread.partition_D(s));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(s), thread.partition_D(o));
}

int ran = 0, refused_ones = 0;

template <unsigned seed>
void run_case() {
  using Case = a_case<seed>;
  using T = typename Case::T;
  constexpr auto there =
      copy_cost_of(typename Case::tiled{}, in_global(typename Case::gmem{}), in_shared(typename Case::smem{}));
  constexpr auto back =
      copy_cost_of(typename Case::tiled{}, in_shared(typename Case::smem{}), in_global(typename Case::gmem{}));
  constexpr bool possible = there.vector.possible;
  constexpr auto threads = static_cast<unsigned>(decltype(size(typename Case::tiled{}))::value);
  constexpr int length = static_cast<int>(decltype(cosize(typename Case::gmem{}))::value);
  constexpr unsigned shared_bytes =
      (2 * static_cast<unsigned>(decltype(cosize(typename Case::smem_plain{}))::value) + 1024) * sizeof(T);
  static_assert(possible == back.vector.possible);
  if constexpr (!possible) {
    ++refused_ones;
    using thread = decltype(typename Case::tiled{}.get_slice(0));
    using from = decltype(std::declval<thread>().partition_S(
        make_tensor(make_gmem_ptr(static_cast<T const*>(nullptr)), typename Case::gmem{})));
    using to = decltype(std::declval<thread>().partition_D(
        make_tensor(make_smem_ptr(static_cast<T*>(nullptr)), typename Case::smem{})));
    constexpr bool accepted = detail::copyable<typename Case::tiled, from, to>;
    if constexpr (there.vector.limit != width_limit::alignment) {
      EXPECT_FALSE(accepted) << "seed " << seed;
    } else if constexpr (accepted) {  // only the place of some thread shows it
      device_buffer<T> in(std::vector<T>(length, T(1))), out(length);
      EXPECT_MESSAGE(
          launch(through<Case>, {.grid = 1, .block = threads, .shared_bytes = shared_bytes}, in.data(), out.data()),
          "aligned");
    }
  } else {
    ++ran;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<T> host(length);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(1 + i % 251);
    device_buffer<T> in(host), out(std::vector<T>(length, T(0)));
    cost_trace const costs;
    launch(through<Case>, {.grid = 1, .block = threads, .shared_bytes = shared_bytes}, in.data(), out.data());
    kernel_costs const k = costs.of("through");
    expect_equal(there.source, k[K::global_load]);
    expect_equal(there.destination, k[K::shared_store]);
    expect_equal(back.source, k[K::shared_load]);
    expect_equal(back.destination, k[K::global_store]);
    std::vector<T> const copied = out.download();
    std::size_t wrong = 0;
    for (int i = 0; i < Case::m * Case::n; ++i) {
      auto const at = static_cast<std::size_t>(typename Case::gmem{}(i));
      wrong += copied[at] == host[at] ? 0u : 1u;
    }
    EXPECT_EQ(wrong, 0u);
  }
}
template <unsigned first, unsigned... k>
void run_cases(std::integer_sequence<unsigned, k...>) {
  (run_case<first + k>(), ...);
}

TEST(CopyCost, DrawnCases) {
  run_cases<1>(std::make_integer_sequence<unsigned, 48>{});
  EXPECT_GE(ran, 30);
  EXPECT_GE(refused_ones, 4);
}

// cp.async, ldmatrix, stmatrix
// ---------------------------------------------------------------------------------------------------------------

template <class TiledCopy, class G, class S>
__global__ void async(typename TiledCopy::ValType const* in, int) {
  auto* const stage = dynamic_shared<typename TiledCopy::ValType>();
  TiledCopy tiled_copy;
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(make_tensor(make_gmem_ptr(in), G{})),
       thread.partition_D(make_tensor(make_smem_ptr(stage), S{})));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
}
template <class Op, class T, class Thr, class Val, class G, class S>
void run_async() {
  using TiledCopy = decltype(make_tiled_copy(Copy_Atom<Op, T>{}, Thr{}, Val{}));
  constexpr auto predicted = copy_cost_of(TiledCopy{}, in_global(G{}), in_shared(S{}));
  static_assert(predicted.vector.possible);
  // The source's banks may add conflicts.
  static_assert(predicted.destination.bank_conflicts >= bank_conflicts(TiledCopy{}, S{}));
  static_assert(!predicted.destination.exact ||
                predicted.destination.bank_conflicts == bank_conflicts(TiledCopy{}, S{}));
  static_assert(predicted.source.sectors == sectors(TiledCopy{}, G{}));
  device_buffer<T> in(static_cast<std::size_t>(decltype(cosize(G{}))::value));
  in.fill(T{});
  cost_trace const costs;
  launch(async<TiledCopy, G, S>,
         {.grid = 1, .block = static_cast<unsigned>(decltype(size(TiledCopy{}))::value), .shared_bytes = 65536},
         in.data(), 0);
  instruction_costs const counted = costs.of("async")[K::cp_async];
  side_cost both = predicted.source;
  both.wavefronts = predicted.destination.wavefronts;
  both.wavefronts_floor = predicted.destination.wavefronts_floor;
  both.wavefronts_ideal = predicted.destination.wavefronts_ideal;
  both.bank_conflicts = predicted.destination.bank_conflicts;
  both.exact = predicted.destination.exact;
  expect_equal(both, counted);
}
template <class A, class O, class B>
using after = ComposedLayout<A, O, B>;
using rows64 = Layout<Shape<_64, _64>, Stride<_64, _1>>;
using columns64 = Layout<Shape<_64, _64>>;

TEST(CopyCost, AsynchronousCopies) {
  using Op = SM80_CP_ASYNC_CACHEALWAYS<uint128_t>;
  using thr = Layout<Shape<_16, _8>, Stride<_8, _1>>;
  using val = Layout<Shape<_1, _8>>;
  run_async<Op, half_t, thr, val, rows64, rows64>();
  run_async<Op, half_t, thr, val, rows64, after<Swizzle<3, 3, 3>, _0, rows64>>();
  run_async<Op, half_t, Layout<Shape<_8, _16>, Stride<_16, _1>>, Layout<Shape<_8, _1>>, columns64, columns64>();
  run_async<SM80_CP_ASYNC_CACHEALWAYS<float>, float, Layout<Shape<_32, _4>>, Layout<Shape<_1, _1>>, rows64,
            columns64>();
  run_async<SM80_CP_ASYNC_CACHEALWAYS<double>, float, Layout<Shape<_16, _8>>, Layout<Shape<_1, _2>>, rows64,
            Layout<Shape<_64, _64>, Stride<Int<66>, _1>>>();
}

template <class TiledCopy, class S>
__global__ void matrices(int) {
  using T = typename TiledCopy::ValType;
  auto* const stage = dynamic_shared<T>();
  for (unsigned i = threadIdx.x; i < 64 * 64; i += blockDim.x) stage[i] = T{};
  __syncthreads();
  TiledCopy tiled_copy;
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const s = make_tensor(make_smem_ptr(stage), S{});
  if constexpr (detail::ldmatrix_atom<typename TiledCopy::CopyOp>) {
    auto held = make_fragment_like<T>(thread.partition_D(s));
    copy(tiled_copy, thread.partition_S(s), held);
  } else {
    auto held = make_fragment_like<T>(thread.partition_S(s));
    clear(held);
    copy(tiled_copy, held, thread.partition_D(s));
  }
}
template <class Op, class Thr, class Val, class S>
void run_matrices(K kind) {
  using TiledCopy = decltype(make_tiled_copy(Copy_Atom<Op, std::uint16_t>{}, Thr{}, Val{}));
  constexpr side_cost predicted = shared_cost_of(TiledCopy{}, S{});
  cost_trace const costs;
  launch(matrices<TiledCopy, S>,
         {.grid = 1, .block = static_cast<unsigned>(decltype(size(TiledCopy{}))::value), .shared_bytes = 65536}, 0);
  expect_equal(predicted, costs.of("matrices")[kind]);
}

TEST(CopyCost, MatrixInstructions) {
  using thr = Layout<Shape<_16, _2>>;
  using val = Layout<Shape<_2, _4>>;
  using swizzled = after<Swizzle<3, 3, 3>, _0, columns64>;
  run_matrices<SM75_U32x4_LDSM_N, thr, val, columns64>(K::ldmatrix);
  run_matrices<SM75_U32x4_LDSM_N, thr, val, swizzled>(K::ldmatrix);
  run_matrices<SM75_U32x2_LDSM_N, thr, Layout<Shape<_2, _2>>, columns64>(K::ldmatrix);
  run_matrices<SM75_U32x1_LDSM_N, Layout<Shape<_4, _8>>, Layout<Shape<_2, _1>>, swizzled>(K::ldmatrix);
  run_matrices<SM90_U32x4_STSM_N, thr, val, columns64>(K::stmatrix);
  run_matrices<SM90_U32x2_STSM_N, thr, Layout<Shape<_2, _2>>, swizzled>(K::stmatrix);
}

}  // namespace
