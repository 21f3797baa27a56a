// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's block_radix_sort.cuh, block_histogram.cuh, block_merge_sort.cuh and warp_merge_sort.cuh provide.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_block.hpp>
#include <cosmati/cuda/cub_exchange.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cub {

namespace detail {

/// The bits of a key, in an order of unsigned numbers that is the order of the keys. -0 equals 0.
template <class Key>
std::uint64_t ordered_bits(Key const& key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(Key) - 1), all = sign | (sign - 1);
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, static_cast<void const*>(&key), sizeof(Key));
  if constexpr (std::is_unsigned_v<Key>) return bits;
  if constexpr (std::is_integral_v<Key>) return bits ^ sign;
  if (bits == sign) bits = 0;
  return (bits & sign) != 0 ? ~bits & all : bits ^ sign;
}

/// The digit of a key at `begin`, of `bits` bits.
template <class Key>
int digit_of(Key const& key, bool descending, int begin, int bits) {
  std::uint64_t const ordered = descending ? ~ordered_bits(key) : ordered_bits(key);
  return static_cast<int>(ordered >> begin & ((std::uint64_t{1} << bits) - 1));
}

/// The unsigned integer that has as many bytes as a key.
template <class Key>
using unsigned_of =
    std::conditional_t<sizeof(Key) == 1, std::uint8_t,
                       std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>>;

}  // namespace detail

/// What CUB knows of a key's type: its bits as an unsigned integer, and the bits in an order that is that of the keys.
template <class Key>
struct Traits {
  using UnsignedBits = detail::unsigned_of<Key>;
  static UnsignedBits TwiddleIn(UnsignedBits bits) {
    if (!is_signed) return bits;
    bool const inverts = is_float && (bits & sign) != 0;
    return static_cast<UnsignedBits>(inverts ? ~bits : bits ^ sign);
  }
  static UnsignedBits TwiddleOut(UnsignedBits bits) {
    if (!is_signed) return bits;
    bool const inverts = is_float && (bits & sign) == 0;
    return static_cast<UnsignedBits>(inverts ? ~bits : bits ^ sign);
  }

 private:
  static constexpr UnsignedBits sign = static_cast<UnsignedBits>(UnsignedBits{1} << (8 * sizeof(Key) - 1));
  static constexpr bool is_signed = !std::is_unsigned_v<Key>, is_float = is_signed && !std::is_integral_v<Key>;
};

/// Sorts the keys of a block, perhaps with a value each. The sort is stable.
template <class Key, int DimX, int Items, class Value = NullType, int RadixBits = 4, bool MemoizeOuter = true,
          BlockScanAlgorithm Inner = BLOCK_SCAN_WARP_SCANS, int SharedBytes = 4, int DimY = 1, int DimZ = 1,
          int Arch = 0>
class BlockRadixSort {
  static constexpr int threads = DimX * DimY * DimZ, digits = 1 << RadixBits;
  static constexpr int all_bits = 8 * static_cast<int>(sizeof(Key));
  using scan = BlockScan<int, DimX, BLOCK_SCAN_RAKING, DimY, DimZ>;
  using exchange_keys = BlockExchange<Key, DimX, Items, false, DimY, DimZ>;
  using exchange_values = BlockExchange<Value, DimX, Items, false, DimY, DimZ>;
  static constexpr bool has_values = !std::is_same_v<Value, NullType>;

 public:
  struct TempStorage {
    int counts[digits * threads];
    typename scan::TempStorage sums;
    union {
      typename exchange_keys::TempStorage keys;
      typename exchange_values::TempStorage values;
    };
  };
  BlockRadixSort() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockRadixSort(TempStorage& storage) : storage_(&storage) {}

  void Sort(Key (&keys)[Items], int begin = 0, int end = all_bits, COSMATI_SITE_) const {
    NullType none[Items];
    sort(keys, none, false, false, begin, end, file, line);
  }
  void Sort(Key (&keys)[Items], Value (&values)[Items], int begin = 0, int end = all_bits, COSMATI_SITE_) const {
    sort(keys, values, false, false, begin, end, file, line);
  }
  void SortDescending(Key (&keys)[Items], int begin = 0, int end = all_bits, COSMATI_SITE_) const {
    NullType none[Items];
    sort(keys, none, true, false, begin, end, file, line);
  }
  void SortDescending(Key (&keys)[Items], Value (&values)[Items], int begin = 0, int end = all_bits,
                      COSMATI_SITE_) const {
    sort(keys, values, true, false, begin, end, file, line);
  }
  void SortBlockedToStriped(Key (&keys)[Items], int begin = 0, int end = all_bits, COSMATI_SITE_) const {
    NullType none[Items];
    sort(keys, none, false, true, begin, end, file, line);
  }
  void SortBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int begin = 0, int end = all_bits,
                            COSMATI_SITE_) const {
    sort(keys, values, false, true, begin, end, file, line);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[Items], int begin = 0, int end = all_bits, COSMATI_SITE_) const {
    NullType none[Items];
    sort(keys, none, true, true, begin, end, file, line);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int begin = 0, int end = all_bits,
                                      COSMATI_SITE_) const {
    sort(keys, values, true, true, begin, end, file, line);
  }

 private:
  /// One pass a digit.
  template <class V>
  void sort(Key (&keys)[Items], V (&values)[Items], bool descending, bool striped, int begin, int end, char const* file,
            int line) const {
    int ranks[Items];
    for (int at = begin; at < end; at += RadixBits) {
      int const bits = end - at < RadixBits ? end - at : RadixBits;
      if (at != begin) __syncthreads(file, line);
      rank(keys, ranks, descending, at, bits, file, line);
      bool const as_stripes = striped && at + RadixBits >= end;
      move<exchange_keys>(storage_->keys, keys, ranks, as_stripes, file, line);
      if constexpr (!std::is_same_v<V, NullType>) {
        __syncthreads(file, line);
        move<exchange_values>(storage_->values, values, ranks, as_stripes, file, line);
      }
    }
  }
  template <class Exchange, class V>
  static void move(typename Exchange::TempStorage& storage, V (&items)[Items], int (&ranks)[Items], bool striped,
                   char const* file, int line) {
    if (striped) {
      Exchange(storage).ScatterToStriped(items, ranks, file, line);
    } else {
      Exchange(storage).ScatterToBlocked(items, ranks, file, line);
    }
  }
  /// The place of each item in the order of one digit.
  void rank(Key const (&keys)[Items], int (&ranks)[Items], bool descending, int at, int bits, char const* file,
            int line) const {
    int const thread = detail::thread_of_block();
    int own[Items];
    for (int d = 0; d < digits; ++d) storage_->counts[d * threads + thread] = 0;
    for (int i = 0; i < Items; ++i)
      own[i] = storage_->counts[detail::digit_of(keys[i], descending, at, bits) * threads + thread]++;
    __syncthreads(file, line);
    int sum = 0, before = 0;
    for (int d = 0; d < digits; ++d) sum += storage_->counts[thread * digits + d];
    scan(storage_->sums).ExclusiveSum(sum, before, file, line);
    for (int d = 0; d < digits; ++d) {
      int& count = storage_->counts[thread * digits + d];
      int const next = before + count;
      count = before;
      before = next;
    }
    __syncthreads(file, line);
    for (int i = 0; i < Items; ++i)
      ranks[i] = own[i] + storage_->counts[detail::digit_of(keys[i], descending, at, bits) * threads + thread];
  }
  TempStorage* storage_;
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

/// Counts the samples of a block in bins, by atomics in the caller's array.
template <class T, int DimX, int Items, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT, int DimY = 1,
          int DimZ = 1, int Arch = 0>
class BlockHistogram {
  static constexpr int threads = DimX * DimY * DimZ;

 public:
  using TempStorage = detail::no_storage;
  BlockHistogram() = default;
  explicit BlockHistogram(TempStorage&) {}
  template <class Count>
  void InitHistogram(Count (&bins)[Bins]) const {
    for (int i = detail::thread_of_block(); i < Bins; i += threads) bins[i] = 0;
  }
  template <class Count>
  void Composite(T (&items)[Items], Count (&bins)[Bins], COSMATI_SITE_) const {
    for (T const& item : items) atomicAdd(&bins[static_cast<int>(item)], Count{1}, file, line);
  }
  template <class Count>
  void Histogram(T (&items)[Items], Count (&bins)[Bins], COSMATI_SITE_) const {
    InitHistogram(bins);
    __syncthreads(file, line);
    Composite(items, bins, file, line);
  }
};

namespace detail {

/// Sorts `threads * Items` keys in shared memory by merges. `Sync` is a barrier of the threads.
template <class Key, class Value, int Items, class Compare, class Sync>
void merge_sorted(Key (&keys)[Items], Value (&values)[Items], Key* key_places, Value* value_places, int thread,
                  int threads, Compare less, Sync sync) {
  constexpr bool has_values = !std::is_same_v<Value, NullType>;
  int const count = threads * Items;
  for (int width = 1; width < count; width *= 2) {
    sync();
    for (int i = 0; i < Items; ++i) {
      key_places[thread * Items + i] = keys[i];
      if constexpr (has_values) value_places[thread * Items + i] = values[i];
    }
    sync();
    int ranks[Items];
    for (int i = 0; i < Items; ++i) {
      int const at = thread * Items + i, run = at / width * width;
      bool const first = run / width % 2 == 0;
      int low = first ? run + width : run - width, const_begin = low;
      if (low > count) low = const_begin = count;
      int high = low + width < count ? low + width : count;
      while (low < high) {  // the elements of the other run that stand before this one
        int const middle = (low + high) / 2;
        bool const before = first ? less(key_places[middle], keys[i]) : !less(keys[i], key_places[middle]);
        before ? low = middle + 1 : high = middle;
      }
      ranks[i] = (first ? at : at - width) + (low - const_begin);
    }
    sync();
    for (int i = 0; i < Items; ++i) {
      key_places[ranks[i]] = keys[i];
      if constexpr (has_values) value_places[ranks[i]] = values[i];
    }
    sync();
    for (int i = 0; i < Items; ++i) {
      keys[i] = key_places[thread * Items + i];
      if constexpr (has_values) values[i] = value_places[thread * Items + i];
    }
  }
}

}  // namespace detail

namespace detail {

/// The sort by merges of a group of threads.
/// @tparam Group tells the place of the thread, `place()`, and has a barrier of the threads, `meet(file, line)`
template <class Group, class Key, class Value, int Items, int Threads>
class merge_sort {
 public:
  struct TempStorage {
    raw_values<Key, Items * Threads> keys;
    raw_values<Value, Items * Threads> values;
  };
  explicit merge_sort(TempStorage& storage) : storage_(&storage) {}
  template <class Compare>
  void Sort(Key (&keys)[Items], Compare less, COSMATI_SITE_) const {
    NullType none[Items];
    sort(keys, none, static_cast<NullType*>(nullptr), less, file, line);
  }
  template <class Compare>
  void Sort(Key (&keys)[Items], Value (&values)[Items], Compare less, COSMATI_SITE_) const {
    sort(keys, values, storage_->values.data(), less, file, line);
  }
  template <class Compare>
  void StableSort(Key (&keys)[Items], Compare less, COSMATI_SITE_) const {
    Sort(keys, less, file, line);
  }
  template <class Compare>
  void StableSort(Key (&keys)[Items], Value (&values)[Items], Compare less, COSMATI_SITE_) const {
    Sort(keys, values, less, file, line);
  }

 private:
  template <class V, class Compare>
  void sort(Key (&keys)[Items], V (&values)[Items], V* places, Compare less, char const* file, int line) const {
    merge_sorted(keys, values, storage_->keys.data(), places, Group::place(), Threads, less,
                 [=, group = Group()] { group.meet(file, line); });
  }
  TempStorage* storage_;
};

/// The lanes of a warp, or of a part of it, that sort together.
template <int Threads>
struct sorting_lanes {
  unsigned mask = lanes_of<Threads>::mask();
  static int place() { return lanes_of<Threads>::lane(); }
  void meet(char const* file, int line) const { __syncwarp(mask, file, line); }
};
struct sorting_block {
  static int place() { return thread_of_block(); }
  void meet(char const* file, int line) const { __syncthreads(file, line); }
};

}  // namespace detail

/// Sorts the keys of a warp by a comparison, perhaps with a value each. The sort is stable.
template <class Key, int Items, int Threads = 32, class Value = NullType, int Arch = 0>
class WarpMergeSort : public detail::merge_sort<detail::sorting_lanes<Threads>, Key, Value, Items, Threads> {
 public:
  using WarpMergeSort::merge_sort::merge_sort;
};

/// Sorts the keys of a block by a comparison, perhaps with a value each. The sort is stable.
template <class Key, int DimX, int Items, class Value = NullType, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockMergeSort : public detail::merge_sort<detail::sorting_block, Key, Value, Items, DimX * DimY * DimZ> {
 public:
  using BlockMergeSort::merge_sort::merge_sort;
  BlockMergeSort()
      : BlockMergeSort::merge_sort(detail::storage_of_block<typename BlockMergeSort::merge_sort::TempStorage>()) {}
};

}  // namespace cub

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
