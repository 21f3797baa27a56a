// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of PTX.
#include <cstdint>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__device__ __forceinline__ uint32_t smem_u32(void const* p) {
  uint32_t a;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(a) : "l"(p));
  return a;
}

__global__ void global_accesses(float const* in, float* out, unsigned char const* bytes) {
  int const i = threadIdx.x;
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(in + 4 * i));
  EXPECT(v.x == 4 * i && v.w == 4 * i + 3);
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + 4 * i), "f"(v.w), "f"(v.z), "f"(v.y), "f"(v.x)
               : "memory");
  float y;
  asm volatile("ld.global.f32 %0, [%1+4];" : "=f"(y) : "l"(out + 4 * i) : "memory");
  EXPECT(y == v.z);
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L1::evict_last.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(y) : "l"(in + i), "l"(policy));
  EXPECT(y == i);
  int s, u;
  asm volatile("ld.s8 %0, [%2];\n\tld.global.u8 %1, [%2];" : "=r"(s), "=r"(u) : "l"(bytes + i));
  EXPECT(s == (signed char)(200 + i) && u == (unsigned char)(200 + i));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
  asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(y) : "l"(in + i));
  EXPECT(y == i);
  uint16_t h;
  asm volatile("ld.global.ca.b16 %0, [%1];" : "=h"(h) : "l"(bytes + 2 * (i / 2)));
  EXPECT((h & 0xff) == (unsigned char)(200 + 2 * (i / 2)));
  int local = i;
  asm volatile("st.b32 [%0], %1;" ::"l"(&local), "r"(3 * i) : "memory");
  EXPECT(local == 3 * i);
}

__global__ void shared_accesses() {
  __shared__ __align__(16) uint32_t fixed[256];
  extern __shared__ __align__(16) uint32_t dynamic[];
  int const i = threadIdx.x, n = blockDim.x;
  uint32_t const to = smem_u32(fixed), more = (uint32_t)__cvta_generic_to_shared(dynamic);
  asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(to + 8 * i), "r"(i), "r"(i + 1) : "memory");
  asm volatile("st.shared.u32 [%0+%1], %2;" ::"r"(more + 4 * i), "n"(16), "r"(7 * i) : "memory");
#ifndef PLANTED
  asm volatile("bar.sync 0;" ::: "memory");
#endif
  uint32_t a, b, c, other = (i + 1) % n;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(to + 8 * other));
  asm volatile("ld.shared::cta.b32 %0, [%1 + 16];" : "=r"(c) : "r"(more + 4 * other));
  EXPECT(a == other && b == other + 1 && c == 7 * other);
  uint64_t generic;
  asm("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((uint64_t)to));
  EXPECT(generic == (uint64_t)fixed);
  asm volatile("ld.u32 %0, [%1];" : "=r"(a) : "l"(generic + 8 * i));
  EXPECT(a == i);
  uint32_t shared, global;
  asm("{ .reg .pred p, q; isspacep.shared p, %2; isspacep.global q, %2; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=r"(shared), "=r"(global)
      : "l"(generic));
  EXPECT(shared == 1 && global == 0);
}

__global__ void atomics(int* n, float* f, unsigned long long* wide, unsigned* halves) {
  int old;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(n), "r"(2) : "memory");
  EXPECT(old >= 0 && old < 2 * 64 && old % 2 == 0);
  asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(n + 1), "r"((int)threadIdx.x) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f) : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves), "r"(0x3c004000u) : "memory");
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(f + 2), "f"(1.f), "f"(2.f) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(n + 2), "r"(0), "r"((int)threadIdx.x + 1)
               : "memory");
  if (old == 0) asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(wide[1]) : "l"(wide), "l"(5ull) : "memory");
  unsigned before;
  asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(n + 3), "r"(9u) : "memory");
  EXPECT(before <= 9);
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  asm volatile("red.shared.or.b32 [%0], %1;" ::"r"(smem_u32(&count)), "r"(1u << (threadIdx.x & 31)) : "memory");
  __syncthreads();
  EXPECT(count == ~0u);
}

// A block hands a value to another one by a release and an acquire.
__global__ void handover(int* data, int* flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    asm volatile("st.global.s32 [%0], %1;" ::"l"(data), "r"(123) : "memory");
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    int seen = 0, value;
    while (seen == 0) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(data) : "memory");
    EXPECT(value == 123);
  }
}

int main() {
  float host[256];
  unsigned char small[64];
  for (int i = 0; i < 256; ++i) host[i] = i;
  for (int i = 0; i < 64; ++i) small[i] = 200 + i;
  float *in, *out;
  unsigned char* bytes;
  int* numbers;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&bytes, sizeof small);
  cudaMalloc(&numbers, 256);
  cudaMemset(numbers, 0, 256);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(bytes, small, sizeof small, cudaMemcpyHostToDevice);
  global_accesses<<<1, 32>>>(in, out, bytes);
  shared_accesses<<<2, 64, 16 + 64 * 4>>>();
  atomics<<<1, 64>>>(numbers, (float*)numbers + 16, (unsigned long long*)numbers + 16, (unsigned*)numbers + 40);
  handover<<<2, 32>>>(numbers + 48, numbers + 49);
  int result[64];
  cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDeviceToHost);
  float f[4];
  cudaMemcpy(f, numbers + 16, sizeof f, cudaMemcpyDeviceToHost);
  unsigned failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  failed += result[0] != 128 || result[1] != 63 || result[2] == 0 || result[3] != 4 || f[0] != 32.f || f[2] != 64.f ||
            f[3] != 128.f;
  failed += result[32] != 5 || result[40] != 0x54005800;  // 64 and 128 as halves
  printf("%u failures\n", failed);
  return failed != 0;
}
