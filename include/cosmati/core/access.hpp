// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reports of accesses, and of the tensors that they belong to, to the simulated device.
///
/// While no simulated lane runs, each function costs one test of a thread-local integer on the host. Under nvcc it
/// costs nothing. A program that launches no kernel needs no library: the functions are weak references, which are
/// called only if the simulated device has set `cosmati_sim_active`.
///
/// A function that moves `n` bytes as one instruction uses them as follows:
/// @code
///   note_access(access_kind::load, source, 16, 16, [&](char* out, std::size_t n) { ...name, layout, coordinate... });
///   note_access(access_kind::store, target, 16, 16);
///   unseen_scope unseen;          // the raw access below was reported already
///   *target = *source;
/// @endcode
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstddef>

#if defined(COSMATI_SIMULATED)
extern "C" {
/// Nonzero while this host thread runs a lane whose accesses are watched. The alignment leaves a gap behind the arrays
/// that precede the variable.
inline __thread __attribute__((aligned(64))) int cosmati_sim_active = 0;

/// Writes one phrase that describes an access, such as "tensor A (8,4):(4,1) at (3,1)", into `out`, which holds `size`
/// bytes.
using cosmati_sim_describe = void (*)(void const* context, char* out, std::size_t size);

/// Checks and counts one access. Does not return when the access is wrong.
/// @param base any address inside the object that the access must stay in, or null
/// @param alignment the alignment in bytes that the instruction needs, 0 for none
__attribute__((weak)) void cosmati_sim_access(void const* address, std::size_t bytes, int kind, std::size_t alignment,
                                              void const* base, char const* instruction, cosmati_sim_describe describe,
                                              void const* context, char const* file, int line);

/// Remembers the tensor element that the next raw access to `address` belongs to. The function copies `context`.
__attribute__((weak)) void cosmati_sim_note(void const* address, std::size_t bytes, void const* base,
                                            cosmati_sim_describe describe, void const* context,
                                            std::size_t context_bytes);

/// Marks the element that was noted last as outside its tensor.
/// @param mode the first mode whose coordinate is not below its extent, or -1
__attribute__((weak)) void cosmati_sim_note_outside(int mode, long long coordinate, long long extent);

/// Whether an address is on the running lane's stack, as that of the lane's own variables is.
__attribute__((weak)) int cosmati_sim_is_on_stack(void const* address);

/// Reports a prefetch of global memory. Only the address is checked.
__attribute__((weak)) void cosmati_sim_prefetch(void const* global);

/// Remembers the place where the lane is about to throw one of the library's errors.
/// @param kind the kind of hazard that the error is
__attribute__((weak)) void cosmati_sim_throws(char const* kind);

/// Begins (1) or ends (0) a step of a loop that the lanes of a warp execute together. Every lane calls it, also a lane
/// that moves nothing in the step. Steps nest. It has an effect only while launches are counted.
__attribute__((weak)) void cosmati_sim_step(int begins);

/// Reports an operand of an instruction, which must have been written before.
/// @param what the begin of the message, "an operand of NAME is"
__attribute__((weak)) void cosmati_sim_operand(unsigned long long bits, std::size_t bytes, char const* what,
                                               char const* file, int line);

/// Allows (1) the lane to read memory that nobody has written, or ends the permission (0).
__attribute__((weak)) void cosmati_sim_may_read_unwritten(int begins);

/// The 16 bits that begin an unwritten fragment: 0x7FFD, or 0 when `cosmati sim` tests a finding. The launch then has
/// fragments whose values may be unwritten.
/// @param bytes the size of an element
__attribute__((weak)) unsigned cosmati_sim_unwritten_bits(std::size_t bytes);

/// Whether a value with the pattern of an unwritten fragment may be one: not if the launch has none, and not if the
/// program has put the same value into memory before the launch.
__attribute__((weak)) int cosmati_sim_may_be_unwritten(void);
}
#endif

#if defined(COSMATI_SIMULATED)
namespace cosmati_cuda {
/// Reads `cosmati_sim_active` by inline assembly, so that instrumented code does not report the access. The comment in
/// the assembly tells `cosmati sim` that it is the library's own.
inline int sim_active() {
  int value;
#if defined(__x86_64__)
  __asm__ volatile("movl %1, %0  # cosmati" : "=r"(value) : "m"(cosmati_sim_active));
#elif defined(__aarch64__)
  __asm__ volatile("ldr %w0, %1" : "=r"(value) : "m"(cosmati_sim_active));
#else
  value = cosmati_sim_active;
#endif
  return value;
}
inline void set_sim_active(int value) {
#if defined(__x86_64__)
  __asm__ volatile("movl %1, %0  # cosmati" : "=m"(cosmati_sim_active) : "r"(value) : "memory");
#elif defined(__aarch64__)
  __asm__ volatile("str %w1, %0" : "=m"(cosmati_sim_active) : "r"(value) : "memory");
#else
  __asm__ volatile("" ::: "memory");
  cosmati_sim_active = value;
  __asm__ volatile("" ::: "memory");
#endif
}
}  // namespace cosmati_cuda
#endif

namespace COSMATI_NAMESPACE {

/// The effect of an instruction on the memory that it names.
enum class access_kind : int { load = 0, store = 1, atomic = 2 };

/// A describer that writes nothing.
struct no_description {
  COSMATI_HD void operator()(char* out, std::size_t size) const {
    if (size != 0) out[0] = 0;
  }
};

/// True when this thread runs a lane of the simulated device.
COSMATI_HD inline bool access_is_watched() {
#if defined(COSMATI_SIMULATED)
  return cosmati_cuda::sim_active() != 0;
#else
  return false;
#endif
}

#if defined(COSMATI_SIMULATED)
/// Whether a value has the pattern of unwritten memory: 0x7FFD in each 16 bits. As a float the pattern is a NaN, whose
/// bits survive arithmetic.
/// @param magnitude the absolute bits of a float, or of a half_t or bfloat16_t with those bits after widening
constexpr bool is_unwritten_value(unsigned magnitude) {
  unsigned const quiet = magnitude | 0x00400000u;  // sums of a wgmma before the wait are signaling NaNs
  return quiet == 0x7FFD7FFDu || quiet == 0x7FFFA000u || quiet == 0x7FFD0000u;
}
namespace detail {
template <class T>
inline constexpr bool is_wide_integer = __is_same(T, int) || __is_same(T, unsigned) || __is_same(T, long) ||
                                        __is_same(T, unsigned long) || __is_same(T, long long) ||
                                        __is_same(T, unsigned long long);
template <class T>
constexpr bool is_unwritten_integer(T const& x) {
  if constexpr (is_wide_integer<T>)
    return x == static_cast<T>(0x7FFD7FFD7FFD7FFDull);
  else
    return false;
}
}  // namespace detail
#endif

/// Returns `result`. On the simulated device an integer counts as unwritten if one of the operands `from` is unwritten,
/// because integers have no NaN.
template <class T, class... From>
COSMATI_HD constexpr T as_written_as(T const& result, [[maybe_unused]] From const&... from) {
#if defined(COSMATI_SIMULATED)
  if constexpr (detail::is_wide_integer<T>) {
    if (!__builtin_is_constant_evaluated() && cosmati_cuda::sim_active() != 0 &&
        (detail::is_unwritten_integer(from) || ...) && cosmati_sim_may_be_unwritten() != 0)
      return static_cast<T>(0x7FFD7FFD7FFD7FFDull);
  }
#endif
  return result;
}

/// Reports one access of one thread.
/// @param address    the first byte
/// @param bytes      the width of the instruction
/// @param alignment  the alignment in bytes that the instruction needs, 0 for none
/// @param describe   `describe(char* out, size_t size)`, called only when the access is wrong
/// @param base       an address in the tensor's allocation, which the access may not leave; or null
/// @param instruction a literal, its name in reports and traces
template <class Describe = no_description>
COSMATI_HD inline void note_access([[maybe_unused]] access_kind kind, [[maybe_unused]] void const* address,
                                   [[maybe_unused]] std::size_t bytes, [[maybe_unused]] std::size_t alignment,
                                   [[maybe_unused]] Describe const& describe = {},
                                   [[maybe_unused]] void const* base = nullptr,
                                   [[maybe_unused]] char const* instruction = nullptr,
                                   [[maybe_unused]] char const* file = nullptr, [[maybe_unused]] int line = 0) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_cuda::sim_active() != 0) {
    cosmati_sim_access(
        address, bytes, static_cast<int>(kind), alignment, base, instruction,
        [](void const* context, char* out, std::size_t size) { (*static_cast<Describe const*>(context))(out, size); },
        &describe, file, line);
  }
#endif
}

/// Reports an access whose description needs only an index, so that nothing is written to memory for the description.
/// @tparam Describe `Describe{}(index, out, size)`, called only when the access is wrong
template <class Describe>
COSMATI_HD inline void note_indexed_access([[maybe_unused]] access_kind kind, [[maybe_unused]] void const* address,
                                           [[maybe_unused]] std::size_t bytes, [[maybe_unused]] std::size_t alignment,
                                           [[maybe_unused]] std::ptrdiff_t index, [[maybe_unused]] void const* base,
                                           [[maybe_unused]] char const* instruction) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_cuda::sim_active() != 0) {
    cosmati_sim_access(
        address, bytes, static_cast<int>(kind), alignment, base, instruction,
        [](void const* context, char* out, std::size_t size) {
          Describe{}(reinterpret_cast<std::ptrdiff_t>(context), out, size);
        },
        reinterpret_cast<void const*>(index), nullptr, 0);
  }
#endif
}

/// Remembers the tensor element that the next raw access to `address` belongs to, so that an error can name it.
/// @param describe copied (at most 160 bytes, trivially copyable); called only when that access is wrong
template <class Describe>
COSMATI_HD inline void note_tensor([[maybe_unused]] void const* address, [[maybe_unused]] std::size_t bytes,
                                   [[maybe_unused]] Describe const& describe,
                                   [[maybe_unused]] void const* base = nullptr) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_cuda::sim_active() != 0) {
    if constexpr (sizeof(Describe) <= 160 && __is_trivially_copyable(Describe)) {
      cosmati_sim_note(
          address, bytes, base,
          [](void const* context, char* out, std::size_t size) { (*static_cast<Describe const*>(context))(out, size); },
          &describe, sizeof(Describe));
    } else {
      cosmati_sim_note(address, bytes, base, nullptr, nullptr, 0);
    }
  }
#endif
}

/// Marks the element that was noted last as outside its tensor. An access to it is an error even inside the allocation.
/// @param mode the first mode whose coordinate is not below its extent, or -1 if it is not known
COSMATI_HD inline void note_outside([[maybe_unused]] int mode = -1, [[maybe_unused]] long long coordinate = 0,
                                    [[maybe_unused]] long long extent = 0) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_cuda::sim_active() != 0) cosmati_sim_note_outside(mode, coordinate, extent);
#endif
}

/// One step of a loop in which some lanes may be predicated off. While launches are counted, the accesses of different
/// lanes in one step form one warp instruction, and a lane that skips a step does not fall behind. Steps nest: lanes
/// that leave an inner loop early wait at its end for the other lanes of their warp.
class access_step {
 public:
#if defined(COSMATI_SIMULATED)
  constexpr access_step() noexcept {
    if (!__builtin_is_constant_evaluated() && (cosmati_cuda::sim_active() & counted) != 0) cosmati_sim_step(1);
  }
  constexpr ~access_step() {
    if (!__builtin_is_constant_evaluated() && (cosmati_cuda::sim_active() & counted) != 0) cosmati_sim_step(0);
  }

 private:
  static constexpr int counted = 8;
#else
  COSMATI_HD constexpr access_step() noexcept {}
#endif
  access_step(access_step const&) = delete;
  access_step& operator=(access_step const&) = delete;
};

/// While an object of this class lives, its lane may read memory that nobody has written, such as gaps between
/// elements. An asynchronous copy leaves the same bytes unwritten in shared memory, so that a later use of them is
/// found. A loaded value counts as written. The lane does not wait for other lanes meanwhile.
class unwritten_scope {
 public:
#if defined(COSMATI_SIMULATED)
  /// @param may whether the permission is given at all
  explicit unwritten_scope(bool may) noexcept : may_(may && cosmati_cuda::sim_active() != 0) {
    if (may_) cosmati_sim_may_read_unwritten(1);
  }
  ~unwritten_scope() {
    if (may_) cosmati_sim_may_read_unwritten(0);
  }

 private:
  bool may_;
#else
  COSMATI_HD explicit unwritten_scope(bool) noexcept {}
#endif
  unwritten_scope(unwritten_scope const&) = delete;
  unwritten_scope& operator=(unwritten_scope const&) = delete;
};

/// While an object of this class lives, raw accesses of its lane are neither checked nor counted.
class unseen_scope {
 public:
#if defined(COSMATI_SIMULATED)
  unseen_scope() noexcept : saved_(cosmati_cuda::sim_active()) { cosmati_cuda::set_sim_active(0); }
  ~unseen_scope() { cosmati_cuda::set_sim_active(saved_); }

 private:
  int saved_;
#else
  COSMATI_HD unseen_scope() noexcept {}
#endif
  unseen_scope(unseen_scope const&) = delete;
  unseen_scope& operator=(unseen_scope const&) = delete;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
