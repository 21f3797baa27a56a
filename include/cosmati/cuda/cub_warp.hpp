// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's cub/warp provides: WarpReduce and WarpScan, by shuffles.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_types.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()
#define COSMATI_AT_ file, line

namespace cub {

namespace detail {

/// The threads of a warp that work together: `Size` lanes that follow each other.
template <int Size>
struct lanes_of {
  static_assert(Size >= 1 && Size <= 32, "a warp of CUB has 1 to 32 threads");
  static int lane() { return thread_of_block() % 32 % Size; }
  static unsigned mask() {
    if constexpr (Size == 32) {
      return lanes_of_warp();
    } else {
      return (((1u << Size) - 1u) << (thread_of_block() % 32 / Size * Size)) & lanes_of_warp();
    }
  }
  /// The value of another lane of these.
  template <class T>
  static T of_lane(T const& value, int lane, COSMATI_SITE_) {
    int const first = thread_of_block() % 32 / Size * Size;
    unsigned const lanes = mask();
    return shuffled(value, [&](unsigned word) { return __shfl_sync(lanes, word, first + lane, 32, file, line); });
  }
  template <class T>
  static T from_above(T const& value, int distance, COSMATI_SITE_) {
    return of_lane(value, lane() + distance < Size ? lane() + distance : lane(), file, line);
  }
  template <class T>
  static T from_below(T const& value, int distance, COSMATI_SITE_) {
    return of_lane(value, lane() >= distance ? lane() - distance : lane(), file, line);
  }
};

/// The sum of the first `valid` lanes, in lane 0; with any operation for the sum.
template <int Size, class T, class Operation>
T reduced(T value, int valid, Operation operation, COSMATI_SITE_) {
  using lanes = lanes_of<Size>;
  for (int step = 1; step < Size; step *= 2) {
    T const other = lanes::from_above(value, step, file, line);
    if (lanes::lane() + step < valid && lanes::lane() + step < Size) value = operation(value, other);
  }
  return value;
}

/// The sum of this and the lanes below.
template <int Size, class T, class Operation>
T scanned(T value, Operation operation, COSMATI_SITE_) {
  using lanes = lanes_of<Size>;
  for (int step = 1; step < Size; step *= 2) {
    T const other = lanes::from_below(value, step, file, line);
    if (lanes::lane() >= step) value = operation(other, value);
  }
  return value;
}

/// The number of lanes of these that exist in a block whose last warp is cut.
template <int Size>
int present() {
  return __popc(lanes_of<Size>::mask());
}

}  // namespace detail

/// The sum over the threads of a warp, or another operation. Lane 0 has the result.
template <class T, int Threads = 32, int Arch = 0>
class WarpReduce {
 public:
  using TempStorage = detail::no_storage;
  explicit WarpReduce(TempStorage&) {}
  template <class Operation>
  T Reduce(T input, Operation operation, COSMATI_SITE_) const {
    return detail::reduced<Threads>(input, detail::present<Threads>(), operation, COSMATI_AT_);
  }
  /// @param valid the number of lanes that have an input
  template <class Operation>
  T Reduce(T input, Operation operation, int valid, COSMATI_SITE_) const {
    return detail::reduced<Threads>(input, valid, operation, COSMATI_AT_);
  }
  T Sum(T input, COSMATI_SITE_) const { return Reduce(input, cub::Sum{}, COSMATI_AT_); }
  T Sum(T input, int valid, COSMATI_SITE_) const { return Reduce(input, cub::Sum{}, valid, COSMATI_AT_); }
  T Max(T input, COSMATI_SITE_) const { return Reduce(input, cub::Max{}, COSMATI_AT_); }
  T Min(T input, COSMATI_SITE_) const { return Reduce(input, cub::Min{}, COSMATI_AT_); }
};

/// The sums over the threads of a warp up to each, or another operation.
template <class T, int Threads = 32, int Arch = 0>
class WarpScan {
  using lanes = detail::lanes_of<Threads>;

 public:
  using TempStorage = detail::no_storage;
  explicit WarpScan(TempStorage&) {}
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation, COSMATI_SITE_) const {
    output = detail::scanned<Threads>(input, operation, COSMATI_AT_);
  }
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation, T& aggregate, COSMATI_SITE_) const {
    output = detail::scanned<Threads>(input, operation, COSMATI_AT_);
    aggregate = lanes::of_lane(output, detail::present<Threads>() - 1, COSMATI_AT_);
  }
  /// Without an initial value the output of lane 0 is undefined; here it is the input.
  template <class Operation>
  void ExclusiveScan(T input, T& output, Operation operation, COSMATI_SITE_) const {
    T const all = detail::scanned<Threads>(input, operation, COSMATI_AT_);
    output = lanes::from_below(all, 1, COSMATI_AT_);
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, COSMATI_SITE_) const {
    T const all = detail::scanned<Threads>(input, operation, COSMATI_AT_);
    T const below = lanes::from_below(all, 1, COSMATI_AT_);
    output = lanes::lane() == 0 ? initial : static_cast<T>(operation(initial, below));
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate, COSMATI_SITE_) const {
    T const all = detail::scanned<Threads>(input, operation, COSMATI_AT_);
    T const below = lanes::from_below(all, 1, COSMATI_AT_);
    output = lanes::lane() == 0 ? initial : static_cast<T>(operation(initial, below));
    aggregate = lanes::of_lane(all, detail::present<Threads>() - 1, COSMATI_AT_);
  }
  void InclusiveSum(T input, T& output, COSMATI_SITE_) const { InclusiveScan(input, output, Sum{}, COSMATI_AT_); }
  void InclusiveSum(T input, T& output, T& aggregate, COSMATI_SITE_) const {
    InclusiveScan(input, output, Sum{}, aggregate, COSMATI_AT_);
  }
  void ExclusiveSum(T input, T& output, COSMATI_SITE_) const { ExclusiveScan(input, output, T{}, Sum{}, COSMATI_AT_); }
  void ExclusiveSum(T input, T& output, T& aggregate, COSMATI_SITE_) const {
    ExclusiveScan(input, output, T{}, Sum{}, aggregate, COSMATI_AT_);
  }
  /// The value of one lane.
  T Broadcast(T input, unsigned lane, COSMATI_SITE_) const {
    return lanes::of_lane(input, static_cast<int>(lane), COSMATI_AT_);
  }
};

}  // namespace cub

#undef COSMATI_SITE_
#undef COSMATI_AT_

#endif

#include <cosmati/core/macros_end.hpp>
