// SPDX-License-Identifier: Apache-2.0
#include "interruption.hpp"

#include "command_end.hpp"

#include <unistd.h>
#include <array>
#include <cstring>

namespace cosmati::cli {

namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
char unfinished[4096] = {};  // the path of the unfinished file

/// Uses only functions that a handler may call.
void end_now(int signal) {
  if (unfinished[0] != 0) ::unlink(unfinished);
  constexpr char said[] = "cosmati: interrupted\n";
  [[maybe_unused]] ssize_t const n = ::write(STDERR_FILENO, said, sizeof said - 1);
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when the handler returns
}
void note(int signal) { ending_signal = signal; }

/// A signal that the caller ignores, as `nohup` does, stays ignored.
void handle_with(void (*handler)(int)) {
  for (int const s : ending) {
    struct sigaction before = {};
    ::sigaction(s, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = handler;
    ::sigaction(s, &action, nullptr);
  }
}

}  // namespace

void end_at_signals() { handle_with(end_now); }

file_in_progress::file_in_progress(std::string const& path) {
  if (path.size() < sizeof unfinished) std::memcpy(unfinished, path.c_str(), path.size() + 1);
}
file_in_progress::~file_in_progress() { unfinished[0] = 0; }

interruption::interruption() { handle_with(note); }
interruption::~interruption() { end_at_signals(); }

held_signals::held_signals() {
  sigset_t held = {};
  sigemptyset(&held);
  for (int const s : ending) sigaddset(&held, s);
  sigaddset(&held, SIGCHLD);
  struct sigaction child = {};
  child.sa_handler = [](int) {};  // an ignored SIGCHLD would not end a wait
  ::sigaction(SIGCHLD, &child, &child_before_);
  sigprocmask(SIG_BLOCK, &held, &outside_);
}

held_signals::~held_signals() {
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &outside_, nullptr);
}

void held_signals::release_in_child() const {
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  for (int const s : ending) {
    struct sigaction before = {};
    ::sigaction(s, nullptr, &before);
    if (before.sa_handler != SIG_IGN) std::signal(s, SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, &outside_, nullptr);
}

}  // namespace cosmati::cli
