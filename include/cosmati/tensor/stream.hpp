// SPDX-License-Identifier: Apache-2.0
/// @file
/// `std::cout << x` for tensors and tagged pointers, and for everything in layout/stream.hpp. The text is that of
/// `print`. It reads no element, because the elements may be in the memory of another device. This header is opt-in:
/// kernels never include it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/stream.hpp>
#include <cosmati/tensor/print.hpp>

namespace COSMATI_NAMESPACE {

template <class P>
requires(detail::is_tag<P>) std::ostream& operator<<(std::ostream& out, P const& p) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, p);
  return out;
}
template <class Engine, class L>
std::ostream& operator<<(std::ostream& out, Tensor<Engine, L> const& t) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, t);
  return out;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
