// SPDX-License-Identifier: Apache-2.0
/// @file
/// `make_im2col_tma_copy`: tensor copies of the mode im2col as tiled copies. A batch of images takes the place of the
/// first operand of a product, as convolutions use it.
///
/// The matrix has a row for each pixel of the result and a column for each channel and position in the filter:
/// (pixel, (channel, s, r, t)). Its tiles are cut from `get_tma_tensor`, and `copy` brings them. Names with `whd` have
/// a number for the width, the height and the depth, as many as images have dimensions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/tensor_copy_im2col.hpp>
#include <cosmati/core/tuple_array.hpp>
#include <cosmati/runtime/tensor_map_im2col.hpp>
#include <cosmati/tma/make_tma_copy.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// How pixels of the result and positions in the filter become coordinates of the tensor.
/// @tparam spatial dimensions of an image, 1 to 3
template <int spatial>
struct im2col_geometry {
  int pixels[3] = {1, 1, 1};  ///< of the result along width, height, depth
  int images = 1;
  int channels = 1;
  int filter[3] = {1, 1, 1};                       ///< its extents: s, r, t
  int lower[3] = {}, step[3] = {1, 1, 1};          ///< of pixels
  int lower_srt[3] = {}, dilation[3] = {1, 1, 1};  ///< of positions in the filter
};

/// A copy of the mode im2col. @tparam channel_mode the matrix's mode that has the channels, 0 or 1
template <int spatial_, int channel_mode_>
struct im2col_modes {
  static constexpr int spatial = spatial_, channel_mode = channel_mode_, rank = spatial_ + 2;
};

/// What the traits of all operations have in common. @tparam Modes is an im2col_modes
template <int bits, class Modes>
struct im2col_traits : one_thread_of<bits> {
  static constexpr int spatial = Modes::spatial;

  /// The coordinates of a tensor copy at a coordinate (pixel, channel, s, r, t) of the matrix.
  struct place {
    int first[std::size_t{Modes::rank}], offsets[std::size_t{spatial}];
  };
  template <class Coordinate>
  COSMATI_HD static constexpr place place_of(im2col_geometry<spatial> const& g, Coordinate const& c) {
    tensor_coordinate<2 + spatial> const at = coordinate_of<2 + spatial>(c);
    place p = {};
    int pixel = at.first[0];
    p.first[0] = at.first[1];
    for (int i = 0; i < spatial; ++i) {
      p.first[i + 1] = g.lower[i] + pixel % g.pixels[i] * g.step[i];
      pixel /= g.pixels[i];
      p.offsets[i] = g.lower_srt[i] + at.first[2 + i] * g.dilation[i];
    }
    p.first[spatial + 1] = pixel;
    return p;
  }
};

template <class Modes>
struct im2col_request {};
template <class Modes>
struct im2col_multicast_request {};

/// The matrix of coordinates: (pixel, (channel, s, r, t)), or the other mode first.
template <class Modes, int... i>
COSMATI_HD constexpr auto im2col_coordinates(im2col_geometry<Modes::spatial> const& g, seq<i...>) {
  int pixels = g.images;
  for (int k = 0; k < Modes::spatial; ++k) pixels *= g.pixels[k];
  auto const columns = make_shape(g.channels, g.filter[i]...);
  auto const strides = make_stride(E<1>{}, E<2 + i>{}...);
  if constexpr (Modes::channel_mode == 1)
    return make_coordinates<2 + Modes::spatial>(make_shape(pixels, columns), make_stride(E<0>{}, strides));
  else
    return make_coordinates<2 + Modes::spatial>(make_shape(columns, pixels), make_stride(strides, E<0>{}));
}

}  // namespace detail

/// A load of pixels whose mbarrier and descriptor are known: `copy` executes it.
template <int bits, class Modes>
struct Copy_Traits<SM90_TMA_LOAD_IM2COL, C<bits>, detail::im2col_request<Modes>> : detail::im2col_traits<bits, Modes> {
  Im2ColTmaDescriptor const* descriptor;
  detail::im2col_geometry<Modes::spatial> const* geometry;
  std::uint64_t* barrier;

  template <class Src, class Dst, int elements>
  using mistake = typename detail::tensor_copy_check<Src, Dst, elements, 2 + Modes::spatial, true>::says;

  /// One instruction for each box of the shared tensor.
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    (void)detail::sizes_agree(src, dst);
    for (int i = 0; i < static_cast<int>(size(dst)); i += elements) {
      auto const at = this->place_of(*geometry, src(i));
      auto* const shared = detail::address_before_swizzle(dst, i);
#if defined(COSMATI_SIMULATED)
      tensor_copy_im2col_g2s(shared, *descriptor, at.first, at.offsets, *barrier, nullptr, 0);
#else
      tensor_copy_im2col_g2s(shared, *descriptor, at.first, at.offsets, *barrier);
#endif
    }
  }
};
/// The same to several blocks.
template <int bits, class Modes>
struct Copy_Traits<SM90_TMA_LOAD_IM2COL_MULTICAST, C<bits>, detail::im2col_multicast_request<Modes>>
    : detail::im2col_traits<bits, Modes> {
  Im2ColTmaDescriptor const* descriptor;
  detail::im2col_geometry<Modes::spatial> const* geometry;
  std::uint64_t* barrier;
  std::uint16_t mask;

  template <class Src, class Dst, int elements>
  using mistake = typename detail::tensor_copy_check<Src, Dst, elements, 2 + Modes::spatial, true>::says;

  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    (void)detail::sizes_agree(src, dst);
    for (int i = 0; i < static_cast<int>(size(dst)); i += elements) {
      auto const at = this->place_of(*geometry, src(i));
      auto* const shared = detail::address_before_swizzle(dst, i);
#if defined(COSMATI_SIMULATED)
      tensor_copy_im2col_multicast(shared, *descriptor, at.first, at.offsets, *barrier, mask, nullptr, 0);
#else
      tensor_copy_im2col_multicast(shared, *descriptor, at.first, at.offsets, *barrier, mask);
#endif
    }
  }
};

namespace detail {
/// A load of pixels with its descriptor.
template <class Op, class Request, int bits, class Modes>
struct im2col_load_traits : im2col_traits<bits, Modes> {
  Im2ColTmaDescriptor tma_desc_;
  im2col_geometry<Modes::spatial> geometry_;

  COSMATI_HD constexpr Im2ColTmaDescriptor const* get_tma_descriptor() const { return &tma_desc_; }
  /// The matrix of coordinates. Its shape is known: the argument is CuTe's.
  template <class S>
  COSMATI_HD constexpr auto get_tma_tensor(S const&) const {
    return im2col_coordinates<Modes>(geometry_, make_seq<static_cast<std::size_t>(Modes::spatial)>{});
  }
  /// The copy that reports to this mbarrier. @param mask the blocks of the cluster that get the pixels, for multicast
  template <class... Mask>
  COSMATI_HD constexpr auto with(std::uint64_t& barrier, Mask... mask) const {
    if constexpr (std::is_same_v<Op, SM90_TMA_LOAD_IM2COL>)
      return Copy_Traits<Op, C<bits>, Request>{{}, &tma_desc_, &geometry_, &barrier};
    else
      return Copy_Traits<Op, C<bits>, Request>{
          {}, &tma_desc_, &geometry_, &barrier, static_cast<std::uint16_t>((0 | ... | mask))};
  }
  /// Brings pixels to L2: what `prefetch(copy, coordinates)` calls.
  template <int elements, class Coordinates>
  COSMATI_HD void prefetch_boxes(Coordinates const& coordinates) const {
    for (int i = 0; i < static_cast<int>(size(coordinates)); i += elements) {
      auto const at = this->place_of(geometry_, coordinates(i));
#if defined(COSMATI_SIMULATED)
      tensor_prefetch_im2col_l2(tma_desc_, at.first, at.offsets, nullptr, 0);
#else
      tensor_prefetch_im2col_l2(tma_desc_, at.first, at.offsets);
#endif
    }
  }
  template <class Src, class Dst, int elements>
  using mistake = typename tensor_copy_check<Src, Dst, elements, 2 + Modes::spatial, false>::says;
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const&, Dst&) const {}
};
}  // namespace detail

template <int bits, int spatial, int channel_mode>
struct Copy_Traits<SM90_TMA_LOAD_IM2COL, C<bits>, detail::im2col_modes<spatial, channel_mode>>
    : detail::im2col_load_traits<SM90_TMA_LOAD_IM2COL,
                                 detail::im2col_request<detail::im2col_modes<spatial, channel_mode>>, bits,
                                 detail::im2col_modes<spatial, channel_mode>> {};
template <int bits, int spatial, int channel_mode>
struct Copy_Traits<SM90_TMA_LOAD_IM2COL_MULTICAST, C<bits>, detail::im2col_modes<spatial, channel_mode>>
    : detail::im2col_load_traits<SM90_TMA_LOAD_IM2COL_MULTICAST,
                                 detail::im2col_multicast_request<detail::im2col_modes<spatial, channel_mode>>, bits,
                                 detail::im2col_modes<spatial, channel_mode>> {};

namespace detail {
/// A store or a reduction of pixels with its descriptor. The positions in the filter have no meaning for it.
/// @tparam Issue issues one instruction
template <class Issue, int bits, class Modes>
struct im2col_store_traits : im2col_traits<bits, Modes> {
  Im2ColTmaDescriptor tma_desc_;
  im2col_geometry<Modes::spatial> geometry_;

  COSMATI_HD constexpr Im2ColTmaDescriptor const* get_tma_descriptor() const { return &tma_desc_; }
  /// The matrix of coordinates, as that of a load.
  template <class S>
  COSMATI_HD constexpr auto get_tma_tensor(S const&) const {
    return im2col_coordinates<Modes>(geometry_, make_seq<static_cast<std::size_t>(Modes::spatial)>{});
  }
  template <class Src, class Dst, int elements>
  using mistake = typename tensor_copy_check<Dst, Src, elements, 2 + Modes::spatial, true>::says;

  /// One instruction for each box of the shared tensor.
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    (void)sizes_agree(src, dst);
    for (int i = 0; i < static_cast<int>(size(src)); i += elements)
      Issue::issue(tma_desc_, address_before_swizzle(src, i), this->place_of(geometry_, dst(i)).first);
  }
};
struct issue_pixel_store {
  template <std::size_t rank>
  COSMATI_HD static void issue(TmaDescriptor const& tensor, void const* shared, int const (&first)[rank]) {
#if defined(COSMATI_SIMULATED)
    tensor_copy_im2col_s2g(tensor, shared, first, nullptr, 0);
#else
    tensor_copy_im2col_s2g(tensor, shared, first);
#endif
  }
};
template <tma_reduction operation>
struct issue_pixel_reduction {
  template <std::size_t rank>
  COSMATI_HD static void issue(TmaDescriptor const& tensor, void const* shared, int const (&first)[rank]) {
#if defined(COSMATI_SIMULATED)
    tensor_reduce_im2col_s2g<operation>(tensor, shared, first, nullptr, 0);
#else
    tensor_reduce_im2col_s2g<operation>(tensor, shared, first);
#endif
  }
};
}  // namespace detail

template <int bits, int spatial, int channel_mode>
struct Copy_Traits<SM90_TMA_STORE_IM2COL, C<bits>, detail::im2col_modes<spatial, channel_mode>>
    : detail::im2col_store_traits<detail::issue_pixel_store, bits, detail::im2col_modes<spatial, channel_mode>> {};
template <tma_reduction operation, int bits, int spatial, int channel_mode>
struct Copy_Traits<SM90_TMA_REDUCE_IM2COL<operation>, C<bits>, detail::im2col_modes<spatial, channel_mode>>
    : detail::im2col_store_traits<detail::issue_pixel_reduction<operation>, bits,
                                  detail::im2col_modes<spatial, channel_mode>> {};

namespace detail {

/// The box of a tile of the matrix: pixels and channels take the places of a tensor's two modes.
template <class T, class SharedLayout, class Tiler, int parts>
using im2col_design = tma_design<T, Layout<Shape<int, int>, Stride<int, int>>, SharedLayout,
                                 Shape<C<static_cast<int>(size_v<decltype(get<0>(Tiler{}))>)>,
                                       C<static_cast<int>(size_v<decltype(get<1>(Tiler{}))>)>>,
                                 parts>;

template <int leaf, int channel_mode>
struct tile_is_not_channels_first : refused {
  static constexpr bool ok = leaf == channel_mode;
  static_assert(ok,
                "make_im2col_tma_copy: the shared layout's mode of stride 1 does not go along the channels "
                "(tile_is_not_channels_first<MODE OF STRIDE 1, MODE OF THE CHANNELS>); give the tile rows of channels");
};
template <int elements, int boxed>
struct pixels_are_not_whole_boxes : refused {
  static constexpr bool ok = boxed > 0 && elements % boxed == 0;
  static_assert(ok,
                "make_im2col_tma_copy: the tile is no whole number of boxes, pixel after pixel "
                "(pixels_are_not_whole_boxes<ELEMENTS OF THE TILE, ELEMENTS OF A BOX>); take a shared layout without "
                "gaps, whose rows are as wide as their swizzle");
};

/// The descriptor's parameters of a batch of images ((w, h, d, n), c), or with the channels first.
template <class Design, int spatial, int channel_mode, class Engine, class L, class Lower, class Upper, class Step>
tensor_map_im2col_config im2col_config(Tensor<Engine, L> const& tensor, Lower const& lower, Upper const& upper,
                                       Step const& step) {
  auto const extents = to_array<std::int64_t>(wrap(get<1 - channel_mode>(tensor.shape())));
  auto const strides = to_array<std::int64_t>(wrap(get<1 - channel_mode>(tensor.stride())));
  auto const lowers = to_array<int>(wrap(lower)), uppers = to_array<int>(wrap(upper)),
             steps = to_array<int>(wrap(step));
  tensor_map_im2col_config c;
  c.data = raw_pointer_cast(tensor.data());
  c.type = tensor_map_type_of<typename Tensor<Engine, L>::value_type>();
  c.rank = spatial + 2;
  c.extent[0] = static_cast<std::int64_t>(get<channel_mode>(tensor.shape()));
  c.stride[0] = static_cast<std::int64_t>(get<channel_mode>(tensor.stride()));
  for (std::size_t i = 0; i < std::size_t{spatial + 1}; ++i) {
    c.extent[i + 1] = extents[i];
    c.stride[i + 1] = strides[i];
  }
  for (std::size_t i = 0; i < std::size_t{spatial}; ++i) {
    c.lower[i] = lowers[i];
    c.upper[i] = uppers[i];
    c.step[i + 1] = steps[i];
  }
  c.channels = Design::plan.extent[0];
  c.pixels = Design::plan.boxed > 1 ? Design::plan.extent[1] : 1;
  c.swizzle = static_cast<TMA::SmemSwizzleBits>(Design::swizzle);
  return c;
}

}  // namespace detail

/// A tiled copy of tiles of the matrix of a convolution. On the host; throws `error` where the driver's rules do not
/// hold. @param op SM90_TMA_LOAD_IM2COL, SM90_TMA_LOAD_IM2COL_MULTICAST, SM90_TMA_STORE_IM2COL or
///   SM90_TMA_REDUCE_IM2COL<operation>; the last two have no positions in the filter
/// @param tensor the images in global memory: ((w, h, d, n), c), or (c, (w, h, d, n)); as many dimensions as they have
/// @param shared the static layout of the tile in shared memory, rows of channels
/// @param cta_tiler the tile's shape (pixels, channels), or the other way round, as in the tensor
/// @param blocks the number of blocks that get each tile, for multicast
/// @param lower_corner_whd, upper_corner_whd the box of pixels (runtime/tensor_map_im2col.hpp)
/// @param lower_padding_whd, upper_padding_whd with the corners they give the filter's extents: 1 + (upper padding -
///   upper corner) / dilation; with a negative dilation 1 + (lower corner - lower padding) / dilation
/// @param stride_whd from one pixel to the next
/// @param lower_srt the offset of the filter's first position, @param stride_srt the dilation
template <class Op, class Engine, class L, class SharedLayout, class Tiler, class Blocks, class LowerCorner,
          class UpperCorner, class LowerPadding, class UpperPadding, class Step, class LowerSRT, class Dilation>
requires(detail::is_im2col_copy<Op>) auto make_im2col_tma_copy(
    Op const&, Tensor<Engine, L> const& tensor, SharedLayout const&, Tiler const&, Blocks const&,
    LowerCorner const& lower_corner_whd, UpperCorner const& upper_corner_whd, LowerPadding const& lower_padding_whd,
    UpperPadding const& upper_padding_whd, Step const& stride_whd, LowerSRT const& lower_srt,
    Dilation const& stride_srt) {
  using T = typename Tensor<Engine, L>::value_type;
  using TensorShape = std::remove_cvref_t<decltype(tensor.shape())>;
  constexpr int channel_mode = rank_v < decltype(get<0>(TensorShape{})) >> 1 ? 1 : 0;
  constexpr int spatial = static_cast<int>(rank_v<decltype(get<1 - channel_mode>(TensorShape{}))>) - 1;
  static_assert(spatial >= 1 && spatial <= 3, "make_im2col_tma_copy: images have one to three dimensions");
  constexpr bool multicast = detail::is_im2col_multicast<Op>;
  constexpr int parts = static_cast<int>(size_v<Blocks>);
  static_assert(multicast || parts == 1,
                "make_im2col_tma_copy: only SM90_TMA_LOAD_IM2COL_MULTICAST copies to several blocks");
  using Design = detail::im2col_design<T, SharedLayout, Tiler, parts>;
  static_assert(Design::has_parts, "make_im2col_tma_copy: the pixels of a box cannot be cut into one part a block");
  static_assert(detail::tile_is_not_channels_first<Design::plan.leaf[0], channel_mode>::ok);
  static_assert(detail::pixels_are_not_whole_boxes<Design::shared_elements, Design::plan.elements>::ok);

  auto const config =
      detail::im2col_config<Design, spatial, channel_mode>(tensor, lower_corner_whd, upper_corner_whd, stride_whd);
  auto const lower_padding = to_array<int>(wrap(lower_padding_whd)),
             upper_padding = to_array<int>(wrap(upper_padding_whd)), first = to_array<int>(wrap(lower_srt)),
             dilation = to_array<int>(wrap(stride_srt));
  if (!detail::is_im2col_load<Op>) detail::check_stored_rows(config.extent[0], Design::element_bytes);
  detail::im2col_geometry<spatial> g;
  g.channels = static_cast<int>(config.extent[0]);
  g.images = static_cast<int>(config.extent[spatial + 1]);
  for (int i = 0; i < spatial; ++i) {
    auto const k = static_cast<std::size_t>(i);
    if (dilation[k] == 0) throw error("make_im2col_tma_copy: stride_srt is 0 along mode %d; 1 is a dense filter", i);
    int const reach = dilation[k] > 0 ? upper_padding[k] - config.upper[i] : config.lower[i] - lower_padding[k];
    g.lower[i] = config.lower[i];
    g.step[i] = config.step[i + 1];
    g.pixels[i] = (static_cast<int>(config.extent[i + 1]) + config.upper[i] - config.lower[i] - 1) / g.step[i] + 1;
    g.filter[i] = 1 + reach / dilation[k];
    g.lower_srt[i] = first[k];
    g.dilation[i] = dilation[k];
  }
  using Traits = Copy_Traits<Op, C<Design::box_bits()>, detail::im2col_modes<spatial, channel_mode>>;
  Traits traits{};
  traits.tma_desc_ = make_im2col_descriptor(config);
  traits.geometry_ = g;
  using Atom = Copy_Atom<Traits, T>;
  return TiledCopy<Atom, typename Design::boxes_in_tile::type, Tiler>{Atom{traits}};
}
/// The same for one block.
template <class Op, class Engine, class L, class SharedLayout, class Tiler, class LowerCorner, class UpperCorner,
          class LowerPadding, class UpperPadding, class Step, class LowerSRT, class Dilation>
auto make_im2col_tma_copy(Op const& op, Tensor<Engine, L> const& tensor, SharedLayout const& shared,
                          Tiler const& cta_tiler, LowerCorner const& lower_corner_whd,
                          UpperCorner const& upper_corner_whd, LowerPadding const& lower_padding_whd,
                          UpperPadding const& upper_padding_whd, Step const& stride_whd, LowerSRT const& lower_srt,
                          Dilation const& stride_srt) {
  return make_im2col_tma_copy(op, tensor, shared, cta_tiler, _1{}, lower_corner_whd, upper_corner_whd,
                              lower_padding_whd, upper_padding_whd, stride_whd, lower_srt, stride_srt);
}
/// The same, of tiles of the shared layout's shape.
template <class Op, class Engine, class L, class SharedLayout, class LowerCorner, class UpperCorner, class LowerPadding,
          class UpperPadding, class Step, class LowerSRT, class Dilation>
auto make_im2col_tma_copy(Op const& op, Tensor<Engine, L> const& tensor, SharedLayout const& shared,
                          LowerCorner const& lower_corner_whd, UpperCorner const& upper_corner_whd,
                          LowerPadding const& lower_padding_whd, UpperPadding const& upper_padding_whd,
                          Step const& stride_whd, LowerSRT const& lower_srt, Dilation const& stride_srt) {
  return make_im2col_tma_copy(op, tensor, shared, product_each(shape(shared)), lower_corner_whd, upper_corner_whd,
                              lower_padding_whd, upper_padding_whd, stride_whd, lower_srt, stride_srt);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
