// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction that the target has, so that the assembler sees each.
#include <cosmati/atom/mma_operations.hpp>
#include <cosmati/mma.hpp>

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
  cosmati::mma_operations::for_each_operation(operations, []<class Op>(cosmati::mma_operations::named<Op> const&) {
    void* volatile kernel = reinterpret_cast<void*>(&multiply<Op>);
    static_cast<void>(kernel);
  });
}
void every_instruction() {
  compile_all(cosmati::mma_operations::volta_operations);
  compile_all(cosmati::mma_operations::sm75_operations);
  compile_all(cosmati::mma_operations::float_operations);
  compile_all(cosmati::mma_operations::double_operations);
  compile_all(cosmati::mma_operations::byte_operations);
  compile_all(cosmati::mma_operations::nibble_operations);
  compile_all(cosmati::mma_operations::bit_operations);
  compile_all(cosmati::mma_operations::float8_operations);
  compile_all(cosmati::mma_operations::complex_operations);
}
