// SPDX-License-Identifier: Apache-2.0
// The C interface of the ready kernels.
#include <cosmati/kernels.h>
#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/copy_text.hpp>
#include <cosmati/kernel/gather.hpp>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/half.hpp>

#include <cstring>
#include <string>
#include <type_traits>

namespace cs = cosmati;

/// A plan, with its tensors except for their addresses.
struct cosmati_plan {
  cs::copy_problem modes;
  cosmati_type from, to;
  cs::tensor_copy plan;
  cs::detail::copy_holder ready;
};

namespace {

thread_local char last_error[1024] = "";

/// Runs `work` and turns an exception into a status and a text.
template <class Work>
int guarded(Work const& work) noexcept {
  try {
    work();
    return 0;
  } catch (std::exception const& e) {
    std::snprintf(last_error, sizeof last_error, "%s", e.what());
  } catch (...) {
    std::snprintf(last_error, sizeof last_error, "an exception of unknown type");
  }
  return 1;
}
cs::stream_handle stream_of(void* stream) { return static_cast<cs::stream_handle>(stream); }

void expect(void const* argument, char const* function, char const* name) {
  if (argument == nullptr) throw cs::error("%s: %s is null; pass an address", function, name);
}

int bytes_of(cosmati_type type) {
  switch (type) {
    case cosmati_bits8:
    case cosmati_bits16:
    case cosmati_bits32:
    case cosmati_bits64:
    case cosmati_bits128:
      return static_cast<int>(type);
    case cosmati_float16:
    case cosmati_bfloat16:
      return 2;
    case cosmati_float32:
      return 4;
    case cosmati_float64:
      return 8;
  }
  throw cs::error("type %d is none of cosmati_type; use one of its enumerators", static_cast<int>(type));
}

/// Calls `go<From, To>()`. Elements of equal types are moved as bits of the problem's element size.
template <class Go>
auto for_types(cosmati_type from, cosmati_type to, Go const& go) {
  auto const is = [&](cosmati_type a, cosmati_type b) { return from == a && to == b; };
  if (from == to) return go.template operator()<unsigned char, unsigned char>();
  if (is(cosmati_float32, cosmati_float64)) return go.template operator()<float, double>();
  if (is(cosmati_float64, cosmati_float32)) return go.template operator()<double, float>();
  if (is(cosmati_float32, cosmati_float16)) return go.template operator()<float, cs::half_t>();
  if (is(cosmati_float16, cosmati_float32)) return go.template operator()<cs::half_t, float>();
  if (is(cosmati_float32, cosmati_bfloat16)) return go.template operator()<float, cs::bfloat16_t>();
  if (is(cosmati_bfloat16, cosmati_float32)) return go.template operator()<cs::bfloat16_t, float>();
  if (is(cosmati_float16, cosmati_bfloat16)) return go.template operator()<cs::half_t, cs::bfloat16_t>();
  if (is(cosmati_bfloat16, cosmati_float16)) return go.template operator()<cs::bfloat16_t, cs::half_t>();
  throw cs::error(
      "types %d and %d: there is no conversion between them; types are equal, or float32 and another float, or the two "
      "of 16 bits",
      static_cast<int>(from), static_cast<int>(to));
}

/// Extents and strides as a problem with addresses aligned to 16 bytes.
cs::copy_problem modes_of(cosmati_tensor const& src, cosmati_tensor const& dst) {
  if (src.rank != dst.rank || src.rank < 0 || src.rank > cs::copy_max_modes)
    throw cs::error("src has rank %d and dst rank %d; both are equal, from 0 to %d", src.rank, dst.rank,
                    cs::copy_max_modes);
  if (src.rank > 0 && (!src.extents || !src.strides || !dst.extents || !dst.strides))
    throw cs::error("extents or strides are null, and the rank is %d; pass that many numbers", src.rank);
  cs::copy_problem p;
  p.element_bytes = bytes_of(dst.type);
  (void)bytes_of(src.type);
  bool empty = false;
  for (int m = 0; m < src.rank; ++m) {
    auto const a = static_cast<long long>(src.extents[m]), b = static_cast<long long>(dst.extents[m]);
    if (a != b || a < 0)
      throw cs::error("mode %d of src has extent %lld, that of dst %lld; both are equal and not negative", m, a, b);
    empty = empty || a == 0;
  }
  std::int64_t size = 1;
  for (int m = 0; m < src.rank && !empty; ++m) {
    if (src.extents[m] > cs::detail::copy_most_elements / size)
      throw cs::error("the extents up to mode %d come to more than 2^56 elements; copy slice by slice", m);
    size *= src.extents[m];
  }
  for (int m = 0; m < src.rank; ++m) p.push(src.extents[m], src.strides[m], dst.strides[m]);
  return p;
}
/// Returns the problem with the alignments of these addresses.
cs::copy_problem at(cs::copy_problem p, int source_bytes, void const* source, void const* target) {
  p.source_alignment = cs::detail::alignment_of(source);
  p.target_alignment = cs::detail::alignment_of(target);
  p.apart_alignment = cs::detail::width_of_both(source, target);
  p.interleaved = cs::detail::interleave(p, source, source_bytes, target);
  return p;
}

template <bool gathers>
void move_rows(void const* from, void* to, void const* index, cosmati_rows const* rows, void* stream) {
  char const* const who = gathers ? "cosmati_gather" : "cosmati_scatter";
  expect(rows, who, "rows");
  cs::row_moves const moves = {rows->row_bytes, rows->table_rows, rows->table_pitch, rows->list_pitch, rows->count};
  auto const wrong = rows->skips_wrong != 0 ? cs::wrong_index::is_skipped : cs::wrong_index::is_error;
  auto const go = [&](auto const* numbers) {
    if constexpr (gathers)
      cs::gather_rows(from, numbers, to, moves, wrong, stream_of(stream));
    else
      cs::scatter_rows(from, numbers, to, moves, wrong, stream_of(stream));
  };
  if (rows->index_bytes == 4)
    go(static_cast<std::int32_t const*>(index));
  else if (rows->index_bytes == 8)
    go(static_cast<std::int64_t const*>(index));
  else
    throw cs::error("%s: rows.index_bytes is %d; row numbers are integers of 4 or 8 bytes", who, rows->index_bytes);
}

}  // namespace

extern "C" {

char const* cosmati_last_error(void) { return last_error; }

int cosmati_copy(cosmati_tensor const* src, cosmati_tensor const* dst, void* stream) {
  return guarded([&] {
    expect(src, "cosmati_copy", "src");
    expect(dst, "cosmati_copy", "dst");
    cs::copy_problem const given = at(modes_of(*src, *dst), bytes_of(src->type), src->data, dst->data);
    for_types(src->type, dst->type, [&]<class From, class To>() {
      cs::detail::copy_elements<From, To>(given, src->data, dst->data, stream_of(stream));
    });
  });
}

int cosmati_plan_create(cosmati_plan** plan, cosmati_tensor const* src, cosmati_tensor const* dst,
                        cosmati_effort effort, void* stream) {
  return guarded([&] {
    expect(plan, "cosmati_plan_create", "plan");
    *plan = nullptr;
    expect(src, "cosmati_plan_create", "src");
    expect(dst, "cosmati_plan_create", "dst");
    cs::copy_problem const modes = modes_of(*src, *dst);
    cs::copy_problem const given = at(modes, bytes_of(src->type), src->data, dst->data);
    auto const how = effort == cosmati_measure ? cs::effort::measure : cs::effort::estimate;
    for_types(src->type, dst->type, [&]<class From, class To>() {
      cs::tensor_copy made =
          cs::detail::planned<From, To>("cosmati_plan_create", given, src->data, dst->data, how, stream_of(stream));
      cs::detail::copy_key const key = cs::detail::key_of_copy<From, To>(given, dst->data);
      *plan = new cosmati_plan{modes, src->type, dst->type, made,
                               cs::detail::known_or_prepared<From, To>(key, src->data, dst->data)};
    });
  });
}
int cosmati_plan_run(cosmati_plan const* plan, void const* src, void* dst, void* stream) {
  return guarded([&] {
    expect(plan, "cosmati_plan_run", "plan");
    cs::copy_problem const given = at(plan->modes, bytes_of(plan->from), src, dst);
    for_types(plan->from, plan->to, [&]<class From, class To>() {
      bool const is_ready =
          given.size() > 0 && !given.interleaved && plan->ready->key == cs::detail::key_of_copy<From, To>(given, dst);
      if (!is_ready) return cs::detail::copy_elements<From, To>(given, src, dst, stream_of(stream));
      cs::detail::expect_device_memory("cosmati_plan_run", "src", src);
      cs::detail::expect_device_memory("cosmati_plan_run", "dst", dst);
      plan->ready->run(src, dst, stream_of(stream));
    });
  });
}
size_t cosmati_plan_text(cosmati_plan const* plan, char* text, size_t bytes) {
  size_t length = 0;
  (void)guarded([&] {
    expect(plan, "cosmati_plan_text", "plan");
    std::string const all = cs::text(plan->plan);
    length = all.size();
    if (text != nullptr && bytes > 0) std::snprintf(text, bytes, "%s", all.c_str());
  });
  return length;
}
void cosmati_plan_destroy(cosmati_plan* plan) { delete plan; }

int cosmati_gather(void const* table, void const* index, void* list, cosmati_rows const* rows, void* stream) {
  return guarded([&] { move_rows<true>(table, list, index, rows, stream); });
}
int cosmati_scatter(void const* list, void const* index, void* table, cosmati_rows const* rows, void* stream) {
  return guarded([&] { move_rows<false>(list, table, index, rows, stream); });
}

int cosmati_allocate(void** memory, size_t bytes) {
  return guarded([&] {
    expect(memory, "cosmati_allocate", "memory");
    *memory = nullptr;
    if (bytes == 0) return;
#if defined(__CUDACC__)
    cs::detail::check_cuda(cudaMalloc(memory, bytes), "allocating device memory");
#else
    char text[512];
    if (cosmati_sim_allocate(memory, bytes, text, sizeof text) != 0) throw cs::error("cosmati_allocate: %s", text);
#endif
  });
}
void cosmati_free(void* memory) {
  if (memory == nullptr) return;
#if defined(__CUDACC__)
  (void)cudaFree(memory);
#else
  cosmati_sim_free(memory);
#endif
}
int cosmati_write(void* to_device, void const* from, size_t bytes) {
  return guarded([&] {
    if (bytes == 0) return;
    expect(to_device, "cosmati_write", "to_device");
    expect(from, "cosmati_write", "from");
#if defined(__CUDACC__)
    cs::detail::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
    cs::detail::check_cuda(cudaMemcpy(to_device, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
    cs::detail::check_cuda(cudaStreamSynchronize(nullptr), "copying to the GPU");
#else
    std::memcpy(to_device, from, bytes);
    cosmati_sim_written(to_device, bytes);
#endif
  });
}
int cosmati_read(void* to, void const* from_device, size_t bytes) {
  return guarded([&] {
    if (bytes == 0) return;
    expect(to, "cosmati_read", "to");
    expect(from_device, "cosmati_read", "from_device");
#if defined(__CUDACC__)
    cs::detail::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
    cs::detail::check_cuda(cudaMemcpy(to, from_device, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
#else
    std::memcpy(to, from_device, bytes);
#endif
  });
}

}  // extern "C"
