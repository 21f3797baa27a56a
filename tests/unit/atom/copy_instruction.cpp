// SPDX-License-Identifier: Apache-2.0
// What every copy instruction of the library needs: memory spaces, lanes and architecture, as the PTX ISA has them.
#include <gtest/gtest.h>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/cp_async.hpp>
#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/atom/movmatrix.hpp>
#include <cosmati/atom/stmatrix.hpp>
#include <cosmati/atom/streaming.hpp>

#include <string_view>

using namespace cosmati;

namespace {

constexpr auto gmem = memory_space::gmem, smem = memory_space::smem, rmem = memory_space::rmem;

template <class Op>
constexpr bool needs(char const* name, memory_space from, memory_space to, int lanes, int sm, bool asynchronous) {
  copy_instruction const i = Op::instruction;
  return std::string_view(i.name) == name && i.source == from && i.destination == to && i.lanes == lanes &&
         i.lowest_sm == sm && i.asynchronous == asynchronous;
}

static_assert(needs<SM75_U32x4_LDSM_N>("ldmatrix.x4", smem, rmem, 32, 75, false));
static_assert(needs<SM75_U16x4_LDSM_T>("ldmatrix.x2.trans", smem, rmem, 32, 75, false));
static_assert(needs<SM90_U32x1_STSM_N>("stmatrix.x1", rmem, smem, 32, 90, false));
static_assert(needs<SM75_U32x1_MOVM_T>("movmatrix", rmem, rmem, 32, 75, false));
static_assert(needs<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>>("cp.async.cg.16", gmem, smem, 1, 80, true));
static_assert(needs<SM90_BULK_COPY_G2S>("cp.async.bulk.g2s", gmem, smem, 1, 90, true));
static_assert(needs<StreamingLoad<double>>("ld.global.nc.L1::no_allocate.v2.b32", gmem, rmem, 1, 70, false));

/// An operation of a program's own.
struct own {
  static constexpr copy_instruction instruction = {"own", smem, rmem, 1, 75};
};
static_assert(names_an_instruction<own> && !own::instruction.asynchronous, "unless it says so");
static_assert(!names_an_instruction<UniversalCopy<float>> && !names_an_instruction<DefaultCopy>);

TEST(CopyInstruction, IsKnownAtCompileTime) { SUCCEED(); }

}  // namespace
