// SPDX-License-Identifier: Apache-2.0
// cp.async between tensors, of vectors that are whole, cut or empty: which elements arrive, become zero, stay.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/cp_async.hpp>
#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <vector>

using namespace cosmati;

namespace {

struct holds_of_mask {
  unsigned mask;
  template <class Index>
  bool operator()(Index i) const {
    return (mask >> i & 1u) != 0;
  }
};
/// Becomes zero: the first `count` elements.
struct first_elements {
  unsigned count;
  template <class Index>
  bool inside(Index i) const {
    return static_cast<unsigned>(i) < count;
  }
};

/// 8 elements of 1, 2, ... over 8 of -1 in shared memory, where the mask holds.
template <class Op, class T>
__global__ void where(T const* in, T* out, unsigned mask, unsigned zeros) {
  __shared__ __align__(16) T stage[8];
  auto const src = make_tensor(make_gmem_ptr(in), Layout<_8>{});
  auto dst = make_tensor(make_smem_ptr(&stage[0]), Layout<_8>{});
  for (int i = 0; i < 8; ++i) detail::store_element(dst, i, -1);
  detail::copy_async_where(Copy_Atom<Op, T>{}, src, dst, holds_of_mask{mask}, first_elements{zeros});
  cp_async_wait_all();
  for (int i = 0; i < 8; ++i) out[i] = detail::load_element(dst, i);
}
template <class Op, class T>
void check(bool fills) {
  std::vector<T> host;
  for (int i = 0; i < 8; ++i) host.push_back(static_cast<T>(i + 1));
  device_buffer<T> in(host), out(8);
  for (unsigned mask = 0; mask < 256; mask += mask < 20 ? 1 : 7) {
    for (unsigned const zeros : {0u, 3u, 8u}) {
      launch(where<Op, T>, {.grid = 1, .block = 1}, in.data(), out.data(), mask, zeros);
      auto const got = out.download();
      for (unsigned i = 0; i < 8; ++i) {
        int const wanted = (mask >> i & 1u) != 0 ? static_cast<int>(i + 1) : fills && i < zeros ? 0 : -1;
        EXPECT_EQ(static_cast<int>(got[i]), wanted) << "mask " << mask << ", zeros " << zeros << ", element " << i;
      }
    }
  }
}

TEST(CopyCpAsync, EveryMaskOfElements) {
  check<SM80_CP_ASYNC_CACHEALWAYS<float>, float>(false);
  check<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<double>, float>(true);
  check<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>(false);
  check<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, float>(true);
  check<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, std::int16_t>(true);  // elements that are no cp.async by themselves
}

template <class P, class L = Layout<_8>>
using view = decltype(make_tensor(std::declval<P>(), L{}));
using in_global = view<gmem_ptr<float*>>;
using in_shared = view<smem_ptr<float*>>;
static_assert(detail::may_copy_async<16, in_global, in_shared> && detail::may_copy_async<4, in_global, in_shared>);
static_assert(!detail::may_copy_async<2, in_global, in_shared> && !detail::may_copy_async<32, in_global, in_shared>);
static_assert(!detail::may_copy_async<16, in_shared, in_global> && !detail::may_copy_async<16, in_global, in_global>);

TEST(CopyCpAsync, AnAtomWithoutItsPredicateReadsNothing) {
  using fills = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<float>, float>;
  EXPECT_FALSE(detail::filled_only(fills{}));
  EXPECT_TRUE(detail::filled_only(fills{}.with(false)));
  EXPECT_FALSE((detail::filled_only(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{})));
}

}  // namespace
