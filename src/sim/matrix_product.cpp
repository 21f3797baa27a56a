// SPDX-License-Identifier: Apache-2.0
#include "matrix_product.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <type_traits>

#include "matrix_elements.hpp"

namespace cosmati_sim {
namespace {

// A tile of C is summed over all of k before it is stored. Its factors are packed, 256 of k at a time.
constexpr std::size_t tile_rows = 192, tile_columns = 192, tile_depth = 256;
constexpr std::size_t kernel_columns = 6;

/// 32 bytes of numbers.
template <class T>
struct vector_of;
template <>
struct vector_of<float> {
  typedef float type __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)
};
template <>
struct vector_of<double> {
  typedef double type __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)
};
template <>
struct vector_of<std::uint32_t> {
  typedef std::uint32_t type __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)
};
template <class T>
constexpr std::size_t kernel_rows = 2 * 32 / sizeof(T);

/// sums (kernel_rows x kernel_columns, columns tile_rows apart) += a b, of packed panels.
template <class T>
__attribute__((always_inline)) inline void multiply_panels(std::size_t depth, T const* a, T const* b, T* sums) {
  using vector = typename vector_of<T>::type;
  constexpr std::size_t lanes = 32 / sizeof(T);
  vector sum[kernel_columns][2] = {};
  for (std::size_t p = 0; p < depth; ++p, a += 2 * lanes, b += kernel_columns) {
    vector low, high;
    __builtin_memcpy(&low, a, sizeof low);
    __builtin_memcpy(&high, a + lanes, sizeof high);
#pragma GCC unroll 6
    for (std::size_t j = 0; j < kernel_columns; ++j) {
      sum[j][0] += low * b[j];
      sum[j][1] += high * b[j];
    }
  }
#pragma GCC unroll 6
  for (std::size_t j = 0; j < kernel_columns; ++j) {
    for (std::size_t half = 0; half < 2; ++half) {
      vector old;
      T* const at = sums + j * tile_rows + half * lanes;
      __builtin_memcpy(&old, at, sizeof old);
      old += sum[j][half];
      __builtin_memcpy(at, &old, sizeof old);
    }
  }
}
template <class T>
void multiply_plainly(std::size_t depth, T const* a, T const* b, T* sums) {
  multiply_panels(depth, a, b, sums);
}
#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2,fma"))) void multiply_with_avx2(std::size_t depth, T const* a, T const* b, T* sums) {
  multiply_panels(depth, a, b, sums);
}
#endif
template <class T>
using panel_kernel = void (*)(std::size_t depth, T const* a, T const* b, T* sums);
template <class T>
panel_kernel<T> kernel_of_host() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return multiply_with_avx2<T>;
#endif
  return multiply_plainly<T>;
}

/// The tile of a product that one piece of work computes.
struct tile {
  matrix_product const* of;
  std::size_t row, column;
  std::size_t rows() const { return std::min(tile_rows, of->m - row); }
  std::size_t columns() const { return std::min(tile_columns, of->n - column); }
};

/// Packs `count` lines of a factor, in panels of `width` lines; missing lines are zeros. A line is a row of A or a
/// column of B, and the k-th elements of a panel's lines are neighbours.
/// @param line_stride, depth_stride in elements
template <class T, class Element>
void pack_elements(T* out, typename Element::stored const* from, std::size_t line_stride, std::size_t depth_stride,
                   std::size_t count, std::size_t depth, std::size_t width) {
  for (std::size_t line = 0; line < count; line += width, out += width * depth) {
    std::size_t const present = std::min(width, count - line);
    if (present < width) std::fill_n(out, width * depth, T(0));
    typename Element::stored const* const panel = from + line * line_stride;
    if (line_stride == 1) {
      for (std::size_t p = 0; p < depth; ++p) {
        for (std::size_t i = 0; i < present; ++i)
          out[p * width + i] = static_cast<T>(Element::load(panel[p * depth_stride + i]));
      }
    } else {
      for (std::size_t i = 0; i < present; ++i) {
        for (std::size_t p = 0; p < depth; ++p)
          out[p * width + i] = static_cast<T>(Element::load(panel[i * line_stride + p * depth_stride]));
      }
    }
  }
}
/// @param is_a whether lines are rows of op(A)
template <class T>
void pack(T* out, factor const& f, bool is_a, std::size_t first_line, std::size_t first_depth, std::size_t count,
          std::size_t depth, std::size_t width) {
  bool const lines_are_neighbours = is_a != f.is_transposed;
  std::size_t const line_stride = lines_are_neighbours ? 1 : f.leading;
  std::size_t const depth_stride = lines_are_neighbours ? f.leading : 1;
  with_element(f.kind, [&]<class Element>(Element) {
    auto const* const from = static_cast<typename Element::stored const*>(f.at);
    pack_elements<T, Element>(out, from + first_line * line_stride + first_depth * depth_stride, line_stride,
                              depth_stride, count, depth, width);
  });
}

/// The type of the scaled result: signed, where the sums are unsigned so that they may overflow.
template <class T>
using scaled_type = std::conditional_t<std::is_same_v<T, std::uint32_t>, std::int32_t, T>;

template <class T>
void store(tile const& t, T const* sums) {
  matrix_product const& p = *t.of;
  with_element(p.c_kind, [&]<class Element>(Element) {
    using scaled = scaled_type<T>;
    constexpr bool is_exact = std::is_same_v<typename Element::stored, scaled>;
    auto const alpha = static_cast<T>(static_cast<scaled>(p.alpha)), beta = static_cast<T>(static_cast<scaled>(p.beta));
    for (std::size_t j = 0; j < t.columns(); ++j) {
      auto* const c = static_cast<typename Element::stored*>(p.c) + (t.column + j) * p.c_leading + t.row;
      T const* const sum = sums + j * tile_rows;
      for (std::size_t i = 0; i < t.rows(); ++i) {
        T value = alpha * sum[i];
        if (beta != T(0)) value += beta * static_cast<T>(Element::load(c[i]));
        if constexpr (is_exact) {
          c[i] = static_cast<scaled>(value);
        } else {
          c[i] = Element::store(static_cast<scaled>(value));
        }
      }
    }
  });
}

/// The memory that a thread packs into.
template <class T>
struct workspace {
  alignas(64) T sums[tile_rows * tile_columns];
  alignas(64) T a[tile_rows * tile_depth];
  alignas(64) T b[tile_columns * tile_depth];
};

template <class T>
void compute(tile const& t, panel_kernel<T> kernel, workspace<T>& space) {
  static_assert(tile_rows % kernel_rows<T> == 0 && tile_columns % kernel_columns == 0);
  matrix_product const& p = *t.of;
  std::fill_n(space.sums, tile_rows * t.columns(), T(0));
  if (t.columns() % kernel_columns != 0) std::fill_n(space.sums, tile_rows * tile_columns, T(0));
  for (std::size_t k = 0; k < p.k && p.alpha != 0; k += tile_depth) {
    std::size_t const depth = std::min(tile_depth, p.k - k);
    pack<T>(space.a, p.a, true, t.row, k, t.rows(), depth, kernel_rows<T>);
    pack<T>(space.b, p.b, false, t.column, k, t.columns(), depth, kernel_columns);
    for (std::size_t j = 0; j < t.columns(); j += kernel_columns) {
      for (std::size_t i = 0; i < t.rows(); i += kernel_rows<T>)
        kernel(depth, space.a + i * depth, space.b + j * depth, space.sums + j * tile_rows + i);
    }
  }
  store(t, space.sums);
}

template <class T>
void multiply_in(std::vector<tile> const& tiles, bool has_much) {
  struct work {
    std::vector<tile> const& tiles;
    panel_kernel<T> kernel;
  } const all = {tiles, kernel_of_host<T>()};
  for_each_on_host(
      tiles.size(), has_much,
      [](void const* context, std::size_t i) {
        static thread_local std::unique_ptr<workspace<T>> space;
        if (space == nullptr) space = std::make_unique<workspace<T>>();
        auto const& w = *static_cast<work const*>(context);
        compute<T>(w.tiles[i], w.kernel, *space);
      },
      &all);
}

}  // namespace

void for_each_on_host(std::size_t count, bool has_much, void (*work)(void const*, std::size_t), void const* context) {
  std::atomic<std::size_t> next = 0;
  auto const run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(context, i);
  };
  char const* const wanted = std::getenv("COSMATI_THREADS");  // as for kernels
  std::size_t const cores = wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : std::thread::hardware_concurrency();
  std::vector<std::thread> threads;
  for (std::size_t i = 1; has_much && i < std::min(cores, count); ++i) threads.emplace_back(run);
  run();
  for (std::thread& t : threads) t.join();
}

void multiply(std::vector<matrix_product> const& products, sum_kind sums) {
  std::vector<tile> tiles;
  double operations = 0;
  for (matrix_product const& p : products) {
    operations += 2. * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
    for (std::size_t j = 0; j < p.n; j += tile_columns) {
      for (std::size_t i = 0; i < p.m; i += tile_rows) tiles.push_back({&p, i, j});
    }
  }
  bool const has_much = operations > 4e6;  // less than a thread costs
  if (sums == sum_kind::f32) return multiply_in<float>(tiles, has_much);
  if (sums == sum_kind::f64) return multiply_in<double>(tiles, has_much);
  multiply_in<std::uint32_t>(tiles, has_much);
}

}  // namespace cosmati_sim
