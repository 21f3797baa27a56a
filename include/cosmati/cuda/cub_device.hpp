// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's cub/device provides of reductions, scans, sorts and selections. One thread does the work.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <concepts>
#include <cosmati/cuda/cub_by_key.hpp>
#include <cosmati/cuda/cub_sort.hpp>
#include <limits>

namespace cub {

namespace detail {

/// A stable sort by one digit of 8 bits after the other, between the caller's arrays and the storage.
template <class Key, class Value>
struct radix_sorter {
  Key const* keys_in;
  Key* keys_out;
  Value const* values_in;
  Value* values_out;
  std::size_t count;
  int begin, end;
  bool descending;

  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  std::size_t storage_bytes() const {
    std::size_t const values = values_out == nullptr ? 0 : aligned(count * sizeof(Value));
    return aligned(count * sizeof(Key)) + values + least_storage;
  }
  void operator()(unsigned char* storage) const {
    Key* const keys = reinterpret_cast<Key*>(storage);
    Value* const values = reinterpret_cast<Value*>(storage + aligned(count * sizeof(Key)));
    for (std::size_t i = 0; i < count; ++i) {
      keys_out[i] = keys_in[i];
      if (values_out != nullptr) values_out[i] = values_in[i];
    }
    for (int at = begin; at < end; at += 8) pass(keys, values, at, end - at < 8 ? end - at : 8);
  }
  void pass(Key* keys, Value* values, int at, int bits) const {
    std::size_t places[257] = {};
    for (std::size_t i = 0; i < count; ++i) ++places[digit_of(keys_out[i], descending, at, bits) + 1];
    for (int d = 0; d < 256; ++d) places[d + 1] += places[d];
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t const place = places[digit_of(keys_out[i], descending, at, bits)]++;
      keys[place] = keys_out[i];
      if (values_out != nullptr) values[place] = values_out[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
      keys_out[i] = keys[i];
      if (values_out != nullptr) values_out[i] = values[i];
    }
  }
};

}  // namespace detail

/// Two arrays of a sort; `Current()` is the one that holds the data.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* other) : d_buffers{current, other} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

/// Reductions of arrays.
struct DeviceReduce : detail::reductions_by_key {
  template <class In, class Out, class Operation, class T, class Count>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, Count count, Operation operation,
                            T initial, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      detail::sum_of<Operation, In, T> sum = initial;
      for (Count i = 0; i < count; ++i) sum = operation(sum, in[i]);
      *out = sum;
    });
  }
  template <class In, class Out, class Operation, class Change, class T, class Count>
  static cudaError_t TransformReduce(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                     Operation operation, Change change, T initial, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      std::decay_t<std::invoke_result_t<Operation&, T, decltype(change(in[0]))>> sum = initial;
      for (Count i = 0; i < count; ++i) sum = operation(sum, change(in[i]));
      *out = sum;
    });
  }
  template <class In, class Out, class Count>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, count, cub::Sum{}, detail::value_of<Out>{}, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    using T = detail::value_of<In>;
    return Reduce(storage, bytes, in, out, count, cub::Min{}, std::numeric_limits<T>::max(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    using T = detail::value_of<In>;
    return Reduce(storage, bytes, in, out, count, cub::Max{}, std::numeric_limits<T>::lowest(), stream);
  }
  /// @param out gets a KeyValuePair of the index and the value
  template <class In, class Out, class Count>
  static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, Count count,
                            cudaStream_t stream = nullptr) {
    return best(storage, bytes, in, out, count, stream, [](auto const& a, auto const& b) { return a < b; });
  }
  template <class In, class Out, class Count>
  static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, Count count,
                            cudaStream_t stream = nullptr) {
    return best(storage, bytes, in, out, count, stream, [](auto const& a, auto const& b) { return b < a; });
  }

 private:
  template <class In, class Out, class Count, class Better>
  static cudaError_t best(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream,
                          Better better) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      detail::value_of<Out> found;
      found.key = 0;
      found.value = in[0];
      for (Count i = 1; i < count; ++i) {
        if (!better(in[i], found.value)) continue;
        found.key = static_cast<decltype(found.key)>(i);
        found.value = in[i];
      }
      *out = found;
    });
  }
};

/// Scans of arrays. The output may be the input. Without an output the array itself gets the sums.
struct DeviceScan : detail::scans_by_key {
  template <class In, class Out, class Operation, class T, std::integral Count>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operation operation, T initial,
                                   Count count, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      detail::sum_of<Operation, In, T> sum = initial;
      for (Count i = 0; i < count; ++i) {
        auto const next = static_cast<detail::sum_of<Operation, In, T>>(operation(sum, in[i]));
        out[i] = sum;
        sum = next;
      }
    });
  }
  template <class In, class Out, class Operation, class T, std::integral Count>
  static cudaError_t InclusiveScanInit(void* storage, std::size_t& bytes, In in, Out out, Operation operation,
                                       T initial, Count count, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      detail::sum_of<Operation, In, T> sum = initial;
      for (Count i = 0; i < count; ++i) out[i] = sum = operation(sum, in[i]);
    });
  }
  template <class In, class Out, class Operation, std::integral Count>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operation operation, Count count,
                                   cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      if (count <= 0) return;
      detail::sum_of<Operation, In> sum = in[0];
      out[0] = sum;
      for (Count i = 1; i < count; ++i) out[i] = sum = operation(sum, in[i]);
    });
  }
  template <class In, class Out, std::integral Count>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, in, out, Sum{}, detail::value_of<In>{}, count, stream);
  }
  template <class In, class Out, std::integral Count>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, Sum{}, count, stream);
  }
  template <class Data, class Operation, class T, std::integral Count>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, Data data, Operation operation, T initial,
                                   Count count, cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, data, data, operation, initial, count, stream);
  }
  template <class Data, class Operation, std::integral Count>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, Data data, Operation operation, Count count,
                                   cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, data, data, operation, count, stream);
  }
  template <class Data, std::integral Count>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, Data data, Count count,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveSum(storage, bytes, data, data, count, stream);
  }
  template <class Data, std::integral Count>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, Data data, Count count,
                                  cudaStream_t stream = nullptr) {
    return InclusiveSum(storage, bytes, data, data, count, stream);
  }
};

/// Stable sorts of arrays, ascending or descending, of keys alone or with a value each.
struct DeviceRadixSort {
#define COSMATI_SORTS_(suffix, descends)                                                                              \
  template <class Key, class Count>                                                                                   \
  static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, Key const* in, Key* out, Count count,        \
                                      int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {      \
    return sort<Key, NullType>(storage, bytes, in, out, nullptr, nullptr, count, begin, end, descends, stream);       \
  }                                                                                                                   \
  template <class Key, class Value, class Count>                                                                      \
  static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, Key const* keys_in, Key* keys_out,          \
                                       Value const* values_in, Value* values_out, Count count, int begin = 0,         \
                                       int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {                    \
    return sort(storage, bytes, keys_in, keys_out, values_in, values_out, count, begin, end, descends, stream);       \
  }                                                                                                                   \
  template <class Key, class Count>                                                                                   \
  static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, Count count,        \
                                      int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {      \
    cudaError_t const error = sort<Key, NullType>(storage, bytes, keys.Current(), keys.Alternate(), nullptr, nullptr, \
                                                  count, begin, end, descends, stream);                               \
    if (storage != nullptr) keys.selector ^= 1;                                                                       \
    return error;                                                                                                     \
  }                                                                                                                   \
  template <class Key, class Value, class Count>                                                                      \
  static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,                    \
                                       DoubleBuffer<Value>& values, Count count, int begin = 0,                       \
                                       int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {                    \
    cudaError_t const error = sort<Key, Value>(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),    \
                                               values.Alternate(), count, begin, end, descends, stream);              \
    if (storage != nullptr) keys.selector ^= 1, values.selector ^= 1;                                                 \
    return error;                                                                                                     \
  }
  COSMATI_SORTS_(, false)
  COSMATI_SORTS_(Descending, true)
#undef COSMATI_SORTS_

 private:
  template <class Key, class Value, class Count>
  static cudaError_t sort(void* storage, std::size_t& bytes, Key const* keys_in, Key* keys_out, Value const* values_in,
                          Value* values_out, Count count, int begin, int end, bool descending, cudaStream_t stream) {
    detail::radix_sorter<Key, Value> const sorter = {
        keys_in, keys_out, values_in, values_out, static_cast<std::size_t>(count), begin, end, descending};
    return detail::two_calls(storage, bytes, sorter.storage_bytes(), stream, sorter);
  }
};

/// The elements of an array that a flag or a condition selects, in their order, and their number.
struct DeviceSelect : detail::unique_by_key {
  template <class In, class Flags, class Out, class Selected, std::integral Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count count, cudaStream_t stream = nullptr) {
    return where(storage, bytes, in, out, selected, count, stream, [=](Count i) mutable { return bool(flags[i]); });
  }
  template <class In, class Out, class Selected, std::integral Count, class Condition>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Selected selected, Count count,
                        Condition condition, cudaStream_t stream = nullptr) {
    return where(storage, bytes, in, out, selected, count, stream,
                 [=](Count i) mutable { return bool(condition(in[i])); });
  }
  /// The condition is one of the flag.
  template <class In, class Flags, class Out, class Selected, std::integral Count, class Condition>
  static cudaError_t FlaggedIf(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Selected selected,
                               Count count, Condition condition, cudaStream_t stream = nullptr) {
    return where(storage, bytes, in, out, selected, count, stream,
                 [=](Count i) mutable { return bool(condition(flags[i])); });
  }
  template <class Data, class Flags, class Selected, std::integral Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, Data data, Flags flags, Selected selected, Count count,
                             cudaStream_t stream = nullptr) {
    return Flagged(storage, bytes, data, flags, data, selected, count, stream);
  }
  template <class Data, class Selected, std::integral Count, class Condition>
  static cudaError_t If(void* storage, std::size_t& bytes, Data data, Selected selected, Count count,
                        Condition condition, cudaStream_t stream = nullptr) {
    return If(storage, bytes, data, data, selected, count, condition, stream);
  }
  /// The first of each run of equal elements.
  template <class In, class Out, class Selected, class Count>
  static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Selected selected, Count count,
                            cudaStream_t stream = nullptr) {
    return where(storage, bytes, in, out, selected, count, stream,
                 [=](Count i) mutable { return i == 0 || !(in[i] == in[i - 1]); });
  }

 private:
  template <class In, class Out, class Selected, class Count, class Condition>
  static cudaError_t where(void* storage, std::size_t& bytes, In in, Out out, Selected selected, Count count,
                           cudaStream_t stream, Condition condition) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      Count found = 0;
      for (Count i = 0; i < count; ++i) {
        if (condition(i)) out[found++] = in[i];
      }
      *selected = static_cast<detail::value_of<Selected>>(found);
    });
  }
};

/// Allocates device memory; nothing is kept for later.
struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool = false) {}
  template <class... Arguments>
  CachingDeviceAllocator(unsigned, Arguments...) {}
  cudaError_t DeviceAllocate(void** pointer, std::size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceFree(void* pointer) { return cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub

#endif

#include <cosmati/core/macros_end.hpp>
