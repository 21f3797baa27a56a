// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_awbarrier_primitives.h and cuda_awbarrier.h provide: functions of mbarriers in shared memory, and a
/// class of them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define _CUDA_AWBARRIER_PRIMITIVES_H_
#include <cosmati/cuda/pipeline_primitives.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

extern "C" {
/// mbarrier.arrive_drop: an arrival after which the barrier expects one less in each phase. @return as
/// cosmati_sim_mbarrier_arrive
std::uint64_t cosmati_sim_mbarrier_arrive_and_drop(std::uint64_t* barrier, char const* file, int line);
}

using __mbarrier_token_t = std::uint64_t;

constexpr std::uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t count, COSMATI_SITE_) {
  cosmati_sim_mbarrier_init(barrier, count, file, line);
}
inline void __mbarrier_inval(__mbarrier_t* barrier, COSMATI_SITE_) { cosmati_sim_mbarrier_inval(barrier, file, line); }
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_arrive(barrier, 1, file, line);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_arrive_and_drop(barrier, file, line);
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_test_wait(barrier, token, file, line) != 0;
}
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_test_wait(barrier, token, file, line) != 0;
}
inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_try_wait_parity(barrier, parity ? 1u : 0u, file, line) != 0;
}
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_try_wait_parity(barrier, parity ? 1u : 0u, file, line) != 0;
}

namespace cosmati_cuda {
/// Waits until the phase in which an arrival gave the token is complete.
inline void wait_for_token(std::uint64_t* barrier, std::uint64_t token, char const* file, int line) {
  if (cosmati_sim_mbarrier_test_wait(barrier, token, file, line) == 0)
    cosmati_sim_mbarrier_wait_parity(barrier, static_cast<unsigned>(token & 1u), file, line);
}
}  // namespace cosmati_cuda

namespace nvcuda::experimental {

/// An mbarrier in shared memory. One thread calls `init`, and a barrier of the block comes before the first use.
class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    explicit arrival_token(std::uint64_t state) : state_(state) {}
    std::uint64_t state() const { return state_; }

   private:
    std::uint64_t state_;
  };
  arrival_token arrive(COSMATI_SITE_) { return arrival_token(__mbarrier_arrive(&word_, file, line)); }
  arrival_token arrive_and_drop(COSMATI_SITE_) { return arrival_token(__mbarrier_arrive_and_drop(&word_, file, line)); }
  bool timed_wait(arrival_token token, std::uint32_t, COSMATI_SITE_) {
    return __mbarrier_test_wait(&word_, token.state(), file, line);
  }
  bool timed_wait_parity(bool phase, std::uint32_t, COSMATI_SITE_) {
    return __mbarrier_test_wait_parity(&word_, phase, file, line);
  }
  bool try_wait(arrival_token token, std::uint32_t, COSMATI_SITE_) {
    return __mbarrier_test_wait(&word_, token.state(), file, line);
  }
  bool try_wait_parity(bool phase, std::uint32_t, COSMATI_SITE_) {
    return __mbarrier_test_wait_parity(&word_, phase, file, line);
  }
  void wait(arrival_token token, COSMATI_SITE_) { cosmati_cuda::wait_for_token(&word_, token.state(), file, line); }
  void arrive_and_wait(COSMATI_SITE_) { wait(arrive(file, line), file, line); }
  static constexpr std::uint32_t max() { return __mbarrier_maximum_count(); }
  friend void init(awbarrier* barrier, std::uint32_t count, COSMATI_SITE_) {
    __mbarrier_init(&barrier->word_, count, file, line);
  }
  friend void inval(awbarrier* barrier, COSMATI_SITE_) { __mbarrier_inval(&barrier->word_, file, line); }
  /// The word that instructions use.
  std::uint64_t* native_handle() { return &word_; }

 private:
  std::uint64_t word_;
};

}  // namespace nvcuda::experimental

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
