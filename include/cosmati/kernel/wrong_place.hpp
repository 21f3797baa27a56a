// SPDX-License-Identifier: Apache-2.0
/// @file
/// A number that kernels lower and the host reads when they are complete. Calls neither allocate, clear nor copy it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cosmati/runtime/stream.hpp>
#include <mutex>
#include <vector>

namespace COSMATI_NAMESPACE::detail {

/// The numbers that no call uses at the moment. Each is `~0ull`. On the GPU they are in host memory that the kernels of
/// every GPU can access. `atomicMin` of one kernel's threads is atomic there too.
class wrong_places {
 public:
  unsigned long long* take() {
    std::lock_guard const held(mutex_);
    if (free_ == nullptr) allocate();
    link* const taken = free_;
    free_ = taken->next;
    unsigned long long* const number = taken->number;
    taken->next = empty_;
    empty_ = taken;
    ++in_use_;
    return number;
  }
  /// @param number has the value `~0ull` again
  void give_back(unsigned long long* number) {
    std::lock_guard const held(mutex_);
    link* const one = empty_;
    empty_ = one->next;
    *one = {number, free_};
    free_ = one;
    --in_use_;
  }
  /// The pool of the process. It is never destroyed, because code at the end of the process may gather. On the GPU, its
  /// memory is released when the process ends, so that compute-sanitizer finds no leak.
  static wrong_places& of_process() {
    static wrong_places* const places = new wrong_places;
#if defined(__CUDACC__)
    static at_end const release;
#endif
    return *places;
  }

 private:
  static constexpr int at_once = 64;
  struct link {
    unsigned long long* number = nullptr;
    link* next = nullptr;
  };
  /// What one allocation holds.
  struct block {
    unsigned long long* numbers;
    link* links;
  };
#if defined(__CUDACC__)
  struct at_end {
    ~at_end() { of_process().release(); }
  };
  /// Releases the memory, unless kernels may still lower a number. A later call allocates again.
  void release() {
    std::lock_guard const held(mutex_);
    if (in_use_ != 0) return;
    free_ = empty_ = nullptr;
    for (block const& one : blocks_) {
      cudaFreeHost(one.numbers);
      delete[] one.links;
    }
    blocks_.clear();
  }
#endif
  void allocate() {
    void* memory = nullptr;
    constexpr std::size_t bytes = at_once * sizeof(unsigned long long);
#if defined(__CUDACC__)
    check_cuda(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped),
               "allocating memory for the places of wrong numbers");
#else
    char text[512];
    if (cosmati_sim_allocate(&memory, bytes, text, sizeof text) != 0) throw error("%s", text);
#endif
    auto* const numbers = static_cast<unsigned long long*>(memory);
    link* const links = new link[at_once];
    blocks_.push_back({numbers, links});
    for (int k = 0; k < at_once; ++k) {
      numbers[k] = ~0ull;
      links[k] = {numbers + k, free_};
      free_ = links + k;
    }
#if !defined(__CUDACC__)
    cosmati_sim_written(memory, bytes);
#endif
  }

  std::mutex mutex_;
  link *free_ = nullptr, *empty_ = nullptr;
  std::vector<block> blocks_;
  int in_use_ = 0;
};

/// The number of one call.
class wrong_place {
 public:
  static constexpr unsigned long long none = ~0ull;

  explicit wrong_place(bool wanted) : number_(wanted ? wrong_places::of_process().take() : nullptr) {}
  wrong_place(wrong_place const&) = delete;
  wrong_place& operator=(wrong_place const&) = delete;
  /// A number that kernels may still lower, because a launch or the wait failed, is never used again.
  ~wrong_place() {
    if (number_ != nullptr && is_read_) wrong_places::of_process().give_back(number_);
  }

  /// The address that kernels lower, or null if the caller does not need it.
  unsigned long long* address() const { return number_; }
  /// Waits for the stream. @return the number that the kernels left, or `none`
  unsigned long long after([[maybe_unused]] stream_handle stream) {
#if defined(__CUDACC__)
    check_cuda(cudaStreamSynchronize(stream), "waiting for rows");
#endif
    unsigned long long const place = *static_cast<unsigned long long volatile*>(number_);
    if (place != none) {
      *number_ = none;
#if !defined(__CUDACC__)
      cosmati_sim_written(number_, sizeof *number_);
#endif
    }
    is_read_ = true;
    return place;
  }

 private:
  unsigned long long* number_;
  bool is_read_ = false;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
