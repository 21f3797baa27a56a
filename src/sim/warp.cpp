// SPDX-License-Identifier: Apache-2.0
// Warp-wide functions. Each is one function over the lanes that met.

#include <bit>

#include "formatted.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "state.hpp"
#include "sweep.hpp"
#include "unwritten_values.hpp"

namespace cosmati_sim {
namespace {

/// The value that a lane gets from an absent one.
std::uint64_t nothing() { return unwritten_is_zero ? 0 : 0x7FFD7FFD7FFD7FFDull; }

template <class Body>
void each(unsigned lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) body(static_cast<unsigned>(std::countr_zero(lanes)));
}

struct shuffle {
  int kind, lane, width;
  std::uint64_t value, result;
  int from;  // the lane that it reads; -1: an absent lane

  static void together(void* const* arguments, unsigned lanes) {
    each(lanes, [=](unsigned i) {
      shuffle& s = *static_cast<shuffle*>(arguments[i]);
      int const me = static_cast<int>(i), first = me & ~(s.width - 1), by = s.lane & 31;
      int from = me;
      switch (s.kind) {
        case 0:
          from = first + (by & (s.width - 1));
          break;
        case 1:
          from = me - by < first ? me : me - by;
          break;
        case 2:
          from = me + by >= first + s.width ? me : me + by;
          break;
        default:
          from = me ^ by;
          if (from >= first + s.width) from = me;
      }
      s.from = (lanes >> from & 1u) != 0 ? from : -1;
      s.result = s.from >= 0 ? static_cast<shuffle*>(arguments[from])->value : nothing();
    });
  }
};

/// Notes that the lane holds a value from an absent lane, or one that such a lane computed. Correct programs drop it.
/// Storing it is a mistake, so the lane's stores are checked from now on.
[[gnu::cold, gnu::noinline]] void takes_nothing(worker& w, std::uint32_t site) {
  w.lanes[w.current].absent = site;
  cosmati_sim_active |= watch_closely;
}

inline void look_at_shuffled(worker& w, shuffle const& s, char const* name, site where, void const* pc) {
  if (w.clocks == nullptr || cosmati_sim_active == 0) return;
  if (s.from < 0) [[unlikely]] {
    takes_nothing(w, site_here(w, where.file, where.line, pc, name).number);
  } else if (std::uint32_t const site = w.lanes[w.current / 32 * 32 + static_cast<unsigned>(s.from)].absent;
             site != 0 && holds_nothing(&s.result, sizeof s.result)) [[unlikely]] {
    takes_nothing(w, site);
  }
}

struct vote {
  int predicate;
  unsigned result;

  static void together(void* const* arguments, unsigned lanes) {
    unsigned ballot = 0;
    each(lanes, [&](unsigned i) { ballot |= (static_cast<vote*>(arguments[i])->predicate != 0 ? 1u : 0u) << i; });
    each(lanes, [&](unsigned i) { static_cast<vote*>(arguments[i])->result = ballot; });
  }
};

struct match {
  std::uint64_t value;
  unsigned same;

  static void together(void* const* arguments, unsigned lanes) {
    each(lanes, [&](unsigned i) {
      match& m = *static_cast<match*>(arguments[i]);
      m.same = 0;
      each(lanes, [&](unsigned k) { m.same |= (static_cast<match*>(arguments[k])->value == m.value ? 1u : 0u) << k; });
    });
  }
};

struct reduction {
  int kind, is_signed;
  std::uint32_t value, result;

  static std::uint32_t combine(reduction const& r, std::uint32_t a, std::uint32_t b) {
    bool const less = r.is_signed != 0 ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
    switch (r.kind) {
      case 0:
        return a + b;
      case 1:
        return less ? a : b;
      case 2:
        return less ? b : a;
      case 3:
        return a & b;
      case 4:
        return a | b;
      default:
        return a ^ b;
    }
  }
  static void together(void* const* arguments, unsigned lanes) {
    reduction const& first = *static_cast<reduction*>(arguments[std::countr_zero(lanes)]);
    std::uint32_t total = first.value;
    each(lanes & (lanes - 1),
         [&](unsigned i) { total = combine(first, total, static_cast<reduction*>(arguments[i])->value); });
    each(lanes, [&](unsigned i) { static_cast<reduction*>(arguments[i])->result = total; });
  }
};

struct exchange {
  std::uint16_t const* give;
  std::uint16_t* take;
  int const* table;
  unsigned lanes = ~0u;  // the lanes that met

  int taken() const { return *table; }
  unsigned char const* pieces() const { return reinterpret_cast<unsigned char const*>(table + 1); }

  /// The known pattern of a table.
  enum class goes : std::uint8_t {
    by_pieces,
    by_pairs,  // as the pairs of a register without transposition
    by_rows    // pairs, where four neighbouring lanes take the four pairs of one row, as ldmatrix does
  };
  static goes how(exchange const& e) {
    int const taken = e.taken();
    unsigned char const* const table = e.pieces();
    if (taken % 2 != 0) return goes::by_pieces;
    for (int i = 0; i < 32 * taken; i += 2) {
      unsigned char const* const from = table + 2 * i;
      if (from[0] != from[2] || from[1] + 1 != from[3]) return goes::by_pieces;
    }
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < taken; i += 2) {
        unsigned char const* const first = table + 2 * (lane / 4 * 4 * taken + i);
        unsigned char const* const from = table + 2 * (lane * taken + i);
        if (from[0] != first[0] || from[1] != 2 * (lane % 4)) return goes::by_pairs;
      }
    }
    return goes::by_rows;
  }
  static goes how_known(exchange const& e) {
    struct known {
      int const* table;
      goes by;
    };
    static thread_local known lately[16];
    known& k = lately[reinterpret_cast<std::uintptr_t>(e.table) / 64 % 16];
    if (k.table != e.table) k = {e.table, how(e)};
    return k.by;
  }

  /// Moves rows of 16 bytes: four lanes get a pair of each row.
  template <int registers>
  static void take_rows(void* const* arguments) {
    unsigned char const* from = static_cast<exchange*>(arguments[0])->pieces();
    for (unsigned i = 0; i < 32; i += 4, from += 16 * registers) {
      std::uint32_t row[registers][4];
      for (int r = 0; r < registers; ++r)
        __builtin_memcpy(row[r], static_cast<exchange*>(arguments[from[4 * r]])->give, 16);
      for (unsigned lane = 0; lane < 4; ++lane) {
        std::uint32_t taken[registers];
        for (int r = 0; r < registers; ++r) taken[r] = row[r][lane];
        __builtin_memcpy(static_cast<exchange*>(arguments[i + lane])->take, taken, sizeof taken);
      }
    }
  }

  /// @tparam taken as in the argument, or 0 for any
  template <int pieces, int taken>
  static void take_all(void* const* arguments, std::uint16_t const* const* give) {
    exchange const& first = *static_cast<exchange*>(arguments[0]);
    int const count = taken != 0 ? taken : first.taken();
    unsigned char const* from = first.pieces();
    for (unsigned i = 0; i < 32; ++i) {
      std::uint16_t* const take = static_cast<exchange*>(arguments[i])->take;
      for (int k = 0; k < count; k += pieces, from += 2 * pieces)
        __builtin_memcpy(take + k, give[from[0]] + from[1], 2 * pieces);
    }
  }

  static void together(void* const* arguments, unsigned lanes) {
    exchange const& first = *static_cast<exchange*>(arguments[std::countr_zero(lanes)]);
    if (lanes != 0xffffffffu)
      return each(lanes, [=](unsigned i) { static_cast<exchange*>(arguments[i])->lanes = lanes; });
    goes const by = how_known(first);
    if (by == goes::by_rows && first.taken() == 2) return take_rows<1>(arguments);
    if (by == goes::by_rows && first.taken() == 4) return take_rows<2>(arguments);
    if (by == goes::by_rows && first.taken() == 8) return take_rows<4>(arguments);
    std::uint16_t const* give[32];
    for (unsigned i = 0; i < 32; ++i) give[i] = static_cast<exchange*>(arguments[i])->give;
    if (by == goes::by_pieces) return take_all<1, 0>(arguments, give);
    switch (first.taken()) {
      case 2:
        return take_all<2, 2>(arguments, give);
      case 4:
        return take_all<2, 4>(arguments, give);
      case 8:
        return take_all<2, 8>(arguments, give);
      default:
        return take_all<2, 0>(arguments, give);
    }
  }
};

}  // namespace
}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

unsigned cosmati_sim_lane(void) { return cosmati_sim::this_worker->current % 32; }

std::uint64_t cosmati_sim_shuffle(int kind, unsigned mask, std::uint64_t value, int lane, int width, char const* name,
                                  char const* file, int line) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    quiet const hush;
    fail_lane(cosmati_sim::formatted("{} ({}): width {}, it must be 1, 2, 4, 8, 16 or 32", name, to_text({file, line}),
                                     width),
              hazard_kind::invalid_argument, site_here(*this_worker, file, line, __builtin_return_address(0), name));
  }
  shuffle s = {kind, lane, width, value, 0, 0};
  cosmati_sim_meet(mask, &s, &shuffle::together, name, file, line);
  look_at_shuffled(*this_worker, s, name, {file, line}, __builtin_return_address(0));
  return s.result;
}

unsigned cosmati_sim_exchange(std::uint16_t const* give, std::uint16_t* take, int const* table, char const* name,
                              char const* file, int line) {
  exchange e = {give, take, table};
  if (!cosmati_sim::meet_sweeping(&e, name, line)) [[unlikely]]
    cosmati_sim_meet(0xffffffffu, &e, &exchange::together, name, file, line);
  return e.lanes;
}

unsigned cosmati_sim_ballot(unsigned mask, int predicate, char const* name, char const* file, int line) {
  vote v = {predicate, 0};
  cosmati_sim_meet(mask, &v, &vote::together, name, file, line);
  return v.result;
}

unsigned cosmati_sim_match(unsigned mask, std::uint64_t value, int* all, char const* name, char const* file, int line) {
  cosmati_sim_operand(value, 8, "a match of", file, line);
  match m = {value, 0};
  cosmati_sim_meet(mask, &m, &match::together, name, file, line);
  if (all == nullptr) return m.same;
  *all = m.same == mask ? 1 : 0;
  return m.same == mask ? mask : 0;
}

std::uint32_t cosmati_sim_reduce(int kind, int is_signed, unsigned mask, std::uint32_t value, char const* name,
                                 char const* file, int line) {
  cosmati_sim_operand(value, 4, "a reduction of", file, line);
  reduction r = {kind, is_signed, value, 0};
  cosmati_sim_meet(mask, &r, &reduction::together, name, file, line);
  return r.result;
}

}  // extern "C"
