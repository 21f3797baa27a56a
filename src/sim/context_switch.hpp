// SPDX-License-Identifier: Apache-2.0
/// @file
/// From one stack to another. On x86-64 by a few instructions of our own: a call that returns elsewhere, so that the
/// processor's prediction of returns stays right, which Boost's jump spoils; where the other side was called from
/// another place a jump, which is predicted by what came before. Elsewhere, or with COSMATI_SIM_BOOST_CONTEXT defined,
/// by Boost.Context. Control words of the floating-point units are not kept.
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

/// Where something goes on that was switched away from.
struct saved_context {
  void* at = nullptr;  // on its stack
};

/// What ran before has been switched away from: remember where it goes on.
inline void arrived_from(boost::context::detail::transfer_t from) {
  static_cast<saved_context*>(from.data)->at = from.fctx;
}
/// Goes on at `to`; returns when somebody switches to `from`.
inline void switch_context(saved_context& from, saved_context const& to) {
  arrived_from(boost::context::detail::jump_fcontext(to.at, &from));
}
template <void (*main)()>
void begin_fiber(boost::context::detail::transfer_t from) {
  arrived_from(from);
  main();
}
/// A context that begins with `main`, which does not return. @param low, high the stack's ends
template <void (*main)()>
saved_context fresh_context(char* low, char* high) {
  return {boost::context::detail::make_fcontext(high, static_cast<std::size_t>(high - low), &begin_fiber<main>)};
}

#else

/// Where something goes on that was switched away from. What a function keeps is kept here and not on the stack: those
/// of a block lie together, which their stacks do not.
struct alignas(64) saved_context {
  void* at = nullptr;  // the stack pointer, at the return address
  void* pc = nullptr;  // the return address
  void* kept[6] = {};  // rbp, rbx, r12 to r15
};

extern "C" void cosmati_sim_switch(saved_context* from, saved_context const* to);

inline void switch_context(saved_context& from, saved_context const& to) { cosmati_sim_switch(&from, &to); }
template <void (*main)()>
saved_context fresh_context(char*, char* high) {
  auto** const top = reinterpret_cast<void**>(high) - 2;  // at its entry, a function's stack is 8 past a multiple of 16
  top[1] = nullptr;                                       // it returns to nobody
  return {top, reinterpret_cast<void*>(main), {}};
}

#endif

}  // namespace cosmati_sim
