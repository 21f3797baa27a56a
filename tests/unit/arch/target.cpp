// SPDX-License-Identifier: Apache-2.0
// The target on the host, which every instruction passes; shared addresses; callers' places; lists of missing targets.
#include <gtest/gtest.h>
#include <cosmati/arch/target.hpp>

#include <cstring>

using namespace cosmati;

namespace {

static_assert(COSMATI_TARGET_SM == 0, "the host");
static_assert(detail::target_lacks_the_instruction<instruction::stmatrix, 90, 0>::ok);
static_assert(detail::target_lacks_the_instruction<instruction::stmatrix, 90, 90>::ok);
static_assert(detail::target_lacks_the_instruction<instruction::ldmatrix, 75, 120>::ok);

TEST(Target, SharedAddressesAreTheLowBits) {
  auto* const p = reinterpret_cast<float*>(std::uintptr_t{0x7f12'3456'789c});
  EXPECT_EQ(cast_smem_ptr_to_uint(p), 0x3456'789cu);
  EXPECT_EQ(cast_smem_ptr_to_uint(make_smem_ptr(p)), 0x3456'789cu);
}

int line_of_caller(COSMATI_CALLER_PARAMETERS_) { return std::strstr(file, "target.cpp") != nullptr ? line : -1; }
int line_behind_an_argument(int COSMATI_AND_CALLER_PARAMETERS_) { return line_of_caller(COSMATI_CALLER_); }
int line_of_kept(detail::kept_caller const& kept) { return line_of_caller(COSMATI_CALLER_OF_(kept)); }

TEST(Target, FunctionsKnowWhereTheyAreCalled) {
  EXPECT_EQ(line_of_caller(), __LINE__);
  EXPECT_EQ(line_behind_an_argument(7), __LINE__) << "handed on";
  EXPECT_EQ(line_of_kept({"somewhere/target.cpp", 12}), 12) << "kept for later";
}

}  // namespace
