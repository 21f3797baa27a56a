// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions as MMA atoms: who holds which elements, and the descriptors that stand for operands in
/// shared memory.
///
/// `make_fragment_A` and `make_fragment_B` of a partition of shared memory give a tensor of descriptors, one for each
/// instruction. `gemm` issues the instructions; the caller arrives, commits and waits (arch/wgmma.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/target.hpp>
#include <cosmati/arch/wgmma.hpp>
#include <cosmati/atom/mma_atom.hpp>
#include <cosmati/atom/wgmma_descriptor.hpp>
#include <cosmati/atom/wgmma_instruction.hpp>
#include <cosmati/atom/wgmma_layouts.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>

namespace COSMATI_NAMESPACE {

namespace GMMA {

/// A descriptor as the element of a tensor. @tparam major which mode of the operand is contiguous
template <Major major>
struct smem_desc {
  std::uint64_t bits;
};

}  // namespace GMMA

namespace detail {

template <bool is>
struct operand_is_in_shared_memory : refused {
  static constexpr bool ok = is;
  static_assert(
      ok,
      "make_fragment: wgmma reads this operand from shared memory (operand_is_in_shared_memory); copy it there "
      "first, and partition a tensor of make_smem_ptr(p)");
};
template <int element_bytes, int needed_bytes>
struct operand_is_of_another_type : refused {
  static constexpr bool ok = element_bytes == needed_bytes;
  static_assert(ok,
                "make_fragment: the instruction takes elements of another size than the operand's "
                "(operand_is_of_another_type<BYTES OF AN ELEMENT, NEEDED>); take the wgmma of the operand's type");
};
template <bool is>
struct operand_layout_is_static : refused {
  static constexpr bool ok = is;
  static_assert(ok,
                "make_fragment: a descriptor is made of a static layout, and this one has run-time extents or strides "
                "(operand_layout_is_static); take tile_to_shape of a GMMA::Layout_K_SW128_Atom<T> or its like, to a "
                "Shape of static integers");
};
template <int bits, int base, int shift, int unit_bytes>
struct no_matrix_instruction_swizzles_like_this : refused {
  static constexpr bool ok = bits < 0;
  static_assert(ok,
                "make_fragment: wgmma does not read operands of this swizzle "
                "(no_matrix_instruction_swizzles_like_this<B, M, S, BYTES THAT IT COUNTS BY>); take tile_to_shape of a "
                "GMMA::Layout_K_SW128_Atom<T> or its like");
};
template <int mn, int k, int found, int needed>
struct operand_layout_is_not_canonical : refused {
  static constexpr bool ok = found == needed;
  static_assert(ok,
                "make_fragment: wgmma reads element (MN, K) of an operand at NEEDED, the layout has it at FOUND "
                "(operand_layout_is_not_canonical<MN, K, FOUND, NEEDED>); take tile_to_shape of a "
                "GMMA::Layout_K_SW128_Atom<T> or its like, of the operand's Major");
};

/// The descriptor's fields for one instruction's operand, from the layout of its values, which has the operand's
/// elements column by column.
/// @tparam L static layout of (MN, K), @tparam swizzle bits of the exchange
template <class L, class T, GMMA::Major major, int extent_mn, int extent_k, int swizzle>
struct operand_in_shared {
  static constexpr int bytes = static_cast<int>(sizeof(T)), in_chunk = 16 / bytes;
  static constexpr int row = in_chunk << swizzle;  ///< elements of a row of chunks that are exchanged
  static constexpr int at(int mn, int k) {
    return mn < extent_mn && k < extent_k ? static_cast<int>(L{}(mn + extent_mn * k)) : 0;
  }
  static constexpr wgmma_descriptor fields() {
    auto const distance = [](int elements) { return static_cast<std::uint32_t>(elements * bytes); };
    wgmma_descriptor d;
    d.layout = swizzle == 0 ? GMMA::LayoutType::INTERLEAVE : static_cast<GMMA::LayoutType>(4 - swizzle);
    if (major == GMMA::Major::K) {
      d.leading_bytes = swizzle == 0 ? distance(at(0, in_chunk)) : 16;
      d.stride_bytes = distance(at(8, 0));
    } else if (swizzle == 0) {
      d.leading_bytes = distance(at(0, 8));
      d.stride_bytes = distance(at(in_chunk, 0));
    } else {
      d.leading_bytes = distance(at(row, 0));
      d.stride_bytes = distance(at(0, 8));
    }
    return d;
  }
  /// The first element that the instruction would read elsewhere, as mn + extent_mn k; -1: there is none.
  static constexpr int first_wrong() {
    wgmma_descriptor const d = fields();  // once: the loop is long for a compiler
    for (int i = 0; i < extent_mn * extent_k; ++i) {
      if (static_cast<int>(operand_byte(d, major, bytes, i % extent_mn, i / extent_mn)) !=
          static_cast<int>(L{}(i)) * bytes)
        return i;
    }
    return -1;
  }
  /// void, or the class that names the first wrong element.
  static constexpr auto mistake() {
    constexpr int wrong = first_wrong(), mn = wrong % extent_mn, k = wrong / extent_mn;
    if constexpr (wrong >= 0)
      return std::type_identity<operand_layout_is_not_canonical<
          mn, k, at(mn, k), static_cast<int>(operand_byte(fields(), major, bytes, mn, k)) / bytes>>{};
    else
      return std::type_identity<void>{};
  }
};

/// An iterator over descriptors. Its steps are in chunks of 16 bytes.
template <GMMA::Major major>
struct descriptor_iterator {
  using value_type = GMMA::smem_desc<major>;
  using element_type = value_type;
  using reference = value_type;
  std::uint64_t bits;
  COSMATI_HD constexpr reference operator*() const { return {bits}; }
  template <class Offset>
  COSMATI_HD constexpr reference operator[](Offset const& chunks) const {
    return *(*this + chunks);
  }
  template <class Offset>
  COSMATI_HD constexpr descriptor_iterator operator+(Offset const& chunks) const {
    return {bits + static_cast<std::uint64_t>(chunks)};  // the address never leaves its field: shared memory is smaller
  }
};

/// For `print`: the bits of the first descriptor. Programs for CuTe print CuTe's words.
template <class Sink, GMMA::Major major>
COSMATI_HD void put_text(Sink& out, [[maybe_unused]] descriptor_iterator<major> const& p) {
#if defined(COSMATI_CUTE_PROGRAM)
  out.text("GMMA::DescriptorIterator");
#else
  out.text("descriptor(");
  out.address(reinterpret_cast<void const*>(static_cast<std::uintptr_t>(p.bits)));
  out.character(')');
#endif
}

/// The swizzle of an operand, of the layout or of the pointer, and the bytes that it counts by.
template <class L, class P, int element_bytes>
struct operand_swizzle {
  using type = get_swizzle_t<L>;
  static constexpr int unit = element_bytes;
};
template <class L, class P, int element_bytes>
requires(!std::is_void_v<pointer_swizzle_t<P>>) struct operand_swizzle<L, P, element_bytes> {
  using type = pointer_swizzle_t<P>;
  static constexpr int unit = 1;
};

/// What the types of a partition (V, ...) in shared memory tell of its descriptors, and the first mistake in them.
/// @tparam P the partition's pointer, @tparam L its layout
template <class T, GMMA::Major major, int extent_mn, int extent_k, class P, class L>
struct operand_of_partition {
  using Plain = std::remove_cvref_t<decltype(get_nonswizzle_portion(std::declval<L>()))>;
  using Values = std::remove_cvref_t<decltype(layout<0>(std::declval<Plain>()))>;
  static constexpr int bytes = static_cast<int>(sizeof(T));
  using Found = operand_swizzle<L, P, bytes>;
  using Swizzle_ = typename Found::type;
  static constexpr int swizzle = chunk_swizzle_bits<Found::unit>(static_cast<Swizzle_ const*>(nullptr));
  using Operand = operand_in_shared<Values, T, major, extent_mn, extent_k, (swizzle < 0 ? 0 : swizzle)>;

  template <int bits, int base, int shift>
  static constexpr auto find(Swizzle<bits, base, shift> const*) {
    if constexpr (!is_static_v<Values>)
      return std::type_identity<operand_layout_is_static<false>>{};
    else if constexpr (swizzle < 0)
      return std::type_identity<no_matrix_instruction_swizzles_like_this<bits, base, shift, Found::unit>>{};
    else
      return Operand::mistake();
  }
  /// void, or the class that names it
  using mistake = typename decltype(find(static_cast<Swizzle_ const*>(nullptr)))::type;

  static constexpr std::uint64_t fields = [] {
    if constexpr (!std::is_void_v<mistake>) static_assert(sizeof(mistake) != 0);
    return encoded(Operand::fields());
  }();
};
/// The tensor of descriptors for a partition (V, ...) of an operand in shared memory, (1, ...), or the class that names
/// the mistake.
template <class T, GMMA::Major major, int extent_mn, int extent_k, class Partition>
COSMATI_HD constexpr auto describe_operand(Partition const& partition) {
  using Known =
      operand_of_partition<T, major, extent_mn, extent_k, decltype(partition.data()), typename Partition::layout_type>;
  constexpr bool shared = is_smem_v<Partition>;
  constexpr int bytes = static_cast<int>(sizeof(typename Partition::value_type));
  if constexpr (!shared) {
    return operand_is_in_shared_memory<shared>{};
  } else if constexpr (bytes != static_cast<int>(sizeof(T))) {
    return operand_is_of_another_type<bytes, static_cast<int>(sizeof(T))>{};
  } else if constexpr (!std::is_void_v<typename Known::mistake>) {
    return typename Known::mistake{};
  } else {
    auto const* const first = raw_pointer_cast(partition.data());
    auto const offset = [&] {
      if constexpr (requires { partition.layout().layout_b(); })
        return partition.layout().offset();
      else
        return C<0>{};
    }();
    std::uint64_t const address = (cast_smem_ptr_to_uint(first + offset) & 0x3ffffu) >> 4;
    constexpr int rank = Known::Plain::rank, in_chunk = 16 / static_cast<int>(sizeof(T));
    auto const rest = upcast<in_chunk>(take<1, rank>(get_nonswizzle_portion(partition.layout())));
    return make_tensor(descriptor_iterator<major>{Known::fields | address}, prepend<rank>(rest, Layout<_1, _0>{}));
  }
}

/// C and D (64, N): four warps of 16 rows; a thread holds pairs of columns of two rows.
template <int N>
using wgmma_sum_layout =
    Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, C<N / 8>>>, Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;
/// A (64, K) in registers of `each` elements.
template <int K, int each>
using wgmma_register_layout = std::conditional_t<
    each == 1, Layout<Shape<Shape<_4, _8, _4>, Shape<_2, C<K / 4>>>, Stride<Stride<_64, _1, _16>, Stride<_8, _256>>>,
    Layout<Shape<Shape<_4, _8, _4>, Shape<C<each>, _2, C<K / (4 * each)>>>,
           Stride<Stride<C<64 * each>, _1, _16>, Stride<_64, _8, C<64 * 4 * each>>>>>;
/// An operand in shared memory: all threads see all of it.
template <int mn, int K>
using wgmma_shared_layout = Layout<Shape<_128, Shape<C<mn>, C<K>>>, Stride<_0, Stride<_1, C<mn>>>>;

/// What differs where A is in shared memory and where it is in registers.
template <class Op, bool shared = Op::source_of_A == wgmma_source::shared>
struct wgmma_first_operand {
  using FrgTypeA = GMMA::smem_desc<Op::major_A>;
  using ALayout = wgmma_shared_layout<64, Op::K>;
  template <class E, class L>
  COSMATI_HD static constexpr auto operand_A(Tensor<E, L> const& partition) {
    return describe_operand<typename Op::ValTypeA, Op::major_A, 64, Op::K>(partition);
  }
  template <class A>
  COSMATI_HD static void registers_of_A(A const& a, typename Op::ARegisters& held) {
    held[0] = a(0).bits;
  }
};
template <class Op>
struct wgmma_first_operand<Op, false> {
  using FrgTypeA = typename Op::ValTypeA;
  using ALayout = wgmma_register_layout<Op::K, 4 / static_cast<int>(sizeof(typename Op::ValTypeA))>;
  template <class A>
  COSMATI_HD static void registers_of_A(A const& a, typename Op::ARegisters& held) {
    constexpr int each = 4 / static_cast<int>(sizeof(typename Op::ValTypeA));
    [[maybe_unused]] unseen_scope const unseen;
    COSMATI_UNROLL
    for (int r = 0; r < 4; ++r)
      held[r] = *reinterpret_cast<std::uint32_t const*>(raw_pointer_cast(a.data() + a.layout()(r * each)));
  }
};

}  // namespace detail

template <detail::wgmma_operation Op>
struct MMA_Traits<Op> : detail::wgmma_first_operand<Op> {
  using ValTypeD = typename Op::ValTypeD;
  using ValTypeA = typename Op::ValTypeA;
  using ValTypeB = typename Op::ValTypeB;
  using ValTypeC = typename Op::ValTypeC;
  using FrgTypeB = GMMA::smem_desc<Op::major_B>;
  using Shape_MNK = Shape<C<64>, C<Op::N>, C<Op::K>>;
  using ThrID = Layout<_128>;
  using BLayout = detail::wgmma_shared_layout<Op::N, Op::K>;
  using CLayout = detail::wgmma_sum_layout<Op::N>;

  /// Whether the next products are added to the sums or overwrite them: set it before `gemm`.
  GMMA::ScaleOut accumulate_ = GMMA::ScaleOut::One;

  /// The descriptors for a partition (V, N, K, ...) of B in shared memory: what `make_fragment_B` gives.
  template <class E, class L>
  COSMATI_HD static constexpr auto operand_B(Tensor<E, L> const& partition) {
    return detail::describe_operand<ValTypeB, Op::major_B, Op::N, Op::K>(partition);
  }
  /// One instruction. @pre d and c are the same registers, in order
  template <class D, class A, class B, class C_>
  COSMATI_HD void multiply(D& d, A const& a, B const& b, C_ const&) const {
    typename Op::ARegisters held_a;
    this->registers_of_A(a, held_a);
    typename Op::BRegisters const held_b = {b(0).bits};
    auto& sums = *reinterpret_cast<typename Op::DRegisters*>(raw_pointer_cast(d.data()));
#if defined(COSMATI_SIMULATED)
    wgmma<Op>(sums, held_a, held_b, accumulate_, nullptr, 0);
#else
    wgmma<Op>(sums, held_a, held_b, accumulate_);
#endif
  }
};

namespace detail {
/// `warpgroup_fence_operand` for `count` registers, which follow each other.
template <int count, class T>
COSMATI_HD void fence_registers(T* registers) {
  COSMATI_UNROLL
  for (int i = 0; i + 16 <= count; i += 16) fence_16_registers(registers + i);
  COSMATI_UNROLL
  for (int i = count / 16 * 16; i < count; ++i) warpgroup_fence_operand(registers[i]);
}
}  // namespace detail

/// The same as for one register, for each register of a fragment: between `wgmma` and ordinary uses of its sums.
template <class Engine, class Layout_>
COSMATI_HD void warpgroup_fence_operand(Tensor<Engine, Layout_>& fragment) {
  using T = typename Engine::value_type;
  static_assert(is_rmem_v<Tensor<Engine, Layout_>>, "warpgroup_fence_operand: the fragment is held in registers");
  static_assert(sizeof(T) * size_v<decltype(fragment.shape())> % 4 == 0,
                "warpgroup_fence_operand: the fragment is a whole number of registers of 4 bytes");
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t>) {
    detail::fence_registers<static_cast<int>(cosize_v<Layout_>)>(&fragment.data()[0]);
  } else {
    auto words = recast<std::uint32_t>(fragment);
    detail::fence_registers<static_cast<int>(cosize_v<decltype(words.layout())>)>(&words.data()[0]);
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
