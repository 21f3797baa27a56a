// SPDX-License-Identifier: Apache-2.0
// gemm_mma with random configurations, drawn at compile time: tiles, stages, warps, types, layouts, with and without
// tensor copies. Each multiplies random problems, some of whole tiles and some with edges. Results are correct within
// the bound of the accumulation's error.
//
// COSMATI_TEST_SEED and COSMATI_TEST_CONFIGURATIONS, defined for the compiler, draw others and more.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/mma.hpp>
#include <string>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::on_gpu;

#if !defined(COSMATI_TEST_SEED)
#define COSMATI_TEST_SEED 1
#endif
#if !defined(COSMATI_TEST_CONFIGURATIONS)
#define COSMATI_TEST_CONFIGURATIONS 5
#endif

namespace {

constexpr std::uint64_t after(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/// What is drawn: a configuration, the types by number, and whether A and B are contiguous along K, C along N.
struct drawn {
  mma_config config;
  int types;
  bool a_along_k, b_along_k, c_along_n;
};
constexpr int pairs_of_types = 8;
template <int types>
struct types_of {
  using T = half_t;
  using TC = half_t;
};
#define COSMATI_TEST_TYPES_(number, A, C) \
  template <>                             \
  struct types_of<number> {               \
    using T = A;                          \
    using TC = C;                         \
  };
COSMATI_TEST_TYPES_(1, half_t, float)
COSMATI_TEST_TYPES_(2, bfloat16_t, bfloat16_t)
COSMATI_TEST_TYPES_(3, bfloat16_t, float)
COSMATI_TEST_TYPES_(4, tfloat32_t, float)
COSMATI_TEST_TYPES_(5, std::int8_t, int)
COSMATI_TEST_TYPES_(6, std::uint8_t, int)
COSMATI_TEST_TYPES_(7, double, double)
#undef COSMATI_TEST_TYPES_

constexpr drawn draw(std::uint64_t seed) {
  std::uint64_t x = seed;
  auto const below = [&](int n) {
    x = after(x);
    return static_cast<int>((x >> 20) % static_cast<unsigned>(n));
  };
  drawn r{};
  r.types = below(pairs_of_types);
  r.a_along_k = below(2) == 0;
  r.b_along_k = below(2) == 0;
  r.c_along_n = below(3) != 0;
  constexpr int bytes_of[] = {2, 2, 2, 2, 4, 1, 1, 8};
  mma_config& c = r.config;
  c.warps_m = 1 + below(4);
  c.warps_n = 1 + below(on_gpu ? 8 : 4);
  c.tile_m = 16 * c.warps_m * (1 + below(4));
  c.tile_n = 16 * c.warps_n * (1 + below(5));
  c.tile_k = 128 / bytes_of[r.types] * (1 + below(3)) / (1 + below(2));
  c.stages = 2 + below(4);
  c.together = 1 + below(6);
  c.band = 1 + below(9);
  c.tensor_copies = below(4) != 0;
  return r;
}

template <std::uint64_t seed>
struct from_seed {
  static constexpr drawn value = draw(seed);
  using T = typename types_of<value.types>::T;
  using TC = typename types_of<value.types>::TC;
  static constexpr bool turned = !value.c_along_n;  // the kernel computes C^T = B^T A^T
  using Mistake =
      typename decltype(detail::mma_mistake < value.config, T, TC, turned ? value.b_along_k : value.a_along_k,
                        turned ? value.a_along_k : value.b_along_k > ())::type;
  /// Sums stay in registers; more is no mistake, but takes compilers minutes.
  static constexpr bool is_valid =
      std::is_void_v<Mistake> && value.config.threads() <= (on_gpu ? 512 : 256) &&
      value.config.tile_m * value.config.tile_n / value.config.threads() <= (sizeof(TC) == 8 ? 64 : 128);
};
/// The first valid one from `seed` on.
template <std::uint64_t seed, bool is_valid = from_seed<seed>::is_valid>
struct valid_from : from_seed<seed> {};
template <std::uint64_t seed>
struct valid_from<seed, false> : valid_from<after(seed)> {};

std::string text(drawn const& r) {
  mma_config const& c = r.config;
  std::string s = "types " + std::to_string(r.types) + ", A " + (r.a_along_k ? "along K" : "along M") + ", B ";
  s += r.b_along_k ? "along K" : "along N";
  s += r.c_along_n ? ", C along N" : ", C along M";
  for (int const x : {c.tile_m, c.tile_n, c.tile_k, c.warps_m, c.warps_n, c.stages, c.together, c.band,
                      static_cast<int>(c.tensor_copies)}) {
    s += ", ";
    s += std::to_string(x);
  }
  return s;
}

template <class Drawn>
void multiply_by() {
  constexpr drawn r = Drawn::value;
  constexpr mma_config config = r.config;
  SCOPED_TRACE(text(r));
  std::mt19937 random(static_cast<unsigned>(config.tile_m * 7 + config.tile_n * 5 + config.stages));
  int const count = gemm_test::problems(on_gpu ? 16 : 2);
  constexpr gemm_test::tiles whole{r.c_along_n ? config.tile_m : config.tile_n,
                                   r.c_along_n ? config.tile_n : config.tile_m, config.tile_k};
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ((gemm_test::wrong_elements<typename Drawn::T, typename Drawn::T, typename Drawn::TC, r.a_along_k,
                                         r.b_along_k, r.c_along_n>(
                  random, on_gpu ? 1000 : 70, 2,
                  [](auto const& A, auto const& B, auto const& C_, auto alpha, auto beta) {
                    gemm_mma<Drawn::value.config>(A, B, C_, alpha, beta);
                  },
                  i % 2 == 0 ? whole : gemm_test::tiles{})),
              0u)
        << "problem " << i;
  }
}

template <std::uint64_t... seeds>
void multiply_by_all(std::integer_sequence<std::uint64_t, seeds...>) {
  (multiply_by<valid_from<after(1000 * COSMATI_TEST_SEED + seeds)>>(), ...);
}

}  // namespace

TEST(GemmMma, DrawnConfigurations) {
  COSMATI_REQUIRE_DEVICE();
  multiply_by_all(std::make_integer_sequence<std::uint64_t, COSMATI_TEST_CONFIGURATIONS>{});
}
