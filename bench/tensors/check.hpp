// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a copy between strided tensors is right, element by element, on the GPU.
#pragma once

#include <cosmati/kernel/copy.hpp>

#include "../measure.hpp"

namespace bench {

template <class T>
__global__ void count_wrong_elements(T const* source, T const* target, cosmati::copy_problem p, std::int64_t size,
                                     unsigned long long* wrong) {
  unsigned long long mine = 0;
  for (std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; n < size;
       n += std::int64_t{gridDim.x} * blockDim.x) {
    std::int64_t rest = n, s = p.source_offset, t = p.target_offset;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const c = rest % p.mode[m].extent;
      rest /= p.mode[m].extent;
      s += c * p.mode[m].source;
      t += c * p.mode[m].target;
    }
    mine += source[s] != target[t];
  }
  if (mine != 0) atomicAdd(wrong, mine);
}

template <class From, class To>
__global__ void count_wrong_conversions(From const* source, To const* target, std::int64_t size,
                                        unsigned long long* wrong) {
  unsigned long long mine = 0;
  for (std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; n < size;
       n += std::int64_t{gridDim.x} * blockDim.x) {
    To const wanted = static_cast<To>(source[n]);
    auto const* const a = reinterpret_cast<unsigned char const*>(&wanted);
    auto const* const b = reinterpret_cast<unsigned char const*>(target + n);
    for (std::size_t k = 0; k < sizeof(To); ++k) mine += a[k] != b[k];
  }
  if (mine != 0) atomicAdd(wrong, mine);
}
template <class From, class To>
unsigned long long wrong_conversions(From const* source, To const* target, std::int64_t size) {
  cosmati::device_buffer<unsigned long long> wrong(std::vector<unsigned long long>{0});
  cosmati::launch(count_wrong_conversions<From, To>, {.grid = 2048, .block = 256}, source, target, size, wrong.data());
  return wrong.download()[0];
}

/// Elements of the target that are not the source's. @param p as given, not simplified
inline unsigned long long wrong_elements(cosmati::copy_problem const& p, void const* source, void const* target) {
  using namespace cosmati;
  device_buffer<unsigned long long> wrong(std::vector<unsigned long long>{0});
  auto const count = [&](auto zero) {
    using T = decltype(zero);
    // Elements of 16 bytes are compared in two halves.
    copy_problem q = p;
    if (p.element_bytes == 16) {
      for (int m = q.rank; m > 0; --m)
        q.mode[m] = {q.mode[m - 1].extent, 2 * q.mode[m - 1].source, 2 * q.mode[m - 1].target};
      q.mode[0] = {2, 1, 1};
      ++q.rank;
    }
    launch(count_wrong_elements<T>, {.grid = 2048, .block = 256}, static_cast<T const*>(source),
           static_cast<T const*>(target), q, q.size(), wrong.data());
  };
  switch (p.element_bytes) {
    case 1:
      count(std::uint8_t{});
      break;
    case 2:
      count(std::uint16_t{});
      break;
    case 4:
      count(std::uint32_t{});
      break;
    default:
      count(std::uint64_t{});
      break;
  }
  return wrong.download()[0];
}

}  // namespace bench
