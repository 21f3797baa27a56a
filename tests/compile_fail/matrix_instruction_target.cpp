// SPDX-License-Identifier: Apache-2.0
// Matrix instructions that the target does not have.
// only: nvcc (others compile for no GPU)
// flags nvcc: -gencode arch=compute_75,code=sm_75
// expect 1: target_lacks_the_matrix_instruction<.*SM80_16x8x16_F32F16F16F32_TN, needed=80, target=75
// expect 2: target_lacks_the_matrix_instruction<.*SM90_16x8x4_F64F64F64F64_TN, needed=90, target=75
#include <cosmati/mma.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
#define OP SM80_16x8x16_F32F16F16F32_TN
#elif COSMATI_FAIL == 2
#define OP SM90_16x8x4_F64F64F64F64_TN
#else
#define OP SM75_16x8x8_F32F16F16F32_TN
#endif

__global__ void start(OP::DRegisters* d, OP::ARegisters* a, OP::BRegisters* b) { mma<OP>(*d, *a, *b, *d); }
