// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's cub/device provides of segments, runs, histograms, partitions and sorts by comparison. One thread does
/// the work, as in cub_device.hpp.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_device.hpp>

namespace cub {

/// Reductions of parts of an array. Segment k has the elements begin[k] to end[k] - 1.
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Operation, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, int segments, Begin begin, End end,
                            Operation operation, T initial, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      for (int k = 0; k < segments; ++k) {
        detail::sum_of<Operation, In, T> sum = initial;
        for (auto i = begin[k]; i < end[k]; ++i) sum = operation(sum, in[i]);
        out[k] = sum;
      }
    });
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, int segments, Begin begin, End end,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Sum{}, detail::value_of<Out>{}, stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, int segments, Begin begin, End end,
                         cudaStream_t stream = nullptr) {
    auto const most = std::numeric_limits<detail::value_of<In>>::max();
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Min{}, most, stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, int segments, Begin begin, End end,
                         cudaStream_t stream = nullptr) {
    auto const least = std::numeric_limits<detail::value_of<In>>::lowest();
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Max{}, least, stream);
  }
};

/// Stable sorts of the keys of each segment by their bits, with a value each or none.
struct DeviceSegmentedRadixSort {
#define COSMATI_CUB_SEGMENTS_(name, descending)                                                                       \
  template <class Key, class Count, class Begin, class End>                                                           \
  static cudaError_t SortKeys##name(void* storage, std::size_t& bytes, Key const* in, Key* out, Count count,          \
                                    int segments, Begin begin, End end, int first_bit = 0,                            \
                                    int end_bit = 8 * static_cast<int>(sizeof(Key)), cudaStream_t stream = nullptr) { \
    NullType* const none = nullptr;                                                                                   \
    return sort(storage, bytes, in, out, none, none, count, segments, begin, end, first_bit, end_bit, descending,     \
                stream);                                                                                              \
  }                                                                                                                   \
  template <class Key, class Value, class Count, class Begin, class End>                                              \
  static cudaError_t SortPairs##name(void* storage, std::size_t& bytes, Key const* in, Key* out, Value const* values, \
                                     Value* values_out, Count count, int segments, Begin begin, End end,              \
                                     int first_bit = 0, int end_bit = 8 * static_cast<int>(sizeof(Key)),              \
                                     cudaStream_t stream = nullptr) {                                                 \
    return sort(storage, bytes, in, out, values, values_out, count, segments, begin, end, first_bit, end_bit,         \
                descending, stream);                                                                                  \
  }
  COSMATI_CUB_SEGMENTS_(, false)
  COSMATI_CUB_SEGMENTS_(Descending, true)
#undef COSMATI_CUB_SEGMENTS_

 private:
  template <class Key, class Value, class Count, class Begin, class End>
  static cudaError_t sort(void* storage, std::size_t& bytes, Key const* in, Key* out, Value const* values,
                          Value* values_out, Count count, int segments, Begin begin, End end, int first_bit,
                          int end_bit, bool descending, cudaStream_t stream) {
    using sorter = detail::radix_sorter<Key, Value>;
    std::size_t const longest = static_cast<std::size_t>(count);
    sorter const whole{in, out, values, values_out, longest, first_bit, end_bit, descending};
    return detail::two_calls(storage, bytes, whole.storage_bytes(), stream, [=](unsigned char* room) mutable {
      for (int k = 0; k < segments; ++k) {
        auto const at = begin[k], until = end[k];
        bool const has_values = values_out != nullptr;
        sorter const one{in + at,
                         out + at,
                         has_values ? values + at : nullptr,
                         has_values ? values_out + at : nullptr,
                         static_cast<std::size_t>(until - at),
                         first_bit,
                         end_bit,
                         descending};
        if (until > at) one(room);
      }
    });
  }
};

/// Runs of equal elements.
struct DeviceRunLengthEncode {
  /// The element and the length of each run, and the number of runs.
  template <class In, class Unique, class Lengths, class Runs, class Count>
  static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Unique unique, Lengths lengths, Runs runs,
                            Count count, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      Count found = 0, begin = 0;
      for (Count i = 1; i <= count; ++i) {
        if (i < count && in[i] == in[begin]) continue;
        unique[found] = in[begin];
        lengths[found++] = static_cast<detail::value_of<Lengths>>(i - begin);
        begin = i;
      }
      *runs = static_cast<detail::value_of<Runs>>(found);
    });
  }
};

/// Counts of samples in bins.
struct DeviceHistogram {
  /// Bins of equal width between two levels. There are `levels - 1` bins; samples outside count in none.
  template <class In, class Counter, class Level, class Count>
  static cudaError_t HistogramEven(void* storage, std::size_t& bytes, In in, Counter* bins, int levels, Level lower,
                                   Level upper, Count count, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      for (int b = 0; b + 1 < levels; ++b) bins[b] = 0;
      for (Count i = 0; i < count; ++i) {
        auto const sample = static_cast<Level>(in[i]);
        if (sample < lower || !(sample < upper)) continue;
        ++bins[static_cast<int>((sample - lower) * static_cast<Level>(levels - 1) / (upper - lower))];
      }
    });
  }
  /// Bin b has the samples of [boundary[b], boundary[b + 1]).
  template <class In, class Counter, class Level, class Count>
  static cudaError_t HistogramRange(void* storage, std::size_t& bytes, In in, Counter* bins, int levels,
                                    Level const* boundary, Count count, cudaStream_t stream = nullptr) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      for (int b = 0; b + 1 < levels; ++b) bins[b] = 0;
      for (Count i = 0; i < count; ++i) {
        auto const sample = static_cast<Level>(in[i]);
        for (int b = 0; b + 1 < levels; ++b) {
          if (!(sample < boundary[b]) && sample < boundary[b + 1]) ++bins[b];
        }
      }
    });
  }
};

/// The selected elements in their order, and behind them the others from the back.
struct DevicePartition {
  template <class In, class Out, class Selected, class Count, class Condition>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Selected selected, Count count,
                        Condition condition, cudaStream_t stream = nullptr) {
    return by(storage, bytes, in, out, selected, count, stream,
              [=](Count i) mutable { return bool(condition(in[i])); });
  }
  template <class In, class Flags, class Out, class Selected, class Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count count, cudaStream_t stream = nullptr) {
    return by(storage, bytes, in, out, selected, count, stream, [=](Count i) mutable { return bool(flags[i]); });
  }

 private:
  template <class In, class Out, class Selected, class Count, class Condition>
  static cudaError_t by(void* storage, std::size_t& bytes, In in, Out out, Selected selected, Count count,
                        cudaStream_t stream, Condition condition) {
    return detail::two_calls(storage, bytes, detail::least_storage, stream, [=](unsigned char*) mutable {
      Count found = 0, left = count;
      for (Count i = 0; i < count; ++i) {
        if (condition(i)) {
          out[found++] = in[i];
        } else {
          out[--left] = in[i];
        }
      }
      *selected = static_cast<detail::value_of<Selected>>(found);
    });
  }
};

/// Stable sorts by a comparison, in place.
struct DeviceMergeSort {
  template <class Keys, class Count, class Less>
  static cudaError_t SortKeys(void* storage, std::size_t& bytes, Keys keys, Count count, Less before,
                              cudaStream_t stream = nullptr) {
    return SortPairs(storage, bytes, keys, static_cast<char*>(nullptr), count, before, stream);
  }
  template <class Keys, class Count, class Less>
  static cudaError_t StableSortKeys(void* storage, std::size_t& bytes, Keys keys, Count count, Less before,
                                    cudaStream_t stream = nullptr) {
    return SortKeys(storage, bytes, keys, count, before, stream);
  }
  template <class Keys, class Values, class Count, class Less>
  static cudaError_t SortPairs(void* storage, std::size_t& bytes, Keys keys, Values values, Count count, Less before,
                               cudaStream_t stream = nullptr) {
    using Key = detail::value_of<Keys>;
    using Value = detail::value_of<Values>;
    constexpr bool has_values = !std::is_same_v<Values, char*>;
    std::size_t const places = static_cast<std::size_t>(count);
    std::size_t const key_bytes = (places * sizeof(Key) + 255) / 256 * 256;
    return detail::two_calls(storage, bytes, key_bytes + places * sizeof(Value) + detail::least_storage, stream,
                             [=](unsigned char* room) mutable {
                               Key* const k = reinterpret_cast<Key*>(room);
                               Value* const v = reinterpret_cast<Value*>(room + key_bytes);
                               for (Count width = 1; width < count; width *= 2) {  // merges runs of `width` elements
                                 for (Count low = 0; low < count; low += 2 * width) {
                                   Count const middle = low + width < count ? low + width : count;
                                   Count const high = middle + width < count ? middle + width : count;
                                   Count a = low, b = middle;
                                   for (Count to = low; to < high; ++to) {
                                     Count& from = a < middle && !(b < high && before(keys[b], keys[a])) ? a : b;
                                     k[to] = keys[from];
                                     if constexpr (has_values) v[to] = values[from];
                                     ++from;
                                   }
                                 }
                                 for (Count i = 0; i < count; ++i) {
                                   keys[i] = k[i];
                                   if constexpr (has_values) values[i] = v[i];
                                 }
                               }
                             });
  }
  template <class Keys, class Values, class Count, class Less>
  static cudaError_t StableSortPairs(void* storage, std::size_t& bytes, Keys keys, Values values, Count count,
                                     Less before, cudaStream_t stream = nullptr) {
    return SortPairs(storage, bytes, keys, values, count, before, stream);
  }
};

}  // namespace cub

#endif

#include <cosmati/core/macros_end.hpp>
