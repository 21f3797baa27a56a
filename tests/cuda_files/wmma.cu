// SPDX-License-Identifier: Apache-2.0
// <mma.h>: products of every type and shape against a loop over k. The numbers are small integers, so sums are exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <cstdio>
#include <type_traits>
#include <vector>
using namespace nvcuda;

template <class T>
struct number {
  using type = T;
};
template <>
struct number<wmma::precision::tf32> {
  using type = float;
};

// The distance of rows or columns, which is a multiple of 16 bytes.
template <class V>
__host__ __device__ constexpr int distance(int extent) {
  return extent * int(sizeof(V)) < 16 ? 16 / int(sizeof(V)) : extent;
}

template <int m, int n, int k, class T, class Acc, class LayoutA, class LayoutB>
__global__ void product(typename number<T>::type const* a, typename number<T>::type const* b, Acc const* c, Acc* d,
                        wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Acc> fc, sum;
  bool const a_rows = std::is_same_v<LayoutA, wmma::row_major>, b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  using V = typename number<T>::type;
  wmma::load_matrix_sync(fa, a, distance<V>(a_rows ? k : m));
  wmma::load_matrix_sync(fb, b, distance<V>(b_rows ? n : k));
  wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? n : m, layout);
  wmma::fill_fragment(sum, Acc(0));
  if constexpr (std::is_same_v<T, wmma::precision::tf32>) {
    for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  }
  wmma::mma_sync(sum, fa, fb, sum);
  for (int i = 0; i < fc.num_elements; ++i) sum.x[i] = sum.x[i] + fc.x[i];
  wmma::store_matrix_sync(d, sum, layout == wmma::mem_row_major ? n : m, layout);
}

template <class T>
static T small(int i) {
  return T((i * 7 + i / 5) % 8 - (std::is_unsigned_v<T> ? 0 : 3));
}
template <class T>
static double as_double(T v) {
  return double(float(v));
}

template <int m, int n, int k, class T, class Acc, class LayoutA, class LayoutB>
static bool is_right(char const* name, wmma::layout_t layout) {
  using V = typename number<T>::type;
  bool const a_rows = std::is_same_v<LayoutA, wmma::row_major>, b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  int const of_a = distance<V>(a_rows ? k : m), of_b = distance<V>(b_rows ? n : k);
  std::vector<V> a(of_a * (a_rows ? m : k)), b(of_b * (b_rows ? k : n));
  std::vector<Acc> c(m * n), d(m * n);
  for (int i = 0; i < int(a.size()); ++i) a[i] = small<V>(i);
  for (int i = 0; i < int(b.size()); ++i) b[i] = small<V>(3 * i + 1);
  for (int i = 0; i < m * n; ++i) c[i] = Acc(i % 11 - 5);
  V *da, *db;
  Acc *dc, *dd;
  cudaMalloc(&da, a.size() * sizeof(V)), cudaMalloc(&db, b.size() * sizeof(V));
  cudaMalloc(&dc, c.size() * sizeof(Acc)), cudaMalloc(&dd, d.size() * sizeof(Acc));
  cudaMemcpy(da, a.data(), a.size() * sizeof(V), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(V), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), c.size() * sizeof(Acc), cudaMemcpyHostToDevice);
  product<m, n, k, T, Acc, LayoutA, LayoutB><<<1, 32>>>(da, db, dc, dd, layout);
  cudaMemcpy(d.data(), dd, d.size() * sizeof(Acc), cudaMemcpyDeviceToHost);
  cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      int const at = layout == wmma::mem_row_major ? row * n + column : column * m + row;
      double sum = as_double(c[at]);
      for (int i = 0; i < k; ++i)
        sum += as_double(a[a_rows ? row * of_a + i : i * of_a + row]) *
               as_double(b[b_rows ? i * of_b + column : column * of_b + i]);
      if (as_double(d[at]) != sum)
        return printf("%s %dx%dx%d (%d, %d): %f, not %f\n", name, m, n, k, row, column, as_double(d[at]), sum), false;
    }
  return true;
}

template <int m, int n, int k, class T, class Acc>
static bool all_layouts(char const* name) {
  using R = wmma::row_major;
  using C = wmma::col_major;
  return is_right<m, n, k, T, Acc, R, R>(name, wmma::mem_row_major) &&
         is_right<m, n, k, T, Acc, R, C>(name, wmma::mem_col_major) &&
         is_right<m, n, k, T, Acc, C, R>(name, wmma::mem_row_major) &&
         is_right<m, n, k, T, Acc, C, C>(name, wmma::mem_col_major);
}
template <class T, class Acc>
static bool all_shapes(char const* name) {
  return all_layouts<16, 16, 16, T, Acc>(name) && all_layouts<32, 8, 16, T, Acc>(name) &&
         all_layouts<8, 32, 16, T, Acc>(name);
}

// Four bits and single bits. The words of a are rows, those of b columns.
__global__ void narrow(int const* a, int const* b, int* of_s4, int* of_xor, int* of_and) {
  using namespace wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> a4;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> b4;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> c4;
  wmma::load_matrix_sync(a4, a, 32);
  wmma::load_matrix_sync(b4, b, 32);
  wmma::fill_fragment(c4, 1);
  wmma::mma_sync(c4, a4, b4, c4);
  wmma::store_matrix_sync(of_s4, c4, 8, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> a1;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> b1;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> c1, d1;
  wmma::load_matrix_sync(a1, a, 128);
  wmma::load_matrix_sync(b1, b, 128);
  wmma::fill_fragment(c1, 2);
  wmma::bmma_sync(d1, a1, b1, c1);
  wmma::store_matrix_sync(of_xor, d1, 8, wmma::mem_row_major);
  wmma::bmma_sync(d1, a1, b1, c1, bmmaBitOpAND);
  wmma::store_matrix_sync(of_and, d1, 8, wmma::mem_row_major);
}

static bool narrow_is_right() {
  int host[64], result[3 * 64], *a, *d;
  for (int i = 0; i < 64; ++i) host[i] = int(2654435761u * unsigned(i + 3));
  cudaMalloc(&a, sizeof host), cudaMalloc(&d, sizeof result);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  narrow<<<1, 32>>>(a, a + 32, d, d + 64, d + 128);
  cudaMemcpy(result, d, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(a), cudaFree(d);
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = 1, of_xor = 2, of_and = 2;
      for (int i = 0; i < 32; ++i) {
        int const x = host[4 * row + i / 8] >> (4 * (i % 8)) & 15,
                  y = host[32 + 4 * column + i / 8] >> (4 * (i % 8)) & 15;
        sum += (x < 8 ? x : x - 16) * (y < 8 ? y : y - 16);
      }
      for (int i = 0; i < 128; ++i) {
        int const x = host[4 * row + i / 32] >> (i % 32) & 1, y = host[32 + 4 * column + i / 32] >> (i % 32) & 1;
        of_xor += x ^ y, of_and += x & y;
      }
      int const at = 8 * row + column;
      if (result[at] != sum || result[64 + at] != of_xor || result[128 + at] != of_and)
        return printf("narrow (%d, %d): %d %d %d\n", row, column, result[at], result[64 + at], result[128 + at]), false;
    }
  return true;
}

// A tile of shared memory is multiplied after all warps have written it.
__global__ void through_shared(half const* a, float* d) {
  __shared__ alignas(32) half tile[16 * 16];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i] = a[i];
#ifndef PLANTED
  __syncthreads();
#endif
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, tile, 16);  // planted: missing_barrier
  wmma::load_matrix_sync(fb, a, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  if (threadIdx.x < 32) wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

int main() {
  std::vector<half> identity(256);
  for (int i = 0; i < 256; ++i) identity[i] = __float2half(i % 17 == 0 ? 1.f : 0.f);
  half* a;
  float *d, host[256];
  cudaMalloc(&a, 512), cudaMalloc(&d, sizeof host);
  cudaMemcpy(a, identity.data(), 512, cudaMemcpyHostToDevice);
  through_shared<<<1, 64>>>(a, d);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(a), cudaFree(d);
#ifdef PLANTED
  return 0;
#endif
  for (int i = 0; i < 256; ++i)
    if (host[i] != (i % 17 == 0 ? 1.f : 0.f)) return printf("through_shared %d: %f\n", i, host[i]), 1;
  bool const right = all_shapes<half, half>("half") && all_shapes<half, float>("half in float") &&
                     all_shapes<__nv_bfloat16, float>("bfloat16") && all_shapes<signed char, int>("s8") &&
                     all_shapes<unsigned char, int>("u8") &&
                     all_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32") &&
                     all_layouts<8, 8, 4, double, double>("double") && narrow_is_right();
  return right ? 0 : 2;
}
