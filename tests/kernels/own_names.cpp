// SPDX-License-Identifier: Apache-2.0
// A program that says `using namespace cosmati;` and has functions of its own with the library's names: calls with
// numbers, pointers and the program's own types go to them.
#include <cosmati/cosmati.hpp>

using namespace cosmati;

#define OWN static __host__ __device__

struct point {
  int x, y;
};

// Functions of numbers.
OWN float sum(float a, float b) { return a + b + 100; }
OWN float reduce(float a, float b) { return a * b + 100; }
OWN int size(int a, int b) { return a * b + 100; }
OWN int product(int a, int b) { return a * b + 100; }
OWN float swap(float a) { return -a; }
OWN float equal(float a, float b) { return a == b ? 7.f : 8.f; }
// Of arrays.
OWN void copy(float* to, float const* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i] + 1;
}
OWN void clear(float* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = -1;
}
OWN void fill(float* p, float x, int n) {
  for (int i = 0; i < n; ++i) p[i] = x + 1;
}
OWN void transform(float* p, float const* from, int n) {
  for (int i = 0; i < n; ++i) p[i] = 2 * from[i];
}
OWN void for_each(float* p, int n) {
  for (int i = 0; i < n; ++i) p[i] += 3;
}
OWN float fold(float const* p, float start, int n) {
  for (int i = 0; i < n; ++i) start += p[i];
  return start;
}
// Of the program's own types, as values and as references.
OWN int front(point const& p) { return p.x; }
OWN int back(point const& p) { return p.y; }
OWN int rank(point const& p) { return p.x + p.y; }
OWN int depth(point p) { return p.x * p.y; }
OWN int shape(point const& p) { return 10 * p.x + p.y; }
OWN void print(point& p) { p.x += 50; }
OWN point max(point const& a, point const& b) { return a.x < b.x ? b : a; }
OWN point min(point const& a, point const& b) { return a.x < b.x ? a : b; }
// Templates without a constraint.
template <class T>
OWN int flatten(T const&) {
  return 11;
}
template <class T>
OWN int reverse(T const&) {
  return 12;
}
template <class T>
OWN int wrap(T const&) {
  return 13;
}
template <class T>
OWN int zip(T const&) {
  return 14;
}
template <class T>
OWN int select(T const&) {
  return 15;
}
template <class T>
OWN T gcd(T a, T b, T c) {
  return a + b + c;
}

struct plus_one {
  __host__ __device__ float operator()(float x) const { return x + 1; }
};
struct add_one {
  __host__ __device__ void operator()(float& x) const { x += 1; }
};

__global__ void own_names(float* out, float* more) {
  point p = {3, 4}, q = {5, 1};
  int at = 0;
  out[at++] = sum(1.f, 2.f);
  out[at++] = reduce(2.f, 3.f);
  out[at++] = static_cast<float>(size(2, 3) + product(2, 3));
  out[at++] = swap(5.f) + equal(1.f, 1.f);
  copy(more, out, 2);
  out[at++] = more[0];
  clear(more, 1);
  out[at++] = more[0];
  fill(more, 5.f, 2);
  out[at++] = more[1];
  transform(more, out, 2);
  for_each(more, 1);
  out[at++] = more[0];
  out[at++] = fold(more, 1.f, 1);
  out[at++] = static_cast<float>(front(p) + 10 * back(q) + 100 * rank(p) + 1000 * depth(p));
  print(p);
  out[at++] = static_cast<float>(shape(p));
  out[at++] = static_cast<float>(max(p, q).x + min(p, q).x);
  out[at++] = static_cast<float>(flatten(q) + reverse(q) + wrap(q) + zip(q) + select(q));
  out[at++] = static_cast<float>(flatten(1.f) + reverse(1.f) + wrap(1.f) + zip(1.f) + select(1.f));
  out[at++] = gcd(1.f, 2.f, 3.f);
  // Variables of a function may have any of these names.
  float const plus = 3;
  auto const tensor = [](float x) { return 2 * x; };
  out[at++] = tensor(plus);
  // And the library's are there.
  auto const l = make_layout(make_shape(make_shape(_2{}, _3{}), _4{}));
  out[at++] = static_cast<float>(size(l) + rank(flatten(l)) + front(l.shape()) +
                                 size(cosmati::reverse(make_shape(_2{}, _5{}))));
  auto t = make_tensor(more, Layout<_4>{});
  clear(t);
  fill(t, 2.f);
  transform(t, plus_one{});
  for_each(t, add_one{});
  out[at++] = reduce(t, 0.f) + fold(make_tuple(1, 2), 4, cosmati::plus{});
}

#if defined(__CUDACC__)
void run_own_names(float* out, float* more) { own_names<<<1, 1>>>(out, more); }
#endif
