// SPDX-License-Identifier: Apache-2.0
/// @file
/// Switches from one stack to another. On x86-64 a few instructions do it. A call that returns elsewhere keeps the
/// processor's prediction of returns right, which Boost's jump would spoil. If the other side was called from another
/// place, a jump is used, which is predicted from history. On other processors, or with COSMATI_SIM_BOOST_CONTEXT
/// defined, Boost.Context is used. Control words of the floating-point units are not saved.
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#define COSMATI_SIM_BOOST_CONTEXT
#endif
#if defined(COSMATI_SIM_BOOST_CONTEXT)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace cosmati_sim {

#if defined(COSMATI_SIM_BOOST_CONTEXT)

/// The point at which a switched-away context continues.
struct saved_context {
  void* at = nullptr;  // the address on its stack
};

/// Remembers where the context that ran before continues.
inline void arrived_from(boost::context::detail::transfer_t from) {
  static_cast<saved_context*>(from.data)->at = from.fctx;
}
/// Continues at `to`. It returns when another context switches to `from`.
inline void switch_context(saved_context& from, saved_context const& to) {
  arrived_from(boost::context::detail::jump_fcontext(to.at, &from));
}
template <void (*main)()>
void begin_fiber(boost::context::detail::transfer_t from) {
  arrived_from(from);
  main();
}
/// A context that begins with `main`, which does not return. @param low, high the ends of the stack
template <void (*main)()>
saved_context fresh_context(char* low, char* high) {
  return {boost::context::detail::make_fcontext(high, static_cast<std::size_t>(high - low), &begin_fiber<main>)};
}

#else

/// The point at which a switched-away context continues. The registers that a function must keep are here instead of on
/// the stack. The contexts of a block are contiguous in memory; their stacks are not.
struct alignas(64) saved_context {
  void* at = nullptr;  // the stack pointer, at the return address
  void* pc = nullptr;  // the return address
  void* kept[6] = {};  // the registers rbp, rbx, r12 to r15
};

extern "C" void cosmati_sim_switch(saved_context* from, saved_context const* to);

inline void switch_context(saved_context& from, saved_context const& to) { cosmati_sim_switch(&from, &to); }
template <void (*main)()>
saved_context fresh_context(char*, char* high) {
  auto** const top = reinterpret_cast<void**>(high) - 2;  // on entry, a function's stack is 8 bytes past a multiple of
                                                          // 16
  top[1] = nullptr;                                       // there is nothing to return to
  return {top, reinterpret_cast<void*>(main), {}};
}

#endif

}  // namespace cosmati_sim
