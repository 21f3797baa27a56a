// SPDX-License-Identifier: Apache-2.0
/// @file
/// The small types of CUB: operations, pairs, iterators, and what its blocks and warps share.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cfloat>               // programs have FLT_MAX and INT_MAX from cub.cuh
#include <climits>
#include <cosmati/cuda/runtime.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#define CUB_VERSION 200800
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 8
#define CUB_RUNTIME_FUNCTION
#define CUB_PTX_ARCH 900
#define CubDebug(e) (e)
#define CubDebugExit(e) (e)

namespace cub {

/// The type of no values: a sort of keys alone.
struct NullType {};

/// A key with a value, such as an index with what stands there.
template <class Key_, class Value_>
struct KeyValuePair {
  using Key = Key_;
  using Value = Value_;
  Key key;
  Value value;
  KeyValuePair() = default;
  KeyValuePair(Key const& k, Value const& v) : key(k), value(v) {}
  bool operator==(KeyValuePair const& other) const { return key == other.key && value == other.value; }
  bool operator!=(KeyValuePair const& other) const { return !(*this == other); }
};

namespace detail {

/// Whether an operation on pairs takes the second one, `b`: if its value is better, or equal with a smaller key.
template <class Pair>
bool takes_second(bool better, Pair const& a, Pair const& b) {
  return better || (a.value == b.value && b.key < a.key);
}

/// What the iterators have in common. `Iterator` has an operator[].
template <class Iterator, class V, class Offset>
struct input_iterator {
  using value_type = V;
  using reference = V;
  using pointer = V*;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;
  V operator*() const { return static_cast<Iterator const&>(*this)[Offset{0}]; }
};

}  // namespace detail

/// @name Operations of reductions and scans
/// @{
struct Sum {
  template <class T, class V>
  auto operator()(T const& a, V const& b) const {
    return a + b;
  }
};
struct Difference {
  template <class T, class V>
  auto operator()(T const& a, V const& b) const {
    return a - b;
  }
};
struct Max {
  template <class T, class V>
  std::common_type_t<T, V> operator()(T const& a, V const& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T, class V>
  std::common_type_t<T, V> operator()(T const& a, V const& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class T, class V>
  bool operator()(T const& a, V const& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class V>
  bool operator()(T const& a, V const& b) const {
    return a != b;
  }
};
/// The pair with the larger value; of equal ones, that with the smaller key.
struct ArgMax {
  template <class K, class V>
  KeyValuePair<K, V> operator()(KeyValuePair<K, V> const& a, KeyValuePair<K, V> const& b) const {
    return detail::takes_second(a.value < b.value, a, b) ? b : a;
  }
};
/// The pair with the smaller value; of equal ones, that with the smaller key.
struct ArgMin {
  template <class K, class V>
  KeyValuePair<K, V> operator()(KeyValuePair<K, V> const& a, KeyValuePair<K, V> const& b) const {
    return detail::takes_second(b.value < a.value, a, b) ? b : a;
  }
};
/// @}

/// The numbers from `first` on, as an iterator.
template <class V, class Offset = std::ptrdiff_t>
class CountingInputIterator : public detail::input_iterator<CountingInputIterator<V, Offset>, V, Offset> {
 public:
  CountingInputIterator(V first) : first_(first) {}
  template <class Distance>
  V operator[](Distance n) const {
    return first_ + static_cast<V>(n);
  }
  template <class Distance>
  CountingInputIterator operator+(Distance n) const {
    return first_ + static_cast<V>(n);
  }

 private:
  V first_;
};

/// One value again and again, as an iterator.
template <class V, class Offset = std::ptrdiff_t>
class ConstantInputIterator : public detail::input_iterator<ConstantInputIterator<V, Offset>, V, Offset> {
 public:
  ConstantInputIterator(V value, Offset = 0) : value_(value) {}
  template <class Distance>
  V operator[](Distance) const {
    return value_;
  }
  template <class Distance>
  ConstantInputIterator operator+(Distance) const {
    return *this;
  }

 private:
  V value_;
};

/// The elements of another iterator, each after a conversion.
template <class V, class Conversion, class Iterator, class Offset = std::ptrdiff_t>
class TransformInputIterator
    : public detail::input_iterator<TransformInputIterator<V, Conversion, Iterator, Offset>, V, Offset> {
 public:
  TransformInputIterator(Iterator from, Conversion conversion) : from_(from), conversion_(conversion) {}
  template <class Distance>
  V operator[](Distance n) const {
    return conversion_(from_[n]);
  }
  template <class Distance>
  TransformInputIterator operator+(Distance n) const {
    return {from_ + n, conversion_};
  }

 private:
  Iterator from_;
  Conversion conversion_;
};

namespace detail {

/// The place of this thread in its block, x first.
inline int thread_of_block() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

/// Fails if the block has another number of threads than the class template was told.
inline void check_block(char const* name, int threads, char const* file, int line) {
  if (static_cast<int>(blockDim.x * blockDim.y * blockDim.z) == threads) return;
  cosmati_sim_fail("invalid_argument", name, file, line);
}

/// Values in shared memory that nothing constructs.
template <class T, int Count>
struct raw_values {
  alignas(T) unsigned char bytes[sizeof(T) * Count];
  T* data() { return reinterpret_cast<T*>(bytes); }
  T& operator[](int i) { return data()[i]; }
};

/// The storage of an algorithm that needs none.
struct no_storage {};

/// Keeps the storage that the caller gives, or has one of its own for a constructor without arguments.
template <class Storage>
Storage& storage_of_block() {
  static thread_local Storage storage;  // `thread_local` is `__shared__` on the simulated device
  return storage;
}

/// The lanes of the warp of this thread that exist: the last warp of a block may be cut.
inline unsigned lanes_of_warp() {
  int const threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  int const left = threads - thread_of_block() / 32 * 32;
  return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}

/// Shuffles a value of any size, in words of 4 bytes.
template <class T, class Shuffle>
T shuffled(T value, Shuffle shuffle) {
  constexpr int count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, static_cast<void const*>(&value), sizeof(T));
  for (unsigned& word : words) word = shuffle(word);
  __builtin_memcpy(static_cast<void*>(&value), words, sizeof(T));
  return value;
}

}  // namespace detail
}  // namespace cub

#endif

#include <cosmati/core/macros_end.hpp>
