// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy_tensor(src, dst)`: copies any strided tensor in device memory to another of the same shape, at the memory's
/// speed. It is one call from the host, for the GPU and the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/kernel/copy_problem/arguments.hpp>
#include <cosmati/kernel/tensor_copy.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

[[noreturn]] inline void copied_shapes_differ(int mode, long long source, long long target) {
  fail(
      "copy_tensor(src, dst): mode %d of src is of size %lld, that of dst of size %lld; make the shapes equal, by "
      "slicing or by composing one with a layout",
      mode, source, target);
}

[[noreturn]] inline void copied_extent_is_negative(int mode, bool of_source, long long extent) {
  fail("copy_tensor(src, dst): mode %d of %s has extent %lld; extents are 0 or more", mode, of_source ? "src" : "dst",
       extent);
}
[[noreturn]] inline void copied_mode_is_too_large(int mode, bool of_source, long long extent, long long before) {
  fail(
      "copy_tensor(src, dst): mode %d of %s is cut into an extent of %lld and others of %lld elements, together more "
      "than 2^56; copy it slice by slice",
      mode, of_source ? "src" : "dst", extent, before);
}

[[noreturn]] inline void plan_is_for_other_tensors() {
  throw error(
      "plan(src, dst): the plan was made for tensors of other shapes, strides or types; make one of these by "
      "plan_copy(src, dst), or call copy_tensor(src, dst)");
}
/// Whether two problems have the same elements at the same offsets.
inline bool has_modes_of(copy_problem const& a, copy_problem const& b) {
  bool same = a.rank == b.rank && a.element_bytes == b.element_bytes;
  for (int m = 0; same && m < a.rank; ++m)
    same = a.mode[m].extent == b.mode[m].extent && a.mode[m].source == b.mode[m].source &&
           a.mode[m].target == b.mode[m].target;
  return same;
}

/// The leaves of a shape or stride, as numbers.
struct leaf_list {
  int count = 0;
  std::int64_t value[copy_max_modes] = {};

  template <class Tuple, std::size_t... place>
  static constexpr leaf_list of(Tuple const& flat, std::index_sequence<place...>) {
    static_assert(sizeof...(place) <= copy_max_modes, "copy_tensor: a layout of more than 32 modes");
    return {static_cast<int>(sizeof...(place)), {static_cast<std::int64_t>(get<place>(flat))...}};
  }
  template <class Tree>
  static constexpr leaf_list of(Tree const& tree) {
    auto const flat = flatten_to_tuple(tree);
    return of(flat, std::make_index_sequence<static_cast<std::size_t>(decltype(rank(flat))::value)>{});
  }
};

/// The number of elements of a mode. @param shape its leaves
constexpr std::int64_t size_of_mode(leaf_list const& shape, int mode, bool of_source) {
  std::int64_t size = 1;
  for (int k = 0; k < shape.count; ++k) {
    if (shape.value[k] < 0) copied_extent_is_negative(mode, of_source, shape.value[k]);
    if (shape.value[k] == 0) size = 0;
  }
  for (int k = 0; k < shape.count && size > 0; ++k) {
    if (shape.value[k] > copy_most_elements / size) copied_mode_is_too_large(mode, of_source, shape.value[k], size);
    size *= shape.value[k];
  }
  return size;
}

/// Appends a mode whose leaves the two layouts may cut differently, as long as each cut of one fits the other.
constexpr void push_mode(copy_problem& p, int mode, leaf_list shape_s, leaf_list const& stride_s, leaf_list shape_t,
                         leaf_list const& stride_t) {
  std::int64_t const all_s = size_of_mode(shape_s, mode, true), all_t = size_of_mode(shape_t, mode, false);
  if (all_s != all_t) copied_shapes_differ(mode, all_s, all_t);
  if (all_s == 0) return p.push(0, 1, 1);
  int s = 0, t = 0;
  std::int64_t step_s = 1, step_t = 1;  // the part of the leaf that has been taken
  while (s < shape_s.count && t < shape_t.count) {
    std::int64_t const rest_s = shape_s.value[s], rest_t = shape_t.value[t];
    std::int64_t const both = rest_s < rest_t ? rest_s : rest_t;
    if (rest_s % both != 0 || rest_t % both != 0) {
      throw error(
          "copy_tensor(src, dst): mode %d is cut at %lld in src and at %lld in dst, and neither divides the other; "
          "copy tensors whose shapes are equal",
          mode, static_cast<long long>(rest_s), static_cast<long long>(rest_t));
    }
    if (both > 1 && (magnitude(stride_s.value[s] / 2) > copy_most_elements / step_s ||
                     magnitude(stride_t.value[t] / 2) > copy_most_elements / step_t))
      copy_reaches_further_than_2_to_56_elements(mode, both, stride_s.value[s], stride_t.value[t]);
    p.push(both, stride_s.value[s] * step_s, stride_t.value[t] * step_t);
    shape_s.value[s] /= both;
    shape_t.value[t] /= both;
    step_s = shape_s.value[s] == 1 ? 1 : step_s * both;
    step_t = shape_t.value[t] == 1 ? 1 : step_t * both;
    if (shape_s.value[s] == 1) ++s;
    if (shape_t.value[t] == 1) ++t;
  }
}
/// Adds a mode that is one integer on both sides. It is faster than the general function.
constexpr void push_whole_mode(copy_problem& p, int mode, std::int64_t extent_s, std::int64_t stride_s,
                               std::int64_t extent_t, std::int64_t stride_t) {
  for (bool const of_source : {true, false}) {
    std::int64_t const extent = of_source ? extent_s : extent_t;
    if (extent < 0) copied_extent_is_negative(mode, of_source, extent);
    if (extent > copy_most_elements) copied_mode_is_too_large(mode, of_source, extent, 1);
  }
  if (extent_s != extent_t) copied_shapes_differ(mode, extent_s, extent_t);
  if (extent_s == 0) return p.push(0, 1, 1);
  if (extent_s > 1 && (magnitude(stride_s / 2) > copy_most_elements || magnitude(stride_t / 2) > copy_most_elements))
    copy_reaches_further_than_2_to_56_elements(mode, extent_s, stride_s, stride_t);
  p.push(extent_s, stride_s, stride_t);
}
template <int mode, class S, class D>
constexpr void push_mode_of(copy_problem& p, S const& source, D const& target) {
  auto const shape_s = shape<mode>(source);
  auto const shape_t = shape<mode>(target);
  if constexpr (is_tuple_v<decltype(shape_s)> || is_tuple_v<decltype(shape_t)>) {
    push_mode(p, mode, leaf_list::of(shape_s), leaf_list::of(stride<mode>(source)), leaf_list::of(shape_t),
              leaf_list::of(stride<mode>(target)));
  } else {
    push_whole_mode(p, mode, static_cast<std::int64_t>(shape_s), static_cast<std::int64_t>(stride<mode>(source)),
                    static_cast<std::int64_t>(shape_t), static_cast<std::int64_t>(stride<mode>(target)));
  }
}
template <class S, class D, std::size_t... mode>
constexpr void push_modes(copy_problem& p, S const& source, D const& target, std::index_sequence<mode...>) {
  (push_mode_of<static_cast<int>(mode)>(p, source, target), ...);
}
/// Whether elements of the two sides may lie between each other. Numbers that exceed 64 bits give false; they are an
/// error later.
inline bool interleave(copy_problem const& p, void const* source, int source_bytes, void const* target) {
  std::int64_t from = 0, to = 0;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].extent < 1 || p.mode[m].extent > copy_most_elements ||
        !reaches(from, p.mode[m].extent, p.mode[m].source) || !reaches(to, p.mode[m].extent, p.mode[m].target))
      return false;
  return sides_interleave(p, bytes_apart(source, target), source_bytes);
}
inline std::int64_t alignment_of(void const* p) {
  return power_of_two_in(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) & 15u) + 16, 16);
}

}  // namespace detail

/// The copy from one layout to another as numbers, with bases aligned to 16 bytes. Throws `error` if the shapes differ.
/// @param src, dst layouts in elements, of the same rank
template <class... S, class... D>
constexpr copy_problem make_copy_problem(Layout<S...> const& src, Layout<D...> const& dst, int element_bytes) {
  constexpr int modes = decltype(rank(src))::value;
  static_assert(modes == decltype(rank(dst))::value, "copy_tensor(src, dst): src and dst must have the same rank");
  copy_problem p;
  p.element_bytes = element_bytes;
  if constexpr (detail::copied_layouts<Layout<S...>, Layout<D...>>::ok)
    detail::push_modes(p, src, dst, std::make_index_sequence<static_cast<std::size_t>(modes)>{});
  return p;
}
/// The copy from one tensor to another as numbers. Throws `error` if the shapes differ. @param src, dst tensors, or
/// views of layouts, in device memory
template <class Src, class Dst>
copy_problem make_copy_problem(Src const& src, Dst const& dst) {
  copy_problem p;
  if constexpr (detail::copied_tensors<Src, Dst>::ok) {
    if constexpr (detail::copied_layouts<typename Src::layout_type, typename Dst::layout_type>::ok) {
      p = make_copy_problem(src.layout(), dst.layout(), static_cast<int>(sizeof(typename Dst::value_type)));
      p.source_alignment = detail::alignment_of(raw_pointer_cast(src.data()));
      p.target_alignment = detail::alignment_of(raw_pointer_cast(dst.data()));
      p.apart_alignment = detail::width_of_both(raw_pointer_cast(src.data()), raw_pointer_cast(dst.data()));
      p.interleaved =
          detail::interleave(p, raw_pointer_cast(src.data()), static_cast<int>(sizeof(typename Src::value_type)),
                             raw_pointer_cast(dst.data()));
    }
  }
  return p;
}

/// The best plans for a copy from one layout to another. They are a constant if the layouts are. Most such constants
/// are within the limits of all compilers. If clang's limit is too low, `-fconstexpr-steps=4194304` suffices.
template <class... S, class... D>
constexpr copy_plans plan_copy(Layout<S...> const& src, Layout<D...> const& dst, int element_bytes,
                               device_model const& device = {}) {
  return plan_copy(make_copy_problem(src, dst, element_bytes), device);
}
/// Refuses other arguments. The error names the arguments that `plan_copy` takes.
template <class Src, class Dst>
requires(!detail::is_strided<Src> || !detail::is_strided<Dst>) constexpr copy_plans
    plan_copy(Src const&, Dst const&, int, device_model const& = {}) {
  constexpr bool layouts = !is_tensor_v<Src> && !is_tensor_v<Dst>;
  static_assert(layouts, "plan_copy(src, dst, element_bytes): src and dst are layouts; of tensors plan_copy(src, dst)");
  if constexpr (layouts) (void)detail::copied_layouts<Src, Dst>::ok;
  return {};
}

namespace detail {
/// Copies by the plan that is known for the problem, or by a new one, which is then remembered.
template <class From, class To>
void copy_elements(copy_problem const& given, void const* source, void* target, stream_handle stream) {
  if (given.size() == 0) return check_numbers(given);
  expect_device_memory("copy_tensor(src, dst)", "src", source);
  expect_device_memory("copy_tensor(src, dst)", "dst", target);
  copy_holder const plan = known_or_prepared<From, To>(key_of_copy<From, To>(given, target), source, target);
  // Sides that do not interleave cannot overlap.
  if (given.interleaved) check_apart("copy_tensor", plan->problem, source, target, plan->source_bytes);
  plan->run(source, target, stream);
}
/// @param who the function that errors name
template <class From, class To>
tensor_copy planned(char const* who, copy_problem const& given, void const* source, void* target, effort how,
                    stream_handle stream) {
  copy_key const key = key_of_copy<From, To>(given, target);
  if (given.size() > 0) {
    expect_device_memory(who, "src", source);
    expect_device_memory(who, "dst", target);
  }
  copy_holder plan = known_or_prepared<From, To>(key, source, target);
  if (given.interleaved) check_apart(who, plan->problem, source, target, plan->source_bytes);
  if constexpr (std::is_same_v<From, To>) {
    if (how == effort::measure && plan->basis != plan_basis::measured && given.size() > 0) {
      bool const captured = is_captured(stream);
      if (given.interleaved || captured) {
        plan = prepared<From, To>(key, source, target, &plan->choice);
        plan->basis = given.interleaved ? plan_basis::estimated_as_sides_meet : plan_basis::estimated_as_captured;
      } else {
        plan = measured<From>(key, plan_copy(given, device_model::of_current()), source, target, stream);
        copy_cache::of_process().keep(plan, key.hash());
      }
    }
  }
  return tensor_copy(static_cast<copy_holder&&>(plan), &copy_elements<From, To>);
}
/// Calls `go(types, problem, source, target)` for two tensors that can be copied.
template <class Src, class Dst, class Go>
auto for_copied_tensors(Src const& src, Dst const& dst, Go const& go) {
  if constexpr (copied_tensors<Src, Dst>::ok) {
    using From = std::remove_cv_t<typename Src::value_type>;
    using To = std::remove_cv_t<typename Dst::value_type>;
    constexpr bool written = !std::is_const_v<typename Dst::element_type>;
    static_assert(written, "copy_tensor(src, dst): dst's elements are const");
    if constexpr (copied_elements<From, To>::ok && written)
      return go.template operator()<From, To>(make_copy_problem(src, dst),
                                              static_cast<void const*>(raw_pointer_cast(src.data())),
                                              static_cast<void*>(raw_pointer_cast(dst.data())));
  }
}
}  // namespace detail

/// A plan for the copy of `src` to `dst`. `plan(src, dst, stream)` copies these tensors, and others of their shapes and
/// strides.
///
/// `effort::measure` runs up to eight plans on these tensors and waits for them, so that `dst` is a copy of `src`
/// afterwards. Later calls of `copy_tensor` for the same problem use the fastest plan. If the tensors share memory or
/// the stream is being captured, it estimates instead; `basis()` says so. Throws `error` as `copy_tensor` does.
template <class Src, class Dst>
requires(is_tensor_v<Src>&& is_tensor_v<Dst>) auto plan_copy(Src const& src, Dst const& dst,
                                                             effort how = effort::estimate,
                                                             stream_handle stream = nullptr) {
  return detail::for_copied_tensors(
      src, dst, [&]<class From, class To>(copy_problem const& given, void const* source, void* target) {
        return detail::planned<From, To>("plan_copy(src, dst)", given, source, target, how, stream);
      });
}

/// Copies every element of `src` to the same coordinate of `dst`. Both are strided tensors in device memory, of the
/// same shape. Strides and alignments are arbitrary: contiguous, with gaps, permuted, reversed, broadcast (a source of
/// stride 0). Elements have 1, 2, 4, 8 or 16 bytes; if the types differ, they are converted as by `static_cast`. There
/// may be 8 modes after contiguous ones are merged. On the GPU the work is queued on `stream`.
///
/// Gaps of fewer than 4096 bytes between elements of `src` may be read too, and the bytes are dropped. This does not
/// happen if elements of `dst` may lie there.
///
/// No element of `dst` may overlap another element of `src` or `dst`; `dst` may be `src` itself. The function throws
/// `error` before anything is written in these cases:
/// - shapes differ;
/// - extents are negative, or elements or strides exceed 2^56;
/// - two elements of `dst` overlap, or elements of `src` would be overwritten. Searches of 2000 steps, which take
///   microseconds, look for such elements. Cases that they leave open are copied.
///
/// The first call for a problem plans it. Up to 512 plans are kept, by extents, strides, alignments, types and device.
/// They serve later calls of any thread, also while a stream is captured.
template <class Src, class Dst>
void copy_tensor(Src const& src, Dst const& dst, stream_handle stream = nullptr) {
  if constexpr (detail::copied_tensors<Src, Dst>::ok) {
    using From = std::remove_cv_t<typename Src::value_type>;
    using To = std::remove_cv_t<typename Dst::value_type>;
    constexpr bool written = !std::is_const_v<typename Dst::element_type>;
    static_assert(written, "copy_tensor(src, dst): dst's elements are const");
    if constexpr (detail::copied_elements<From, To>::ok && written)
      detail::copy_elements<From, To>(make_copy_problem(src, dst), raw_pointer_cast(src.data()),
                                      raw_pointer_cast(dst.data()), stream);
  }
}

template <class Src, class Dst>
void tensor_copy::operator()(Src const& src, Dst const& dst, stream_handle stream) const {
  detail::for_copied_tensors(
      src, dst, [&]<class From, class To>(copy_problem const& given, void const* source, void* target) {
        if (again_ != &detail::copy_elements<From, To> || !detail::has_modes_of(given, plan_->key.given))
          detail::plan_is_for_other_tensors();
        if (plan_->key == detail::key_of_copy<From, To>(given, target) && !given.interleaved && given.size() > 0) {
          detail::expect_device_memory("plan(src, dst)", "src", source);
          detail::expect_device_memory("plan(src, dst)", "dst", target);
          plan_->run(source, target, stream);
        } else {
          again_(given, source, target, stream);
        }
      });
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
