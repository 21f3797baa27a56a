// SPDX-License-Identifier: Apache-2.0
#include "fibers.hpp"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "formatted.hpp"
#include "sites.hpp"
#include "symbols.hpp"

namespace cosmati_sim {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t colour_step = 3 * 64;  // the distance in bytes of neighbouring stacks' starts, in cache lines
constexpr std::size_t colours = 64;          // the number of different starts, which cover all sets of the cache
constexpr std::size_t overflow_bytes = 256 * 1024;

void* map(std::size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::fprintf(stderr, "cosmati: the host refuses %zu bytes for the stacks of simulated threads\n", bytes);
    std::abort();
  }
  return p;
}

std::size_t mapping_bytes() { return page + stack_bytes() + colour_step * colours; }

}  // namespace

std::size_t stack_bytes() {
  static std::size_t const bytes = [] {
    char const* const text = std::getenv("COSMATI_STACK_BYTES");
    std::size_t const wanted = text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
    return wanted == 0 ? std::size_t{256} * 1024 : (wanted < 16384 ? 16384 : (wanted + page - 1) / page * page);
  }();
  return bytes;
}

std::size_t stack_range_bytes() { return (mapping_bytes() + page - 1) / page * page - page; }

stack const* take_stack(worker& w) {
  // A process may have 65530 mappings, and a guard page makes two. Without one the functions' entries find an overflow.
  constexpr unsigned most_guarded = 12 * 1024;
  static std::atomic<unsigned> stacks = 0;
  if (w.free_stacks.empty()) {
    auto fresh = std::make_unique<stack>();
    std::size_t const bytes = (mapping_bytes() + page - 1) / page * page;
    fresh->low = static_cast<char*>(map(bytes)) + page;
    if (stacks++ < most_guarded && mprotect(fresh->low - page, page, PROT_NONE) != 0) {
      std::fprintf(stderr, "cosmati: no guard page for a simulated thread's stack: %s\n", std::strerror(errno));
      std::abort();
    }
    fresh->high = fresh->low - page + bytes - w.stacks.size() % colours * colour_step;
    w.free_stacks.push_back(fresh.get());
    w.stacks.push_back(std::move(fresh));
  }
  stack const* const s = w.free_stacks.back();
  w.free_stacks.pop_back();
  return s;
}

void reset_stacks(worker& w) {
  w.free_stacks.clear();
  for (auto i = w.stacks.size(); i-- != 0;) w.free_stacks.push_back(w.stacks[i].get());
}

namespace {

struct sigaction former_segv, former_bus, former_fpe, former_ill, former_abrt;

struct fault {
  int number = 0;
  int code = 0;
  std::uintptr_t address = 0;
  std::uintptr_t pc = 0;
  std::uintptr_t program = 0;  // the result of code_of_program
};
__thread fault last_fault;

/// Whether the instruction faults if its memory operand is not aligned. The processor does not report the address of
/// such a fault, unlike for memory that is not mapped.
bool needs_alignment([[maybe_unused]] fault const& f) {
#if defined(__x86_64__)
  if (f.number != SIGSEGV || f.code != SI_KERNEL || f.address != 0) return false;
  auto const* at = reinterpret_cast<unsigned char const*>(f.pc);
  while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0x64 || *at == 0x65) ++at;
  if (*at == 0xc4 || *at == 0xc5 || *at == 0x62) return true;  // an AVX instruction
  if (*at >= 0x40 && *at <= 0x4f) ++at;
  return *at == 0x0f;  // an SSE instruction
#else
  return f.number == SIGBUS && f.code == BUS_ADRALN;
#endif
}
__thread void const* entered_from = nullptr;  // the call of a function for which too little stack was left

/// The program's code at a fault, as a return address. For a fault in a library's function it is the program's call of
/// it. It is used in the signal handler.
std::uintptr_t code_of_program(std::uintptr_t pc) {
  if (is_code_of_program(reinterpret_cast<void const*>(pc + 1))) return pc + 1;
  void* frames[64];
  int const depth = backtrace(frames, 64);
  bool behind = false;  // whether the frames of the handler have been passed
  for (int i = 0; i < depth; ++i) {
    if (behind && is_code_of_program(frames[i])) return reinterpret_cast<std::uintptr_t>(frames[i]);
    behind = behind || reinterpret_cast<std::uintptr_t>(frames[i]) - pc < 2;
  }
  return pc + 1;
}

/// Runs on the worker's overflow stack instead of the instruction that faulted.
extern "C" [[noreturn]] void cosmati_sim_after_fault() {
  cosmati_sim_active = 0;
  worker& w = *this_worker;
  stack const& s = *w.lanes[w.current].on;
  auto const guard = reinterpret_cast<std::uintptr_t>(s.low) - page;
  // For an uncaught exception, the site where it was thrown.
  std::uint32_t const number = last_fault.number == SIGABRT && w.thrown.site != 0
                                   ? w.thrown.site
                                   : site_number(w, reinterpret_cast<void const*>(last_fault.program));
  std::string const line = line_text(line_of_site(number));
  if (last_fault.number == SIGFPE)
    fail_lane(formatted("integer division by zero ({})", line), hazard_kind::division_by_zero, {}, number);
  if (last_fault.number == SIGABRT) {
    fail_lane(formatted("abort() was called ({}): by the program, or because an exception left a function that is "
                        "noexcept",
                        line),
              hazard_kind::trap, {}, number);
  }
  // clang's -fsanitize=bounds traps if a pointer has left its variable. A program's own trap is the same instruction.
  if (last_fault.number == SIGILL) {
    fail_lane(formatted("a trap was executed ({}): the program's own, by __builtin_trap(), or clang's for an access "
                        "beyond a variable's bounds",
                        line),
              has_code_of_clang() ? hazard_kind::out_of_bounds : hazard_kind::trap, {}, number);
  }
  // A frame larger than the guard may skip it, so an address a little below the guard counts too.
  if (last_fault.address - guard < page ||
      (last_fault.address < guard && guard - last_fault.address < (1u << 20) && last_fault.number == SIGSEGV)) {
    fail_lane(formatted("stack overflow: the thread needs more than {} bytes ({}); COSMATI_STACK_BYTES sets more",
                        stack_bytes(), line),
              hazard_kind::stack_overflow, {}, number);
  }
  if (needs_alignment(last_fault)) {
    fail_lane(
        formatted("an access of 16 bytes or more is misaligned: the type that the pointer has needs an address that "
                  "is a multiple of its size ({})",
                  line),
        hazard_kind::misaligned, {}, number);
  }
  fail_lane(formatted("invalid address {:#x} ({})", last_fault.address, line), hazard_kind::out_of_bounds, {}, number);
}

void on_fault(int number, siginfo_t* info, void* raw) {
  worker* const w = this_worker;
  bool const in_lane = w != nullptr && w->running != nullptr && w->lanes[w->current].on != nullptr;
  auto const* const uc = static_cast<ucontext_t const*>(raw);
#if defined(__x86_64__)
  auto const sp = static_cast<std::uintptr_t>(uc->uc_mcontext.gregs[REG_RSP]);
  auto const pc = static_cast<std::uintptr_t>(uc->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  auto const sp = static_cast<std::uintptr_t>(uc->uc_mcontext.sp);
  auto const pc = static_cast<std::uintptr_t>(uc->uc_mcontext.pc);
#endif
  if (in_lane) {
    stack const& s = *w->lanes[w->current].on;
    auto const low = reinterpret_cast<std::uintptr_t>(s.low);
    if (sp < reinterpret_cast<std::uintptr_t>(s.high) && sp + (1u << 20) > low) {
      last_fault = {number, info->si_code, reinterpret_cast<std::uintptr_t>(info->si_addr), 0, 0};
      // This comes before the change of the context, because it walks the stack.
      last_fault.program =
          entered_from != nullptr ? reinterpret_cast<std::uintptr_t>(entered_from) : code_of_program(pc);
      go_on_at(*w, raw, &cosmati_sim_after_fault, last_fault.pc);
      entered_from = nullptr;
      return;
    }
  }
  struct sigaction const& former = number == SIGSEGV   ? former_segv
                                   : number == SIGBUS  ? former_bus
                                   : number == SIGFPE  ? former_fpe
                                   : number == SIGABRT ? former_abrt
                                                       : former_ill;
  if ((former.sa_flags & SA_SIGINFO) != 0 && former.sa_sigaction != nullptr) {
    former.sa_sigaction(number, info, raw);
  } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
    former.sa_handler(number);
  } else {
    signal(number, SIG_DFL);  // the instruction faults again and ends the program as usual
  }
}

}  // namespace

void run_out_of_stack(worker const& w, void const* call) {
  entered_from = call;
  *reinterpret_cast<char volatile*>(w.stack_low - 1) = 0;  // touches the guard page, so that the overflow is reported
                                                           // from the overflow stack
}

void go_on_at(worker& w, void* context, void (*function)(), std::uintptr_t& from) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  std::uintptr_t const top = reinterpret_cast<std::uintptr_t>(w.overflow_stack) + overflow_bytes;
#if defined(__x86_64__)
  from = static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
  registers.gregs[REG_RSP] = static_cast<greg_t>(top - 8);
  registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
#elif defined(__aarch64__)
  from = static_cast<std::uintptr_t>(registers.pc);
  registers.sp = top;
  registers.pc = reinterpret_cast<std::uintptr_t>(function);
#endif
}

void catch_faults(worker& w) {
  w.overflow_stack = static_cast<char*>(map(overflow_bytes));
  constexpr std::size_t signal_bytes = 64 * 1024;
  stack_t alternate = {};
  alternate.ss_sp = map(signal_bytes);
  alternate.ss_size = signal_bytes;
  sigaltstack(&alternate, nullptr);
  static std::once_flag once;
  std::call_once(once, [] {
    void* frame;
    backtrace(&frame, 1);  // loads its libraries now, which a handler may not do
    struct sigaction action = {};
    action.sa_sigaction = &on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &former_segv);
    sigaction(SIGBUS, &action, &former_bus);
    sigaction(SIGFPE, &action, &former_fpe);
    sigaction(SIGILL, &action, &former_ill);
    sigaction(SIGABRT, &action, &former_abrt);
  });
}

}  // namespace cosmati_sim
