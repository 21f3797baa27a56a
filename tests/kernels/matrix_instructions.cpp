// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction that the target has, so that the assembler sees each.
#include <cosmati/mma.hpp>

#include "../mma_operations.hpp"

using namespace cosmati;

template <class Op>
inline constexpr int needed_sm = Op::lowest_sm;
template <detail::mma_complex_operation Op>
inline constexpr int needed_sm<Op> = Op::real_operation::lowest_sm;

template <class Op>
__global__ void multiply(typename Op::DRegisters* d, typename Op::ARegisters const* a, typename Op::BRegisters const* b,
                         typename Op::CRegisters const* c) {
  if constexpr (needed_sm<Op> <= COSMATI_TARGET_SM)
    mma<Op>(d[threadIdx.x], a[threadIdx.x], b[threadIdx.x], c[threadIdx.x]);
}

/// Takes the address of each kernel, so that it is compiled.
template <class Operations>
void compile_all(Operations const& operations) {
  mma_test::for_each_operation(operations, []<class Op>(mma_test::named<Op> const&) {
    void* volatile kernel = reinterpret_cast<void*>(&multiply<Op>);
    static_cast<void>(kernel);
  });
}
void every_instruction() {
  compile_all(mma_test::volta_operations);
  compile_all(mma_test::sm75_operations);
  compile_all(mma_test::float_operations);
  compile_all(mma_test::double_operations);
  compile_all(mma_test::byte_operations);
  compile_all(mma_test::nibble_operations);
  compile_all(mma_test::bit_operations);
  compile_all(mma_test::float8_operations);
  compile_all(mma_test::complex_operations);
}
