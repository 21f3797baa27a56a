// SPDX-License-Identifier: Apache-2.0
// Launches in every form: macros, namespaces, templates, lambdas, overloads, default arguments, pointers, the API.
#include <cuda_runtime.h>
#include <cstdio>
#include <functional>

#define LAUNCH(k, grid, block, ...) k<<<(grid), (block)>>>(__VA_ARGS__)
#define CONFIGURATION <<<1, 32>>>
#define DISPATCH(T, name, ...) \
  [&] {                        \
    using scalar_t = T;        \
    return __VA_ARGS__();      \
  }()

namespace outer {
namespace {
__global__ void add(int* p, int by) { atomicAdd(p, by); }
}  // namespace
namespace inner {
template <int By, class T = int>
__global__ void add(T* p) {
  atomicAdd(p, By);
}
}  // namespace inner
}  // namespace outer
__global__ void overloaded(int* p) { atomicAdd(p, 1); }
__global__ void overloaded(int* p, int by) { atomicAdd(p, by); }
__global__ void with_default(int* p, int by = 3) { atomicAdd(p, by); }
template <class T>
__global__ void deduced(T* p, T by) {
  atomicAdd(p, by);
}
template <>
__global__ void deduced<unsigned>(unsigned* p, unsigned by) {
  atomicAdd(p, 2 * by);
}
template __global__ void deduced<float>(float*, float);
#define DEFINE_KERNEL(name, op) \
  template <class T>            \
  __global__ void name(T* p) {  \
    atomicAdd(p, op);           \
  }
DEFINE_KERNEL(add_four, 4)
template <class F>
__global__ void call(F f, int* p) {
  f(p);
}
// A reference to memory of the device.
__global__ void add_to(int& sum, int by) { atomicAdd(&sum, by); }
__global__ void twice(int* p, const int* q) { atomicAdd(p, q == nullptr ? 1 : 100); }
#pragma nv_diag_default 177  // a pragma before a template
template <bool Exact>
__global__ void three_times(int* p, const int* q, int by) {
  atomicAdd(p, q == nullptr && Exact ? by : 100);
}
extern "C" __global__ void __launch_bounds__(32) plain(int* p) { atomicAdd(p, 1); }
static __global__ void __cluster_dims__(2, 1, 1) paired(int* p) { atomicAdd(p, 1); }

struct range {
  int first, count;
  int* p;
};
__global__ void add_range(range r, int by) { atomicAdd(r.p, r.first + r.count + by); }

struct adds_two {
  __device__ void operator()(int* p) const { atomicAdd(p, 2); }
};
struct holder {
  void (*kernel)(int*);
  void run(int* p) const { kernel<<<1, 32>>>(p); }
};
template <class Kernel, class... Arguments>
void launch_any(Kernel kernel, int threads, Arguments... arguments) {
  kernel<<<1, threads>>>(arguments...);
}
template <int N>
constexpr int twice_of() {
  return 2 * N;
}

static int* device_counter;
static int expected = 0;
static bool check(char const* what, int by) {
  int value = -1;
  if (cudaMemcpy(&value, device_counter, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  expected += by;
  if (value != expected) printf("%s: %d, expected %d\n", what, value, expected);
  return value == expected;
}

int main() {
  cudaMalloc(&device_counter, sizeof(int));
  cudaMemset(device_counter, 0, sizeof(int));
  int* p = device_counter;
  bool ok = true;
  LAUNCH(outer::add, 2, 16, p, 1);
  ok = check("macro", 32) && ok;
  plain CONFIGURATION(p);
  ok = check("configuration in a macro", 32) && ok;
  outer::inner::add<2><<<1, 8>>>(p);
  ok = check("template in a namespace", 16) && ok;
  ::outer::inner::add<twice_of<(3 > 2 ? 1 : 2)>(), int><<<dim3(2, 1), dim3{4, 2, 1}, 0, 0>>>(p);
  ok = check("nested template arguments", 32) && ok;
  overloaded<<<1, 1>>>(p);
  overloaded<<<1, 1>>>(p, 5);
  ok = check("overloads", 6) && ok;
  with_default<<<1, 2>>>(p);
  ok = check("default argument", 6) && ok;
  deduced<<<1, 3>>>(p, 2);
  ok = check("deduced template", 6) && ok;
  deduced<<<1, 1>>>(reinterpret_cast<unsigned*>(p), 2u);
  ok = check("specialization", 4) && ok;
  add_four<<<1, 2>>>(p);
  ok = check("kernel of a macro", 8) && ok;
  call<<<1, 4>>>(adds_two{}, p);
  ok = check("function object", 8) && ok;
  twice<<<1, 1>>>(p, NULL);
  twice<<<1, 1>>>(p, 0);
  three_times<true><<<1, 1>>>(p, NULL, 3);
  ok = check("null pointers", 5) && ok;
  void (*pointer)(int*) = plain;
  pointer<<<1, 2>>>(p);
  (*pointer)<<<1, 2>>>(p);
  holder{plain}.run(p);
  ok = check("pointers", 36) && ok;
  launch_any(outer::inner::add<1>, 7, p);
  launch_any(plain, 7, p);
  ok = check("kernel as an argument", 14) && ok;
  auto const lambda = [&](int threads) { plain<<<1, threads>>>(p); };
  lambda(9);
  std::function<void()> const later = [=] { outer::inner::add<1><<<1, 1>>>(p); };
  later();
  ok = check("in lambdas", 10) && ok;
  DISPATCH(int, "deduced", [&] { deduced<scalar_t><<<1, 1>>>(p, 4); });
  ok = check("lambda in a macro", 4) && ok;
  // clang-format off
  if (1 << 3 > 2) plain<<<1, 1 << 2 >> 1>>>(p);
  // clang-format on
  ok = check("shifts", 2) && ok;
  int by = 7;
  void* arguments[] = {&p, &by};
  cudaLaunchKernel((const void*)outer::add, dim3(1), dim3(2), arguments, 0, nullptr);
  cudaLaunchKernel(reinterpret_cast<const void*>(&deduced<int>), 1, 2, arguments, 0, 0);
  cudaLaunchKernel(plain, 1, 2, arguments);
  ok = check("cudaLaunchKernel", 30) && ok;
  void* const address = (void*)plain;
  void* argument[] = {&p};
  cudaLaunchKernel(address, 1, 3, argument, 0, 0);
  ok = check("address", 3) && ok;
  add_to<<<1, 2>>>(*p, 4);
  cudaLaunchKernel((void const*)add_to, 1, 3, arguments);
  ok = check("reference", 29) && ok;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 8;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, paired, p);
  ok = check("cudaLaunchKernelEx", 32) && ok;
  add_range<<<1, 1>>>({1, 2, p}, 3);
  add_range<<<1, 1>>>(range{1, 2, p}, 3);
  ok = check("lists in braces", 12) && ok;
  for (int i = 0; i < 2; ++i) LAUNCH((outer::inner::add<2, int>), 1, 2, p);
  if (ok) (outer::inner::add<3, int>)<<<1, 1>>>(p);
  ok = check("a kernel in parentheses after for and if", 11) && ok;
  int const threads = 8;
  dim3 const narrowed{threads / 4, 1};
  plain<<<narrowed, {2, 2}>>>(p);
  ok = check("lists as extents", 8) && ok;
  const char* text = "no launch: k<<<1, 2>>>(x)";  // nor this: k<<<1, 2>>>(x)
  ok = text[11] == 'k' && R"(k<<<1, 2>>>(x) ")"[1] == '<' && ok;
  cudaFree(p);
  return ok ? 0 : 1;
}
