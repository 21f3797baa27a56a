// SPDX-License-Identifier: Apache-2.0
/// @file
/// What copies are timed with: two large buffers, events, contestants that run in turn, a line that says how far it is.
#pragma once

#include <algorithm>
#include <cosmati/kernel/copy.hpp>
#include <cosmati/runtime/stream.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

#include "check.hpp"
#include "problems.hpp"

namespace bench {

using namespace cosmati;

/// What is timed in turn: the library's work and its peers.
struct contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> microseconds = {};
};

class benchmark {
 public:
  explicit benchmark(std::size_t bytes) : bytes_(bytes), in_(bytes / 8 + 4096), out_(bytes / 8 + 4096) {
    launch(fill_with_random_words<std::uint64_t>, {.grid = 2048, .block = 256}, in_.data(), in_.size(), fresh_seed());
  }
  char* in() { return reinterpret_cast<char*>(in_.data()) + places_.begin(); }
  char* out() { return reinterpret_cast<char*>(out_.data()) + places_.begin(); }
  std::size_t bytes() const { return bytes_; }
  void poison(std::size_t bytes) { detail::check_cuda(cudaMemset(out(), 0xcd, bytes), "poisoning the output"); }

  /// From now on `in` and `out` begin where the last launches touched nothing: places::next.
  void rotate(std::size_t span) { places_.next(span); }

  double once(std::function<void()> const& work) {
    start_.record();
    work();
    stop_.record();
    return 1e3 * static_cast<double>(elapsed_ms(start_, stop_));
  }
  /// All in turn, in random order, `rounds` times after two to warm up, each launch where L2 has nothing of it.
  /// @param span bytes that a launch touches of either buffer, at most
  void race(std::vector<contestant>& all, int rounds, std::size_t span) {
    std::vector<std::size_t> order(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    for (int round = -2; round < rounds; ++round) {
      std::shuffle(order.begin(), order.end(), random_);
      for (std::size_t const k : order) {
        rotate(span);
        double const us = once(all[k].run);
        if (round >= 0) all[k].microseconds.push_back(us);
      }
    }
    rotate(0);
  }
  contestant memcpy_of(std::size_t bytes) {
    return {"cudaMemcpyAsync, device to device", [this, bytes] {
              detail::check_cuda(cudaMemcpyAsync(out(), in(), bytes, cudaMemcpyDeviceToDevice, nullptr),
                                 "cudaMemcpyAsync");
            }};
  }
  contestant contiguous(std::size_t bytes) {
    return {"cosmati::copy_contiguous",
            [this, bytes] { detail::launch_contiguous(in(), out(), static_cast<std::int64_t>(bytes), nullptr); }};
  }
  /// Throws unless the plan copies what it should.
  void check(case_of_copy const& one, copy_plans const& plans, copy_plan const& plan) {
    poison(static_cast<std::size_t>(span_of(one.problem, false)));
    launch_plan(plans.problem, plan, in(), out());
    if (auto const wrong = wrong_elements(one.problem, in(), out()); wrong != 0)
      throw error("%s %s: %llu elements are wrong", one.work.c_str(), one.shape.c_str(), wrong);
  }

 private:
  std::size_t bytes_;
  places places_{bytes_};
  device_buffer<std::uint64_t> in_, out_;
  event start_, stop_;
  std::mt19937 random_{static_cast<unsigned>(fresh_seed())};
};

/// Says on the error stream what is being measured: the same line again on a terminal, else nothing.
class progress {
 public:
  progress() : terminal_(isatty(2) != 0) {}
  /// From now on there are so many pieces of work; the line counts them.
  void expect(std::size_t pieces) {
    all_ = pieces;
    done_ = 0;
  }
  /// The next piece.
  void say(std::string const& what) {
    if (!terminal_) return;
    if (done_ < all_)
      std::fprintf(stderr, "\r\x1b[K[%zu/%zu] %s", done_++, all_, what.c_str());
    else
      std::fprintf(stderr, "\r\x1b[K%s", what.c_str());
  }
  /// Takes the line away, before something else is printed.
  void clear() const {
    if (terminal_) std::fputs("\r\x1b[K", stderr);
  }
  ~progress() { clear(); }
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;

 private:
  bool terminal_;
  std::size_t done_ = 0, all_ = 0;
};

}  // namespace bench
