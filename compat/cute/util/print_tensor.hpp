// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_tensor`, `print_tensor_os`, `operator<<` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/layout/stream.hpp>
#include <cosmati/tensor/print.hpp>
#include <cute/tensor_impl.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cute/pointer_flagged.hpp>

namespace COSMATI_NAMESPACE {

/// The elements in columns of nine characters: a row for each coordinate of mode 0, and tables with rules between them
/// for the modes after mode 1.
template <class Traits, class Engine, class L>
std::basic_ostream<char, Traits>& print_tensor_os(std::basic_ostream<char, Traits>& out,
                                                  Tensor<Engine, L> const& tensor) {
  constexpr int n = L::rank, digits = 9;
  if constexpr (n <= 2) {
    for (int i = 0; i < static_cast<int>(size<0>(tensor)); ++i) {
      for (int j = 0; j < static_cast<int>(size(tensor)) / static_cast<int>(size<0>(tensor)); ++j) {
        out.width(digits);
        if constexpr (n == 1)
          out << tensor(i);
        else
          out << tensor(i, j);
      }
      out << '\n';
    }
  } else {
    for (int k = 0; k < static_cast<int>(size<n - 1>(tensor)); ++k) {
      if (k != 0) {
        for (int i = 0; i < digits * static_cast<int>(size<1>(tensor)); ++i) out << (n == 3 ? '-' : '=');
        out << '\n';
      }
      print_tensor_os(out, tensor(append<n>(repeat<n - 1>(_), k)));
    }
  }
  return out;
}

/// @name Texts of CuTe's streams: pointers without their address, tensors with their elements
/// @{
template <class Traits, class P>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, gmem_ptr<P> const&) {
  return out << "gmem_[" << int{sizeof_bits_v<iter_value_t<P>>} << "b]";
}
template <class Traits, class P>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, smem_ptr<P> const&) {
  return out << "smem_[" << int{sizeof_bits_v<iter_value_t<P>>} << "b]";
}
template <class Traits, class P>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, rmem_ptr<P> const&) {
  return out << "rmem_[" << int{sizeof_bits_v<iter_value_t<P>>} << "b]";
}
template <class Traits, class T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, counting_iterator<T> const& p) {
  return out << "counting_iter(" << *p << ')';
}
template <class Traits, class Engine, class L>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Tensor<Engine, L> const& tensor) {
  return print_tensor_os(out << tensor.layout() << '\n', tensor);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
