// SPDX-License-Identifier: Apache-2.0
// copy_tensor, plan_copy and tune_copy called with what they cannot take.
// expect 1: elements of fewer than 8 bits, several of which share a byte: copy_tensor moves whole bytes
// expect 2: elements of fewer than 8 bits, several of which share a byte: copy_tensor moves whole bytes
// expect 3: a swizzled or composed layout: both are layouts of a shape and strides
// expect 4: a swizzled or composed layout: both are layouts of a shape and strides
// expect 5: a swizzled or composed layout: both are layouts of a shape and strides
// expect 6: a tensor whose elements are computed, such as make_identity_tensor
// expect 7: strides that are basis vectors: there are no elements at coordinates
// expect 8: src's elements cannot be converted to dst's: static_cast has no way
// expect 9: src's elements cannot be converted to dst's: static_cast has no way
// expect 10: a tensor in registers, made without a pointer: both lie in device memory
// expect 11: a tensor in registers, made without a pointer: both lie in device memory
// expect 12: strides that are basis vectors: there are no elements at coordinates
// expect 13: elements are trivially copyable, of 1, 2, 4, 8 or 16 bytes
// expect 14: dst's elements are const
// expect 15: a tensor in shared memory, which only kernels have
// expect 16: volatile elements: each would be accessed on its own
// expect 17: src and dst are layouts; of tensors plan_copy
// expect 18: copy_tensor.src, dst.: both are tensors
// expect 19: dst.s elements are const
// flags nvcc: -arch=sm_90a
// expect-lines < 20
// expect-bytes < 2600
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/copy.hpp>
#include <cosmati/number/complex.hpp>
#if COSMATI_FAIL >= 18
#include <cosmati/kernel/tune_copy.hpp>
#endif
using namespace cosmati;

struct one {
  int x;
};
struct other {
  int y;
};
struct three {
  char x[3];
};

void start(float* p, char* bytes, one* ones, other* others, three* threes, complex<float>* numbers) {
  auto const square = Layout<Shape<_8, _8>>{};
  auto const plain = make_tensor(make_gmem_ptr(p), square);
  auto const packed = make_tensor(make_gmem_ptr<int4_t>(bytes), Layout<_64>{});
  [[maybe_unused]] auto const swizzled =
      make_tensor(make_gmem_ptr(p), composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}));
#if COSMATI_FAIL == 1
  copy_tensor(packed, packed);
#elif COSMATI_FAIL == 2
  copy_tensor(make_tensor(make_gmem_ptr<float_e2m1_t>(bytes), Layout<_64>{}),
              make_tensor(make_gmem_ptr(p), Layout<_64>{}));
#elif COSMATI_FAIL == 3
  copy_tensor(plain, swizzled);
#elif COSMATI_FAIL == 4
  copy_tensor(swizzled, plain);
#elif COSMATI_FAIL == 5
  (void)plan_copy(composition(Swizzle<2, 0, 3>{}, square), square, 4);
#elif COSMATI_FAIL == 6
  copy_tensor(make_identity_tensor(Shape<_8, _8>{}), plain);
#elif COSMATI_FAIL == 7
  copy_tensor(make_tensor(make_gmem_ptr(p), make_layout(make_shape(8, 8), make_stride(E<0>{}, E<1>{}))), plain);
#elif COSMATI_FAIL == 8
  copy_tensor(make_tensor(make_gmem_ptr(numbers), square), plain);
#elif COSMATI_FAIL == 9
  copy_tensor(make_tensor(make_gmem_ptr(ones), square), make_tensor(make_gmem_ptr(others), square));
#elif COSMATI_FAIL == 10
  copy_tensor(make_tensor<float>(square), plain);
#elif COSMATI_FAIL == 11
  auto held = make_tensor<float>(square);
  copy_tensor(plain, held);
#elif COSMATI_FAIL == 12
  (void)plan_copy(make_layout(make_shape(8, 8), make_stride(E<0>{}, E<1>{})), square, 4);
#elif COSMATI_FAIL == 13
  copy_tensor(make_tensor(make_gmem_ptr(threes), square), make_tensor(make_gmem_ptr(threes), square));
#elif COSMATI_FAIL == 14
  copy_tensor(plain, make_tensor(make_gmem_ptr(static_cast<float const*>(p)), square));
#elif COSMATI_FAIL == 15
  copy_tensor(make_tensor(make_smem_ptr(p), square), plain);
#elif COSMATI_FAIL == 16
  copy_tensor(plain, make_tensor(make_gmem_ptr(static_cast<float volatile*>(p)), square));
#elif COSMATI_FAIL == 17
  (void)plan_copy(plain, plain, 4);
#elif COSMATI_FAIL == 18
  (void)tune_copy(p, plain);
#elif COSMATI_FAIL == 19
  (void)tune_copy(plain, make_tensor(make_gmem_ptr(static_cast<float const*>(p)), square));
#else
  copy_tensor(recast<uint8_t>(packed), recast<uint8_t>(packed));
  copy_tensor(plain, make_tensor(make_gmem_ptr(numbers), square));
  copy_tensor(make_tensor(make_gmem_ptr(static_cast<one const*>(ones)), square),
              make_tensor(make_gmem_ptr(ones), square));
  copy_tensor(make_tensor(p, square), plain);
  (void)others, (void)threes;
#endif
}
