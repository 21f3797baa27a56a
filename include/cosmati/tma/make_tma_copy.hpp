// SPDX-License-Identifier: Apache-2.0
/// @file
/// `make_tma_copy` and `make_tma_atom`: tensor copies made on the host from a tensor in global memory and the layout of
/// its tile in shared memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/chunk_swizzle.hpp>
#include <cosmati/core/tuple_array.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <cosmati/tiled/tiled_copy.hpp>
#include <cosmati/tma/box.hpp>
#include <cosmati/tma/multicast.hpp>
#include <cosmati/tma/tma_atom.hpp>
#include <cosmati/tma/tma_mistakes.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The type of a descriptor's elements for a type of values.
template <class T>
constexpr tensor_map_type tensor_map_type_of() {
  if constexpr (std::is_same_v<T, half_t>)
    return tensor_map_type::f16;
  else if constexpr (std::is_same_v<T, bfloat16_t>)
    return tensor_map_type::bf16;
  else if constexpr (std::is_same_v<T, tfloat32_t>)
    return tensor_map_type::tf32;
  else if constexpr (std::is_same_v<T, float>)
    return tensor_map_type::f32;
  else if constexpr (std::is_same_v<T, double>)
    return tensor_map_type::f64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return tensor_map_type::s32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return tensor_map_type::s64;
  else
    return sizeof(T) == 1   ? tensor_map_type::u8
           : sizeof(T) == 2 ? tensor_map_type::u16
           : sizeof(T) == 4 ? tensor_map_type::u32
                            : tensor_map_type::u64;
}

/// A stride that is known by its type, else 1.
template <class D>
inline constexpr int static_stride = 1;
template <auto d>
inline constexpr int static_stride<C<d>> = static_cast<int>(d);

/// The number of parts into which an operation cuts its boxes, one for each block that gets the tile.
template <class Op, class Cluster>
inline constexpr int parts_of_box = is_multicast<Op> ? static_cast<int>(size_v<Cluster>) : 1;

/// What `make_tma_atom` derives from the types of its arguments. @tparam parts of a box, each moved by one block
template <class T, class GlobalLayout, class SharedLayout, class Tiler, int parts = 1>
struct tma_design {
  static constexpr int element_bytes = static_cast<int>(sizeof(T)), number_of_parts = parts;
  using Plain = std::remove_cvref_t<decltype(get_nonswizzle_portion(std::declval<SharedLayout>()))>;
  using TensorShape = std::remove_cvref_t<decltype(wrap(std::declval<GlobalLayout>().shape()))>;
  using Strides_ = std::remove_cvref_t<decltype(wrap(std::declval<GlobalLayout>().stride()))>;
  static constexpr int tile_elements = static_cast<int>(size_v<Tiler>);
  static constexpr int shared_elements = static_cast<int>(size_v<decltype(shape(Plain{}))>);
  /// The swizzle as a descriptor states it, or -1 if no tensor copy does it.
  static constexpr int swizzle = chunk_bits_of_layout<SharedLayout, element_bytes>;
  /// The number of the descriptor's elements for one of the tensor: those of more than 8 bytes are several.
  static constexpr int scale = element_bytes > 8 ? element_bytes / 8 : 1;
  static constexpr int span = swizzle > 0 ? (16 << swizzle) / element_bytes : largest_box_extent / scale;
  static constexpr int alignment = 128;  // of a box or part; chunks are exchanged by the bits of their addresses

  /// The layout from an offset in the shared tile to the index of the element in the tile.
  struct inverse {
    using type = decltype(right_inverse(Plain{}));
  };
  /// Whether the shared tile has no gaps.
  static constexpr bool is_dense = static_cast<int>(size_v<typename inverse::type>) == shared_elements;
  /// The layout from an offset in the shared tile to a coordinate of the tensor.
  struct map {
    using Tile_ = std::remove_cvref_t<decltype(composition(make_identity_layout(std::declval<TensorShape>()),
                                                           std::declval<Tiler>()))>;
    using type = std::remove_cvref_t<decltype(coalesce(composition(std::declval<Tile_>(), typename inverse::type{})))>;
  };
  static constexpr box_plan whole = plan_box<TensorShape, typename map::type, span>();
  static constexpr bool has_parts = [] {
    box_plan cut = whole;
    return cut_box(cut, parts);
  }();
  static constexpr box_plan plan = [] {
    box_plan cut = whole;
    (void)cut_box(cut, parts);
    return cut;
  }();
  /// The index in the tile of an element of a box, for (block, (element, box)). A block's boxes begin at its part.
  struct boxes_in_tile {
    static constexpr int box = whole.elements, boxes = shared_elements / box;
    using Blocks = Layout<C<parts>, C<parts == 1 ? 0 : plan.elements>>;
    using Boxes = Layout<Shape<Shape<C<box>, C<boxes>>>, Stride<Stride<C<1>, C<boxes == 1 ? 0 : box>>>>;
    using Inverse = typename inverse::type;
    using type = decltype(make_layout(composition(Inverse{}, Blocks{}), composition(Inverse{}, Boxes{})));
  };

  /// The stride of the coordinates along a leaf of the tensor.
  template <int leaf>
  static constexpr auto basis_of_leaf() {
    constexpr int mode = descriptor_mode_of(plan, leaf);
    if constexpr (mode < 0)
      return C<0>{};
    else if constexpr (mode == 0 && scale != 1)
      return E<0>{} * C<scale>{};
    else
      return E<mode>{};
  }
  template <int... leaf>
  static constexpr auto flat_strides(seq<leaf...>) {
    return make_tuple(basis_of_leaf<leaf>()...);
  }
  struct modes {
    using Strides = std::remove_cvref_t<decltype(unflatten(
        flat_strides(make_seq<static_cast<std::size_t>(count_leaves<TensorShape>)>{}), std::declval<TensorShape>()))>;
    using type = tma_modes<Strides, plan.rank>;
  };
  /// Of a whole box, of which an instruction moves the block's part.
  static constexpr int box_bits() { return whole.elements * element_bytes * 8; }
};

/// The first mistake in the layouts of a tensor copy, or nothing_wrong.
template <class Design, class Swizzle_, int blocks>
struct tma_design_check;
template <class Design, int b, int m, int s, int blocks>
struct tma_design_check<Design, Swizzle<b, m, s>, blocks> {
  template <class Mistake>
  using says_that = std::type_identity<Mistake>;
  static constexpr auto find() {
    if constexpr (Design::shared_elements != Design::tile_elements)
      return says_that<shared_tile_has_another_size<Design::shared_elements, Design::tile_elements>>{};
    else if constexpr (Design::swizzle < 0)
      return says_that<no_tensor_copy_swizzles_like_this<b, m, s, Design::element_bytes>>{};
    else if constexpr (blocks != 1)
      return says_that<cluster_of_several_blocks<blocks>>{};
    else
      return in_plan();
  }
  static constexpr auto in_plan() {
    constexpr box_plan plan = Design::plan;
    constexpr int row_bytes = plan.boxed == 0 ? 0 : plan.extent[0] * Design::element_bytes;
    if constexpr (plan.tile_elements != Design::shared_elements && Design::is_dense)
      return says_that<
          tile_spans_modes_of_run_time_extents<static_cast<int>(plan.tile_elements), Design::shared_elements>>{};
    else if constexpr (plan.tile_elements != Design::shared_elements)
      return says_that<shared_tile_is_not_dense<static_cast<int>(plan.tile_elements), Design::shared_elements>>{};
    else if constexpr (plan.rank > tensor_map_max_rank)
      return says_that<too_many_modes<plan.rank>>{};
    else if constexpr (row_bytes == 0 || row_bytes % 16 != 0)
      return says_that<rows_of_the_box_are_too_short<row_bytes>>{};
    else if constexpr (Design::swizzle > 0 && row_bytes != (16 << Design::swizzle))
      return says_that<rows_are_narrower_than_their_swizzle<row_bytes, (16 << Design::swizzle)>>{};
    else if constexpr (!Design::has_parts)
      return says_that<box_has_no_equal_parts<Design::whole.elements, Design::number_of_parts>>{};
    else
      return in_order();
  }
  static constexpr auto in_order() {
    constexpr box_plan plan = Design::plan;
    using Stride_ =
        std::remove_cvref_t<decltype(get<plan.leaf[0]>(flatten_to_tuple(std::declval<typename Design::Strides_>())))>;
    constexpr int box_bytes = plan.elements * Design::element_bytes;
    if constexpr (static_stride<Stride_> != 1)
      return says_that<tensor_is_not_contiguous_there<plan.leaf[0], static_stride<Stride_>>>{};
    else if constexpr (plan.elements != Design::shared_elements && box_bytes % Design::alignment != 0)
      return says_that<boxes_are_not_aligned<box_bytes, Design::alignment>>{};
    else
      return says_that<nothing_wrong>{};
  }
  using says = typename decltype(find())::type;
};
template <class Op, class T, class GlobalLayout, class SharedLayout, class Tiler, class Cluster>
constexpr auto find_mistake_in_tma_design() {
  // The offset of a stage, before the swizzle, may be a run-time integer: a descriptor does not have it.
  constexpr bool shared =
      is_static_v<std::remove_cvref_t<decltype(get_nonswizzle_portion(std::declval<SharedLayout>()))>>;
  constexpr bool tiler = is_static_v<Tiler>, cluster = is_static_v<Cluster>;
  if constexpr (!is_tensor_copy<Op>)
    return std::type_identity<no_tensor_copy_operation<false>>{};
  else if constexpr (!shared || !tiler || !cluster)
    return std::type_identity<tensor_copy_needs_static_tiles<shared, tiler, cluster>>{};
  else if constexpr (!requires(GlobalLayout const& of) { of.stride(); })
    return std::type_identity<tensor_in_global_memory_is_swizzled<false>>{};
  else
    return std::type_identity<typename tma_design_check<
        tma_design<T, GlobalLayout, SharedLayout, Tiler, parts_of_box<Op, Cluster>>, get_swizzle_t<SharedLayout>,
        is_multicast<Op> ? 1 : static_cast<int>(size_v<Cluster>)>::says>{};
}
/// What is wrong with a call of make_tma_atom or make_tma_copy.
template <class Op, class T, class GlobalLayout, class SharedLayout, class Tiler, class Cluster>
using mistake_in_tma_design =
    typename decltype(find_mistake_in_tma_design<Op, T, GlobalLayout, SharedLayout, Tiler, Cluster>())::type;
template <class Op, class T, class GlobalLayout, class SharedLayout, class Tiler, class Cluster>
concept designs_a_tensor_copy =
    std::is_same_v<mistake_in_tma_design<Op, T, GlobalLayout, SharedLayout, Tiler, Cluster>, nothing_wrong>;

/// The type that a descriptor names for elements of type T. Copies move the same bytes by integers of the elements'
/// size as by types of another; elements of more than 8 bytes are several integers.
template <class Op, class Internal, class T>
struct named_type {
  static constexpr int bytes = sizeof(T) > 8 ? 8 : static_cast<int>(sizeof(T));
  static constexpr bool has_its_size = sizeof(Internal) == bytes;
  static_assert(has_its_size || is_tensor_load<Op> || std::is_same_v<Op, SM90_TMA_STORE>,
                "make_tma_copy<TmaInternalType>: a reduction adds elements of the descriptor's type, which has another "
                "size than the tensor's elements");
  using type = std::conditional_t<has_its_size, Internal, uint_byte_t<bytes>>;
};
template <class Op, class T>
struct named_type<Op, void, T> {
  using type = std::conditional_t<(sizeof(T) > 8), std::uint64_t, std::remove_cv_t<T>>;
};
template <class Op, class Internal, class T>
using type_in_descriptor = typename named_type<Op, Internal, T>::type;

/// Throws `error` where no descriptor has a mode like this one, in the tensor's own numbers.
/// @param mode of the tensor, nested modes counted one by one, @param stride in elements
/// @param contiguous whether rows of the shared tile go along it
inline void check_mode_of_tensor(int mode, std::int64_t extent, std::int64_t stride, int element_bytes,
                                 bool contiguous) {
  if (extent < 1)
    throw error("make_tma_copy: mode %d of the tensor has %lld elements; skip the copy of an empty tensor", mode,
                static_cast<long long>(extent));
  if (contiguous && stride != 1)
    throw error(
        "make_tma_copy: mode %d of the tensor has the stride %lld, and rows of the shared tile go along it; a tensor "
        "copy does not transpose: give the shared tile the tensor's order of modes",
        mode, static_cast<long long>(stride));
  constexpr std::int64_t most = std::int64_t{1} << 40;  // bytes
  if (contiguous || stride >= most || stride <= -most) return;
  std::int64_t const bytes = stride * element_bytes;
  if (bytes < 16 || bytes % 16 != 0)
    throw error(
        "make_tma_copy: mode %d of the tensor has a stride of %lld bytes; multiples of 16 below 2^40 are possible; %s, "
        "or copy without tensor copies",
        mode, static_cast<long long>(bytes), remedy_of_stride(bytes));
}

/// The descriptor of a tensor for a design.
/// @tparam Named the type that the descriptor names, @tparam stores: the copy writes the tensor
template <class Design, class Named, bool stores, class T, class Layout_>
TmaDescriptor make_descriptor_for(T const* data, Layout_ const& layout) {
  constexpr int leaves = count_leaves<typename Design::TensorShape>;
  auto const extents = to_array<std::int64_t>(wrap(layout.shape()));
  auto const strides = to_array<std::int64_t>(wrap(layout.stride()));
  static_assert(leaves == static_cast<int>(std::remove_cvref_t<decltype(extents)>::size()));
  tensor_map_config c;
  c.data = data;
  c.type = tensor_map_type_of<Named>();
  c.rank = Design::plan.rank;
  c.swizzle = static_cast<TMA::SmemSwizzleBits>(Design::swizzle);
  for (int i = 0; i < c.rank; ++i) {
    c.extent[i] = extents[static_cast<std::size_t>(Design::plan.leaf[i])];
    c.stride[i] = strides[static_cast<std::size_t>(Design::plan.leaf[i])];
    c.box[i] = Design::plan.extent[i];
    if (i > 0 && c.extent[i] == 1) c.stride[i] = 16 / Design::element_bytes;  // no element is that far away
    check_mode_of_tensor(Design::plan.leaf[i], c.extent[i], c.stride[i], Design::element_bytes, i == 0);
  }
  if (stores) check_stored_rows(c.extent[0], Design::element_bytes, Design::plan.leaf[0]);
  c.extent[0] *= Design::scale;
  c.box[0] *= Design::scale;
  for (int i = 1; i < c.rank; ++i) c.stride[i] *= Design::scale;
  return make_tma_descriptor(c);
}

}  // namespace detail

/// An atom that moves tiles of a tensor by tensor copies. On the host; throws `error` where the driver's rules do not
/// hold for the tensor's address and strides.
/// @tparam TmaInternalType the type that the descriptor names; void: that of the elements. One of another size than the
///   elements' moves the same bytes
/// @param tensor in global memory, of up to five modes (those of extent 1 by their type do not count)
/// @param shared static layout of the tile in shared memory, swizzled or not; a tile that is wider than its swizzle, or
///   too large, takes several boxes
/// @param cta_tiler the tile's shape, a tiler of the tensor
/// @param cluster the number of blocks that get each tile: with SM90_TMA_LOAD_MULTICAST each of them moves one part of
///   every box to all; otherwise 1
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler,
          class Cluster = _1>
requires(
    detail::designs_a_tensor_copy<Op, typename Tensor<Engine, GlobalLayout>::value_type, GlobalLayout, SharedLayout,
                                  Tiler, Cluster>) auto make_tma_atom(Op const&,
                                                                      Tensor<Engine, GlobalLayout> const& tensor,
                                                                      SharedLayout const&, Tiler const&,
                                                                      Cluster const& = {}) {
  using T = typename Tensor<Engine, GlobalLayout>::value_type;
  using Design = detail::tma_design<T, GlobalLayout, SharedLayout, Tiler, detail::parts_of_box<Op, Cluster>>;
  using Internal = detail::type_in_descriptor<Op, TmaInternalType, T>;
  using Traits = Copy_Traits<Op, C<Design::box_bits()>, typename Design::modes::type>;
  Traits traits{};
  traits.tma_desc_ = detail::make_descriptor_for<Design, Internal, !detail::is_tensor_load<Op>>(
      raw_pointer_cast(tensor.data()), tensor.layout());
  return Copy_Atom<Traits, T>{traits};
}

/// A tiled copy that moves tiles of a tensor by tensor copies: `partition_S` and `partition_D` of a
/// slice cut coordinates and the shared tile into boxes. The slice is that of the one thread, or of the block's place
/// among those that get the tile. Arguments and errors as for `make_tma_atom`; without a tiler
/// the tile has the shared layout's shape.
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler,
          class Cluster>
requires(
    detail::designs_a_tensor_copy<Op, typename Tensor<Engine, GlobalLayout>::value_type, GlobalLayout, SharedLayout,
                                  Tiler, Cluster>) auto make_tma_copy(Op const& op,
                                                                      Tensor<Engine, GlobalLayout> const& tensor,
                                                                      SharedLayout const& shared,
                                                                      Tiler const& cta_tiler, Cluster const& cluster) {
  auto const atom = make_tma_atom<TmaInternalType>(op, tensor, shared, cta_tiler, cluster);
  using Atom = std::remove_const_t<decltype(atom)>;
  using Design =
      detail::tma_design<typename Atom::ValType, GlobalLayout, SharedLayout, Tiler, detail::parts_of_box<Op, Cluster>>;
  using LayoutTV = typename Design::boxes_in_tile::type;
  return TiledCopy<Atom, LayoutTV, Tiler>{atom};
}
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout,
          class Cluster = _1>
requires(detail::is_tensor_copy<Op>&& integer<Cluster>) auto make_tma_copy(Op const& op,
                                                                           Tensor<Engine, GlobalLayout> const& tensor,
                                                                           SharedLayout const& shared,
                                                                           Cluster const& cluster = {}) {
  return make_tma_copy<TmaInternalType>(op, tensor, shared, product_each(shape(shared)), cluster);
}

/// @name Layouts that no tensor copy moves
/// Declared only: the type of the result says what is wrong (core/refused.hpp).
/// @{
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler,
          class Cluster = _1>
requires(!detail::designs_a_tensor_copy<Op, typename Tensor<Engine, GlobalLayout>::value_type, GlobalLayout,
                                        SharedLayout, Tiler, Cluster>)
    detail::mistake_in_tma_design<Op, typename Tensor<Engine, GlobalLayout>::value_type, GlobalLayout, SharedLayout,
                                  Tiler, Cluster> make_tma_atom(Op const&, Tensor<Engine, GlobalLayout> const& tensor,
                                                                SharedLayout const&, Tiler const&, Cluster const& = {});
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler,
          class Cluster>
requires(!detail::designs_a_tensor_copy<Op, typename Tensor<Engine, GlobalLayout>::value_type, GlobalLayout,
                                        SharedLayout, Tiler, Cluster>)
    detail::mistake_in_tma_design<Op, typename Tensor<Engine, GlobalLayout>::value_type, GlobalLayout, SharedLayout,
                                  Tiler, Cluster> make_tma_copy(Op const&, Tensor<Engine, GlobalLayout> const& tensor,
                                                                SharedLayout const&, Tiler const&, Cluster const&);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
