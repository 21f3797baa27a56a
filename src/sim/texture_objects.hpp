// SPDX-License-Identifier: Apache-2.0
/// @file
/// The objects of textures and surfaces, which kernels know by a number.
#pragma once

#include <cosmati/cuda/array.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cosmati_sim {

/// The elements of an object: rows of `width`, slices of `height` rows.
struct texel_memory {
  std::uintptr_t at = 0;
  std::size_t row_bytes = 0, slice_bytes = 0;
  std::size_t width = 1, height = 1, slices = 1;  // slices, layers, or faces
  std::size_t texel_bytes = 0;
  cudaChannelFormatDesc format = {};
  int dimensions = 1;  // 1, 2 or 3: the coordinates without a layer
  bool linear = false, layered = false, cubemap = false, may_gather = false;
};

struct texture_object {
  texel_memory memory;
  cudaResourceDesc resource;
  cudaTextureDesc how;
  cudaResourceViewDesc view;
  std::vector<texel_memory> levels = {};  // of a mipmapped array; `memory` is the first one
};
struct surface_object {
  texel_memory memory;
  cudaResourceDesc resource;
};

/// Objects by number. A number is never used twice, so that a use after the end of an object is found.
template <class Object>
class object_table {
 public:
  /// @return 0 if there are too many objects
  unsigned long long add(Object const& object) {
    std::lock_guard const lock(mutex_);
    for (unsigned i = 0; i < most; ++i) {
      unsigned const slot = (next_ + i) % most;
      if (slots_[slot].object.load() != nullptr) continue;
      next_ = slot + 1;
      slots_[slot].object = new Object(object);
      return number_of(slot, ++slots_[slot].generation);
    }
    return 0;
  }
  /// Null if there is no such object.
  Object const* find(unsigned long long number) const {
    slot const& s = slots_[number % most];
    return number != 0 && number_of(static_cast<unsigned>(number % most), s.generation) == number ? s.object.load()
                                                                                                  : nullptr;
  }
  /// Whether there was an object of this number.
  bool was_there(unsigned long long number) const {
    return number >= first && (number - first) / most < slots_[number % most].generation;
  }
  bool remove(unsigned long long number) {
    std::lock_guard const lock(mutex_);
    Object const* const object = find(number);
    if (object == nullptr) return false;
    slots_[number % most].object = nullptr;
    delete object;
    return true;
  }

 private:
  static constexpr unsigned most = 1u << 16;
  static constexpr unsigned long long first = 1ull << 32;  // no small number is one
  struct slot {
    std::atomic<Object const*> object = nullptr;
    std::atomic<unsigned> generation = 0;
  };
  static unsigned long long number_of(unsigned slot, unsigned generation) {
    return first + static_cast<unsigned long long>(generation - 1) * most + slot;
  }
  std::mutex mutex_;
  unsigned next_ = 0;
  std::unique_ptr<slot[]> slots_ = std::make_unique<slot[]>(most);
};

object_table<texture_object>& textures();
object_table<surface_object>& surfaces();

/// The memory of an array.
texel_memory memory_of_array(cudaArray const& array);

}  // namespace cosmati_sim
