// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's block_adjacent_difference.cuh and block_discontinuity.cuh provide.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_types.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cub {

/// Combines each of a block's items with a neighbour. A thread's items follow each other.
template <class T, int DimX, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockAdjacentDifference {
  static constexpr int threads = DimX * DimY * DimZ;

 public:
  struct TempStorage {
    detail::raw_values<T, threads> edges;
  };
  BlockAdjacentDifference() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockAdjacentDifference(TempStorage& storage) : storage_(&storage) {}

  /// out = operation(item, the item before); the block's first item stays.
  template <int Items, class Out, class Operation>
  void SubtractLeft(T const (&in)[Items], Out (&out)[Items], Operation operation, COSMATI_SITE_) const {
    left(in, out, operation, nullptr, threads * Items, file, line);
  }
  /// @param before the item before the block's first one
  template <int Items, class Out, class Operation>
  void SubtractLeft(T const (&in)[Items], Out (&out)[Items], Operation operation, T before, COSMATI_SITE_) const {
    left(in, out, operation, &before, threads * Items, file, line);
  }
  /// @param valid the number of items of the block; the others stay
  template <int Items, class Out, class Operation>
  void SubtractLeftPartialTile(T const (&in)[Items], Out (&out)[Items], Operation operation, int valid,
                               COSMATI_SITE_) const {
    left(in, out, operation, nullptr, valid, file, line);
  }
  /// out = operation(item, the item behind); the block's last item stays.
  template <int Items, class Out, class Operation>
  void SubtractRight(T const (&in)[Items], Out (&out)[Items], Operation operation, COSMATI_SITE_) const {
    right(in, out, operation, nullptr, threads * Items, file, line);
  }
  /// @param behind the item behind the block's last one
  template <int Items, class Out, class Operation>
  void SubtractRight(T const (&in)[Items], Out (&out)[Items], Operation operation, T behind, COSMATI_SITE_) const {
    right(in, out, operation, &behind, threads * Items, file, line);
  }
  template <int Items, class Out, class Operation>
  void SubtractRightPartialTile(T const (&in)[Items], Out (&out)[Items], Operation operation, int valid,
                                COSMATI_SITE_) const {
    right(in, out, operation, nullptr, valid, file, line);
  }

 private:
  template <int Items, class Out, class Operation>
  void left(T const (&in)[Items], Out (&out)[Items], Operation operation, T const* before, int valid, char const* file,
            int line) const {
    int const thread = detail::thread_of_block();
    storage_->edges[thread] = in[Items - 1];
    __syncthreads(file, line);
    for (int i = Items - 1; i >= 0; --i) {
      int const place = thread * Items + i;
      bool const has_neighbour = place > 0 || before != nullptr;
      if (place >= valid || !has_neighbour) {
        out[i] = in[i];
      } else {
        out[i] = operation(in[i], i > 0 ? in[i - 1] : thread > 0 ? storage_->edges[thread - 1] : *before);
      }
    }
  }
  template <int Items, class Out, class Operation>
  void right(T const (&in)[Items], Out (&out)[Items], Operation operation, T const* behind, int valid, char const* file,
             int line) const {
    int const thread = detail::thread_of_block();
    storage_->edges[thread] = in[0];
    __syncthreads(file, line);
    for (int i = 0; i < Items; ++i) {
      int const next = thread * Items + i + 1;
      bool const has_neighbour = next < valid || (next == threads * Items && behind != nullptr);
      if (!has_neighbour) {
        out[i] = in[i];
      } else {
        out[i] = operation(in[i], i + 1 < Items          ? in[i + 1]
                                  : thread + 1 < threads ? storage_->edges[thread + 1]
                                                         : *behind);
      }
    }
  }
  TempStorage* storage_;
};

/// Flags the items of a block that begin or end a run: those that an operation tells from their neighbour.
template <class T, int DimX, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockDiscontinuity {
  static constexpr int threads = DimX * DimY * DimZ;

 public:
  struct TempStorage {
    detail::raw_values<T, threads> first, last;
  };
  BlockDiscontinuity() : storage_(&detail::storage_of_block<TempStorage>()) {}
  explicit BlockDiscontinuity(TempStorage& storage) : storage_(&storage) {}

  /// Flags item i if operation(item i - 1, item i); the block's first item always.
  template <int Items, class Flag, class Operation>
  void FlagHeads(Flag (&heads)[Items], T const (&in)[Items], Operation operation, COSMATI_SITE_) const {
    share(in, file, line);
    flag_heads(heads, in, operation, nullptr);
  }
  /// @param before the item before the block's first one
  template <int Items, class Flag, class Operation>
  void FlagHeads(Flag (&heads)[Items], T const (&in)[Items], Operation operation, T before, COSMATI_SITE_) const {
    share(in, file, line);
    flag_heads(heads, in, operation, &before);
  }
  /// Flags item i if operation(item i, item i + 1); the block's last item always.
  template <int Items, class Flag, class Operation>
  void FlagTails(Flag (&tails)[Items], T const (&in)[Items], Operation operation, COSMATI_SITE_) const {
    share(in, file, line);
    flag_tails(tails, in, operation, nullptr);
  }
  /// @param behind the item behind the block's last one
  template <int Items, class Flag, class Operation>
  void FlagTails(Flag (&tails)[Items], T const (&in)[Items], Operation operation, T behind, COSMATI_SITE_) const {
    share(in, file, line);
    flag_tails(tails, in, operation, &behind);
  }
  template <int Items, class Flag, class Operation>
  void FlagHeadsAndTails(Flag (&heads)[Items], Flag (&tails)[Items], T const (&in)[Items], Operation operation,
                         COSMATI_SITE_) const {
    share(in, file, line);
    flag_heads(heads, in, operation, nullptr);
    flag_tails(tails, in, operation, nullptr);
  }

 private:
  template <int Items>
  void share(T const (&in)[Items], char const* file, int line) const {
    storage_->first[detail::thread_of_block()] = in[0];
    storage_->last[detail::thread_of_block()] = in[Items - 1];
    __syncthreads(file, line);
  }
  template <int Items, class Flag, class Operation>
  void flag_heads(Flag (&heads)[Items], T const (&in)[Items], Operation operation, T const* before) const {
    int const thread = detail::thread_of_block();
    for (int i = 0; i < Items; ++i) {
      bool const is_first = i == 0 && thread == 0 && before == nullptr;
      heads[i] = static_cast<Flag>(is_first || operation(i > 0        ? in[i - 1]
                                                         : thread > 0 ? storage_->last[thread - 1]
                                                                      : *before,
                                                         in[i]));
    }
  }
  template <int Items, class Flag, class Operation>
  void flag_tails(Flag (&tails)[Items], T const (&in)[Items], Operation operation, T const* behind) const {
    int const thread = detail::thread_of_block();
    for (int i = 0; i < Items; ++i) {
      bool const is_last = i + 1 == Items && thread + 1 == threads && behind == nullptr;
      tails[i] = static_cast<Flag>(is_last || operation(in[i], i + 1 < Items          ? in[i + 1]
                                                               : thread + 1 < threads ? storage_->first[thread + 1]
                                                                                      : *behind));
    }
  }
  TempStorage* storage_;
};

}  // namespace cub

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
