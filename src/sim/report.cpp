// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <utility>

#include "formatted.hpp"
#include "sites.hpp"
#include "symbols.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

void append(std::string const& line) {
  static int const file = open(std::getenv("COSMATI_SIM_REPORT"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  std::size_t done = 0;
  while (done < line.size()) {
    ssize_t const n = write(file, line.data() + done, line.size() - done);
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

char const* const kinds[counted_kinds] = {"global_load",   "global_store", "shared_load", "shared_store",
                                          "ldmatrix",      "stmatrix",     "cp_async",    "global_atomic",
                                          "shared_atomic", "bulk_load",    "bulk_store",  "wgmma"};

}  // namespace

char const* kind_name(std::size_t kind) { return kinds[kind]; }

bool report_is_wanted() {
  static bool const wanted = [] {
    char const* const path = std::getenv("COSMATI_SIM_REPORT");
    return path != nullptr && path[0] != 0;
  }();
  return wanted;
}

std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 32) {
      out += formatted("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void report_begin(std::string const& kernel) { append(formatted("{{\"begin\": {}}}\n", quoted(kernel))); }

void report_refused(std::string const& kernel, found_hazard const& why) {
  append(formatted("{{\"refused\": {}, \"hazards\": [{}]}}\n", quoted(kernel), why.json));
}

namespace {
std::atomic<bool> library_has_worked = false;
}
void report_library(std::string const& function) {
  library_has_worked = true;
  if (report_is_wanted()) append(formatted("{{\"library\": {}}}\n", quoted(function)));
}
bool a_library_has_worked() { return library_has_worked; }

void report_launch(std::string const& kernel, bool seen, std::string const& failed,
                   std::vector<found_hazard> const& hazards, counter_totals const& counters,
                   std::vector<cosmati::run_timeline> const& timelines, std::vector<cosmati::run_place> const& places) {
  std::string list;
  for (found_hazard const& h : hazards) list += (list.empty() ? "" : ", ") + h.json;
  std::string line = formatted("{{\"launch\": {}, \"seen\": {}, \"failed\": {}, \"hazards\": [{}], \"counters\": {{",
                               quoted(kernel), seen, failed.empty() ? "null" : quoted(failed), list);
  char const* separator = "";
  for (std::size_t k = 0; k < counted_kinds; ++k) {
    cosmati_sim_instruction_counters const& c = counters[k];
    if (c.instructions == 0) continue;
    line += formatted("{}\"{}\": [{},{},{},{},{},{},{},{},{},{},{},{}]", separator, kinds[k], c.instructions,
                      c.requests, c.sectors, c.ideal_sectors, c.lines, c.bytes_used, c.bytes_moved, c.wavefronts,
                      c.wavefronts_floor, c.wavefronts_ideal, c.bank_conflicts, c.inexact);
    separator = ", ";
  }
  line += "}";
  if (!timelines.empty()) line += ", \"timelines\": " + json_of(timelines);
  if (!places.empty()) {
    std::string all;
    for (cosmati::run_place const& p : places) {
      all += formatted("{}{{\"kind\": {}, \"file\": {}, \"line\": {}, \"numbers\": [{},{},{},{},{}], \"remedy\": {}}}",
                       all.empty() ? "" : ", ", quoted(p.kind), quoted(p.file), p.line, p.instructions, p.wavefronts,
                       p.bank_conflicts, p.sectors, p.ideal_sectors, quoted(p.remedy));
    }
    line += formatted(", \"places\": [{}]", all);
  }
  append(line + "}\n");
}

namespace {

/// The record that `cosmati sim` puts into the program before code that is not instrumented (src/cli/sim/assembly.cpp).
struct unseen_code {
  char const* what;
  std::int32_t kind;      // 0 for a library call, 1 for inline assembly, 2 for a function
  std::int32_t pointers;  // the number of integer registers that may hold an address; -1 if it is unknown what the
                          // callee reads
};

bool is_device_memory(worker const& w, std::uintptr_t p) {
  if (p - device_arena_low() < device_arena_high() - device_arena_low()) return true;
  if (p - reinterpret_cast<std::uintptr_t>(w.shared_low) < max_shared_bytes) return true;
  for (thread_local_variable const& v : w.thread_locals) {
    if (v.shared && p - reinterpret_cast<std::uintptr_t>(v.low) < v.bytes) return true;
  }
  return false;
}

}  // namespace
}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

/// @param returns the return address of this call, with the stack above it
/// @param registers the integer arguments of the following call: r9, r8, rdi, rsi, rdx, rcx
void cosmati_sim_unseen(unseen_code const* code, void const* const* returns, std::uintptr_t const* registers) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr || !report_is_wanted()) return;
  quiet const hush;
  if (code->pointers >= 0) {
    constexpr int order[6] = {2, 3, 4, 5, 1, 0};
    bool any = false;
    for (int i = 0; i < code->pointers && i < 6; ++i) any = any || is_device_memory(*w, registers[order[i]]);
    if (!any) return;
  }
  void const* const pc = returns[code->kind == 0 ? 1 : 0];  // the caller of the library, or this place
  static std::mutex mutex;
  static auto* const known = new std::set<std::pair<std::string, void const*>>;
  std::lock_guard const lock(mutex);
  if (!known->insert({w->running->kernel, pc}).second) return;
  program_line const where = line_of_site(site_number(*w, pc));
  append(formatted("{{\"unseen\": {}, \"kind\": {}, \"kernel\": {}, \"file\": {}, \"line\": {}}}\n", quoted(code->what),
                   code->kind, quoted(w->running->kernel), where.line != 0 ? quoted(where.file) : "null",
                   where.line != 0 ? std::to_string(where.line) : "null"));
}

}  // extern "C"

#if defined(__x86_64__)
// Called with `code` in r11, between two instructions of a program that expect all other registers unchanged.
asm(R"(
  .text
  .globl cosmati_sim_before_unseen
  .type cosmati_sim_before_unseen, @function
cosmati_sim_before_unseen:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rax
  movq cosmati_sim_active@gottpoff(%rip), %rax
  cmpl $0, %fs:(%rax)
  je 1f
  pushq %r10
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  movq %rsp, %rdx
  leaq 8(%rbp), %rsi
  movq %r11, %rdi
  subq $512, %rsp
  andq $-16, %rsp
  fxsave64 (%rsp)
  cld
  call cosmati_sim_unseen@PLT
  fxrstor64 (%rsp)
  leaq -64(%rbp), %rsp
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %r10
1:
  popq %rax
  popq %rbp
  ret
  .size cosmati_sim_before_unseen, .-cosmati_sim_before_unseen
)");
#endif
