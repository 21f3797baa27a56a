// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/type_names.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using namespace cosmati;

TEST(type_names, every_type_is_found_by_its_name) {
  std::set<std::string_view> names;
  for (auto const& row : number_types) {
    EXPECT_EQ(&row_of(row.type), &row);
    EXPECT_EQ(find_number_type(row.name), &row) << row.name;
    EXPECT_EQ(name_of(row.type), row.name);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    with_number_type(row.type, [&]<class T>(std::type_identity<T>) {
      EXPECT_EQ(number_type_of<T>(), row.type);
      EXPECT_EQ(type_name<T>(), row.name);
      EXPECT_EQ(sizeof_bits_v<T>, row.bits);
      EXPECT_EQ(static_cast<int>(alignof(T)), row.alignment);
    });
  }
  for (auto const& alias : number_type_aliases) {
    EXPECT_TRUE(names.insert(alias.name).second) << alias.name << " is there twice";
    auto const* const row = find_number_type(alias.name);
    ASSERT_NE(row, nullptr) << alias.name;
    EXPECT_EQ(row->type, alias.type) << alias.name;
  }
}

TEST(type_names, spellings) {
  auto const name = [](std::string_view text) {
    auto const* const row = find_number_type(text);
    return std::string(row != nullptr ? row->name : "none");
  };
  for (auto const* text :
       {"half", "half_t", "f16", "float16", "F16", "__half", "cutlass::half_t", " cute :: half_t "}) {
    EXPECT_EQ(name(text), "half") << text;
  }
  EXPECT_EQ(name("cosmati::bfloat16_t"), "bfloat16");
  EXPECT_EQ(name("::cutlass::bfloat16_t"), "bfloat16");
  EXPECT_EQ(name("float32"), "float");
  EXPECT_EQ(name("double"), "double");
  EXPECT_EQ(name("std::uint8_t"), "uint8");
  EXPECT_EQ(name("unsigned char"), "uint8");
  EXPECT_EQ(name("unsigned long long"), "uint64");
  EXPECT_EQ(name("size_t"), "uint64");
  EXPECT_EQ(name("int4b_t"), "int4");
  EXPECT_EQ(name("bin1_t"), "uint1");
  EXPECT_EQ(name("float8_e4m3fn"), "float_e4m3");
  EXPECT_EQ(name("e5m2"), "float_e5m2");
  EXPECT_EQ(name("complex<float>"), "complex<float>");
  EXPECT_EQ(name("std::complex< double >"), "complex<double>");
  EXPECT_EQ(name("cutlass::complex<cutlass::half_t>"), "complex<half>");
  EXPECT_EQ(name("complex64"), "complex<float>");
  for (auto const* text : {"", "_t", "complex", "complex<>", "complex<int>", "complex<complex<float>>", "quarter",
                           "half half", "int3", "xstd::half"}) {
    EXPECT_EQ(name(text), "none") << text;
  }
  EXPECT_EQ(name(std::string(1000, 'x')), "none");
}

TEST(type_names, equal_integers_share_a_name) {
  static_assert(type_name<long long>() == "int64" && type_name<unsigned long>() == "uint64");
  static_assert(type_name<char const>() == "int8" && type_name<bool>() == "bool" && type_name<int>() == "int32");
  static_assert(row_of(number_type::uint4).kind == number_kind::unsigned_integer &&
                row_of(number_type::uint4).bits == 4);
}

}  // namespace
