// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tensor_copy`, a plan as an object that copies; and the cache of the plans of calls.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <atomic>
#include <cosmati/kernel/copy/candidates_windows.hpp>
#include <cosmati/kernel/launch_plan.hpp>
#include <cosmati/runtime/stream.hpp>

namespace COSMATI_NAMESPACE {

/// How a plan is chosen.
enum class effort {
  estimate,  ///< chosen by the cost model
  measure    ///< the eight best by the cost model, taken from the kernels in turn, are timed on the caller's tensors
};
/// The basis of a plan.
enum class plan_basis {
  estimated,                ///< estimated, as requested
  measured,                 ///< timed on the device
  estimated_as_sides_meet,  ///< a measurement was requested, but `src` and `dst` share memory, and such a copy must not
                            ///< run twice
  estimated_as_captured     ///< a measurement was requested, but the stream is being captured
};

namespace detail {

/// Everything that decides about a copy. Two calls with equal keys are one problem.
struct copy_key {
  copy_problem given;  ///< the problem from `make_copy_problem`
  int device = 0;
  int line_phase = 0;          ///< bytes from a line boundary to the target
  void const* kind = nullptr;  ///< identifies both types, if elements are converted

  bool operator==(copy_key const& o) const {
    copy_problem const &a = given, &b = o.given;
    if (a.rank != b.rank || a.element_bytes != b.element_bytes || a.source_alignment != b.source_alignment ||
        a.target_alignment != b.target_alignment || a.apart_alignment != b.apart_alignment ||
        a.interleaved != b.interleaved || device != o.device || line_phase != o.line_phase || kind != o.kind)
      return false;
    for (int m = 0; m < a.rank; ++m)
      if (a.mode[m].extent != b.mode[m].extent || a.mode[m].source != b.mode[m].source ||
          a.mode[m].target != b.mode[m].target)
        return false;
    return true;
  }
  std::uint64_t hash() const {
    std::uint64_t h = reinterpret_cast<std::uintptr_t>(kind);
    auto const mix = [&](std::uint64_t word) { h = (h ^ word) * 0x9e3779b97f4a7c15u, h ^= h >> 29; };
    mix(static_cast<std::uint64_t>(given.element_bytes | given.rank << 8 | line_phase << 16 | device << 24) |
        static_cast<std::uint64_t>(given.interleaved) << 40 |
        static_cast<std::uint64_t>(given.source_alignment | given.target_alignment << 5 | given.apart_alignment << 10)
            << 41);
    for (int m = 0; m < given.rank; ++m) {
      mix(static_cast<std::uint64_t>(given.mode[m].extent));
      mix(static_cast<std::uint64_t>(given.mode[m].source));
      mix(static_cast<std::uint64_t>(given.mode[m].target));
    }
    return h;
  }
};

/// A plan with its first launch, ready to start, and a reference count.
struct prepared_copy {
  copy_key key;
  copy_problem problem;  ///< the problem in its simplest form
  copy_plan choice;
  plan_basis basis = plan_basis::estimated;
  double us = 0;         ///< the predicted or measured time
  int source_bytes = 1;  ///< the size of an element as it is read
  /// Emits all launches, if there are several.
  void (*emit)(launch_sink&, copy_problem const&, copy_plan const&, void const*, void*) = nullptr;
  void const* source = nullptr;  ///< the address for which the launch was prepared
  void* target = nullptr;
  int launches = 0;
  prepared_launch first;
  std::atomic<int> holders{1};

  void prepare_at(void const* from, void* to) {
    source = from;
    target = to;
    keeps_the_first keeper(first);
    emit(keeper, problem, choice, from, to);
    launches = keeper.count;
  }
  /// @param from, to addresses with the same alignments as those of the preparation
  void run(void const* from, void* to, stream_handle stream) const {
    if (launches == 1) {
      first.start(first, static_cast<char const*>(from) + (first.source - static_cast<char const*>(source)),
                  static_cast<char*>(to) + (first.target - static_cast<char*>(target)), stream);
    } else if (launches > 1) {
      starts_at_once sink(stream);
      emit(sink, problem, choice, from, to);
    }
  }
};
/// A reference to a prepared_copy.
class copy_holder {
 public:
  copy_holder() = default;
  explicit copy_holder(prepared_copy* mine) : mine_(mine) {}
  copy_holder(copy_holder const& o) : mine_(o.mine_) {
    if (mine_ != nullptr) mine_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  copy_holder(copy_holder&& o) noexcept : mine_(o.mine_) { o.mine_ = nullptr; }
  copy_holder& operator=(copy_holder o) noexcept {
    prepared_copy* const kept = mine_;
    mine_ = o.mine_;
    o.mine_ = kept;
    return *this;
  }
  ~copy_holder() {
    if (mine_ != nullptr && mine_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete mine_;
  }
  prepared_copy* operator->() const { return mine_; }
  prepared_copy& operator*() const { return *mine_; }
  explicit operator bool() const { return mine_ != nullptr; }

 private:
  prepared_copy* mine_ = nullptr;
};

/// The plans of calls, at most `capacity`. If a slot is taken, the least recently used plan is dropped.
class copy_cache {
 public:
  static constexpr int sets = 128, ways = 4, capacity = sets * ways;

  /// Returns the plan of a problem, or nothing.
  copy_holder find(copy_key const& key, std::uint64_t hash) {
    lock const held(*this);
    for (slot& one : slots_[hash % sets])
      if (one.plan && one.hash == hash && one.plan->key == key) {
        one.used = ++clock_;
        return one.plan;
      }
    return {};
  }
  /// Inserts a plan, or replaces the one of the same problem.
  void keep(copy_holder plan, std::uint64_t hash) {
    copy_holder gone;  // deleted after the lock is released
    lock const held(*this);
    slot* best = &slots_[hash % sets][0];
    for (slot& one : slots_[hash % sets]) {
      bool const same = one.plan && one.hash == hash && one.plan->key == plan->key;
      if (same || one.used < best->used) best = &one;
      if (same) break;
    }
    gone = best->plan;
    best->hash = hash;
    best->used = ++clock_;
    best->plan = plan;
  }
  /// Removes all plans.
  void clear() {
    for (auto& set : slots_)
      for (slot& one : set) {
        copy_holder gone;
        lock const held(*this);
        gone = one.plan;
        one.plan = {};
        one.used = 0;
      }
  }
  /// The cache of the process. It is never destroyed, because code at the end of the process may copy.
  static copy_cache& of_process() {
    static copy_cache* const cache = new copy_cache;
    return *cache;
  }

 private:
  /// A spin lock. It is held for a few comparisons only.
  struct lock {
    explicit lock(copy_cache& c) : cache(c) {
      while (cache.busy_.exchange(true, std::memory_order_acquire)) {
      }
    }
    ~lock() { cache.busy_.store(false, std::memory_order_release); }
    copy_cache& cache;
  };
  struct slot {
    std::uint64_t hash = 0, used = 0;
    copy_holder plan;
  };
  std::atomic<bool> busy_{false};
  std::uint64_t clock_ = 0;
  slot slots_[sets][ways];
};

/// An object whose address identifies a pair of types.
template <class From, class To>
struct conversion_kind {
  static constexpr char here = 0;
};

template <class From, class To>
copy_key key_of_copy(copy_problem const& given, void const* target) {
  void const* kind = nullptr;
  if constexpr (!std::is_same_v<From, To>) kind = &conversion_kind<From, To>::here;
  return {given, current_device_number(), static_cast<int>(reinterpret_cast<std::uintptr_t>(target) & 127u), kind};
}
/// The size of the smallest elements of which a type's values consist: the type's alignment, up to 16 bytes.
template <class T>
inline constexpr int least_of = alignof(T) < 16 ? static_cast<int>(alignof(T)) : 16;
/// A plan for a problem, ready at these addresses. @param choice null means the choice of the cost model
template <class From, class To>
[[gnu::noinline, gnu::cold]] copy_holder prepared(copy_key const& key, void const* source, void* target,
                                                  copy_plan const* choice = nullptr) {
  copy_holder made(new prepared_copy);
  made->key = key;
  made->source_bytes = static_cast<int>(sizeof(From));
  if constexpr (std::is_same_v<From, To>) {
    if (choice != nullptr) {
      made->problem = simplified(key.given);
      made->choice = *choice;
    } else {
      copy_plans const plans = plan_copy(key.given, device_model::of_current());
      made->problem = plans.problem;
      if (plans.kept > 0) made->choice = plans.plan[0];
    }
    if (made->problem.element_bytes < least_of<From>) made->choice = single_elements();
    made->source_bytes = made->problem.element_bytes;
    made->emit = &launch_known_plan<least_of<From>>;
  } else {
    made->problem = simplified(key.given, false);
    made->choice = plan_conversion<From, To>(made->problem);
    made->emit = &launch_conversion<From, To>;
  }
  made->us = made->choice.us;
  if (made->problem.size() > 0) made->prepare_at(source, target);
  return made;
}
/// The plan that calls use for this problem.
template <class From, class To>
copy_holder known_or_prepared(copy_key const& key, void const* source, void* target) {
  copy_cache& cache = copy_cache::of_process();
  std::uint64_t const hash = key.hash();
  copy_holder plan = cache.find(key, hash);
  if (plan) return plan;
  plan = prepared<From, To>(key, source, target);
  cache.keep(plan, hash);
  return plan;
}

/// Whether work on the stream is recorded instead of run.
inline bool is_captured([[maybe_unused]] stream_handle stream) {
#if defined(__CUDACC__)
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess) return status != cudaStreamCaptureStatusNone;
  (void)cudaGetLastError();  // the default stream, while another one is captured
  return true;
#else
  return false;
#endif
}

/// Measures the microseconds of a plan: the median of some rounds. A round has several copies if one is short.
class plan_timer {
 public:
  explicit plan_timer(stream_handle stream) : stream_(stream) {}
  double operator()(prepared_copy const& plan, void const* source, void* target) {
    constexpr int rounds = is_simulated() ? 1 : 5;
    double const expected = plan.choice.us > 1 ? plan.choice.us : 1;
    int const copies = expected > 40 || is_simulated() ? 1 : static_cast<int>(40 / expected) + 1;
    double us[rounds] = {};
    plan.run(source, target, stream_);
    for (int k = 0; k < rounds; ++k) {
      start_.record(stream_);
      for (int n = 0; n < copies; ++n) plan.run(source, target, stream_);
      stop_.record(stream_);
      double const took = 1e3 * static_cast<double>(elapsed_ms(start_, stop_)) / copies;
      int at = k;
      for (; at > 0 && took < us[at - 1]; --at) us[at] = us[at - 1];
      us[at] = took;
    }
    return us[rounds / 2];
  }

 private:
  stream_handle stream_;
  event start_, stop_;
};
/// The fastest of some plans on these tensors. @param most the number of plans that are measured
template <class T>
[[gnu::noinline, gnu::cold]] copy_holder measured(copy_key const& key, copy_plans const& plans, void const* source,
                                                  void* target, stream_handle stream, int most = 8) {
  int number[copy_plans_kept];
  int const count = plans.in_turn(most, number);
  plan_timer timer(stream);
  copy_holder best;
  for (int k = 0; k < count; ++k) {
    copy_holder one = prepared<T, T>(key, source, target, &plans.plan[number[k]]);
    one->us = timer(*one, source, target);
    one->basis = plan_basis::measured;
    if (!best || one->us < best->us) best = one;
  }
  return best;
}

}  // namespace detail

/// A plan that copies: `auto plan = plan_copy(src, dst); plan(src, dst, stream);`. It may be copied and moved, called
/// by several threads at once, and called while a stream is captured.
class tensor_copy {
 public:
  explicit tensor_copy(detail::copy_holder plan, void (*again)(copy_problem const&, void const*, void*, stream_handle))
      : plan_(static_cast<detail::copy_holder&&>(plan)), again_(again) {}

  /// Copies tensors with the shapes and strides of the plan, at any addresses. If the addresses have another alignment,
  /// or the tensors share memory, it does what `copy_tensor` does. Throws `error` as `copy_tensor` does, and if shapes
  /// or strides differ from the plan's.
  template <class Src, class Dst>
  void operator()(Src const& src, Dst const& dst, stream_handle stream = nullptr) const;

  /// The copy in its simplest form.
  copy_problem const& problem() const { return plan_->problem; }
  /// The chosen plan.
  copy_plan const& choice() const { return plan_->choice; }
  plan_basis basis() const { return plan_->basis; }
  /// The measured or predicted microseconds.
  double us() const { return plan_->us; }
  /// Whether both copy the same tensors in the same way.
  friend bool operator==(tensor_copy const& a, tensor_copy const& b) {
    return a.plan_->key == b.plan_->key && a.choice().does_as(b.choice());
  }

 private:
  detail::copy_holder plan_;
  void (*again_)(copy_problem const&, void const*, void*, stream_handle);
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
