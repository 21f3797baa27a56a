// SPDX-License-Identifier: Apache-2.0
// Launches with lists in braces and with small classes, kernels whose declarations have more parentheses than those of
// their parameters, and clusters whose extents have names.
#include <cuda_runtime.h>
#include <cstdio>
#include <type_traits>

struct box {
  int a, b;
};
struct inner {
  int a[2];
};
struct outer {
  inner i;
  int b;
  int const* p;
};
template <class T, int N = 2>
__global__ void add_box(T* p, box b, int by = 1) {
  atomicAdd(p, N * (b.a + b.b) + by);
}
template <class T>
__global__ void add_outer(T* p, outer o) {
  atomicAdd(p, o.i.a[0] + 10 * o.i.a[1] + 100 * o.b + (o.p == nullptr ? 1000 : 0));
}
__global__ void overloaded(int* p, box b) { atomicAdd(p, b.a - b.b); }
__global__ void overloaded(int* p, box b, int by) { atomicAdd(p, b.a * b.b + by); }
__global__ void with_default(int* p, box b = {5, 6}) { atomicAdd(p, b.a + b.b); }
template <int A, int B>
constexpr int difference() {
  return A - B;
}
template <class... Box>
__global__ void add_all(int* p, Box... b) {
  atomicAdd(p, (b.a + ...));
}
template <class... Box>
void launch_all(int* p, Box... b) {
  add_all<box, Box...><<<1, 1>>>(p, {1, 2}, b...);
}

// An argument that passes in two registers.
struct adds {
  int* p;
  int by;
  __device__ void operator()(int i) const { atomicAdd(p, by + i); }
};
template <class F>
__global__ void call(F f) {
  f(threadIdx.x);
}

// Parentheses before those of the parameters.
template <class T>
__global__ typename std::enable_if<sizeof(T) == 4>::type of_enabled_type(T* p) {
  atomicAdd(p, 1);
}
template <class T>
constexpr bool fits() {
  return sizeof(T) == 4;
}
template <class T>
__global__ std::enable_if_t<fits<T>(), void> of_alias(T* p) {
  atomicAdd(p, 1);
}
template <class T>
__global__ auto with_trailing_type(T* p) -> void {
  atomicAdd(p, 1);
}

// The definition below has digraphs.
template <class T>
__global__ void of_digraphs(T* p);

// The extents of clusters are names that only the kernel sees.
template <int N>
__global__ void __cluster_dims__(N, 1, 1) clusters_of(int* p) {
  unsigned blocks;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  atomicAdd(p, blocks);
}
namespace sizes {
constexpr int four = 4;
__global__ void __cluster_dims__(four) clusters_of_four(int* p) {
  unsigned blocks;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  atomicAdd(p, blocks);
}
}  // namespace sizes

static int* counter;
static bool ok = true;
static void check(char const* what, int expected) {
  int value = -1;
  cudaMemcpy(&value, counter, sizeof value, cudaMemcpyDeviceToHost);
  cudaMemset(counter, 0, sizeof value);
  if (value == expected) return;
  printf("%s: %d, expected %d\n", what, value, expected);
  ok = false;
}

int main() {
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  int* p = counter;
  int n = 4;
  add_box<int><<<1, 1>>>(p, {1, 2});
  check("a list for a template", 7);
  add_box<<<1, 1>>>(p, {n, n + 1}, 0);
  n = 100;
  check("a list of variables", 18);
  add_box<int, 1><<<1, 1>>>(p, {difference<3, 1>(), 1 < 2 ? 5 : 6}, -1);
  check("commas of template arguments", 6);
  add_box<int><<<1, 1>>>(p, {});
  check("an empty list", 1);
  add_outer<int><<<1, 1>>>(p, {{{1, 2}}, 3, 0});
  check("lists in a list", 1321);
  add_outer<int><<<1, 1>>>(p, {{1, 2}, 3, NULL});
  check("NULL in a list", 1321);
  add_outer<int><<<1, 1>>>(p, {.i = {{1, 2}}, .b = 4, .p = p});
  check("named members", 421);
  overloaded<<<1, 1>>>(p, {7, 2});
  overloaded<<<1, 1>>>(p, {7, 2}, 3);
  check("overloads", 5 + 17);
  with_default<<<1, 1>>>(p);
  with_default<<<1, 1>>>(p, {
                                1,
                                1,
                            });
  check("a default argument", 13);
  launch_all(p, box{2, 0}, box{3, 0});
  check("a pack behind a list", 6);
  call<<<1, 4>>>(adds{p, 1});
  check("a small class", 10);
  of_enabled_type<<<1, 1>>>(p);
  of_alias<<<1, 1>>>(p);
  with_trailing_type<<<1, 1>>>(p);
  of_digraphs<<<1, 1>>>(p);
  check("kernels' types", 4);
  clusters_of<2><<<4, 1>>>(p);
  clusters_of<4><<<4, 1>>>(p);
  sizes::clusters_of_four<<<4, 1>>>(p);
  check("clusters", 4 * 2 + 4 * 4 + 4 * 4);
  if (cudaDeviceSynchronize() != cudaSuccess) ok = false;
  cudaFree(p);
  return ok ? 0 : 1;
}

// clang-format off
template <class T>
__global__ void of_digraphs(T* p) <%
  atomicAdd(&p<:0:>, 1);
%>
