// SPDX-License-Identifier: Apache-2.0
// Copies through registers: rows at any address, and elements that are converted on the way.
#include <cosmati/kernel/copy/direct.hpp>
#include <cosmati/number/complex.hpp>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

TEST(CopyThroughRegisters, RowsAtAnyAddressInVectors) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(3);
  for (int e = 1; e <= 8; e *= 2) {
    for (int const vector : {16 / e}) {
      // Rows of fewer elements than a vector, rows of whole vectors, and rows with every remainder.
      for (std::int64_t const row : {vector - 1, vector, 4 * vector, 6 * vector + 1}) {
        if (row == 1) continue;
        for (int const stride : {1, 3, 0, -1}) {
          copy_problem p;
          p.element_bytes = e;
          p.push(row, stride, 1);
          p.push(vector + 1, 3 * row + 1, row + 1);  // rows begin at each element of a vector
          if (stride < 0) p.source_offset = row;
          auto const shift = static_cast<std::size_t>((row + stride + 1) % 4 * e);
          expect_copied_by(p, shift, 3 * static_cast<std::size_t>(e), random, [&](copy_plans const&) {
            copy_plan plan;
            plan.vector = vector;
            return plan;
          });
        }
      }
    }
  }
}

/// Rows of `columns` elements, converted, and the same transposed.
template <class From, class To>
void expect_converted(int columns, int gap) {
  int const rows = 9, pitch = columns + gap;
  std::vector<From> host(static_cast<std::size_t>(rows * pitch));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<From>(static_cast<float>(i % 120) + 0.25f);
  device_buffer<From> in(host);
  device_buffer<To> out(static_cast<std::size_t>(rows * pitch));
  out.clear();
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(rows, columns), make_stride(pitch, 1)));
  for (bool const transposed : {false, true}) {
    auto const dst =
        make_tensor(make_gmem_ptr(out.data()),
                    make_layout(make_shape(rows, columns), transposed ? make_stride(1, rows) : make_stride(pitch, 1)));
    copy_tensor(src, dst);
    auto const got = out.download();
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        auto const at = static_cast<std::size_t>(transposed ? i + rows * j : pitch * i + j);
        ASSERT_TRUE(got[at] == static_cast<To>(host[static_cast<std::size_t>(pitch * i + j)])) << i << ' ' << j;
      }
    }
  }
}

TEST(CopyThroughRegisters, Converts) {
  COSMATI_REQUIRE_DEVICE();
  for (int columns : {64, 61, 131}) {
    expect_converted<float, bfloat16_t>(columns, 0);
    expect_converted<bfloat16_t, float>(columns, 3);
    expect_converted<float, half_t>(columns, 0);
    expect_converted<half_t, float>(columns, 1);
    expect_converted<float, float_e4m3_t>(columns, 0);
    expect_converted<float_e5m2_t, half_t>(columns, 0);
    expect_converted<std::int32_t, float>(columns, 0);
    expect_converted<double, std::int8_t>(columns, 0);
    expect_converted<std::uint8_t, std::int64_t>(columns, 0);
  }
}

/// Converts at addresses that are no multiples of the elements' sizes: complex numbers need less alignment.
template <class From, class To, class Number>
void expect_converted_at(std::size_t from, std::size_t to) {
  int const rows = 7, columns = 33;
  std::vector<From> host(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = From(static_cast<Number>(i % 100 + 1));
  std::vector<unsigned char> bytes(from + host.size() * sizeof(From)), filled(to + host.size() * sizeof(To) + 16, 0xa5);
  std::memcpy(bytes.data() + from, host.data(), host.size() * sizeof(From));
  device_buffer<unsigned char> in(bytes);
  for (bool const transposed : {false, true}) {
    device_buffer<unsigned char> out(filled);
    auto const layout = make_layout(make_shape(rows, columns), make_stride(columns, 1));
    auto const other = transposed ? make_layout(make_shape(rows, columns), make_stride(1, rows)) : layout;
    copy_tensor(make_tensor(make_gmem_ptr(reinterpret_cast<From const*>(in.data() + from)), layout),
                make_tensor(make_gmem_ptr(reinterpret_cast<To*>(out.data() + to)), other));
    auto wanted = filled;
    for (int i = 0; i < rows * columns; ++i) {
      To const x = static_cast<To>(host[static_cast<std::size_t>(layout(i))]);
      std::memcpy(wanted.data() + to + static_cast<std::size_t>(other(i)) * sizeof(To), &x, sizeof x);
    }
    EXPECT_TRUE(out.download() == wanted) << sizeof(From) << " at " << from << " to " << sizeof(To) << " at " << to;
  }
}

TEST(CopyThroughRegisters, ConvertsAtAnyAddress) {
  COSMATI_REQUIRE_DEVICE();
  for (std::size_t const shift : {0u, 4u, 8u, 12u}) {
    expect_converted_at<complex<float>, complex<double>, float>(4, shift);
    expect_converted_at<complex<double>, complex<float>, double>(shift, 4);
  }
  for (std::size_t const shift : {0u, 1u, 2u, 3u, 5u}) {
    expect_converted_at<float, half_t, float>(shift, 0);
    expect_converted_at<half_t, float, float>(2, shift);
    expect_converted_at<float, float_e4m3_t, float>(shift, shift);
    expect_converted_at<std::int8_t, double, int>(1, shift);
  }
}

/// Every element has the bits that a cast on the host gives. A NaN may have the bits of any NaN.
template <class From, class To>
void expect_cast(std::vector<From> const& host) {
  device_buffer<From> in(host);
  device_buffer<To> out(host.size());
  out.clear();
  int const n = static_cast<int>(host.size());
  copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(n)),
              make_tensor(make_gmem_ptr(out.data()), make_layout(n)));
  auto const got = out.download();
  for (std::size_t i = 0; i < host.size(); ++i) {
    To const wanted = static_cast<To>(host[i]);
    bool const both_nan = wanted != wanted && got[i] != got[i];
    ASSERT_TRUE(both_nan || std::memcmp(&wanted, &got[i], sizeof wanted) == 0)
        << i << ": " << static_cast<float>(host[i]) << " -> " << static_cast<float>(got[i]);
  }
}

/// All values of a type of 8 or 16 bits.
template <class T>
std::vector<T> all_codes() {
  std::vector<T> codes;
  for (unsigned k = 0; k < 1u << (8 * sizeof(T)); ++k) codes.push_back(T::from_code(k));
  return codes;
}

TEST(CopyThroughRegisters, ConvertsEveryNumberAsACastDoes) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> floats = {0.f,     -0.f,    INFINITY, -INFINITY, NAN,   448.f,  464.f,   465.f,
                               57344.f, 61440.f, 65519.f,  65520.f,   1e-8f, 1e-40f, 3.4e38f, -3.4e38f};
  std::mt19937 random(5);
  while (floats.size() % 64 != 37 || floats.size() < 20000) {  // numbers of all magnitudes, most of them in the range
                                                               // of 8-bit formats
    float const f = static_cast<float>(random()) / 4294967296.f - 0.5f;
    floats.push_back(std::ldexp(
        f, static_cast<int>(random() % (floats.size() % 2 != 0 ? 250 : 36)) - (floats.size() % 2 != 0 ? 125 : 20)));
  }
  auto const halves = all_codes<half_t>();
  auto const bfloats = all_codes<bfloat16_t>();
  expect_cast<float, half_t>(floats);
  expect_cast<float, bfloat16_t>(floats);
  expect_cast<float, float_e4m3_t>(floats);
  expect_cast<float, float_e5m2_t>(floats);
  expect_cast<half_t, float>(halves);
  expect_cast<half_t, float_e4m3_t>(halves);
  expect_cast<half_t, float_e5m2_t>(halves);
  expect_cast<bfloat16_t, float_e4m3_t>(bfloats);
  expect_cast<bfloat16_t, half_t>(bfloats);
  expect_cast<float_e4m3_t, float>(all_codes<float_e4m3_t>());
  expect_cast<float_e4m3_t, half_t>(all_codes<float_e4m3_t>());
  expect_cast<float_e4m3_t, bfloat16_t>(all_codes<float_e4m3_t>());
  expect_cast<float_e5m2_t, float>(all_codes<float_e5m2_t>());
  expect_cast<float_e5m2_t, half_t>(all_codes<float_e5m2_t>());
}

}  // namespace
