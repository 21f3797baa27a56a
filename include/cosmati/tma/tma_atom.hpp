// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies as copy atoms: `SM90_TMA_LOAD`, `SM90_TMA_STORE`, and what `copy` does with them.
///
/// An atom holds its descriptor, so that a kernel takes it as a `__grid_constant__` parameter. make_tma_copy.hpp makes
/// atoms on the host. One thread calls `copy(atom.with(barrier), coordinates, shared)`: the coordinates are a part of
/// `atom.get_tma_tensor(shape)`, the shared tensor is the same part of the stage.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy/check/sizes_agree.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/atom/tma.hpp>
#include <cosmati/core/arithmetic_tuple.hpp>
#include <cosmati/tma/tma_mistakes.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// Strides of the tensor of coordinates, and how many modes the descriptor has.
template <class Strides, int rank_>
struct tma_modes {
  using strides = Strides;
  static constexpr int rank = rank_;
};

/// A coordinate with a mode for each of `i`, all 0.
template <int... i>
COSMATI_HD constexpr auto coordinate_of_zeros(seq<i...>) {
  return make_tuple(C<i - i>{}...);
}

/// The tensor of coordinates of a tensor of this shape. @param strides one basis a leaf
template <int rank, class S, class Strides>
COSMATI_HD constexpr auto make_coordinates(S const& shape, Strides const& strides) {
  return make_tensor(make_inttuple_iter(coordinate_of_zeros(make_seq<std::size_t{rank}>{})),
                     make_layout(shape, strides));
}

/// An instruction of one thread that moves `bits` bits, and what `copy` asks of its traits.
template <int bits>
struct one_thread_of {
  static constexpr bool moves_tensors = true;  ///< see algorithm/copy/own_operation.hpp
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, C<bits>>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

/// Where element i of a tensor in shared memory would be without its swizzle: the instruction exchanges chunks itself.
template <class T, class Index>
COSMATI_HD auto* address_before_swizzle(T const& t, Index i) {
  auto const& layout = t.layout();
  auto* const first = raw_pointer_cast(t.data());
  if constexpr (requires { layout.layout_b(); })
    return first + (layout.offset() + layout.layout_b()(i));
  else
    return first + layout(i);
}

/// The elements of a coordinate, one for each mode of the descriptor.
template <int rank>
struct tensor_coordinate {
  int first[std::size_t{rank}] = {};
};
template <int rank, class Coordinate, int... i>
COSMATI_HD constexpr tensor_coordinate<rank> coordinate_of(Coordinate const& c, seq<i...>) {
  tensor_coordinate<rank> r;
  ((r.first[i] = static_cast<int>(get<i>(c))), ...);
  return r;
}
template <int rank, class Coordinate>
COSMATI_HD constexpr tensor_coordinate<rank> coordinate_of(Coordinate const& c) {
  return coordinate_of<rank>(c, make_seq<static_cast<std::size_t>(tuple_size_v<Coordinate>)>{});
}

/// The first mistake of a call, or nothing_wrong. A run-time number of coordinates is compared when the copy runs.
/// @tparam elements of a box, @tparam rank of the descriptor, @tparam ready: the atom has its mbarrier
template <class Coordinates, class Shared, int elements, int rank, bool ready>
struct tensor_copy_check {
  static constexpr auto find() {
    if constexpr (!is_smem_v<Shared>) {
      return std::type_identity<tensor_copy_needs_shared_memory<false>>{};
    } else if constexpr (!is_arithmetic_tuple_of<typename Coordinates::value_type>) {
      return std::type_identity<tensor_copy_needs_coordinates<false>>{};
    } else if constexpr (!ready) {
      return std::type_identity<tensor_copy_needs_its_mbarrier<false>>{};
    } else {
      constexpr int n = static_cast<int>(size_or<Coordinates, -1>), m = static_cast<int>(size_or<Shared, -1>);
      if constexpr ((n >= 0 && n != m) || m % elements != 0)
        return std::type_identity<tensor_copy_is_no_whole_boxes<n, m, elements>>{};
      else
        return std::type_identity<nothing_wrong>{};
    }
  }
  using says = typename decltype(find())::type;
};

/// Brings the boxes of a tensor of coordinates to L2.
template <int rank, int elements, class Coordinates>
COSMATI_HD void prefetch_boxes_of(TmaDescriptor const& tensor, Coordinates const& at) {
  for (int i = 0; i < static_cast<int>(size(at)); i += elements) {
    auto const c = coordinate_of<rank>(at(i));
#if defined(COSMATI_SIMULATED)
    tensor_prefetch_l2(tensor, c.first, nullptr, 0);
#else
    tensor_prefetch_l2(tensor, c.first);
#endif
  }
}

/// A load that knows its mbarrier: what `with` gives.
template <class Modes>
struct tma_request {};

}  // namespace detail

/// A load whose mbarrier and descriptor are known: `copy` executes it.
template <int bits, class Modes>
struct Copy_Traits<SM90_TMA_LOAD, C<bits>, detail::tma_request<Modes>> : detail::one_thread_of<bits> {
  TmaDescriptor const* descriptor;
  std::uint64_t* barrier;
  TMA::CacheHintSm90 hint;

  template <class Src, class Dst, int elements>
  using mistake = typename detail::tensor_copy_check<Src, Dst, elements, Modes::rank, true>::says;

  /// One instruction for each box of the shared tensor.
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    (void)detail::sizes_agree(src, dst);
    COSMATI_UNROLL
    for (int i = 0; i < static_cast<int>(size(dst)); i += elements) {
      auto const at = detail::coordinate_of<Modes::rank>(src(i));
      auto* const shared = detail::address_before_swizzle(dst, i);
      if (hint == TMA::CacheHintSm90::EVICT_NORMAL)
        issue(shared, at);
      else
        issue(shared, at, hint);
    }
  }

 private:
  template <class T, class At, class... Hint>
  COSMATI_HD void issue(T* shared, At const& at, Hint... hints) const {
#if defined(COSMATI_SIMULATED)
    tensor_copy_g2s(shared, *descriptor, at.first, *barrier, hints..., nullptr, 0);
#else
    tensor_copy_g2s(shared, *descriptor, at.first, *barrier, hints...);
#endif
  }
};

/// A load with its descriptor. @tparam bits of one box
template <int bits, class Strides, int rank>
struct Copy_Traits<SM90_TMA_LOAD, C<bits>, detail::tma_modes<Strides, rank>> : detail::one_thread_of<bits> {
  TmaDescriptor tma_desc_;

  COSMATI_HD constexpr TmaDescriptor const* get_tma_descriptor() const { return &tma_desc_; }
  /// The tensor of coordinates: what takes the place of the tensor in global memory.
  /// @param shape the tensor's, congruent with that which the atom was made for
  template <class S>
  COSMATI_HD constexpr auto get_tma_tensor(S const& shape) const {
    return detail::make_coordinates<rank>(shape, Strides{});
  }
  /// The copy that reports to this mbarrier. @param mask blocks of a cluster that get the box, none beside the own yet
  COSMATI_HD constexpr auto with(std::uint64_t& barrier, [[maybe_unused]] std::uint16_t mask = 0,
                                 TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    return with(&tma_desc_, barrier, mask, hint);
  }
  /// The same with another descriptor of the same kind, in global memory or a kernel's parameter.
  COSMATI_HD constexpr auto with(TmaDescriptor const* descriptor, std::uint64_t& barrier,
                                 [[maybe_unused]] std::uint16_t mask = 0,
                                 TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    using Modes = detail::tma_modes<Strides, rank>;
    return Copy_Traits<SM90_TMA_LOAD, C<bits>, detail::tma_request<Modes>>{{}, descriptor, &barrier, hint};
  }
  /// A load with another descriptor, which still needs its mbarrier.
  COSMATI_HD constexpr Copy_Traits with(TmaDescriptor const* descriptor) const {
    Copy_Traits other = *this;
    other.tma_desc_ = *descriptor;
    return other;
  }
  /// Brings boxes to L2: what `prefetch(copy, coordinates)` calls.
  template <int elements, class Coordinates>
  COSMATI_HD void prefetch_boxes(Coordinates const& at) const {
    detail::prefetch_boxes_of<rank, elements>(tma_desc_, at);
  }
  template <class Src, class Dst, int elements>
  using mistake = typename detail::tensor_copy_check<Src, Dst, elements, rank, false>::says;
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const&, Dst&) const {}
};

namespace detail {
/// What stores and reductions have in common. @tparam Issue issues one instruction
template <class Issue, int bits, int rank>
struct tma_store_boxes : one_thread_of<bits> {
  template <class Src, class Dst, int elements>
  using mistake = typename tensor_copy_check<Dst, Src, elements, rank, true>::says;

 protected:
  /// One instruction for each box of the shared tensor.
  template <int elements, class Src, class Dst>
  COSMATI_HD static void move_by(TmaDescriptor const& descriptor, Src const& src, Dst& dst) {
    (void)sizes_agree(src, dst);
    COSMATI_UNROLL
    for (int i = 0; i < static_cast<int>(size(src)); i += elements) {
      auto const at = coordinate_of<rank>(dst(i));
      Issue::issue(descriptor, address_before_swizzle(src, i), at.first);
    }
  }
};
/// A store or a reduction by another descriptor: what `with` gives.
template <class Issue, int bits, int rank>
struct tma_store_request : tma_store_boxes<Issue, bits, rank> {
  TmaDescriptor const* descriptor;
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    this->template move_by<elements>(*descriptor, src, dst);
  }
};
/// A store or a reduction with its descriptor.
template <class Op, class Issue, int bits, class Strides, int rank>
struct tma_store_traits : tma_store_boxes<Issue, bits, rank> {
  TmaDescriptor tma_desc_;

  COSMATI_HD constexpr TmaDescriptor const* get_tma_descriptor() const { return &tma_desc_; }
  /// The tensor of coordinates, as that of a load.
  template <class S>
  COSMATI_HD constexpr auto get_tma_tensor(S const& shape) const {
    return make_coordinates<rank>(shape, Strides{});
  }
  /// The same with another descriptor of the same kind, in global memory or a kernel's parameter.
  COSMATI_HD constexpr auto with(TmaDescriptor const* descriptor) const {
    return Copy_Traits<Op, C<bits>, tma_request<tma_modes<Strides, rank>>>{{{}, descriptor}};
  }
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    this->template move_by<elements>(tma_desc_, src, dst);
  }
};

struct issue_tensor_store {
  template <std::size_t rank>
  COSMATI_HD static void issue(TmaDescriptor const& tensor, void const* shared, int const (&first)[rank]) {
#if defined(COSMATI_SIMULATED)
    tensor_copy_s2g(tensor, shared, first, nullptr, 0);
#else
    tensor_copy_s2g(tensor, shared, first);
#endif
  }
};
template <tma_reduction operation>
struct issue_tensor_reduction {
  template <std::size_t rank>
  COSMATI_HD static void issue(TmaDescriptor const& tensor, void const* shared, int const (&first)[rank]) {
#if defined(COSMATI_SIMULATED)
    tensor_reduce_s2g<operation>(tensor, shared, first, nullptr, 0);
#else
    tensor_reduce_s2g<operation>(tensor, shared, first);
#endif
  }
};
}  // namespace detail

/// A store with its descriptor, and one by another descriptor. @tparam bits of one box
template <int bits, class Strides, int rank>
struct Copy_Traits<SM90_TMA_STORE, C<bits>, detail::tma_modes<Strides, rank>>
    : detail::tma_store_traits<SM90_TMA_STORE, detail::issue_tensor_store, bits, Strides, rank> {};
template <int bits, class Modes>
struct Copy_Traits<SM90_TMA_STORE, C<bits>, detail::tma_request<Modes>>
    : detail::tma_store_request<detail::issue_tensor_store, bits, Modes::rank> {};
/// A reduction, used as a store is. @tparam bits of one box
template <tma_reduction operation, int bits, class Strides, int rank>
struct Copy_Traits<SM90_TMA_REDUCE<operation>, C<bits>, detail::tma_modes<Strides, rank>>
    : detail::tma_store_traits<SM90_TMA_REDUCE<operation>, detail::issue_tensor_reduction<operation>, bits, Strides,
                               rank> {};
template <tma_reduction operation, int bits, class Modes>
struct Copy_Traits<SM90_TMA_REDUCE<operation>, C<bits>, detail::tma_request<Modes>>
    : detail::tma_store_request<detail::issue_tensor_reduction<operation>, bits, Modes::rank> {};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
