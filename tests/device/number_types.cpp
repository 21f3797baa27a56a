// SPDX-License-Identifier: Apache-2.0
/// @file
/// The number types compared with CUDA's own: exhaustively on the host, and on a GPU if there is one.
#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "cuda_numbers.hpp"

namespace {

using namespace cosmati;

template <class To, class From>
To bits_as(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
template <class Cuda>
unsigned raw_of(Cuda const& x) {
  if constexpr (sizeof(Cuda) == 1) {
    return bits_as<std::uint8_t>(x);
  } else {
    return bits_as<std::uint16_t>(x);
  }
}

// Random bits; and near the range of narrow formats: few mantissa bits, then zeros, ones or anything.
std::vector<float> const& floats() {
  static std::vector<float> const all = [] {
    std::vector<float> result;
    std::mt19937 random(11);
    for (std::uint32_t high = 0; high < 0x10000; ++high) {
      for (std::uint32_t const low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu, 0x0fffu, 0x1000u, 0x1001u}) {
        result.push_back(bits_as<float>(high << 16 | low));
      }
      for (int i = 0; i < 20; ++i) result.push_back(bits_as<float>(static_cast<std::uint32_t>(random())));
    }
    return result;
  }();
  return all;
}
std::vector<double> const& doubles() {
  static std::vector<double> const all = [] {
    std::vector<double> result;
    std::mt19937_64 random(12);
    for (float const x : floats()) {
      double const y = x;
      result.push_back(y);
      if (random() % 4 == 0) {
        result.push_back(std::nextafter(y, 1e300));
        result.push_back(std::nextafter(y, -1e300));
        result.push_back(bits_as<double>(static_cast<std::uint64_t>(random())));
      }
    }
    return result;
  }();
  return all;
}

// Rounding from float and double, and every pattern back to float, all as CUDA's type does it.
template <class Number, class FromFloat, class FromDouble, class ToFloat>
void check_conversions(FromFloat from_float, FromDouble from_double, ToFloat to_float, int codes) {
  for (float const x : floats()) ASSERT_EQ(unsigned{Number(x).raw()}, from_float(x)) << std::hexfloat << x;
  for (double const x : doubles()) ASSERT_EQ(unsigned{Number(x).raw()}, from_double(x)) << std::hexfloat << x;
  for (int code = 0; code < codes; ++code) {
    Number const x = Number::bitcast(static_cast<typename Number::storage_type>(code));
    ASSERT_EQ(bits_as<std::uint32_t>(float(x)), bits_as<std::uint32_t>(to_float(x))) << std::hex << code;
  }
}

template <class Number>
using cuda = typename Number::cuda_type;

TEST(host_number_types, half_converts_as_cuda_s) {
  check_conversions<half_t>([](float x) { return raw_of(__float2half_rn(x)); },
                            [](double x) { return raw_of(__double2half(x)); }, [](half_t x) { return __half2float(x); },
                            0x10000);
}
TEST(host_number_types, bfloat16_converts_as_cuda_s) {
  check_conversions<bfloat16_t>([](float x) { return raw_of(__float2bfloat16_rn(x)); },
                                [](double x) { return raw_of(__double2bfloat16(x)); },
                                [](bfloat16_t x) { return __bfloat162float(x); }, 0x10000);
}
TEST(host_number_types, e4m3_converts_as_cuda_s) {
  check_conversions<float_e4m3_t>(
      [](float x) { return unsigned{__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)}; },
      [](double x) { return unsigned{__nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3)}; },
      [](float_e4m3_t x) { return float(__nv_fp8_e4m3(x)); }, 0x100);
}
TEST(host_number_types, e5m2_converts_as_cuda_s) {
  check_conversions<float_e5m2_t>(
      [](float x) { return unsigned{__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2)}; },
      [](double x) { return unsigned{__nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E5M2)}; },
      [](float_e5m2_t x) { return float(x.operator __nv_fp8_e5m2()); }, 0x100);
}
TEST(host_number_types, ue8m0_converts_as_cuda_s) {
  check_conversions<float_ue8m0_t>([](float x) { return raw_of(__nv_fp8_e8m0(x)); },
                                   [](double x) { return raw_of(__nv_fp8_e8m0(x)); },
                                   [](float_ue8m0_t x) { return float(x.operator __nv_fp8_e8m0()); }, 0x100);
}
TEST(host_number_types, e2m1_converts_as_cuda_s) {
  check_conversions<float_e2m1_t>(
      [](float x) { return unsigned{__nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest)}; },
      [](double x) { return unsigned{__nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest)}; },
      [](float_e2m1_t x) { return float(x.operator __nv_fp4_e2m1()); }, 16);
}
TEST(host_number_types, e2m3_converts_as_cuda_s) {
  check_conversions<float_e2m3_t>(
      [](float x) { return unsigned{__nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest)}; },
      [](double x) { return unsigned{__nv_cvt_double_to_fp6(x, __NV_E2M3, cudaRoundNearest)}; },
      [](float_e2m3_t x) { return float(x.operator __nv_fp6_e2m3()); }, 64);
}
TEST(host_number_types, e3m2_converts_as_cuda_s) {
  check_conversions<float_e3m2_t>(
      [](float x) { return unsigned{__nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest)}; },
      [](double x) { return unsigned{__nv_cvt_double_to_fp6(x, __NV_E3M2, cudaRoundNearest)}; },
      [](float_e3m2_t x) { return float(x.operator __nv_fp6_e3m2()); }, 64);
}

TEST(host_number_types, integers_convert_as_cuda_s) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 500000; ++i) {
    std::uint64_t const bits = (random() >> (i % 64)) << (i / 64 % 48);
    auto const check = [](auto x) {
      ASSERT_EQ(unsigned{half_t(x).raw()}, raw_of(__half(x))) << x;
      ASSERT_EQ(unsigned{bfloat16_t(x).raw()}, raw_of(__nv_bfloat16(x))) << x;
      ASSERT_EQ(unsigned{float_e4m3_t(x).raw()}, raw_of(__nv_fp8_e4m3(x))) << x;
      ASSERT_EQ(unsigned{float_e5m2_t(x).raw()}, raw_of(__nv_fp8_e5m2(x))) << x;
    };
    check(static_cast<long long>(bits));
    check(static_cast<unsigned long long>(bits));
    check(static_cast<int>(bits));
    check(static_cast<unsigned>(bits));
    check(static_cast<short>(bits));
    check(static_cast<unsigned short>(bits));
    if (HasFatalFailure()) return;
  }
}

// Every operation of the 16-bit types on a dense set of pairs and on random ones, and the unary ones on all.
template <class Number>
void check_arithmetic() {
  using native = cuda<Number>;
  auto const check = [](Number a, Number b) {
    native const x = a, y = b;
    ASSERT_EQ(unsigned{(a + b).raw()}, raw_of(__hadd(x, y)));
    ASSERT_EQ(unsigned{(a - b).raw()}, raw_of(__hsub(x, y)));
    ASSERT_EQ(unsigned{(a * b).raw()}, raw_of(__hmul(x, y)));
    ASSERT_EQ(unsigned{(a / b).raw()}, raw_of(__hdiv(x, y)));
    ASSERT_EQ(a == b, __heq(x, y));
    ASSERT_EQ(a != b, __hneu(x, y));
    ASSERT_EQ(a < b, __hlt(x, y));
    ASSERT_EQ(a <= b, __hle(x, y));
    ASSERT_EQ(a > b, __hgt(x, y));
    ASSERT_EQ(a >= b, __hge(x, y));
  };
  for (unsigned i = 0; i < 0x10000; ++i) {
    Number const a = Number::bitcast(static_cast<std::uint16_t>(i));
    native const x = a;
    ASSERT_EQ(unsigned{(-a).raw()}, raw_of(__hneg(x))) << std::hex << i;
    ASSERT_EQ(isnan(a), __hisnan(x)) << std::hex << i;
    ASSERT_EQ(isinf(a), __hisinf(x) != 0) << std::hex << i;
    ASSERT_EQ(unsigned{abs(a).raw()}, isnan(a) ? unsigned{abs(a).raw()} : raw_of(__habs(x))) << std::hex << i;
    for (unsigned j = i % 61; j < 0x10000; j += 1021) check(a, Number::bitcast(static_cast<std::uint16_t>(j)));
    if (testing::Test::HasFatalFailure()) return;
  }
  std::mt19937 random(14);
  for (int i = 0; i < 1000000; ++i) {
    std::uint32_t const bits = random();
    check(Number::bitcast(static_cast<std::uint16_t>(bits)), Number::bitcast(static_cast<std::uint16_t>(bits >> 16)));
    if (testing::Test::HasFatalFailure()) return;
  }
}
TEST(host_number_types, half_computes_as_cuda_s) { check_arithmetic<half_t>(); }
TEST(host_number_types, bfloat16_computes_as_cuda_s) { check_arithmetic<bfloat16_t>(); }

float takes_half(__half x) { return __half2float(x); }

TEST(host_number_types, convert_to_cuda_s_and_back) {
  half_t const x(1.5f);
  __half h = x;
  h = __half(x);
  h = static_cast<__half>(x);
  h = x.to_half();
  EXPECT_EQ(takes_half(x), 1.5f);
  EXPECT_EQ(half_t(h), x);
  half_t y;
  y = h;
  EXPECT_EQ(y, x);
  EXPECT_EQ(__half2float(x + h), 3.f);  // with CUDA's type, CUDA's operators
  __nv_bfloat16 b = bfloat16_t(2.5f);
  b = bfloat16_t(3).to_nv_bfloat16();
  EXPECT_EQ(bfloat16_t(b), 3.f);
  __nv_fp8_e4m3 e = float_e4m3_t(7);
  e = float_e4m3_t(8);
  EXPECT_EQ(float_e4m3_t(e), 8.f);
  for (unsigned i = 0; i < 0x10000; ++i) {  // bit by bit, NaNs too
    half_t const z = half_t::bitcast(static_cast<std::uint16_t>(i));
    ASSERT_EQ(raw_of(z.operator __half()), i);
    ASSERT_EQ(unsigned{half_t(z.operator __half()).raw()}, i);
  }
}

// On the GPU.

bool there_is_a_gpu() {
  int count = 0;
  bool const found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  static_cast<void>(cudaGetLastError());
  return found;
}

template <class T>
struct device_array {
  T* data = nullptr;
  std::size_t size;

  explicit device_array(std::vector<T> const& values) : size(values.size()) {
    EXPECT_EQ(cudaMalloc(&data, size * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  device_array(device_array const&) = delete;
  device_array& operator=(device_array const&) = delete;
  ~device_array() { cudaFree(data); }
};

template <class T>
std::vector<T> download(device_array<T> const& array) {
  std::vector<T> values(array.size);
  EXPECT_EQ(cudaMemcpy(values.data(), array.data, array.size * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return values;
}

template <class Number, class From>
__global__ void round_all(From const* in, Number* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = Number(in[i]);
}
template <class Number>
__global__ void widen_all(Number const* in, float* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = float(in[i]);
}
template <class Number>
__global__ void compute_all(Number const* a, Number const* b, Number* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[4 * i] = a[i] + b[i];
    out[4 * i + 1] = a[i] - b[i];
    out[4 * i + 2] = a[i] * b[i];
    out[4 * i + 3] = a[i] / b[i];
  }
}

template <class Number>
class gpu_number_types : public testing::Test {};
using gpu_types = testing::Types<half_t, bfloat16_t, tfloat32_t, float_e4m3_t, float_e5m2_t, float_ue4m3_t,
                                 float_ue8m0_t, float_e2m1_t, float_e2m3_t, float_e3m2_t>;
TYPED_TEST_SUITE(gpu_number_types, gpu_types);

TYPED_TEST(gpu_number_types, are_the_host_s) {
  if (!there_is_a_gpu()) GTEST_SKIP() << "no GPU";
  using number = TypeParam;
  auto const round = [](auto const& in) {
    device_array from(in);
    device_array<number> to(std::vector<number>(in.size()));
    round_all<<<256, 256>>>(from.data, to.data, static_cast<unsigned>(in.size()));
    auto const out = download(to);
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(unsigned{out[i].raw()}, unsigned{number(in[i]).raw()}) << std::hexfloat << in[i];
    }
  };
  round(floats());
  round(doubles());

  std::vector<number> codes;
  std::uint32_t const count = 1u << minifloat_code<typename number::format>::width;
  for (std::uint32_t code = 0; code < count; ++code) codes.push_back(number::from_code(code));
  device_array from(codes);
  device_array<float> to(std::vector<float>(codes.size()));
  widen_all<<<256, 256>>>(from.data, to.data, count);
  auto const wide = download(to);
  for (std::uint32_t code = 0; code < count; ++code) {
    float const expected = float(codes[code]);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide[code])) << std::hex << code;
    } else {
      ASSERT_EQ(bits_as<std::uint32_t>(wide[code]), bits_as<std::uint32_t>(expected)) << std::hex << code;
    }
  }

  std::mt19937 random(15);
  std::vector<number> a, b;
  for (int i = 0; i < 1000000; ++i) {
    a.push_back(codes[random() % count]);
    b.push_back(codes[random() % count]);
  }
  device_array a_there(a), b_there(b);
  device_array<number> c_there(std::vector<number>(4 * a.size()));
  compute_all<<<256, 256>>>(a_there.data, b_there.data, c_there.data, static_cast<unsigned>(a.size()));
  auto const c = download(c_there);
  for (std::size_t i = 0; i < a.size(); ++i) {
    number const expected[] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] / b[i]};
    for (int k = 0; k < 4; ++k) {
      ASSERT_EQ(unsigned{c[4 * i + k].raw()}, unsigned{expected[k].raw()})
          << float(a[i]) << " +-*/"[k + 1] << float(b[i]);
    }
  }
}

// Numbers by `.rna`. NaNs by `.rn`, which makes them all one; `.rna` cuts their payload, some to an infinity.
__global__ void round_in_hardware(float const* in, std::uint32_t* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] == in[i]) {
      asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[i]) : "f"(in[i]));
    } else {
#if __CUDA_ARCH__ >= 900
      asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(out[i]) : "f"(in[i]));
#else
      out[i] = 0x7fffe000;
#endif
    }
  }
}

TEST(gpu_hardware, tfloat32_is_the_hardware_s) {
  if (!there_is_a_gpu()) GTEST_SKIP() << "no GPU";
  device_array<float> in(floats());
  device_array<std::uint32_t> out(std::vector<std::uint32_t>(floats().size()));
  round_in_hardware<<<256, 256>>>(in.data, out.data, static_cast<unsigned>(floats().size()));
  auto const bits = download(out);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    ASSERT_EQ(bits[i], tfloat32_t(floats()[i]).raw()) << std::hexfloat << floats()[i];
  }
}

}  // namespace

#endif
