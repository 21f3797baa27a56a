// SPDX-License-Identifier: Apache-2.0
/// @file
/// How the library tells the simulated device about an access, and about the tensor it belongs to.
///
/// Everything here costs one test of a thread-local integer on the host while no simulated lane runs, and
/// nothing under nvcc. A program that launches no kernel needs no library: the functions are weak references
/// which are called only when the simulated device has set `cosmati_sim_active`.
///
/// Use, in a function that moves `n` bytes as one instruction:
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
/// Not zero while this host thread runs a lane whose accesses are watched.
/// Aligned, so that a gap follows the arrays before it.
inline __thread __attribute__((aligned(64))) int cosmati_sim_active = 0;

/// Writes one phrase that describes an access ("tensor A (8,4):(4,1) at (3,1)") into `out`, of `size` bytes.
using cosmati_sim_describe = void (*)(void const* context, char* out, std::size_t size);

/// Checks and counts one access. @param base any address inside the object that the access must stay in, or null
/// @param alignment in bytes that the instruction needs, 0 for none. Does not return when the access is wrong.
__attribute__((weak)) void cosmati_sim_access(void const* address, std::size_t bytes, int kind, std::size_t alignment,
                                              void const* base, char const* instruction, cosmati_sim_describe describe,
                                              void const* context, char const* file, int line);

/// Remembers which tensor element the next raw access to `address` belongs to; `context` is copied.
__attribute__((weak)) void cosmati_sim_note(void const* address, std::size_t bytes, void const* base,
                                            cosmati_sim_describe describe, void const* context,
                                            std::size_t context_bytes);

/// What was noted last is no element of its tensor. @param mode the first whose coordinate is not below its extent, or
/// -1
__attribute__((weak)) void cosmati_sim_note_outside(int mode, long long coordinate, long long extent);

/// A prefetch of global memory, of which nothing but the address is checked.
__attribute__((weak)) void cosmati_sim_prefetch(void const* global);

/// The lane is about to throw an error of the library's: remembers where. @param kind of the hazard that it is
__attribute__((weak)) void cosmati_sim_throws(char const* kind);

/// While launches are counted: the lane begins (1) or ends (0) a step of a loop that the lanes of its warp go through
/// together, whether they move something in it or not. Steps nest.
__attribute__((weak)) void cosmati_sim_step(int begins);

/// The lane gives an instruction this operand, which somebody should have written. @param what "an operand of NAME is"
__attribute__((weak)) void cosmati_sim_operand(unsigned long long bits, std::size_t bytes, char const* what,
                                               char const* file, int line);

/// From here on (1), and no more (0), the lane may read what nobody has written.
__attribute__((weak)) void cosmati_sim_may_read_unwritten(int begins);
}
#endif

#if defined(COSMATI_SIMULATED)
namespace cosmati_cuda {
/// cosmati_sim_active, read and written so that instrumented code does not report it as an access. The comment tells
/// `cosmati sim` that this assembly is the library's.
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

/// What an instruction does to the memory it names.
enum class access_kind : int { load = 0, store = 1, atomic = 2 };

/// A describer that has nothing to say.
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
/// Registers and memory that nobody has written hold 0x7FFD in each 16 bits: a NaN, whose bits arithmetic keeps.
/// @param magnitude of a float: that, or a half_t or bfloat16_t of those bits, widened
constexpr bool is_unwritten_value(unsigned magnitude) {
  return magnitude == 0x7FFD7FFDu || magnitude == 0x7FFFA000u || magnitude == 0x7FFD0000u;
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

/// `result` of these; on the simulated device, for want of a NaN, an integer is as unwritten as what it is computed
/// from.
template <class T, class... From>
COSMATI_HD constexpr T as_written_as(T const& result, [[maybe_unused]] From const&... from) {
#if defined(COSMATI_SIMULATED)
  if constexpr (detail::is_wide_integer<T>) {
    if (!__builtin_is_constant_evaluated() && cosmati_cuda::sim_active() != 0 &&
        (detail::is_unwritten_integer(from) || ...))
      return static_cast<T>(0x7FFD7FFD7FFD7FFDull);
  }
#endif
  return result;
}

/// Reports one access of one thread.
/// @param address    first byte; @param bytes width of the instruction
/// @param alignment  in bytes that the instruction demands, 0 for none
/// @param describe   `describe(char* out, size_t size)`, called only when the access is wrong
/// @param base       an address of the tensor's allocation, or null: the access may not leave that allocation
/// @param instruction its name in reports and traces, a literal
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

/// The same where an index is all that the description wants: nothing has to be written to memory for it.
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

/// Remembers that a following raw access to `address` is this tensor element, so that an error can name it.
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

/// The element that was noted last is none of its tensor: an access of it is an error, even inside its allocation.
/// @param mode the first whose coordinate is not below its extent, -1 where that is not known
COSMATI_HD inline void note_outside([[maybe_unused]] int mode = -1, [[maybe_unused]] long long coordinate = 0,
                                    [[maybe_unused]] long long extent = 0) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_cuda::sim_active() != 0) cosmati_sim_note_outside(mode, coordinate, extent);
#endif
}

/// One step of a loop in which some lanes may be predicated off: while launches are counted, accesses of different
/// lanes in the same step are one warp instruction, and a lane that skips a step does not fall behind. Steps nest: the
/// lanes that left an inner loop early wait for the others where it ends, as a warp's do.
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

/// While it lives, this lane may read what nobody has written, gaps between elements say: an asynchronous copy to
/// shared memory leaves it unwritten there, so that it is found when somebody uses it; what was loaded counts as any
/// value. The lane does not wait for others meanwhile.
class unwritten_scope {
 public:
#if defined(COSMATI_SIMULATED)
  /// @param may else it may not
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

/// While it lives, raw accesses of this lane are neither checked nor counted.
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
