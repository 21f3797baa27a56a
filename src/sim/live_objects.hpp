// SPDX-License-Identifier: Apache-2.0
/// @file
/// The objects that a program has made by a library's functions and not yet destroyed. A program may give any pointer.
#pragma once

#include <memory>
#include <mutex>
#include <set>

namespace cosmati_sim {

template <class T>
class live_objects {
 public:
  /// The objects of this type. They outlive the program's static objects.
  static live_objects& all() {
    static auto* const objects = new live_objects;
    return *objects;
  }
  bool has(T const* object) {
    std::lock_guard const lock(mutex_);
    return live_.count(object) != 0;
  }
  /// Takes the object over. @return it
  T* add(std::unique_ptr<T> object) {
    std::lock_guard const lock(mutex_);
    live_.insert(object.get());
    return object.release();
  }
  /// Gives the object back. @return null if it was never made, or has been destroyed
  std::unique_ptr<T> take(T* object) {
    std::lock_guard const lock(mutex_);
    return std::unique_ptr<T>(live_.erase(object) != 0 ? object : nullptr);
  }

 private:
  std::mutex mutex_;
  std::set<T const*> live_;
};

}  // namespace cosmati_sim
