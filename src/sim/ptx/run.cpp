// SPDX-License-Identifier: Apache-2.0
// Runs an asm statement by a lane. A statement's text is read once.
#include <cosmati/core/error.hpp>
#include <cosmati/cuda/ptx.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <map>
#include <memory>
#include <mutex>

#include "../formatted.hpp"
#include "../hazards.hpp"
#include "../state.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {

void resolve(instruction& i) {
  static std::multimap<std::string_view, resolver> const table = [] {
    std::multimap<std::string_view, resolver> all;
    for (rows const r : {integer_rows(), bit_rows(), float_rows(), conversion_rows(), comparison_rows(), move_rows(),
                         memory_rows(), atomic_rows(), warp_rows(), barrier_rows(), mbarrier_rows(), copy_rows(),
                         matrix_rows(), wmma_rows(), wgmma_rows(), control_rows()}) {
      for (std::size_t n = 0; n < r.count; ++n) all.insert({r.begin[n].opcode, r.begin[n].resolve});
    }
    return all;
  }();
  auto const [begin, end] = table.equal_range(i.opcode);
  for (auto row = begin; row != end && i.run == nullptr; ++row) i.run = row->second(i);
}

void fail_instruction(thread const& t, char const* kind, std::string const& sentence) {
  cosmati_sim_fail(kind, sentence.c_str(), t.file, t.line);
}

namespace {

/// The statements that have been read, one for each text that a site gives. A barrier is told by its instruction's
/// address, so sites share nothing.
program const& program_of(cosmati_sim_ptx_site& site, std::string const& text, int operands, bool changes) {
  static std::mutex lock;
  static std::map<std::pair<void const*, std::string>, std::unique_ptr<program const>> all;
  std::lock_guard<std::mutex> const hold(lock);
  std::unique_ptr<program const>& p = all[{&site, text}];
  if (p == nullptr) p = std::make_unique<program const>(parse(text, operands));
  if (!changes) __atomic_store_n(&site.program, static_cast<void const*>(p.get()), __ATOMIC_RELEASE);
  return *p;
}

/// The text with the strings of operands with the constraint C in their places.
std::string with_strings(std::string_view text, std::string_view constraints, word const* registers) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at + 1;
    std::size_t number = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      number = 10 * number + static_cast<std::size_t>(text[end++] - '0');
    bool const named = text[at] == '%' && end > at + 1 && (at == 0 || text[at - 1] != '%');
    std::size_t from = 0;
    for (std::size_t n = 0; named && n < number && from != std::string_view::npos; ++n) {
      from = constraints.find(',', from);
      if (from != std::string_view::npos) ++from;
    }
    if (!named || from >= constraints.size() || constraints[from] != 'C') {
      out += text[at];
      continue;
    }
    out += reinterpret_cast<char const*>(static_cast<std::uintptr_t>(registers[number]));
    at = end - 1;
  }
  return out;
}

void run_instructions(thread& t, program const& p) {
  int const end = static_cast<int>(p.code.size());
  while (t.next < end) {
    instruction const& i = p.code[static_cast<std::size_t>(t.next++)];
    if (!t.guard_holds(i)) continue;
    if (i.run == nullptr) [[unlikely]]
      fail_instruction(t, "invalid_argument",
                       formatted("the PTX instruction `{}` is not on the simulated device", i.text));
    i.run(t, i);
  }
}

/// A check of the library that fails in an instruction names the statement's line, not one of the library.
void run(thread& t, program const& p) {
  std::string sentence;
  try {
    return run_instructions(t, p);
  } catch (cosmati::error const& e) {
    quiet const hush;
    sentence = e.what();
  }
  fail_instruction(t, name_of(this_worker->thrown.kind), sentence);
}

/// What a statement is given.
struct call {
  char const *text, *constraints, *file;
  int line;
  word const* operands;
  int count;
};
[[gnu::noinline]] program const& read_text(cosmati_sim_ptx_site& site, call const& c) {
  quiet const hush;
  bool const has_strings = std::string_view(c.constraints).find('C') != std::string_view::npos;
  std::string const text = has_strings ? with_strings(c.text, c.constraints, c.operands) : std::string(c.text);
  return program_of(site, text, c.count, has_strings);
}

}  // namespace
}  // namespace cosmati_sim::ptx

using namespace cosmati_sim::ptx;

extern "C" void cosmati_sim_ptx(cosmati_sim_ptx_site* site, char const* text, char const* constraints, char const* file,
                                int line, cosmati_cuda::ptx_word* operands, unsigned counts) {
  void const* const pc = __builtin_return_address(0);
  int const count = static_cast<int>(counts & 0xffffu), outputs = static_cast<int>(counts >> 16);
  auto const* known = static_cast<program const*>(__atomic_load_n(&site->program, __ATOMIC_ACQUIRE));
  program const& p = known != nullptr ? *known : read_text(*site, {text, constraints, file, line, operands, count});
  if (!p.error.empty()) [[unlikely]]
    cosmati_sim_fail("invalid_argument",
                     cosmati_sim::formatted("an asm statement cannot be read as PTX: {}", p.error).c_str(), file, line);
  if (p.code.empty()) return;  // also on the host
  cosmati_sim::running_lane("an asm statement with PTX");
  constexpr int most_at_once = 48;
  word few[most_at_once];
  std::unique_ptr<word[]> const many(p.registers > most_at_once ? new word[static_cast<std::size_t>(p.registers)]
                                                                : nullptr);
  word* const registers = many != nullptr ? many.get() : few;
  for (int n = 0; n < p.registers; ++n) registers[n] = n < count ? operands[n] : word{0};
  thread t(registers, file, line, pc);
  run(t, p);
  for (int n = 0; n < outputs; ++n) operands[n] = registers[n];
}
