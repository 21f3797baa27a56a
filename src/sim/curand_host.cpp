// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators of arrays, whose fills are work of a stream.
#include <cmath>
#include <cosmati/cuda/curand_host.hpp>
#include <memory>
#include <utility>

#include "cuda_state.hpp"
#include "curand_sequences.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "library_call.hpp"
#include "live_objects.hpp"

using namespace cosmati_sim;

namespace {

/// The numbers of a generator. Work of a stream may use them after the generator is destroyed.
struct numbers {
  bool is_philox = false;
  bool has_begun = false;
  unsigned long long seed = 0, offset = 0;
  xorwow_sequences xorwow;
  philox_sequences philox;

  void begin() {
    if (has_begun) return;
    has_begun = true;
    is_philox ? philox.begin(seed, offset) : xorwow.begin(seed, offset);
  }
};

}  // namespace

struct curandGenerator_st {
  bool of_host = false;
  cudaStream_t stream = nullptr;
  std::shared_ptr<numbers> source = std::make_shared<numbers>();
};

namespace {

bool exists(curandGenerator_t generator) { return live_objects<curandGenerator_st>::all().has(generator); }

char const* absent_type(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return "CURAND_RNG_PSEUDO_MRG32K3A";
    case CURAND_RNG_PSEUDO_MTGP32:
      return "CURAND_RNG_PSEUDO_MTGP32";
    case CURAND_RNG_PSEUDO_MT19937:
      return "CURAND_RNG_PSEUDO_MT19937";
    default:
      return type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 ? "CURAND_RNG_QUASI_*"
                                                                                            : nullptr;
  }
}

curandStatus_t create(char const* function, curandGenerator_t* out, curandRngType_t type, bool of_host) {
  if (out == nullptr) return CURAND_STATUS_INITIALIZATION_FAILED;
  bool const is_philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  if (!is_philox && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW) {
    if (char const* const name = absent_type(type)) {
      report_host_hazard(hazard_kind::invalid_argument,
                         formatted("{}: a generator {} is not on the simulated device, which has "
                                   "CURAND_RNG_PSEUDO_XORWOW and CURAND_RNG_PSEUDO_PHILOX4_32_10",
                                   function, name));
    }
    return CURAND_STATUS_TYPE_ERROR;
  }
  auto made = std::make_unique<curandGenerator_st>();
  made->of_host = of_host;
  made->source->is_philox = is_philox;
  *out = live_objects<curandGenerator_st>::all().add(std::move(made));
  return CURAND_STATUS_SUCCESS;
}

/// The two or four outputs that a distribution makes at once. Each function gives one output of a sequence.
struct bits {
  using type = unsigned;
  static constexpr bool is_pair = false;
  static constexpr unsigned counters = 1;
  static void take(curandStateXORWOW_t& state, type* out) { out[0] = ::curand(&state); }
  static void take(uint4 x, uint4, type* out) { out[0] = x.x, out[1] = x.y, out[2] = x.z, out[3] = x.w; }
};
struct uniform {
  using type = float;
  static constexpr bool is_pair = false;
  static constexpr unsigned counters = 1;
  static void take(curandStateXORWOW_t& state, type* out) { out[0] = curand_uniform(&state); }
  static void take(uint4 x, uint4, type* out) {
    out[0] = cosmati_cuda::uniform_of(x.x), out[1] = cosmati_cuda::uniform_of(x.y);
    out[2] = cosmati_cuda::uniform_of(x.z), out[3] = cosmati_cuda::uniform_of(x.w);
  }
};
struct uniform_double {
  using type = double;
  static constexpr bool is_pair = false;
  static constexpr unsigned counters = 2;
  static void take(curandStateXORWOW_t& state, type* out) { out[0] = curand_uniform_double(&state); }
  static void take(uint4 x, uint4 y, type* out) {
    out[0] = cosmati_cuda::uniform_of(x.x, x.y), out[1] = cosmati_cuda::uniform_of(x.z, x.w);
    out[2] = cosmati_cuda::uniform_of(y.x, y.y), out[3] = cosmati_cuda::uniform_of(y.z, y.w);
  }
};
struct normal {
  using type = float;
  static constexpr bool is_pair = true;
  static constexpr unsigned counters = 1;
  static void take(curandStateXORWOW_t& state, type* out) {
    float2 const pair = curand_normal2(&state);
    out[0] = pair.x, out[1] = pair.y;
  }
  static void take(uint4 x, uint4, type* out) {
    float2 const a = cosmati_cuda::normal_of(x.x, x.y), b = cosmati_cuda::normal_of(x.z, x.w);
    out[0] = a.x, out[1] = a.y, out[2] = b.x, out[3] = b.y;
  }
};
struct normal_double {
  using type = double;
  static constexpr bool is_pair = true;
  static constexpr unsigned counters = 2;
  static void take(curandStateXORWOW_t& state, type* out) {
    double2 const pair = curand_normal2_double(&state);
    out[0] = pair.x, out[1] = pair.y;
  }
  static void take(uint4 x, uint4 y, type* out) {
    double2 const a = cosmati_cuda::normal_of(x), b = cosmati_cuda::normal_of(y);
    out[0] = a.x, out[1] = a.y, out[2] = b.x, out[3] = b.y;
  }
};

/// Fills an array. @param shape changes each output
template <class Distribution, class Shape>
void fill(numbers& source, typename Distribution::type* out, std::size_t count, Shape shape) {
  using type = typename Distribution::type;
  source.begin();
  if (!source.is_philox) {
    constexpr std::size_t at_once = Distribution::is_pair ? 2 : 1;
    for (std::size_t i = 0; i < count; i += at_once) {
      type made[2];
      Distribution::take(source.xorwow.next(), made);
      for (std::size_t k = 0; k < at_once; ++k) out[i + k] = shape(made[k]);
    }
    return;
  }
  type made[4] = {};
  for (std::size_t i = 0; i < count; ++i) {
    philox_sequences& of = source.philox;
    if (i == 0 || of.place() == 0)
      Distribution::take(of.numbers(0), Distribution::counters == 2 ? of.numbers(1) : uint4{}, made);
    out[i] = shape(made[of.place()]);
    of.advance(Distribution::counters);
  }
}

template <class Distribution, class Shape>
curandStatus_t generate(char const* function, curandGenerator_t generator, typename Distribution::type* out,
                        std::size_t count, Shape shape) {
  using type = typename Distribution::type;
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (Distribution::is_pair && !generator->source->is_philox && count % 2 != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  std::shared_ptr<numbers> const source = generator->source;
  if (generator->of_host) {
    if (!host_may_access(function, "the array", out,
                         "the generator is of curandCreateGeneratorHost; make it by curandCreateGenerator"))
      return CURAND_STATUS_LAUNCH_FAILURE;
    fill<Distribution>(*source, out, count, shape);
    return CURAND_STATUS_SUCCESS;
  }
  if (cuda_lasting_error() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  cudaError_t const error = library_enqueue(function, generator->stream, [=](library_task& task) {
    task.operands = {{"the array", out, sizeof(type), count, 1, count, false, true}};
    task.compute = [=] { fill<Distribution>(*source, out, count, shape); };
    return true;
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

auto const as_it_is = [](auto v) { return v; };
template <class T>
auto scaled(T mean, T deviation) {
  return [=](T v) { return mean + deviation * v; };
}
template <class T>
auto exponential(T mean, T deviation) {
  return [=](T v) { return std::exp(mean + deviation * v); };
}

curandStatus_t begin_again(curandGenerator_t generator, unsigned long long numbers::*member, unsigned long long value) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  (*generator->source).*member = value;
  generator->source->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* out, curandRngType_t type) {
  return create("curandCreateGenerator", out, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* out, curandRngType_t type) {
  return create("curandCreateGeneratorHost", out, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return live_objects<curandGenerator_st>::all().take(generator) != nullptr ? CURAND_STATUS_SUCCESS
                                                                            : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  constexpr int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return begin_again(generator, &numbers::seed, seed);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return begin_again(generator, &numbers::offset, offset);
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC) return CURAND_STATUS_OUT_OF_RANGE;
  bool const has_seeds = order == CURAND_ORDERING_PSEUDO_SEEDED, is_dynamic = order == CURAND_ORDERING_PSEUDO_DYNAMIC;
  if ((has_seeds && generator->source->is_philox) || (is_dynamic && generator->of_host))
    return CURAND_STATUS_OUT_OF_RANGE;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return exists(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* out, std::size_t count) {
  return generate<bits>("curandGenerate", generator, out, count, as_it_is);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, std::size_t count) {
  return generate<uniform>("curandGenerateUniform", generator, out, count, as_it_is);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, std::size_t count) {
  return generate<uniform_double>("curandGenerateUniformDouble", generator, out, count, as_it_is);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, std::size_t count, float mean,
                                    float deviation) {
  return generate<normal>("curandGenerateNormal", generator, out, count, scaled(mean, deviation));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, std::size_t count, double mean,
                                          double deviation) {
  return generate<normal_double>("curandGenerateNormalDouble", generator, out, count, scaled(mean, deviation));
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, std::size_t count, float mean,
                                       float deviation) {
  return generate<normal>("curandGenerateLogNormal", generator, out, count, exponential(mean, deviation));
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, std::size_t count, double mean,
                                             double deviation) {
  return generate<normal_double>("curandGenerateLogNormalDouble", generator, out, count, exponential(mean, deviation));
}
