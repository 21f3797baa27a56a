// SPDX-License-Identifier: Apache-2.0
// What a lexer of launches meets: comments, strings, macros, lines, templates, operators, and headers.
// clang-format off
#include "syntax_kernels.cuh"
// a comment with k<<<1, 2>>>(p) and "quotes' and \
   a continued line k<<<1,2>>>(p)
/* k<<<1, 2>>>(p) */
#define STR(...) #__VA_ARGS__
#define LONG_LAUNCH(k, ...)                \
  do {                                     \
    k<<<1,                                 \
        32>>>(__VA_ARGS__);                \
    if (cudaGetLastError() != cudaSuccess) \
      return 1;                            \
  } while (0)
#if 0
never<<<1, 2>>>(its not text);
#endif
#define EMPTY
struct stream_like { int v; template <class T> stream_like& operator<<(T const&) { return *this; } };
template <class T> struct box { T t; };
template <class T> bool operator<(box<T> a, box<T> b) { return a.t < b.t; }
template <class T> stream_like& operator<<(stream_like&, box<T>);
template <> stream_like& operator<< <int>(stream_like& s, box<int>) { return s; }
template <class T> __global__ void fill(T* p, T v) { p[threadIdx.x] = v; }
template <int... Is> struct seq {};
template <template <class> class B, class T> __global__ void nested(B<B<B<T>>> b, T* p) { p[threadIdx.x] = b.t.t.t; }
namespace a { namespace b { __global__ void deep(int* p) { p[threadIdx.x] += 1; } } using b::deep; }  __global__ void declared_twice(int* p, int by) { p[threadIdx.x] += by; }
template <class T> struct launcher {
  T* p;
  template <class U> void go() { fill<U><<<1, 32>>>(p, U(3)); this->template pick<U>()<<<1, 32>>>(p, U(4)); }
  template <class U> auto pick() -> void (*)(U*, U) { return fill<U>; }
};
auto chooser(bool b) { return b ? a::deep : a::b::deep; }
int main() {
  int big = 1'000'000, hex = 0x1p3 > 4 ? 1 : 0; char c = '"', d = '\'', e = '\\';
  const char* raw = R"xy(k<<<1, 2>>>(p) )" ")xy"; const char* u = "k<<<1,2>>>(p)" STR(k<<<1, 2>>>(p));
  int* p; cudaMallocManaged(&p, 32 * sizeof(int));
  LONG_LAUNCH(fill, p, big);
  LONG_LAUNCH(fill<int>, p, 5);
  nested<<<1, 32>>>(box<box<box<int>>>{{{7}}}, p);
  nested<box, int> /* in between */ <<<
      1,  // blocks
      dim3(8, 4) >>> (box<box<box<int>>>{{{7}}}, p);
  { fill EMPTY <<<1, 32>>> (p, 1); }
  a::deep<<<1, 32>>>(p); ::a::b::deep<<<1, 32>>>(p);
  chooser(true)<<<1, 32>>>(p);
  (hex ? a::deep : chooser(false))<<<1, 32>>>(p);
  launcher<int>{p}.go<int>();
  from_header(p); declared_twice<<<1, 32>>>(p, 9);
  for (int i = 0; i < 2; ++i) a::deep<<<1, 32>>>(p), (void)0;
  if (big > 0) fill<<<1, 32>>>(p, 9); else fill<<<1, 32>>>(p, 8);
  switch (hex) { case 1: a::deep<<<1, 32>>>(p); break; default: fill<<<1, 32>>>(p, 8); }
  cudaDeviceSynchronize();
  bool ok = p[31] == 10 && c == '"' && d == '\'' && e == '\\' && raw[0] == 'k' && u[0] == 'k';
  int line = __LINE__;
  cudaFree(p);
  return ok && line == 56 ? 0 : 1;
}
