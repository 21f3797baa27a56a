// SPDX-License-Identifier: Apache-2.0
#include "barrier_advice.hpp"

#include <algorithm>

namespace cosmati_sim {

void barrier_advice::met_across_warps(program_line const& a, program_line const& b) { across_.insert(in_order(a, b)); }

bool barrier_advice::is_of_block(program_line const& a, program_line const& b) const {
  auto const asked = in_order(a, b);
  return std::any_of(across_.begin(), across_.end(), [&](auto const& met) {
    auto const& [begin, end] = met;
    auto const& [first, last] = asked;
    if (met == asked) return true;
    if (begin.first != end.first || begin.first != first.first || begin.first != last.first) return false;
    return (begin == first && last.second < end.second) || (end == last && begin.second < first.second);
  });
}

char const* barrier_advice::words(bool of_block) {
  return of_block ? "put __syncthreads() between the two" : "put __syncwarp() between the two";
}

std::pair<barrier_advice::place, barrier_advice::place> barrier_advice::in_order(program_line const& a,
                                                                                 program_line const& b) {
  place const x{a.file, a.line}, y{b.file, b.line};
  return x < y ? std::pair(x, y) : std::pair(y, x);
}

}  // namespace cosmati_sim
