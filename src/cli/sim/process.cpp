// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "../command_end.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <system_error>

namespace cosmati::cli {

namespace {

constexpr std::array caught = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
volatile std::sig_atomic_t interrupted = 0;

/// While it lives, the signals that end a command only set `interrupted`.
class signal_catcher {
 public:
  signal_catcher() {
    struct sigaction action = {};
    action.sa_handler = [](int signal) { interrupted = signal; };
    for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &action, &before_[i]);
    // A signal that comes between a look at `interrupted` and the wait must not be lost: they arrive in the wait only.
    sigemptyset(&watched_);
    for (int const s : caught) sigaddset(&watched_, s);
    sigaddset(&watched_, SIGCHLD);
    struct sigaction child = {};
    child.sa_handler = [](int) {};
    sigaction(SIGCHLD, &child, &child_before_);
    sigprocmask(SIG_BLOCK, &watched_, &mask_before_);
  }
  ~signal_catcher() {
    for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &before_[i], nullptr);
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  signal_catcher(signal_catcher const&) = delete;
  signal_catcher& operator=(signal_catcher const&) = delete;

  /// What the child starts with.
  void restore_in_child() const {
    for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &before_[i], nullptr);
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  /// Returns after one of the signals, or after so many seconds.
  void wait(double seconds) const {
    timespec time = {};
    time.tv_sec = static_cast<std::time_t>(seconds);
    time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
    int const signal = sigtimedwait(&watched_, nullptr, &time);
    if (signal > 0 && signal != SIGCHLD) interrupted = signal;
  }

 private:
  std::array<struct sigaction, caught.size()> before_ = {};
  struct sigaction child_before_ = {};
  sigset_t watched_ = {}, mask_before_ = {};
};

double now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[noreturn]] void become(std::vector<std::string> const& arguments, process_options const& options, int error_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (options.fixed_addresses) {  // where that is refused, addresses in messages differ from run to run
    int const now = personality(0xffffffff);
    if (now != -1) personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
  for (auto const& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  bool ready = true;
  if (!options.output.empty()) {
    int const file = open(options.output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ready = file >= 0 && dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0;
  } else if (options.output_to_error) {
    ready = dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  }
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string const& a : arguments) pointers.push_back(const_cast<char*>(a.c_str()));
  pointers.push_back(nullptr);
  if (ready) execvp(pointers[0], pointers.data());
  int const why = errno;
  [[maybe_unused]] ssize_t const n = write(error_pipe, &why, sizeof why);
  _exit(127);
}

/// Waits for the child; ends it, first politely, when the time is over or this command is interrupted.
process_end await(pid_t child, double seconds, signal_catcher const& catcher) {
  double const limit = seconds > 0 ? now() + seconds : 0;
  process_end end;
  bool ending = false;
  double killed_at = 0;
  for (;;) {
    int status = 0;
    pid_t const done = waitpid(child, &status, WNOHANG);
    if (done == child) {
      if (WIFEXITED(status) && !end.timed_out) end.exit = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
      return end;
    }
    if (done < 0 && errno != EINTR) return end;
    bool const over = limit > 0 && now() >= limit;
    if (!ending && (over || interrupted != 0)) {
      ending = true;
      end.timed_out = over;
      kill(child, interrupted != 0 ? static_cast<int>(interrupted) : SIGTERM);
      killed_at = now() + 1;
    } else if (ending && now() >= killed_at) {
      kill(child, SIGKILL);
    }
    double const wait_until = ending ? killed_at : limit;
    double const left = wait_until > 0 ? wait_until - now() : 3600;
    catcher.wait(left > 0.01 ? left : 0.01);
  }
}

}  // namespace

process_end run_process(std::vector<std::string> const& arguments, process_options const& options) {
  signal_catcher const catcher;
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) throw command_error(failure, "sim: no pipe can be made");
  pid_t const child = fork();
  if (child < 0) throw command_error(failure, fmt::format("sim: no process can be made: {}", std::strerror(errno)));
  if (child == 0) {
    close(error_pipe[0]);
    catcher.restore_in_child();
    become(arguments, options, error_pipe[1]);
  }
  close(error_pipe[1]);
  int why = 0;
  ssize_t n = 0;
  do n = read(error_pipe[0], &why, sizeof why);
  while (n < 0 && errno == EINTR);
  close(error_pipe[0]);
  process_end const end = await(child, options.seconds, catcher);
  if (interrupted != 0) throw command_error(128 + static_cast<int>(interrupted), "sim: interrupted");
  if (n > 0) throw command_error(failure, fmt::format("sim: {} cannot be run: {}", arguments[0], std::strerror(why)));
  return end;
}

std::filesystem::path find_program(std::string const& name) {
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) {
    return access(name.c_str(), X_OK) == 0 ? std::filesystem::path(name) : std::filesystem::path();
  }
  char const* const paths = std::getenv("PATH");
  std::string const all = paths != nullptr ? paths : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= all.size();) {
    std::size_t const end = std::min(all.find(':', at), all.size());
    std::filesystem::path candidate = std::filesystem::path(all.substr(at, end - at)) / name;
    if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate)) return candidate;
    at = end + 1;
  }
  return {};
}

std::string signal_text(int signal) { return fmt::format("signal {} ({})", signal, strsignal(signal)); }

temporary_folder::temporary_folder() {
  char const* const base = std::getenv("TMPDIR");
  std::string name = std::string(base != nullptr && base[0] != 0 ? base : "/tmp") + "/cosmati-sim-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw command_error(failure, fmt::format("sim: no folder {} can be made: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cosmati::cli
