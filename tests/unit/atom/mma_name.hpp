// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CuTe's name of a matrix instruction says, read from its letters: `SM80_16x8x32_S32S8U8S32_TN_SATURATE`.
#pragma once

#include <gtest/gtest.h>

#include <cosmati/core/tuple.hpp>
#include <cosmati/number/number_types.hpp>
#include <string>
#include <string_view>

struct mma_name {
  std::string name, order, variant, type[4];  ///< of D, A, B, C
  int sm = 0, extent[3] = {};

  explicit mma_name(std::string_view text) : name(text) {
    text.remove_prefix(2);
    sm = number(text);
    for (int& x : extent) {
      text.remove_prefix(1);
      x = number(text);
    }
    text.remove_prefix(1);
    for (std::string& t : type) {
      for (char const* known : {"TF32", "BF16", "GC64", "E4M3", "E5M2", "F16", "F32", "F64", "S32", "C64", "S8", "S4",
                                "U8", "U4", "U1", "B1"}) {
        if (!t.empty() || text.substr(0, std::string_view(known).size()) != known) continue;
        t = known;
        text.remove_prefix(t.size());
      }
    }
    order = text.substr(1, 2);
    if (text.size() > 3) variant = text.substr(4);
  }

  /// PTX's name of a type.
  static std::string in_ptx(std::string const& t) {
    if (t == "U1" || t == "B1") return "b1";
    std::string small = t;
    for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return small;
  }
  std::string mnemonic() const {
    auto const n = [](int x) { return std::to_string(x); };
    std::string s = "mma.sync.aligned.m" + n(extent[0]) + "n" + n(extent[1]) + "k" + n(extent[2]);
    s += order[0] == 'T' ? ".row" : ".col";  // T: A by rows
    s += order[1] == 'N' ? ".col" : ".row";  // N: B by columns
    if (variant == "SATURATE") s += ".satfinite";
    for (std::string const& t : type) s += "." + in_ptx(t);
    if (variant == "XORPOPC") s += ".xor.popc";
    if (variant == "ANDPOPC") s += ".and.popc";
    return s;
  }
  /// The first architecture that has it, by the notes to `mma` in the PTX ISA. The toolkit compiles for 75 and newer.
  int lowest_sm() const {
    auto const is = [&](int m, int n, int k) { return extent[0] == m && extent[1] == n && extent[2] == k; };
    std::string const& a = type[1];
    if (a == "E4M3" || a == "E5M2") return 89;
    if (a == "F64" || a == "C64") return is(8, 8, 4) ? 80 : 90;
    if (a == "F16") return is(8, 8, 4) ? 70 : is(16, 8, 8) ? 75 : 80;
    if (a == "S8" || a == "U8") return is(8, 8, 16) ? 75 : 80;
    if (a == "S4" || a == "U4") return is(8, 8, 32) ? 75 : 80;
    if (a == "U1" || a == "B1") return is(8, 8, 128) && variant == "XORPOPC" ? 75 : 80;
    return 80;  // bfloat16 and TF32
  }

 private:
  static int number(std::string_view& text) {
    int x = 0;
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1)) x = 10 * x + text[0] - '0';
    return x;
  }
};

/// CuTe's letters for a type of elements.
template <class T>
constexpr char const* mma_type_letters() {
  using namespace cosmati;
  if constexpr (std::is_same_v<T, half_t>) return "F16";
  if constexpr (std::is_same_v<T, bfloat16_t>) return "BF16";
  if constexpr (std::is_same_v<T, tfloat32_t>) return "TF32";
  if constexpr (std::is_same_v<T, float>) return "F32";
  if constexpr (std::is_same_v<T, double>) return "F64";
  if constexpr (std::is_same_v<T, float_e4m3_t>) return "E4M3";
  if constexpr (std::is_same_v<T, float_e5m2_t>) return "E5M2";
  if constexpr (std::is_same_v<T, std::int32_t>) return "S32";
  if constexpr (std::is_same_v<T, std::int8_t>) return "S8";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "U8";
  if constexpr (std::is_same_v<T, int4_t>) return "S4";
  if constexpr (std::is_same_v<T, uint4_t>) return "U4";
  if constexpr (std::is_same_v<T, uint1_t>) return "U1";
  if constexpr (std::is_same_v<T, complex<double>>) return "C64";
  return "GC64";
}

/// The traits of `Op` have the extents and types of its name; its row the architecture that PTX names.
template <class Op, template <class...> class Traits>
void expect_what_the_name_says(char const* text) {
  mma_name const name(text);
  using T = Traits<Op>;
  EXPECT_EQ(int(cosmati::get<0>(typename T::Shape_MNK{})), name.extent[0]) << text;
  EXPECT_EQ(int(cosmati::get<1>(typename T::Shape_MNK{})), name.extent[1]) << text;
  EXPECT_EQ(int(cosmati::get<2>(typename T::Shape_MNK{})), name.extent[2]) << text;
  EXPECT_EQ(mma_type_letters<typename T::ValTypeD>(), name.type[0]) << text;
  EXPECT_EQ(mma_type_letters<typename T::ValTypeA>(), name.type[1]) << text;
  EXPECT_EQ(mma_type_letters<typename T::ValTypeB>(), name.type[2]) << text;
  EXPECT_EQ(mma_type_letters<typename T::ValTypeC>(), name.type[3]) << text;
  if constexpr (requires { Op::lowest_sm; }) {
    EXPECT_EQ(Op::lowest_sm, name.lowest_sm()) << text;
  }
}
#define EXPECT_WHAT_THE_NAME_SAYS(op) expect_what_the_name_says<op, MMA_Traits>(#op)
