// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's block_exchange.cuh, block_load.cuh, block_store.cuh and block_shuffle.cuh provide.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_types.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cub {

namespace detail {
inline constexpr int all_items = 0x7fffffff;  // no limit of the number of items
}

/// Rearranges the items of a block. Blocked: a thread's items follow each other. Striped: item `i` of thread `t` is the
/// block's item `i * threads + t`. Warp-striped is striped within the part of each warp.
template <class T, int DimX, int Items, bool TimeSlicing = false, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockExchange {
  static constexpr int threads = DimX * DimY * DimZ;

 public:
  struct TempStorage {
    detail::raw_values<T, threads * Items> items;
  };
  BlockExchange() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockExchange(TempStorage& storage) : storage_(&storage) {}

  void StripedToBlocked(T const (&in)[Items], T (&out)[Items], COSMATI_SITE_) const {
    through(in, out, &striped, &blocked, file, line);
  }
  void BlockedToStriped(T const (&in)[Items], T (&out)[Items], COSMATI_SITE_) const {
    through(in, out, &blocked, &striped, file, line);
  }
  void WarpStripedToBlocked(T const (&in)[Items], T (&out)[Items], COSMATI_SITE_) const {
    through(in, out, &warp_striped, &blocked, file, line);
  }
  void BlockedToWarpStriped(T const (&in)[Items], T (&out)[Items], COSMATI_SITE_) const {
    through(in, out, &blocked, &warp_striped, file, line);
  }
  /// @param ranks the place of each item in the block
  template <class Rank>
  void ScatterToBlocked(T const (&in)[Items], T (&out)[Items], Rank const (&ranks)[Items], COSMATI_SITE_) const {
    scatter(in, out, ranks, &blocked, file, line);
  }
  template <class Rank>
  void ScatterToStriped(T const (&in)[Items], T (&out)[Items], Rank const (&ranks)[Items], COSMATI_SITE_) const {
    scatter(in, out, ranks, &striped, file, line);
  }
  void StripedToBlocked(T (&items)[Items], COSMATI_SITE_) const { StripedToBlocked(items, items, file, line); }
  void BlockedToStriped(T (&items)[Items], COSMATI_SITE_) const { BlockedToStriped(items, items, file, line); }
  void WarpStripedToBlocked(T (&items)[Items], COSMATI_SITE_) const { WarpStripedToBlocked(items, items, file, line); }
  void BlockedToWarpStriped(T (&items)[Items], COSMATI_SITE_) const { BlockedToWarpStriped(items, items, file, line); }
  template <class Rank>
  void ScatterToBlocked(T (&items)[Items], Rank const (&ranks)[Items], COSMATI_SITE_) const {
    scatter(items, items, ranks, &blocked, file, line);
  }
  template <class Rank>
  void ScatterToStriped(T (&items)[Items], Rank const (&ranks)[Items], COSMATI_SITE_) const {
    scatter(items, items, ranks, &striped, file, line);
  }

 private:
  static int blocked(int thread, int i) { return thread * Items + i; }
  static int striped(int thread, int i) { return i * threads + thread; }
  static int warp_striped(int thread, int i) {
    int const first = thread / 32 * 32, lanes = threads - first < 32 ? threads - first : 32;
    return first * Items + i * lanes + thread % 32;
  }
  void through(T const (&in)[Items], T (&out)[Items], int (*from)(int, int), int (*to)(int, int), char const* file,
               int line) const {
    int const thread = detail::thread_of_block();
    for (int i = 0; i < Items; ++i) storage_->items[from(thread, i)] = in[i];
    __syncthreads(file, line);
    for (int i = 0; i < Items; ++i) out[i] = storage_->items[to(thread, i)];
  }
  template <class Rank>
  void scatter(T const (&in)[Items], T (&out)[Items], Rank const (&ranks)[Items], int (*to)(int, int), char const* file,
               int line) const {
    for (int i = 0; i < Items; ++i) storage_->items[static_cast<int>(ranks[i])] = in[i];
    __syncthreads(file, line);
    for (int i = 0; i < Items; ++i) out[i] = storage_->items[to(detail::thread_of_block(), i)];
  }
  TempStorage* storage_;
};

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/// @name Loads and stores of a thread's items. `valid` is the number of the block's items that exist.
/// @{
template <class T, int Items, class Iterator>
void LoadDirectBlocked(int thread, Iterator from, T (&items)[Items], int valid = detail::all_items) {
  for (int i = 0; i < Items; ++i) {
    if (thread * Items + i < valid) items[i] = from[thread * Items + i];
  }
}
template <int Threads, class T, int Items, class Iterator>
void LoadDirectStriped(int thread, Iterator from, T (&items)[Items], int valid = detail::all_items) {
  for (int i = 0; i < Items; ++i) {
    if (i * Threads + thread < valid) items[i] = from[i * Threads + thread];
  }
}
/// @param other the value of items that do not exist
template <class T, int Items, class Other, class Iterator>
requires(std::is_convertible_v<Other, T>) void LoadDirectBlocked(int thread, Iterator from, T (&items)[Items],
                                                                 int valid, Other other) {
  for (T& item : items) item = other;
  LoadDirectBlocked(thread, from, items, valid);
}
template <int Threads, class T, int Items, class Other, class Iterator>
requires(std::is_convertible_v<Other, T>) void LoadDirectStriped(int thread, Iterator from, T (&items)[Items],
                                                                 int valid, Other other) {
  for (T& item : items) item = other;
  LoadDirectStriped<Threads>(thread, from, items, valid);
}
template <class T, int Items, class Iterator>
void StoreDirectBlocked(int thread, Iterator to, T (&items)[Items], int valid = detail::all_items) {
  for (int i = 0; i < Items; ++i) {
    if (thread * Items + i < valid) to[thread * Items + i] = items[i];
  }
}
template <int Threads, class T, int Items, class Iterator>
void StoreDirectStriped(int thread, Iterator to, T (&items)[Items], int valid = detail::all_items) {
  for (int i = 0; i < Items; ++i) {
    if (i * Threads + thread < valid) to[i * Threads + thread] = items[i];
  }
}
/// @}

/// Loads a block's items: blocked, or striped with BLOCK_LOAD_STRIPED. The forms with TRANSPOSE go through shared
/// memory. Items beyond `valid` keep what they hold, or become `other`.
template <class T, int DimX, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int DimY = 1, int DimZ = 1,
          int Arch = 0>
class BlockLoad {
  static constexpr int threads = DimX * DimY * DimZ;
  static constexpr bool transposes = Algorithm >= BLOCK_LOAD_TRANSPOSE;
  using exchange = BlockExchange<T, DimX, Items, false, DimY, DimZ>;

 public:
  using TempStorage = std::conditional_t<transposes, typename exchange::TempStorage, detail::no_storage>;
  BlockLoad() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockLoad(TempStorage& storage) : storage_(&storage) {}

  template <class Iterator>
  void Load(Iterator from, T (&items)[Items], COSMATI_SITE_) const {
    Load(from, items, threads * Items, file, line);
  }
  template <class Iterator>
  void Load(Iterator from, T (&items)[Items], int valid, COSMATI_SITE_) const {
    int const thread = detail::thread_of_block();
    if constexpr (transposes) {
      LoadDirectStriped<threads>(thread, from, items, valid);
      exchange(*storage_).StripedToBlocked(items, items, file, line);
    } else if constexpr (Algorithm == BLOCK_LOAD_STRIPED) {
      LoadDirectStriped<threads>(thread, from, items, valid);
    } else {
      LoadDirectBlocked(thread, from, items, valid);
    }
  }
  template <class Iterator, class Other>
  requires(std::is_convertible_v<Other, T> &&
           !std::is_convertible_v<Other, char const*>) void Load(Iterator from, T (&items)[Items], int valid,
                                                                 Other other, COSMATI_SITE_) const {
    for (T& item : items) item = other;
    Load(from, items, valid, file, line);
  }

 private:
  TempStorage* storage_;
};

/// Stores a block's items: blocked, or striped with BLOCK_STORE_STRIPED. The forms with TRANSPOSE go through shared
/// memory.
template <class T, int DimX, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int DimY = 1, int DimZ = 1,
          int Arch = 0>
class BlockStore {
  static constexpr int threads = DimX * DimY * DimZ;
  static constexpr bool transposes = Algorithm >= BLOCK_STORE_TRANSPOSE;
  using exchange = BlockExchange<T, DimX, Items, false, DimY, DimZ>;

 public:
  using TempStorage = std::conditional_t<transposes, typename exchange::TempStorage, detail::no_storage>;
  BlockStore() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockStore(TempStorage& storage) : storage_(&storage) {}

  template <class Iterator>
  void Store(Iterator to, T (&items)[Items], COSMATI_SITE_) const {
    Store(to, items, threads * Items, file, line);
  }
  template <class Iterator>
  void Store(Iterator to, T (&items)[Items], int valid, COSMATI_SITE_) const {
    int const thread = detail::thread_of_block();
    if constexpr (transposes) {
      exchange(*storage_).BlockedToStriped(items, items, file, line);
      StoreDirectStriped<threads>(thread, to, items, valid);
    } else if constexpr (Algorithm == BLOCK_STORE_STRIPED) {
      StoreDirectStriped<threads>(thread, to, items, valid);
    } else {
      StoreDirectBlocked(thread, to, items, valid);
    }
  }

 private:
  TempStorage* storage_;
};

/// Moves one item a thread to another thread of the block.
template <class T, int DimX, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockShuffle {
  static constexpr int threads = DimX * DimY * DimZ;

 public:
  struct TempStorage {
    detail::raw_values<T, threads> items;
  };
  BlockShuffle() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockShuffle(TempStorage& storage) : storage_(&storage) {}

  /// The item of the thread that is `distance` further. If there is none, the output stays.
  void Offset(T input, T& output, int distance = 1, COSMATI_SITE_) const {
    int const thread = put(input, file, line), other = thread + distance;
    if (other >= 0 && other < threads) output = storage_->items[other];
  }
  /// As Offset, in a circle.
  void Rotate(T input, T& output, unsigned distance = 1, COSMATI_SITE_) const {
    int const thread = put(input, file, line);
    output = storage_->items[(thread + static_cast<int>(distance)) % threads];
  }
  /// The block's items, each one place further. The first one stays.
  template <int Items>
  void Up(T const (&in)[Items], T (&out)[Items], COSMATI_SITE_) const {
    int const thread = put(in[Items - 1], file, line);
    for (int i = Items - 1; i > 0; --i) out[i] = in[i - 1];
    if (thread > 0) out[0] = storage_->items[thread - 1];
  }
  /// The block's items, each one place before. The last one stays.
  template <int Items>
  void Down(T const (&in)[Items], T (&out)[Items], COSMATI_SITE_) const {
    int const thread = put(in[0], file, line);
    for (int i = 0; i + 1 < Items; ++i) out[i] = in[i + 1];
    if (thread + 1 < threads) out[Items - 1] = storage_->items[thread + 1];
  }

 private:
  int put(T const& input, char const* file, int line) const {
    int const thread = detail::thread_of_block();
    storage_->items[thread] = input;
    __syncthreads(file, line);
    return thread;
  }
  TempStorage* storage_;
};

}  // namespace cub

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
