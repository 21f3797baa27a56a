// SPDX-License-Identifier: Apache-2.0
// An instruction moves bits: it cannot turn a half into a float.
// expect 1: element_types_differ_in_size<cosmati::.*half.*, float, 16, 32>|from_bits=16, to_bits=32
// expect 1: copy to a fragment of the SOURCE type first
// expect 2: element_types_differ_in_size<float, double, 32, 64>|from_bits=32, to_bits=64
// expect 2: copy to a fragment of the SOURCE type first
// expect 3: atom_is_of_another_type_size<float, double, 32, 64>|atom_bits=32, element_bits=64
// expect 3: write Copy_Atom<Op, ELEMENT>
// expect 4: element_types_differ_in_size<float, signed char, 32, 8>|from_bits=32, to_bits=8
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
using Input = half_t;
using Output = float;
using Element = half_t;
#elif COSMATI_FAIL == 2
using Input = float;
using Output = double;
using Element = float;
#elif COSMATI_FAIL == 3
using Input = double;
using Output = double;
using Element = float;
#else
using Input = float;
using Output = float;
using Element = float;
#endif

__global__ void stage(Input const* in, int rows) {
  __shared__ Output memory[32 * 32];
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint64_t>, Element>{},
                                    Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto source = make_tensor(make_gmem_ptr(in), make_shape(rows, _32{}), make_stride(_32{}, _1{}));
  auto staged = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(local_tile(source, Shape<_32, _32>{}, make_coord(blockIdx.x, _0{}))),
       thread.partition_D(staged));
}

void start(float* p, std::int8_t* q) {
  auto source = make_tensor(p, Shape<_8>{});
#if COSMATI_FAIL == 4
  copy(Copy_Atom<UniversalCopy<std::uint32_t>, float>{}, source, make_tensor(q, Shape<_8>{}));
#else
  copy(source, make_tensor(q, Shape<_8>{}));  // without an atom, copy converts
#endif
}
