// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's header cuda/pipeline provides: a ring of stages that producers fill by memcpy_async and consumers read.
/// The pipeline of one thread counts its groups of cp.async. One of a block has two mbarriers for each stage.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/barrier.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cuda {

enum class pipeline_role { producer, consumer };

/// The barriers of a pipeline's stages, in shared memory. A stage is full when its producers have come, and free when
/// its consumers have.
template <thread_scope scope, std::uint8_t stage_count>
class pipeline_shared_state {
 public:
  barrier<scope> full[stage_count], free[stage_count];
};

/// One thread's view of a pipeline.
template <thread_scope scope>
class pipeline {
 public:
  pipeline() = default;
  pipeline(barrier<scope>* full, barrier<scope>* free, unsigned stage_count)
      : full_(full), free_(free), stages_(stage_count) {}

  /// Waits until the consumers have released the next stage.
  void producer_acquire(COSMATI_SITE_) {
    if (full_ != nullptr) free_[filled_ % stages_].wait_parity((filled_ / stages_ & 1u) == 0, file, line);
  }
  /// Hands the stage with the copies into it to the consumers.
  void producer_commit(COSMATI_SITE_) {
    if (full_ == nullptr) {
      cosmati_sim_cp_async_commit(file, line);
    } else {
      barrier<scope>& b = full_[filled_ % stages_];
      cosmati_sim_cp_async_mbarrier_arrive(b.handle(), 0, file, line);
      static_cast<void>(b.arrive(1, file, line));
    }
    ++filled_;
  }
  /// Waits until the oldest stage is full.
  void consumer_wait(COSMATI_SITE_) {
    if (full_ != nullptr) return full_[read_ % stages_].wait_parity((read_ / stages_ & 1u) != 0, file, line);
    if (filled_ == read_) return;
    ++read_;
    cosmati_sim_cp_async_wait(static_cast<int>(filled_ - read_), file, line);
  }
  /// Gives the stage back to the producers.
  void consumer_release(COSMATI_SITE_) {
    if (full_ == nullptr) return;
    static_cast<void>(free_[read_ % stages_].arrive(1, file, line));
    ++read_;
  }
  template <class Duration>
  bool consumer_wait_for(Duration const&, COSMATI_SITE_) {
    if (full_ != nullptr) return full_[read_ % stages_].try_wait_parity((read_ / stages_ & 1u) != 0, file, line);
    consumer_wait(file, line);
    return true;
  }
  /// The thread takes no further part.
  bool quit(COSMATI_SITE_) {
    for (unsigned stage = 0; full_ != nullptr && stage < stages_; ++stage) {
      full_[stage].arrive_and_drop(file, line);
      free_[stage].arrive_and_drop(file, line);
    }
    return true;
  }
  /// Waits for all of the thread's groups but the `newest` last ones.
  void wait_prior(unsigned newest, COSMATI_SITE_) {
    static_assert(scope == thread_scope_thread || scope == thread_scope_block);
    cosmati_sim_cp_async_wait(static_cast<int>(newest), file, line);
    read_ = filled_ > newest ? filled_ - newest : 0;
  }

 private:
  barrier<scope>* full_ = nullptr;
  barrier<scope>* free_ = nullptr;
  unsigned stages_ = 1;
  unsigned filled_ = 0, read_ = 0;  // stage_count that the thread has committed and read
};

/// The pipeline of the calling thread alone.
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

namespace detail {
template <thread_scope scope, std::uint8_t stage_count, class Group>
pipeline<scope> pipeline_of(Group const& g, pipeline_shared_state<scope, stage_count>* state, std::size_t producers,
                            std::size_t consumers, char const* file, int line) {
  if (g.thread_rank() == 0) {
    for (unsigned i = 0; i < stage_count; ++i) {
      init(&state->full[i], static_cast<std::ptrdiff_t>(producers), file, line);
      init(&state->free[i], static_cast<std::ptrdiff_t>(consumers), file, line);
    }
  }
  g.sync(file, line);
  return {state->full, state->free, stage_count};
}
}  // namespace detail

/// @name Pipelines of a group
/// All threads produce and consume; or the first `producers` threads produce; or each thread names its role.
/// @{
template <class Group, thread_scope scope, std::uint8_t stage_count>
pipeline<scope> make_pipeline(Group const& g, pipeline_shared_state<scope, stage_count>* state, COSMATI_SITE_) {
  return detail::pipeline_of(g, state, g.size(), g.size(), file, line);
}
template <class Group, thread_scope scope, std::uint8_t stage_count>
pipeline<scope> make_pipeline(Group const& g, pipeline_shared_state<scope, stage_count>* state, std::size_t producers,
                              COSMATI_SITE_) {
  return detail::pipeline_of(g, state, producers, g.size() - producers, file, line);
}
template <class Group, thread_scope scope, std::uint8_t stage_count>
pipeline<scope> make_pipeline(Group const& g, pipeline_shared_state<scope, stage_count>* state, pipeline_role role,
                              COSMATI_SITE_) {
  int const producers = static_cast<int>(
      cosmati_sim_barrier(0, 0, 1, role == pipeline_role::producer, "cuda::make_pipeline", file, line, nullptr));
  return detail::pipeline_of(g, state, static_cast<std::size_t>(producers), g.size() - static_cast<unsigned>(producers),
                             file, line);
}
/// @}

/// Waits for all stages but the `newest` last ones.
template <std::uint8_t newest>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& p, COSMATI_SITE_) {
  p.wait_prior(newest, file, line);
}
/// The barrier's running phase waits for the thread's copies so far.
template <thread_scope scope>
void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<scope>& b, COSMATI_SITE_) {
  cosmati_sim_cp_async_mbarrier_arrive(b.handle(), 0, file, line);
}

/// @name Copies into the stage that the pipeline's producer has acquired
/// @{
template <class T, class S, thread_scope scope>
async_contract_fulfillment memcpy_async(T* to, S const* from, std::size_t bytes, pipeline<scope>&, COSMATI_SITE_) {
  return cosmati_cuda::copy_share(to, from, bytes, 0, 1, file, line) ? async_contract_fulfillment::async
                                                                     : async_contract_fulfillment::none;
}
template <class T, class S, std::size_t Alignment, thread_scope scope>
async_contract_fulfillment memcpy_async(T* to, S const* from, aligned_size_t<Alignment> bytes, pipeline<scope>& p,
                                        COSMATI_SITE_) {
  cosmati_cuda::check_promise(to, from, Alignment, file, line);
  return memcpy_async(to, from, bytes.value, p, file, line);
}
template <class Group, class T, class S, thread_scope scope>
async_contract_fulfillment memcpy_async(Group const& g, T* to, S const* from, std::size_t bytes, pipeline<scope>&,
                                        COSMATI_SITE_) {
  return cosmati_cuda::copy_share(to, from, bytes, g.thread_rank(), g.size(), file, line)
             ? async_contract_fulfillment::async
             : async_contract_fulfillment::none;
}
template <class Group, class T, class S, std::size_t Alignment, thread_scope scope>
async_contract_fulfillment memcpy_async(Group const& g, T* to, S const* from, aligned_size_t<Alignment> bytes,
                                        pipeline<scope>& p, COSMATI_SITE_) {
  cosmati_cuda::check_promise(to, from, Alignment, file, line);
  return memcpy_async(g, to, from, bytes.value, p, file, line);
}
/// @}

}  // namespace cuda

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
