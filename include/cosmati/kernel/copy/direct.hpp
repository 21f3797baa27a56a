// SPDX-License-Identifier: Apache-2.0
/// @file
/// The direct copy through registers. It moves vectors of the target's first mode. Their source may be contiguous,
/// strided, or one element for all (stride 0). Elements are converted on the way if the types differ.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/convert.hpp>
#include <cosmati/kernel/copy/costs.hpp>
#include <cosmati/kernel/copy_problem/problem.hpp>
#include <cosmati/kernel/divider.hpp>
#include <cosmati/runtime/cuda_words.hpp>

#pragma push_macro("__builtin_memcpy")  // accesses that were reported; see runtime/seen_builtins.hpp
#undef __builtin_memcpy

namespace COSMATI_NAMESPACE {
/// The argument of the kernels. Strides and steps are in bytes.
struct direct_copy_arguments {
  char const* source;
  char* target;
  std::int64_t slots;                         ///< the number of vectors over all modes
  std::uint32_t extent;                       ///< the extent of the first mode, in elements
  std::int64_t source_stride, target_stride;  ///< the strides of the first mode
  detail::cache_use cache;
  int outer;                  ///< the number of further modes
  fast_divider slots_of_row;  ///< the number of vectors in the first mode
  /// One of the outer modes.
  struct one_mode {
    fast_divider extent;
    std::int64_t source_step, target_step;
  } mode[copy_max_rank];
};

/// Moves bits without conversion.
template <int bytes>
struct copy_bits {
  static constexpr int source_bytes = bytes, target_bytes = bytes;
};
/// Converts each element as a cast does.
template <class From, class To>
struct copy_converted {
  static constexpr int source_bytes = static_cast<int>(sizeof(From)), target_bytes = static_cast<int>(sizeof(To));
  using from_type = From;
  using to_type = To;
};
/// Converts elements at addresses that are not aligned for their types. @tparam bytes the size of an access on
/// both sides
template <class From, class To, int bytes>
struct copy_converted_in_pieces : copy_converted<From, To> {
  static constexpr int piece = bytes;
};

namespace detail {
/// Some elements in registers. @tparam bytes the size of all of them
template <int bytes>
struct vector_words {
  static constexpr int piece = bytes < 16 ? bytes : 16;  ///< the bytes that one instruction moves
  register_words<piece> part[static_cast<unsigned>(bytes / piece)];

  COSMATI_HD void load(cache_use const& cache, char const* from) {
    COSMATI_UNROLL
    for (int k = 0; k < bytes / piece; ++k) part[k] = cache.template load<piece>(from + k * piece);
  }
  COSMATI_HD void store(cache_use const& cache, char* to) const {
    COSMATI_UNROLL
    for (int k = 0; k < bytes / piece; ++k) cache.template store<piece>(to + k * piece, part[k]);
  }
  /// Sets element e, whose bytes must be zero before.
  template <int element_bytes>
  COSMATI_HD void put(int e, register_words<element_bytes> const& v) {
    int const at = e * element_bytes;
    if constexpr (element_bytes < 4) {
      part[at / piece].word[at % piece / 4] |= v.word[0] << (8 * (at % 4));
    } else {
      COSMATI_UNROLL
      for (int w = 0; w < element_bytes / 4; ++w) part[at / piece].word[at % piece / 4 + w] = v.word[w];
    }
  }
  template <int element_bytes>
  COSMATI_HD register_words<element_bytes> get(int e) const {
    int const at = e * element_bytes;
    register_words<element_bytes> v;
    if constexpr (element_bytes < 4) {
      v.word[0] = part[at / piece].word[at % piece / 4] >> (8 * (at % 4));
      if constexpr (element_bytes == 1) v.word[0] &= 0xffu;
      if constexpr (element_bytes == 2) v.word[0] &= 0xffffu;
    } else {
      COSMATI_UNROLL
      for (int w = 0; w < element_bytes / 4; ++w) v.word[w] = part[at / piece].word[at % piece / 4 + w];
    }
    return v;
  }
};

template <class Move, int source_bytes, int target_bytes>
COSMATI_HD inline vector_words<target_bytes> converted(vector_words<source_bytes> const& v) {
  if constexpr (requires { typename Move::to_type; }) {
    using From = typename Move::from_type;
    using To = typename Move::to_type;
    constexpr int n = source_bytes / Move::source_bytes;
    vector_words<target_bytes> out = {};
    if constexpr (n > 1 && sizeof(From) <= 8 && sizeof(To) <= 8) {
      COSMATI_UNROLL
      for (int e = 0; e < n / 2; ++e)
        out.template put<2 * Move::target_bytes>(e, convert_two<From, To>(v.template get<2 * Move::source_bytes>(e)));
    } else {
      COSMATI_UNROLL
      for (int e = 0; e < n; ++e) {
        auto const bits = v.template get<Move::source_bytes>(e);
        From from;
        __builtin_memcpy(&from, bits.word, sizeof from);
        auto const to = static_cast<To>(from);
        register_words<Move::target_bytes> words = {};
        __builtin_memcpy(words.word, &to, sizeof to);
        out.template put<Move::target_bytes>(e, words);
      }
    }
    return out;
  } else {
    return v;
  }
}
/// A vector of the target's first mode between load and store.
template <class Move, int vector, bool together>
struct direct_vector {
  static constexpr int source_bytes = vector * Move::source_bytes, target_bytes = vector * Move::target_bytes;
  vector_words<source_bytes> held = {};
  std::int64_t to = 0;     ///< the offset in the target in bytes; an offset, because nvcc stores generically through a
                           ///< pointer whose bits are read
  int begin = 0, end = 0;  ///< the range of elements that exist

  /// Finds the addresses of a slot, and loads its elements.
  COSMATI_HD void load(direct_copy_arguments const& job, std::int64_t slot) {
    if (slot >= job.slots) return;
    char const* from = job.source;
    std::int64_t in_row = slot;
    if (job.outer > 0) {  // then there are fewer than 2^31 slots
      std::uint32_t rest = job.slots_of_row.quotient(static_cast<std::uint32_t>(slot));
      in_row = job.slots_of_row.remainder(static_cast<std::uint32_t>(slot), rest);
      COSMATI_NO_UNROLL
      for (int m = 0; m < job.outer; ++m) {
        std::uint32_t const next = job.mode[m].extent.quotient(rest);
        std::uint32_t const c = job.mode[m].extent.remainder(rest, next);
        rest = next;
        from += c * job.mode[m].source_step;
        to += c * job.mode[m].target_step;
      }
    }
    // Slots start at vector boundaries of the target. A row that starts inside a vector has fewer elements in its first
    // slot.
    std::int64_t elements_before_row = 0;
    if constexpr (!together && vector > 1)
      elements_before_row =
          static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(job.target + to) % target_bytes) /
          Move::target_bytes;
    std::int64_t const at = in_row * vector - elements_before_row;
    std::int64_t const left = static_cast<std::int64_t>(job.extent) - at;
    if (left <= 0) return;  // a row may have more slots than vectors
    begin = at < 0 ? static_cast<int>(-at) : 0;
    end = left < vector ? static_cast<int>(left) : vector;
    from += at * job.source_stride;
    to += at * job.target_stride;
    if constexpr (requires { Move::piece; }) {
      static_assert(vector == 1);
      COSMATI_UNROLL
      for (int k = 0; k < source_bytes; k += Move::piece)
        held.template put<Move::piece>(k / Move::piece, load_read_only<Move::piece>(from + k));
    } else if (together && end == vector) {
      held.load(job.cache, from);
    } else if (!together && vector > 1 && job.source_stride == 0) {
      auto const repeated = load_read_only<Move::source_bytes>(from);
      COSMATI_UNROLL
      for (int e = 0; e < vector; ++e) held.template put<Move::source_bytes>(e, repeated);
    } else {
      COSMATI_UNROLL
      for (int e = 0; e < vector; ++e) {
        [[maybe_unused]] access_step const turn;
        if (e >= begin && e < end)
          held.template put<Move::source_bytes>(e, load_read_only<Move::source_bytes>(from + e * job.source_stride));
      }
    }
  }
  COSMATI_HD void store(direct_copy_arguments const& job, vector_words<target_bytes> const& out) const {
    char* const place = job.target + to;
    if constexpr (requires { Move::piece; }) {
      COSMATI_UNROLL
      for (int k = 0; k < target_bytes; k += Move::piece)
        job.cache.template store<Move::piece>(place + k, out.template get<Move::piece>(k / Move::piece));
    } else if (begin == 0 && end == vector) {
      out.store(job.cache, place);
    } else {
      COSMATI_UNROLL
      for (int e = 0; e < vector; ++e) {
        [[maybe_unused]] access_step const turn;
        if (e >= begin && e < end)
          job.cache.template store<Move::target_bytes>(place + e * Move::target_bytes,
                                                       out.template get<Move::target_bytes>(e));
      }
    }
  }
};
}  // namespace detail

/// @tparam Move copy_bits or copy_converted
/// @tparam vector the number of elements that a thread moves at once
/// @tparam together whether a vector is contiguous and aligned in the source
/// @tparam at_once the vectors of a thread, which are all loaded before the first is stored
template <class Move, int vector, bool together, int at_once>
__global__ void __launch_bounds__(direct_copy_most_threads)
    copy_direct(__grid_constant__ direct_copy_arguments const job) {
  using one_vector = detail::direct_vector<Move, vector, together>;
  std::uint32_t const threads = blockDim.x;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * (threads * at_once) + threadIdx.x;
  one_vector moved[std::size_t{at_once}];
  COSMATI_UNROLL
  for (int k = 0; k < at_once; ++k) {
    [[maybe_unused]] access_step const turn;
    moved[k].load(job, first + static_cast<std::uint32_t>(k) * threads);
  }
  COSMATI_UNROLL
  for (int k = 0; k < at_once; ++k) {
    [[maybe_unused]] access_step const turn;
    if (moved[k].begin == moved[k].end) continue;
    moved[k].store(job, detail::converted<Move, one_vector::source_bytes, one_vector::target_bytes>(moved[k].held));
  }
}

namespace detail {
/// One of the kernels `copy_direct`, with its properties.
struct direct_kernel {
  void (*run)(direct_copy_arguments);
  int source_bytes, target_bytes;  ///< the size of an element
  int vector, at_once;
  bool together;
};

/// The number of slots of a row: its vectors, and perhaps some more.
inline std::int64_t slots_of_row(direct_kernel const& kernel, copy_problem const& p, void const* target) {
  // Rows may begin with a vector or inside one.
  std::int64_t const row = (p.mode[0].extent + (kernel.vector - 1) * (kernel.together ? 1 : 2)) / kernel.vector;
  return slots_to_lines(row, std::int64_t{kernel.vector} * kernel.target_bytes, p, kernel.target_bytes, target);
}

[[gnu::noinline, gnu::cold]] inline void launch_direct(launch_sink& sink, direct_kernel const& kernel,
                                                       copy_problem const& p, direct_launch const& how,
                                                       void const* source, void* target) {
  std::int64_t const vector = kernel.vector;
  std::int64_t const row = p.rank > 0 ? slots_of_row(kernel, p, target) : 1;
  std::int64_t slots = row;
  for (int m = 1; m < p.rank; ++m) slots *= p.mode[m].extent;
  if ((p.rank > 1 && slots >= (std::int64_t{1} << 31)) ||
      (p.rank > 0 && p.mode[0].extent >= (std::int64_t{1} << 32) - vector)) {
    // Slot numbers have 32 bits.
    copy_halves const parts = copy_halves::of_longest_mode(p, vector);
    launch_direct(sink, kernel, parts.low, how, source, target);
    launch_direct(sink, kernel, parts.high, how, source, target);
    return;
  }
  direct_copy_arguments job = {};
  job.source = static_cast<char const*>(source) + p.source_offset * kernel.source_bytes;
  job.target = static_cast<char*>(target) + p.target_offset * kernel.target_bytes;
  job.slots = slots;
  job.cache = {how.stream_loads, how.stream_stores};
  job.extent = p.rank == 0 ? 1u : static_cast<std::uint32_t>(p.mode[0].extent);
  job.source_stride = p.rank == 0 ? 0 : p.mode[0].source * kernel.source_bytes;
  job.target_stride = p.rank == 0 ? 0 : p.mode[0].target * kernel.target_bytes;
  job.slots_of_row = p.rank > 1 ? fast_divider(static_cast<std::uint32_t>(row)) : fast_divider(1);
  job.outer = p.rank > 1 ? p.rank - 1 : 0;
  for (int m = 1; m < p.rank; ++m)
    job.mode[m - 1] = {fast_divider(static_cast<std::uint32_t>(p.mode[m].extent)),
                       p.mode[m].source * kernel.source_bytes, p.mode[m].target * kernel.target_bytes};
  prepare(sink, kernel.run, blocks_of(slots, how.threads, kernel.at_once), 1, static_cast<unsigned>(how.threads), 0,
          job);
}

/// Gives the sink the kernel for single elements, or for vectors of `most`. Single elements are loaded two at a time.
template <class Move, int most, int at_once_of_vectors = 1>
void launch_direct_of(launch_sink& sink, copy_problem const& p, int vector, bool together, direct_launch const& how,
                      void const* source, void* target) {
  with_vector<most>(vector, [&](auto width) {
    constexpr int v = decltype(width)::value, at_once = v == 1 ? 2 : at_once_of_vectors;
    direct_kernel kernel = {
        copy_direct<Move, v, false, at_once>, Move::source_bytes, Move::target_bytes, v, at_once, false};
    if constexpr (v > 1)
      if (together) kernel.run = copy_direct<Move, v, true, at_once>, kernel.together = true;
    launch_direct(sink, kernel, p, how, source, target);
  });
}

/// Whether vectors of v elements of `bytes` bytes are aligned for accesses of up to 16 bytes.
constexpr bool conversion_fits(copy_problem const& p, bool of_source, int v, int bytes) {
  std::int64_t const width = v * bytes < 16 ? v * bytes : 16;
  std::int64_t const joined =
      of_source ? p.source_alignment | (p.source_offset * bytes) : p.target_alignment | (p.target_offset * bytes);
  if (joined % width != 0) return false;
  for (int m = 1; m < p.rank; ++m)
    if ((of_source ? p.mode[m].source : p.mode[m].target) * bytes % width != 0) return false;
  return true;
}

/// The number of elements in a conversion's widest vector. The larger type takes 16 bytes, so that accesses of
/// neighbouring lanes are contiguous in both tensors; it takes 32 if it is four times as large as the other. Measured
/// on an H200 (bench/notes).
template <class From, class To>
inline constexpr int widest_conversion = [] {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To));
  constexpr int larger = from > to ? from : to, smaller = from > to ? to : from;
  return (larger >= 4 * smaller ? 32 : 16) / larger;
}();
/// The number of vectors that a thread loads before it stores the first.
template <class From, class To>
inline constexpr int conversions_at_once = sizeof(From) == sizeof(To) ? 1 : 2;

/// The plan that converts elements on the way. @param p simplified with elements of their own size
template <class From, class To>
constexpr copy_plan plan_conversion(copy_problem const& p) {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To));
  constexpr int most = widest_conversion<From, To>;
  copy_plan plan;
  plan.together = true;
  plan.launch = {.threads = 128};
  if (p.source_alignment % from != 0 || p.target_alignment % to != 0) {
    plan.together = false;
    return plan;  // the plan copies pieces one by one
  }
  if (p.rank > 0 && p.mode[0].target == 1 && p.mode[0].extent >= most && conversion_fits(p, false, most, to)) {
    plan.vector = most;
    plan.together = p.mode[0].source == 1 && conversion_fits(p, true, most, from);
  }
  if (plan.vector == 1 && most > 1 && p.rank > 0 && p.mode[0].target == 1 && p.mode[0].extent >= 8 * most) {
    plan.vector = most;  // rows may begin inside vectors
    plan.together = false;
  }
  return plan;
}

/// @param plan from `plan_conversion`
template <class From, class To>
void launch_conversion(launch_sink& sink, copy_problem const& p, copy_plan const& plan, void const* source,
                       void* target) {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To)), words = 4;
  bool const aligned = p.source_alignment % from == 0 && p.target_alignment % to == 0;
  auto const go = [&](auto bytes) {
    launch_direct_of<copy_converted_in_pieces<From, To, decltype(bytes)::value>, 1>(sink, p, plan.vector, plan.together,
                                                                                    plan.launch, source, target);
  };
  if constexpr (from >= words && to >= words && from + to > 2 * words)  // complex numbers may have such alignment
    if (!aligned && p.source_alignment % words == 0 && p.target_alignment % words == 0)
      return go(std::integral_constant<int, words>{});
  if constexpr (from + to > 2)
    if (!aligned) return go(std::integral_constant<int, 1>{});
  launch_direct_of<copy_converted<From, To>, widest_conversion<From, To>, conversions_at_once<From, To>>(
      sink, p, plan.vector, plan.together, plan.launch, source, target);
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#pragma pop_macro("__builtin_memcpy")
#include <cosmati/core/macros_end.hpp>
