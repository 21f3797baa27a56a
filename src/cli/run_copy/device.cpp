// SPDX-License-Identifier: Apache-2.0
// The kernel of `cosmati run-copy`, and its launch. g++ or clang compile it for the simulated device. With COSMATI_CUDA
// nvcc compiles it too, for the GPU and under another COSMATI_NAMESPACE, so that both fit in one program.
#include "job.hpp"

#include <algorithm>
#include <cosmati/core/access.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/stream.hpp>
#include <cosmati/runtime/trace.hpp>
#include <cstring>
#include <map>
#include <tuple>
#include <type_traits>

using namespace COSMATI_NAMESPACE;

namespace cosmati_run_copy {
namespace {

/// 16 bytes that one instruction moves.
struct alignas(16) four_words {
  std::uint32_t word[4];
};

template <int Bytes>
using bits_of_t = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<
        Bytes == 2, std::uint16_t,
        std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 8, unsigned long long, four_words>>>>;

template <int Bytes>
constexpr char const* instruction_name = Bytes == 1   ? "UniversalCopy<uint8_t>"
                                         : Bytes == 2 ? "UniversalCopy<uint16_t>"
                                         : Bytes == 4 ? "UniversalCopy<uint32_t>"
                                         : Bytes == 8 ? "UniversalCopy<uint64_t>"
                                                      : "UniversalCopy<uint128_t>";

/// The number of values that one instruction of `Vector` moves.
template <class Vector, class Value>
inline constexpr unsigned values_of = sizeof(Vector) / sizeof(Value);  // NOLINT(bugprone-sizeof-expression)

struct place {
  std::int64_t m, n;
};

__device__ inline place place_of(place_table const& table, unsigned index) {
  place p{0, 0};
  for (int i = 0; i < table.count; ++i) {
    place_table::step const& s = table.steps[i];
    int const digit = static_cast<int>(index % s.extent);
    index /= s.extent;
    p.m += digit * s.m;
    p.n += digit * s.n;
  }
  return p;
}

/// A thread's own counts, if no simulated device watches: [kind][space][whole vector].
struct tally {
  unsigned executed[2][2][2] = {};
  std::int64_t first[2] = {-1, -1};
};

/// One side of a copy: the tile in global or shared memory.
template <class Value, bool Shared>
struct side {
  Value* origin;  ///< the first element of the tile
  std::int64_t m, n;
  std::int64_t offset;  ///< the offset of the tile in the tensor

  __device__ Value* at(place const& p) const { return origin + (p.m * m + p.n * n); }
};

/// @name One instruction on a GPU; bytes for the host's compiler, which assumes that types do not overlap
/// @{
template <class Word>
__device__ inline void read_word(Word* word, Word const* memory) {
#if defined(__CUDA_ARCH__)
  *word = *memory;
#else
  memcpy(word, memory, sizeof(Word));
#endif
}
template <class Word>
__device__ inline void write_word(Word* memory, Word const* word) {
#if defined(__CUDA_ARCH__)
  *memory = *word;
#else
  memcpy(memory, word, sizeof(Word));
#endif
}
/// @}

/// One instruction of `Word`'s width, reported before it is executed.
template <access_kind Kind, class Word>
__device__ inline void move(Word* memory, void* held) {
  note_access(Kind, memory, sizeof(Word), sizeof(Word), no_description{}, nullptr,
              instruction_name<static_cast<int>(sizeof(Word))>);
  unseen_scope const unseen;
  // Registers are accessed by memcpy, which costs nothing, because Word and Value are different memory for the
  // compiler.
  Word word;
  if constexpr (Kind == access_kind::load) {
    read_word(&word, memory);
    memcpy(held, &word, sizeof(Word));
  } else {
    memcpy(&word, held, sizeof(Word));
    write_word(memory, &word);
  }
}

/// Moves a vector between registers and memory. It moves as a whole if its elements are contiguous, aligned and inside.
template <access_kind Kind, class Vector, class Value, bool Shared>
__device__ inline void move_vector(Value* held, side<Value, Shared> const& memory, copy_pass const& pass,
                                   place const& first, unsigned inside, tally& counted) {
  constexpr int kind = Kind == access_kind::store;
  constexpr unsigned values = values_of<Vector, Value>;
  Value* const at = memory.at(first);
  std::int64_t const next = pass.next_m * memory.m + pass.next_n * memory.n;
  if constexpr (!Shared) {
    if (counted.first[kind] < 0 && inside != 0) {
      unsigned lowest = 0;
      while ((inside >> lowest & 1) == 0) ++lowest;
      counted.first[kind] = memory.offset + (at - memory.origin) + lowest * next;
    }
  }
  if constexpr (values > 1) {
    constexpr unsigned all = (1u << values) - 1;
    bool const whole = next == 1 && inside == all && reinterpret_cast<std::uintptr_t>(at) % sizeof(Vector) == 0;
    if (!whole) {
      COSMATI_UNROLL
      for (unsigned i = 0; i < values; ++i) {
        if ((inside >> i & 1) == 0) continue;
        move<Kind>(at + i * next, held + i);
        ++counted.executed[kind][Shared][0];
      }
      return;
    }
  }
  if (inside == 0) return;
  move<Kind>(reinterpret_cast<Vector*>(at), held);
  ++counted.executed[kind][Shared][1];
}

/// The values of the vector at `first` that lie inside the matrix, as bits.
template <unsigned Values>
__device__ inline unsigned inside_of(copy_pass const& pass, place const& first, std::int64_t rows,
                                     std::int64_t columns) {
  unsigned inside = 0;
  COSMATI_UNROLL
  for (unsigned i = 0; i < Values; ++i) {
    bool const in =
        first.m + static_cast<int>(i) * pass.next_m < rows && first.n + static_cast<int>(i) * pass.next_n < columns;
    inside |= static_cast<unsigned>(in) << i;
  }
  return inside;
}

template <class Vector, class Value, bool FromShared>
__device__ inline void copy_tile(copy_pass const& pass, side<Value, FromShared> const& from,
                                 side<Value, !FromShared> const& to, std::int64_t rows, std::int64_t columns,
                                 tally& counted) {
  constexpr unsigned values = values_of<Vector, Value>;
  place const mine = place_of(pass.thread, threadIdx.x);
  for (unsigned v = 0; v < pass.vectors; ++v) {
    place first = place_of(pass.vector, v);
    first.m += mine.m;
    first.n += mine.n;
    unsigned const inside = inside_of<values>(pass, first, rows, columns);
    alignas(16) Value held[values];
    move_vector<access_kind::load, Vector>(held, from, pass, first, inside, counted);
    move_vector<access_kind::store, Vector>(held, to, pass, first, inside, counted);
  }
}

/// Global -> shared -> global, one tile for each block, by the tiled copy in the tables.
/// @param executed, first where a thread leaves its counts and its first offsets, or null
template <class Value, class Vector>
__global__ void through_shared(Value const* in, Value* out, __grid_constant__ copy_tables const t,
                               std::uint64_t first_block, unsigned long long* executed, long long* first) {
  auto const block = static_cast<std::int64_t>(first_block + blockIdx.x);
  std::int64_t const tile = block % (t.tiles_m * t.tiles_n);
  std::int64_t batch = block / (t.tiles_m * t.tiles_n);
  std::int64_t const m = (t.columns_first ? tile / t.tiles_n : tile % t.tiles_m) * t.tile_m;
  std::int64_t const n = (t.columns_first ? tile % t.tiles_n : tile / t.tiles_m) * t.tile_n;
  std::int64_t source = m * t.source.m + n * t.source.n;
  std::int64_t target = m * t.target.m + n * t.target.n;
  for (int i = 2; i >= 0; --i) {
    source += batch % t.batch[i] * t.source.batch[i];
    target += batch % t.batch[i] * t.target.batch[i];
    batch /= t.batch[i];
  }
  Value* const stage = dynamic_shared<Value>();
  side<Value, false> const from{const_cast<Value*>(in) + source, t.source.m, t.source.n, source};
  side<Value, true> const shared{stage, t.stage_m, t.stage_n, 0};
  side<Value, false> const to{out + target, t.target.m, t.target.n, target};
  std::int64_t const rows = min(t.tile_m, t.rows - m);
  std::int64_t const columns = min(t.tile_n, t.columns - n);

  tally counted;
  copy_tile<Vector>(t.load, from, shared, rows, columns, counted);
  __syncthreads();
  copy_tile<Vector>(t.store, shared, to, rows, columns, counted);

  if (executed != nullptr) {
    for (int i = 0; i < 8; ++i)
      atomicAdd(executed + i, static_cast<unsigned long long>(counted.executed[i / 4][i / 2 % 2][i % 2]));
  }
  if (first != nullptr && block == 0) {
    first[2 * threadIdx.x] = counted.first[0];
    first[2 * threadIdx.x + 1] = counted.first[1];
  }
}

/// Elements of the host, as a range.
template <class T>
struct host_range {
  T const* first;
  std::size_t count;
  T const* data() const { return first; }
  std::size_t size() const { return count; }
};

/// Launches all blocks, in waves of about a tenth of a second.
template <class Wave>
double in_waves(std::uint64_t blocks, copy_observer const& observer, Wave&& wave) {
  double seconds = 0;
  std::uint64_t width = 64;
  for (std::uint64_t done = 0; done < blocks;) {
    std::uint64_t const now = std::min({width, blocks - done, std::uint64_t{0x7fffffff}});
    event start, stop;
    start.record();
    wave(done, static_cast<unsigned>(now));
    stop.record();
    double const took = elapsed_ms(start, stop) / 1e3;
    seconds += took;
    done += now;
    if (observer) observer(done);
    if (took < 0.05)
      width *= 4;
    else if (took > 0.2)
      width = std::max<std::uint64_t>(1, width / 2);
  }
  return seconds;
}

/// Accesses of a copy: whether stores, whether of shared memory, bytes -> how many.
using access_sums = std::map<std::tuple<bool, bool, int>, std::uint64_t>;

#if defined(COSMATI_SIMULATED)
/// Runs the kernel on the simulated device, whose trace says what every thread did.
template <class Value, class Vector>
void run_traced(copy_job const& job, copy_observer const& observer, Value const* in, Value* out, launch_config config,
                copy_outcome& outcome, access_sums& sums) {
  outcome.seconds = in_waves(job.blocks, observer, [&](std::uint64_t first, unsigned blocks) {
    // All that a thread can do to block 0: four accesses an element.
    copy_pass const& p = job.tables.load;
    auto const most = static_cast<std::uint32_t>(4 * p.vectors * values_of<Vector, Value>);
    access_trace const trace({.records_per_thread = first == 0 ? most : 0, .blocks_recorded = first == 0 ? 1u : 0u});
    config.grid = blocks;
    launch(through_shared<Value, Vector>, config, in, out, job.tables, first, nullptr, nullptr);
    for (access_count const& c : trace.counts()) {
      if (c.space != traced_space::global && c.space != traced_space::shared) continue;
      sums[{c.kind == access_kind::store, c.space == traced_space::shared, static_cast<int>(c.bytes)}] += c.accesses;
    }
    for (access_record const& r : trace.records()) {
      if (r.space != traced_space::global) continue;
      std::int64_t& at = (r.kind == access_kind::load ? outcome.first_loaded : outcome.first_stored)[r.thread];
      if (at < 0) at = static_cast<std::int64_t>(r.offset / sizeof(Value));
    }
  });
}
#else
/// Runs the kernel on the GPU, whose threads count for themselves.
template <class Value, class Vector>
void run_counted(copy_job const& job, copy_observer const& observer, Value const* in, Value* out, launch_config config,
                 copy_outcome& outcome, access_sums& sums) {
  device_buffer<unsigned long long> executed(8);
  device_buffer<long long> first_offsets(2 * static_cast<std::size_t>(job.threads));
  executed.clear();
  first_offsets.fill(-1);
  outcome.seconds = in_waves(job.blocks, observer, [&](std::uint64_t first, unsigned blocks) {
    config.grid = blocks;
    launch(through_shared<Value, Vector>, config, in, out, job.tables, first, executed.data(), first_offsets.data());
    synchronize();
  });
  std::vector<unsigned long long> const counts = executed.download();
  for (int i = 0; i < 8; ++i) {
    int const bytes = static_cast<int>(i % 2 != 0 ? sizeof(Vector) : sizeof(Value));
    if (counts[i] != 0) sums[{i / 4 != 0, i / 2 % 2 != 0, bytes}] += counts[i];
  }
  std::vector<long long> const offsets = first_offsets.download();
  for (unsigned i = 0; i < job.threads; ++i) {
    outcome.first_loaded[i] = offsets[2 * i];
    outcome.first_stored[i] = offsets[2 * i + 1];
  }
}
#endif

template <class Value, class Vector>
copy_outcome run(copy_job const& job, copy_observer const& observer) {
  copy_outcome outcome;
  outcome.device = current_device().name;
  auto* const output = static_cast<Value*>(job.output);
  device_buffer<Value> in(host_range<Value>{static_cast<Value const*>(job.input), job.elements});
  device_buffer<Value> out(host_range<Value>{output, job.elements});
  outcome.first_loaded.assign(job.threads, -1);
  outcome.first_stored.assign(job.threads, -1);
  launch_config config;
  config.block = job.threads;
  config.shared_bytes = job.shared_bytes;
  access_sums sums;
#if defined(COSMATI_SIMULATED)
  run_traced<Value, Vector>(job, observer, in.data(), out.data(), config, outcome, sums);
#else
  run_counted<Value, Vector>(job, observer, in.data(), out.data(), config, outcome, sums);
#endif
  out.download_to(output);
  for (auto const& [key, count] : sums) {
    auto const& [store, shared, bytes] = key;
    outcome.instructions.push_back({store, shared, bytes, count});
  }
  return outcome;
}

template <int ValueBytes>
copy_outcome run_with_values(copy_job const& job, copy_observer const& observer) {
  using value = bits_of_t<ValueBytes>;
  switch (job.vector_bytes) {
    case 1:
      if constexpr (ValueBytes <= 1) return run<value, bits_of_t<1>>(job, observer);
      break;
    case 2:
      if constexpr (ValueBytes <= 2) return run<value, bits_of_t<2>>(job, observer);
      break;
    case 4:
      if constexpr (ValueBytes <= 4) return run<value, bits_of_t<4>>(job, observer);
      break;
    case 8:
      if constexpr (ValueBytes <= 8) return run<value, bits_of_t<8>>(job, observer);
      break;
    case 16:
      return run<value, bits_of_t<16>>(job, observer);
    default:
      break;
  }
  throw error("run-copy: no vector of %d bytes holds values of %d", job.vector_bytes, ValueBytes);
}

copy_outcome run_here(copy_job const& job, copy_observer const& observer) {
  switch (job.value_bytes) {
    case 1:
      return run_with_values<1>(job, observer);
    case 2:
      return run_with_values<2>(job, observer);
    case 4:
      return run_with_values<4>(job, observer);
    case 8:
      return run_with_values<8>(job, observer);
    default:
      return run_with_values<16>(job, observer);
  }
}

}  // namespace

#if defined(COSMATI_SIMULATED)
copy_outcome run_on_simulated_device(copy_job const& job, copy_observer const& observer) {
  return run_here(job, observer);
}
#else
copy_outcome run_on_gpu(copy_job const& job, copy_observer const& observer) { return run_here(job, observer); }
bool gpu_is_available() { return device_is_available(); }
#endif

}  // namespace cosmati_run_copy
