// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's cub/block/block_reduce.cuh and block_scan.cuh provide. The temporary storage is real shared memory: a
/// second use without `__syncthreads()` between is a race.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_warp.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()
#define COSMATI_AT_ file, line

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/// The sum over the threads of a block, or another operation. Thread 0 has the result.
template <class T, int DimX, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int DimY = 1, int DimZ = 1,
          int Arch = 0>
class BlockReduce {
  static constexpr int threads = DimX * DimY * DimZ, warps = (threads + 31) / 32;

 public:
  struct TempStorage {
    detail::raw_values<T, warps> partial;
  };
  BlockReduce() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockReduce(TempStorage& storage) : storage_(&storage) {}

  template <class Operation>
  T Reduce(T input, Operation operation, COSMATI_SITE_) const {
    return of_first(input, operation, threads, COSMATI_AT_);
  }
  /// @param valid the number of threads that have an input
  template <class Operation>
  T Reduce(T input, Operation operation, int valid, COSMATI_SITE_) const {
    return of_first(input, operation, valid, COSMATI_AT_);
  }
  template <int Items, class Operation>
  T Reduce(T (&inputs)[Items], Operation operation, COSMATI_SITE_) const {
    T partial = inputs[0];
    for (int i = 1; i < Items; ++i) partial = operation(partial, inputs[i]);
    return of_first(partial, operation, threads, COSMATI_AT_);
  }
  T Sum(T input, COSMATI_SITE_) const { return Reduce(input, cub::Sum{}, COSMATI_AT_); }
  T Sum(T input, int valid, COSMATI_SITE_) const { return Reduce(input, cub::Sum{}, valid, COSMATI_AT_); }
  template <int Items>
  T Sum(T (&inputs)[Items], COSMATI_SITE_) const {
    return Reduce(inputs, cub::Sum{}, COSMATI_AT_);
  }

 private:
  template <class Operation>
  T of_first(T input, Operation operation, int valid, char const* file, int line) const {
    // With as many inputs as threads, a block that is smaller than the template's arguments works, too: no warp that is
    // absent is waited for. Kernels whose block has a size of run time rely on it.
    int const there = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
    if (valid > there || there > threads)
      detail::check_block("cub::BlockReduce: the block has another number of threads than the template's arguments say",
                          threads, file, line);
    int const thread = detail::thread_of_block(), warp = thread / 32;
    T result = detail::reduced<32>(input, (valid < threads ? valid : threads) - 32 * warp, operation, file, line);
    if (thread % 32 == 0) storage_->partial[warp] = result;
    __syncthreads(file, line);
    if (thread != 0) return result;
    for (int w = 1; w < warps && 32 * w < valid; ++w) result = operation(result, storage_->partial[w]);
    return result;
  }
  TempStorage* storage_;
};

/// The sums over the threads of a block up to each, or another operation. Several items of a thread follow each other.
template <class T, int DimX, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockScan {
  static constexpr int threads = DimX * DimY * DimZ, warps = (threads + 31) / 32;

 public:
  struct TempStorage {
    detail::raw_values<T, warps> partial;
    detail::raw_values<T, 1> prefix;
  };
  BlockScan() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockScan(TempStorage& storage) : storage_(&storage) {}

  /// @name Scans of one item a thread. The aggregate is that of all inputs, without the initial value. A callback gets
  /// the aggregate and gives the value that precedes the block's first.
  /// @{
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation, COSMATI_SITE_) const {
    output = all(input, operation, file, line).inclusive;
  }
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation, T& aggregate, COSMATI_SITE_) const {
    sums const s = all(input, operation, file, line);
    output = s.inclusive;
    aggregate = s.aggregate;
  }
  template <class Operation, class Callback>
  void InclusiveScan(T input, T& output, Operation operation, Callback& callback, COSMATI_SITE_) const {
    sums const s = all(input, operation, file, line);
    output = operation(prefix_of(s.aggregate, callback, file, line), s.inclusive);
  }
  /// Without an initial value the output of thread 0 is undefined; here it is the input.
  template <class Operation>
  void ExclusiveScan(T input, T& output, Operation operation, COSMATI_SITE_) const {
    output = all(input, operation, file, line).exclusive;
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, COSMATI_SITE_) const {
    output = after(initial, all(input, operation, file, line), operation);
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate, COSMATI_SITE_) const {
    sums const s = all(input, operation, file, line);
    output = after(initial, s, operation);
    aggregate = s.aggregate;
  }
  template <class Operation, class Callback>
  requires(!std::is_convertible_v<Operation, T> ||
           std::is_class_v<Operation>) void ExclusiveScan(T input, T& output, Operation operation, Callback& callback,
                                                          COSMATI_SITE_) const {
    sums const s = all(input, operation, file, line);
    output = after(prefix_of(s.aggregate, callback, file, line), s, operation);
  }
  void InclusiveSum(T input, T& output, COSMATI_SITE_) const { InclusiveScan(input, output, Sum{}, COSMATI_AT_); }
  void InclusiveSum(T input, T& output, T& aggregate, COSMATI_SITE_) const {
    InclusiveScan(input, output, Sum{}, aggregate, COSMATI_AT_);
  }
  template <class Callback>
  void InclusiveSum(T input, T& output, Callback& callback, COSMATI_SITE_) const {
    InclusiveScan(input, output, Sum{}, callback, COSMATI_AT_);
  }
  void ExclusiveSum(T input, T& output, COSMATI_SITE_) const { ExclusiveScan(input, output, T{}, Sum{}, COSMATI_AT_); }
  void ExclusiveSum(T input, T& output, T& aggregate, COSMATI_SITE_) const {
    ExclusiveScan(input, output, T{}, Sum{}, aggregate, COSMATI_AT_);
  }
  template <class Callback>
  void ExclusiveSum(T input, T& output, Callback& callback, COSMATI_SITE_) const {
    sums const s = all(input, Sum{}, file, line);
    output = after(prefix_of(s.aggregate, callback, file, line), s, Sum{});
  }
  /// @}

  /// @name Scans of several items a thread
  /// @{
  template <int Items, class Operation>
  void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Operation operation, COSMATI_SITE_) const {
    T aggregate = inputs[0];
    InclusiveScan(inputs, outputs, operation, aggregate, COSMATI_AT_);
  }
  template <int Items, class Operation>
  void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Operation operation, T& aggregate, COSMATI_SITE_) const {
    sums const s = all(total(inputs, operation), operation, file, line);
    T sum = detail::thread_of_block() == 0 ? inputs[0] : static_cast<T>(operation(s.exclusive, inputs[0]));
    for (int i = 0; i < Items; ++i) {
      if (i != 0) sum = operation(sum, inputs[i]);
      outputs[i] = sum;
    }
    aggregate = s.aggregate;
  }
  template <int Items, class Operation>
  void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Operation operation, COSMATI_SITE_) const {
    T aggregate = inputs[0];
    ExclusiveScan(inputs, outputs, initial, operation, aggregate, COSMATI_AT_);
  }
  template <int Items, class Operation>
  void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Operation operation, T& aggregate,
                     COSMATI_SITE_) const {
    sums const s = all(total(inputs, operation), operation, file, line);
    spread(inputs, outputs, after(initial, s, operation), operation);
    aggregate = s.aggregate;
  }
  template <int Items>
  void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], COSMATI_SITE_) const {
    InclusiveScan(inputs, outputs, Sum{}, COSMATI_AT_);
  }
  template <int Items>
  void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], T& aggregate, COSMATI_SITE_) const {
    InclusiveScan(inputs, outputs, Sum{}, aggregate, COSMATI_AT_);
  }
  template <int Items>
  void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], COSMATI_SITE_) const {
    ExclusiveScan(inputs, outputs, T{}, Sum{}, COSMATI_AT_);
  }
  template <int Items>
  void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], T& aggregate, COSMATI_SITE_) const {
    ExclusiveScan(inputs, outputs, T{}, Sum{}, aggregate, COSMATI_AT_);
  }
  template <int Items, class Callback>
  void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Callback& callback, COSMATI_SITE_) const {
    sums const s = all(total(inputs, Sum{}), Sum{}, file, line);
    spread(inputs, outputs, after(prefix_of(s.aggregate, callback, file, line), s, Sum{}), Sum{});
  }
  template <int Items, class Callback>
  void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Callback& callback, COSMATI_SITE_) const {
    sums const s = all(total(inputs, Sum{}), Sum{}, file, line);
    T sum = after(prefix_of(s.aggregate, callback, file, line), s, Sum{});
    for (int i = 0; i < Items; ++i) outputs[i] = sum = sum + inputs[i];
  }
  /// @}

 private:
  struct sums {
    T inclusive, exclusive, aggregate;
  };

  template <class Operation>
  sums all(T input, Operation operation, char const* file, int line) const {
    detail::check_block("cub::BlockScan: the block has another number of threads than the template's arguments say",
                        threads, file, line);
    int const thread = detail::thread_of_block(), warp = thread / 32;
    T const own = detail::scanned<32>(input, operation, file, line);
    T const below = detail::lanes_of<32>::from_below(own, 1, file, line);
    if (thread % 32 == 31 || thread == threads - 1) storage_->partial[warp] = own;
    __syncthreads(file, line);
    sums s = {own, below, storage_->partial[0]};
    for (int w = 1; w < warps; ++w) {
      if (w == warp) {
        s.inclusive = operation(s.aggregate, own);
        s.exclusive = thread % 32 == 0 ? s.aggregate : static_cast<T>(operation(s.aggregate, below));
      }
      s.aggregate = operation(s.aggregate, storage_->partial[w]);
    }
    return s;
  }
  template <class Operation>
  static T after(T const& initial, sums const& s, Operation operation) {
    return detail::thread_of_block() == 0 ? initial : static_cast<T>(operation(initial, s.exclusive));
  }
  /// The first warp calls; the value of its first lane counts.
  template <class Callback>
  T prefix_of(T const& aggregate, Callback& callback, char const* file, int line) const {
    int const thread = detail::thread_of_block();
    if (thread < 32) {
      T const prefix = callback(aggregate);
      if (thread == 0) storage_->prefix[0] = prefix;
    }
    __syncthreads(file, line);
    return storage_->prefix[0];
  }
  template <int Items, class Operation>
  static T total(T (&inputs)[Items], Operation operation) {
    T sum = inputs[0];
    for (int i = 1; i < Items; ++i) sum = operation(sum, inputs[i]);
    return sum;
  }
  template <int Items, class Operation>
  static void spread(T (&inputs)[Items], T (&outputs)[Items], T sum, Operation operation) {
    for (int i = 0; i < Items; ++i) {
      T const input = inputs[i];  // the outputs may be the inputs
      outputs[i] = sum;
      sum = operation(sum, input);
    }
  }
  TempStorage* storage_;
};

}  // namespace cub

#undef COSMATI_SITE_
#undef COSMATI_AT_

#endif

#include <cosmati/core/macros_end.hpp>
