// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's iterators without memory, and those that change what others give.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/thrust/functional.hpp>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace thrust {

using std::make_reverse_iterator;
using std::reverse_iterator;

/// The iterators of this file know their place and their value; the rest is common.
template <class Derived, class Value>
class computed_iterator {
 public:
  using value_type = std::remove_cvref_t<Value>;
  using difference_type = std::ptrdiff_t;
  using reference = Value;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  Derived& operator++() { return self() += 1; }
  Derived& operator--() { return self() += -1; }
  Derived operator++(int) {
    Derived const old = self();
    ++*this;
    return old;
  }
  Derived& operator-=(difference_type n) { return self() += -n; }
  decltype(auto) operator[](difference_type n) const { return *(static_cast<Derived const&>(*this) + n); }
  friend Derived operator+(Derived i, difference_type n) { return i += n; }
  friend Derived operator+(difference_type n, Derived i) { return i += n; }
  friend Derived operator-(Derived i, difference_type n) { return i += -n; }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

/// first, first + 1, ...
template <class T>
class counting_iterator : public computed_iterator<counting_iterator<T>, T> {
 public:
  counting_iterator() = default;
  explicit counting_iterator(T first) : at_(first) {}
  T operator*() const { return at_; }
  counting_iterator& operator+=(std::ptrdiff_t n) {
    at_ = static_cast<T>(at_ + static_cast<T>(n));
    return *this;
  }
  friend std::ptrdiff_t operator-(counting_iterator a, counting_iterator b) {
    return static_cast<std::ptrdiff_t>(a.at_) - static_cast<std::ptrdiff_t>(b.at_);
  }
  friend bool operator==(counting_iterator a, counting_iterator b) { return a.at_ == b.at_; }

 private:
  T at_{};
};
template <class T>
counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

/// The same value without end.
template <class T>
class constant_iterator : public computed_iterator<constant_iterator<T>, T> {
 public:
  constant_iterator() = default;
  explicit constant_iterator(T value, std::ptrdiff_t at = 0) : value_(value), at_(at) {}
  T operator*() const { return value_; }
  constant_iterator& operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  friend std::ptrdiff_t operator-(constant_iterator a, constant_iterator b) { return a.at_ - b.at_; }
  friend bool operator==(constant_iterator a, constant_iterator b) { return a.at_ == b.at_; }

 private:
  T value_{};
  std::ptrdiff_t at_ = 0;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

/// What a function makes of the values of another iterator.
template <class Function, class Iterator>
class transform_iterator
    : public computed_iterator<transform_iterator<Function, Iterator>,
                               decltype(std::declval<Function const&>()(*std::declval<Iterator const&>()))> {
 public:
  transform_iterator(Iterator at, Function f) : at_(at), f_(f) {}
  decltype(auto) operator*() const { return f_(*at_); }
  transform_iterator& operator+=(std::ptrdiff_t n) {
    at_ = at_ + n;
    return *this;
  }
  Iterator base() const { return at_; }
  friend std::ptrdiff_t operator-(transform_iterator const& a, transform_iterator const& b) { return a.at_ - b.at_; }
  friend bool operator==(transform_iterator const& a, transform_iterator const& b) { return a.at_ == b.at_; }

 private:
  Iterator at_;
  Function f_;
};
template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator at, Function f) {
  return {at, f};
}

/// Tuples of the elements of several iterators. An assignment to a tuple writes them.
template <class IteratorTuple>
class zip_iterator;
template <class... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public computed_iterator<zip_iterator<std::tuple<Iterators...>>,
                               std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
 public:
  using value_type = std::tuple<typename std::iterator_traits<Iterators>::value_type...>;
  using reference = std::tuple<typename std::iterator_traits<Iterators>::reference...>;
  zip_iterator() = default;
  explicit zip_iterator(std::tuple<Iterators...> at) : at_(at) {}
  template <class... Others>
  zip_iterator(zip_iterator<std::tuple<Others...>> const& other)
      : at_(other.iterators()) {}  // NOLINT: as of the iterators
  reference operator*() const {
    return std::apply([](auto const&... i) { return reference(*i...); }, at_);
  }
  zip_iterator& operator+=(std::ptrdiff_t n) {
    std::apply([n](auto&... i) { (static_cast<void>(i = i + n), ...); }, at_);
    return *this;
  }
  std::tuple<Iterators...> const& iterators() const { return at_; }
  std::tuple<Iterators...> const& get_iterator_tuple() const { return at_; }
  friend std::ptrdiff_t operator-(zip_iterator const& a, zip_iterator const& b) {
    return std::get<0>(a.at_) - std::get<0>(b.at_);
  }
  friend bool operator==(zip_iterator const& a, zip_iterator const& b) {
    return std::get<0>(a.at_) == std::get<0>(b.at_);
  }

 private:
  std::tuple<Iterators...> at_;
};
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(std::tuple<Iterators...> at) {
  return zip_iterator<std::tuple<Iterators...>>(at);
}
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... at) {
  return zip_iterator<std::tuple<Iterators...>>(std::tuple<Iterators...>(at...));
}

/// The elements of one iterator in the order that another gives: element `*place` each time.
template <class Values, class Places>
class permutation_iterator
    : public computed_iterator<permutation_iterator<Values, Places>, typename std::iterator_traits<Values>::reference> {
 public:
  using value_type = typename std::iterator_traits<Values>::value_type;
  permutation_iterator() = default;
  permutation_iterator(Values values, Places at) : values_(values), at_(at) {}
  decltype(auto) operator*() const { return values_[static_cast<std::ptrdiff_t>(*at_)]; }
  permutation_iterator& operator+=(std::ptrdiff_t n) {
    at_ = at_ + n;
    return *this;
  }
  friend std::ptrdiff_t operator-(permutation_iterator const& a, permutation_iterator const& b) {
    return a.at_ - b.at_;
  }
  friend bool operator==(permutation_iterator const& a, permutation_iterator const& b) { return a.at_ == b.at_; }

 private:
  Values values_;
  Places at_;
};
template <class Values, class Places>
permutation_iterator<Values, Places> make_permutation_iterator(Values values, Places places) {
  return {values, places};
}

/// Takes all values and keeps none.
class discard_iterator : public computed_iterator<discard_iterator, discard_iterator const&> {
 public:
  using value_type = discard_iterator;
  explicit discard_iterator(std::ptrdiff_t at = 0) : at_(at) {}
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, discard_iterator>) explicit discard_iterator(T const&) {}
  template <class T>
  discard_iterator const& operator=(T const&) const {
    return *this;
  }
  discard_iterator const& operator*() const { return *this; }
  discard_iterator& operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  friend std::ptrdiff_t operator-(discard_iterator a, discard_iterator b) { return a.at_ - b.at_; }
  friend bool operator==(discard_iterator a, discard_iterator b) { return a.at_ == b.at_; }

 private:
  std::ptrdiff_t at_ = 0;
};
inline discard_iterator make_discard_iterator(std::ptrdiff_t at = 0) { return discard_iterator(at); }

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
