// SPDX-License-Identifier: Apache-2.0
// Functions that the examples and the tutorial share: layouts as text, and a count of failed checks.
#pragma once

#include <cosmati/layout/composed_layout.hpp>
#include <cstdio>
#include <string>

namespace example {

template <class T, int... mode>
std::string basis_text(cosmati::ScaledBasis<T, mode...> const& e) {
  std::string out = std::to_string(static_cast<long long>(e.value()));
  ((out += "@", out += std::to_string(mode)), ...);
  return out;
}

/// An integer, a tuple, a layout or a swizzled layout as CuTe prints it, without blanks and underscores.
template <class T>
std::string text(T const& x) {
  using namespace cosmati;
  if constexpr (is_underscore_v<T>) {
    return "_";
  } else if constexpr (integer<T>) {
    return std::to_string(static_cast<long long>(x));
  } else if constexpr (scaled_basis<T>) {
    return basis_text(x);
  } else if constexpr (tuple_type<T>) {
    std::string out = "(";
    [&]<std::size_t... k>(std::index_sequence<k...>) { ((out += k == 0 ? "" : ",", out += text(get<k>(x))), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<T>)>{});
    out += ")";
    return out;
  } else if constexpr (composed_layout<T>) {
    using S = std::remove_cvref_t<decltype(x.layout_a())>;
    std::string out = "Sw<";
    out += std::to_string(S::num_bits);
    out += ",";
    out += std::to_string(S::num_base);
    out += ",";
    out += std::to_string(S::num_shft);
    out += "> o ";
    out += text(x.offset());
    out += " o ";
    out += text(x.layout_b());
    return out;
  } else {
    std::string out = text(x.shape());
    out += ":";
    out += text(x.stride());
    return out;
  }
}

template <class T>
void show(char const* name, T const& x) {
  std::printf("%-12s %s\n", name, text(x).c_str());
}

/// Counts the checks that are false and prints each. The count is the exit status of an example.
struct expectations {
  int failed = 0;
  void operator()(bool holds, char const* what) {
    if (holds) return;
    ++failed;
    std::printf("WRONG: %s\n", what);
  }
};

}  // namespace example
