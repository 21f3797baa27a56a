// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "../command_end.hpp"
#include "../interruption.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <system_error>

namespace cosmati::cli {

namespace {

double now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[noreturn]] void become(std::vector<std::string> const& arguments, process_options const& options, int error_pipe,
                         int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (options.fixed_addresses) {  // if it is refused, addresses in messages differ from run to run
    int const now = personality(0xffffffff);
    if (now != -1) personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
  for (auto const& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  bool ready = true;
  if (options.output != nullptr) {
    ready = dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0;
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

/// The two ends of a pipe, which programs do not inherit.
class pipe_ends {
 public:
  pipe_ends() {
    if (pipe2(end_, O_CLOEXEC) != 0)
      throw command_error(failure, fmt::format("sim: no pipe can be made: {}", std::strerror(errno)));
  }
  ~pipe_ends() {
    for (int i = 0; i < 2; ++i) shut(i);
  }
  pipe_ends(pipe_ends const&) = delete;
  pipe_ends& operator=(pipe_ends const&) = delete;
  int from() const { return end_[0]; }
  int to() const { return end_[1]; }
  void shut(int i) {
    if (end_[i] >= 0) close(end_[i]);
    end_[i] = -1;
  }

 private:
  int end_[2] = {-1, -1};
};

/// A running child, and its output.
class running {
 public:
  running(pid_t child, bool has_group, process_options const& options, int output, held_signals const& held)
      : child_(child), has_group_(has_group), options_(options), output_(output), held_(held) {}

  /// Waits for the child. It ends the child, first politely, if the time is over, the output is too long, or this
  /// command is interrupted.
  process_end await() {
    double const limit = options_.seconds > 0 ? now() + options_.seconds : 0;
    double killed_at = 0;  // the time of the kill; 0 if the child is not being ended
    for (;;) {
      read_output();
      int status = 0;
      pid_t const done = waitpid(child_, &status, WNOHANG);
      if (done == child_) {
        if (WIFEXITED(status) && !end_.timed_out && !end_.too_long) end_.exit = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
        read_output();
        if (killed_at > 0 && has_group_) kill(-child_, SIGKILL);  // the processes that it has started
        return end_;
      }
      if (done < 0 && errno != EINTR) return end_;
      bool const over = limit > 0 && now() >= limit;
      end_.too_long = end_.too_long || (options_.most_output > 0 && options_.output->bytes() > options_.most_output);
      if (killed_at == 0 && (over || end_.too_long || ending_signal != 0)) {
        end_.timed_out = over;
        send(ending_signal != 0 ? static_cast<int>(ending_signal) : SIGTERM);
        killed_at = now() + 1;
      } else if (killed_at > 0 && now() >= killed_at) {
        send(SIGKILL);
      }
      double const wait_until = killed_at > 0 ? killed_at : limit;
      wait(wait_until > 0 ? std::max(wait_until - now(), 0.01) : 3600);
    }
  }

 private:
  void send(int signal) const { kill(has_group_ ? -child_ : child_, signal); }

  /// Reads the output that has come so far.
  void read_output() {
    if (output_ < 0) return;
    char piece[1 << 16];
    for (;;) {
      ssize_t const n = read(output_, piece, sizeof piece);
      if (n < 0 && errno == EINTR) continue;
      if (n == 0) output_ = -1;
      if (n <= 0) return;
      options_.output->add({piece, static_cast<std::size_t>(n)});
      if (options_.most_output > 0 && options_.output->bytes() > options_.most_output) return;
    }
  }
  /// Returns after a signal, when there is output, or after so many seconds.
  void wait(double seconds) const {
    timespec time = {};
    time.tv_sec = static_cast<std::time_t>(seconds);
    time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
    pollfd watched = {output_, POLLIN, 0};
    // A signal between a test of `ending_signal` and this call is blocked until here, and arrives only here.
    ppoll(&watched, output_ >= 0 ? 1 : 0, &time, &held_.outside());
  }

  pid_t child_;
  bool has_group_;
  process_options const& options_;
  int output_;
  held_signals const& held_;
  process_end end_;
};

}  // namespace

process_end run_process(std::vector<std::string> const& arguments, process_options const& options) {
  check_not_interrupted();
  held_signals const held;
  pipe_ends error, output;
  bool const takes = options.output != nullptr, has_group = takes || isatty(STDIN_FILENO) == 0;
  pid_t const child = fork();
  if (child < 0) throw command_error(failure, fmt::format("sim: no process can be made: {}", std::strerror(errno)));
  if (child == 0) {
    if (has_group) setpgid(0, 0);
    held.release_in_child();
    become(arguments, options, error.to(), output.to());
  }
  if (has_group) setpgid(child, child);  // both processes set it, whichever comes first
  error.shut(1);
  output.shut(1);
  int why = 0;
  ssize_t n = 0;
  do n = read(error.from(), &why, sizeof why);
  while (n < 0 && errno == EINTR);
  if (takes) fcntl(output.from(), F_SETFL, O_NONBLOCK);
  process_end const end = running(child, has_group, options, takes ? output.from() : -1, held).await();
  check_not_interrupted();
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
  std::string const above = base != nullptr && base[0] != 0 ? base : "/tmp";
  std::string name = above + "/cosmati-sim-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw command_error(failure, fmt::format("sim: no folder can be made in the temporary folder {}: {}; TMPDIR names "
                                             "another",
                                             above, std::strerror(errno)));
  }
  path_ = name;
}

void temporary_folder::check_room() const {
  struct statvfs about = {};
  if (statvfs(path_.c_str(), &about) != 0) return;
  constexpr unsigned long long least = 1 << 16;
  unsigned long long const left = static_cast<unsigned long long>(about.f_bavail) * about.f_frsize;
  if (left >= least && (about.f_files == 0 || about.f_favail != 0)) return;
  throw command_error(failure,
                      fmt::format("sim: the temporary folder {} is full: {} bytes are left; TMPDIR names another",
                                  path_.parent_path().string(), left));
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cosmati::cli
