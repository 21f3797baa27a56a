// SPDX-License-Identifier: Apache-2.0
/// @file
/// From one stack to another. On x86-64 by ten instructions of our own: a call that returns elsewhere, so that the
/// processor's prediction of returns stays right, which Boost's jump spoils. Elsewhere, or with
/// COSMATI_SIM_BOOST_CONTEXT defined, by Boost.Context. Control words of the floating-point units are not kept.
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#define COSMATI_SIM_BOOST_CONTEXT
#endif
#if defined(COSMATI_SIM_BOOST_CONTEXT)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace cosmati_sim {

/// Something that can be switched away from.
struct resumable {
  void* context = nullptr;
};

#if defined(COSMATI_SIM_BOOST_CONTEXT)

/// What ran before has been switched away from: remember where it goes on.
inline void arrived_from(boost::context::detail::transfer_t from) {
  static_cast<resumable*>(from.data)->context = from.fctx;
}
/// Goes on at `to`; returns 0 when somebody switches to `from`.
inline unsigned switch_context(resumable& from, void* to) {
  arrived_from(boost::context::detail::jump_fcontext(to, &from));
  return 0;
}
template <void (*main)()>
void begin_fiber(boost::context::detail::transfer_t from) {
  arrived_from(from);
  main();
}
/// A context that begins with `main`, which does not return. @param low, high the stack's ends
template <void (*main)()>
void* fresh_context(char* low, char* high) {
  return boost::context::detail::make_fcontext(high, static_cast<std::size_t>(high - low), &begin_fiber<main>);
}

#else

extern "C" unsigned cosmati_sim_switch(void** from, void* to);

inline unsigned switch_context(resumable& from, void* to) { return cosmati_sim_switch(&from.context, to); }
template <void (*main)()>
void* fresh_context(char*, char* high) {
  auto** const top = reinterpret_cast<void**>(high) - 2;  // at its entry, a function's stack is 8 past a multiple of 16
  top[0] = reinterpret_cast<void*>(main);
  top[1] = nullptr;  // it returns to nobody
  for (int i = 1; i <= 6; ++i) top[-i] = nullptr;
  return top - 6;
}

#endif

}  // namespace cosmati_sim
