// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whole calls: 50 of them one after the other, and one with a wait, for transposes and for relayouts that are common
/// in practice. pytorch.py reads from the results what it has to do.
#pragma once

#include <chrono>
#include <cosmati/kernel/gather.hpp>
#include <sstream>

#include "harness.hpp"

namespace bench {

/// One relayout: an array in C order with its modes in another order, or rows gathered from a table.
struct relayout {
  std::string name, from, to;         ///< the name and the types: u8, e4m3, f16, bf16, f32, f64, c128
  std::vector<std::int64_t> extents;  ///< the source's extents; for a gather: rows of the table, bytes of a row, rows
                                      ///< moved
  std::vector<int> order;             ///< the target's modes; empty for a gather
};

/// Relayouts of public models and reports: the arrays that are copied there, and their orders.
inline std::vector<relayout> reported_relayouts() {
  return {
      {"weights", "e4m3", "e4m3", {32768, 8192}, {1, 0}},
      {"expert_weights", "e4m3", "e4m3", {8, 7168, 4096}, {0, 2, 1}},
      {"wide_matrix", "f32", "f32", {256, 786432}, {1, 0}},
      {"batched_matrices", "f16", "f16", {256, 1024, 768}, {0, 2, 1}},
      {"image_heads", "bf16", "bf16", {1, 4608, 24, 128}, {0, 2, 1, 3}},
      {"vit_qkv", "bf16", "bf16", {256, 197, 3, 12, 64}, {2, 0, 3, 1, 4}},
      {"ulysses_send", "bf16", "bf16", {1, 4095, 40, 128}, {2, 0, 1, 3}},
      {"ulysses_receive", "bf16", "bf16", {8, 5, 1, 4095, 128}, {2, 0, 3, 1, 4}},
      {"kv_cache_by_heads", "bf16", "bf16", {4096, 16, 8, 128}, {0, 2, 1, 3}},
      {"kv_cache_by_8", "bf16", "bf16", {2048, 16, 8, 16, 8}, {0, 2, 3, 1, 4}},
      {"channels_last", "f32", "f32", {64, 2048, 7, 7}, {0, 2, 3, 1}},
      {"images_to_float", "u8", "f32", {32, 480, 640, 3}, {0, 3, 1, 2}},
      {"swin_windows", "f16", "f16", {192, 8, 7, 8, 7, 96}, {0, 1, 3, 2, 4, 5}},
      {"qwen_patches", "f32", "f32", {1, 2, 3, 48, 2, 14, 36, 2, 14}, {0, 3, 6, 4, 7, 2, 1, 5, 8}},
      {"flux_pack", "bf16", "bf16", {8, 16, 64, 2, 64, 2}, {0, 2, 4, 1, 3, 5}},
      {"pair_representation", "bf16", "bf16", {384, 384, 128}, {2, 1, 0}},
      {"mx_scales", "u8", "u8", {64, 4, 32, 256, 4}, {0, 3, 2, 1, 4}},
      {"to_fp8", "f32", "e4m3", {10000, 10000}, {0, 1}},
      {"moe_rows", "bf16", "bf16", {4096, 7168, 32768}, {}},
      {"embedding_rows", "f32", "f32", {1000000, 256, 100000}, {}},
  };
}
inline int bytes_of_type(std::string const& type) {
  if (type == "u8" || type == "e4m3") return 1;
  if (type == "f16" || type == "bf16") return 2;
  return type == "f32" ? 4 : type == "f64" ? 8 : 16;
}
/// All calls: transposes of 64 KiB to 1 GiB, and relayouts, each also at a quarter and a sixteenth of the largest mode.
inline std::vector<relayout> all_calls() {
  std::vector<relayout> list;
  for (std::string const type : {"u8", "bf16", "f32", "f64", "c128"})
    for (int log = 16; log <= 30; log += 2) {
      std::int64_t const elements = (std::int64_t{1} << log) / bytes_of_type(type);
      std::int64_t rows = 1;
      while (rows * rows < elements) rows *= 2;
      list.push_back({"transpose_" + type + "_" + std::to_string(1 << (log - 10)) + "_kib",
                      type,
                      type,
                      {rows, elements / rows},
                      {1, 0}});
    }
  for (int const part : {1, 4, 16})
    for (relayout one : reported_relayouts()) {
      std::int64_t& largest =
          one.order.empty() ? one.extents[2] : *std::max_element(one.extents.begin(), one.extents.end());
      largest /= part;
      one.name = "relayout_" + one.name + (part > 1 ? "_by_" + std::to_string(part) : "");
      list.push_back(one);
    }
  return list;
}

struct sixteen_bytes {
  alignas(16) std::uint64_t half[2];
};

/// The times of a call, in microseconds.
struct call_times {
  std::vector<double> behind, host, alone;  ///< the time of each of 50 calls in a row, its part on the host, and the
                                            ///< time of a single call with a wait
};
template <class Call>
call_times times_of(Call const& call) {
  constexpr int in_a_row = 50, rounds = 5;
  auto const now = [] { return std::chrono::steady_clock::now(); };
  auto const us = [](auto from, auto to) { return 1e6 * std::chrono::duration<double>(to - from).count(); };
  call_times t;
  for (int k = 0; k < 3; ++k) call();
  synchronize();
  for (int round = 0; round < rounds; ++round) {
    auto const begin = now();
    for (int k = 0; k < in_a_row; ++k) call();
    auto const given = now();
    synchronize();
    auto const end = now();
    t.host.push_back(us(begin, given) / in_a_row);
    t.behind.push_back(us(begin, end) / in_a_row);
    auto const one = now();
    call();
    synchronize();
    t.alone.push_back(us(one, now()));
  }
  return t;
}

template <class From, class To, std::size_t... mode>
auto tensors_of(relayout const& one, void const* in, void* out, std::index_sequence<mode...>) {
  std::size_t const rank = one.extents.size();
  std::vector<std::int64_t> extent = one.extents, source(rank), target(rank);
  std::int64_t next = 1;
  for (std::size_t k = rank; k-- > 0; next *= extent[k]) source[k] = next;
  next = 1;
  for (std::size_t k = rank; k-- > 0;) {
    auto const m = static_cast<std::size_t>(one.order[k]);
    target[m] = next;
    next *= extent[m];
  }
  auto const shape = make_shape(extent[mode]...);
  return std::pair(
      make_tensor(make_gmem_ptr(static_cast<From const*>(in)), make_layout(shape, make_stride(source[mode]...))),
      make_tensor(make_gmem_ptr(static_cast<To*>(out)), make_layout(shape, make_stride(target[mode]...))));
}
/// The time of the first call for a problem, in microseconds, and then the times of a known one.
template <class From, class To, std::size_t rank>
call_times copy_calls(relayout const& one, benchmark& b, double& first) {
  auto const [src, dst] = tensors_of<From, To>(one, b.in(), b.out(), std::make_index_sequence<rank>{});
  copy_problem const p = make_copy_problem(src, dst);
  b.poison(static_cast<std::size_t>(span_of(p, false)));
  synchronize();
  auto const begin = std::chrono::steady_clock::now();
  copy_tensor(src, dst);
  first = 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if constexpr (std::is_same_v<From, To>)
    if (auto const wrong = wrong_elements(p, b.in(), b.out()); wrong != 0)
      throw error("%s: %llu elements are wrong", one.name.c_str(), wrong);
  return times_of([&, src = src, dst = dst] { copy_tensor(src, dst); });
}
template <class From, class To>
call_times copy_calls(relayout const& one, benchmark& b, double& first) {
  switch (one.extents.size()) {
    case 2:
      return copy_calls<From, To, 2>(one, b, first);
    case 3:
      return copy_calls<From, To, 3>(one, b, first);
    case 4:
      return copy_calls<From, To, 4>(one, b, first);
    case 5:
      return copy_calls<From, To, 5>(one, b, first);
    case 6:
      return copy_calls<From, To, 6>(one, b, first);
    default:
      return copy_calls<From, To, 9>(one, b, first);
  }
}
inline call_times gather_calls(relayout const& one, benchmark& b, double& first) {
  std::int64_t const row = one.extents[1] * bytes_of_type(one.from), moved = one.extents[2];
  std::mt19937_64 random(7);
  std::vector<std::int64_t> list(static_cast<std::size_t>(moved));
  for (auto& k : list) k = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(one.extents[0]));
  device_buffer<std::int64_t> index(list);
  row_moves const moves = {row, one.extents[0], row, row, moved};
  auto const call = [&] { gather_rows(b.in(), index.data(), b.out(), moves, wrong_index::is_skipped); };
  auto const begin = std::chrono::steady_clock::now();
  call();
  first = 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return times_of(call);
}
inline call_times calls_of(relayout const& one, benchmark& b, double& first) {
  if (one.order.empty()) return gather_calls(one, b, first);
  if (one.from != one.to)
    return one.from == "u8" ? copy_calls<std::uint8_t, float, 4>(one, b, first)
                            : copy_calls<float, float_e4m3_t, 2>(one, b, first);
  switch (bytes_of_type(one.from)) {
    case 1:
      return copy_calls<std::uint8_t, std::uint8_t>(one, b, first);
    case 2:
      return copy_calls<std::uint16_t, std::uint16_t>(one, b, first);
    case 4:
      return copy_calls<float, float>(one, b, first);
    case 8:
      return copy_calls<double, double, 2>(one, b, first);
    default:
      return copy_calls<sixteen_bytes, sixteen_bytes, 2>(one, b, first);
  }
}

/// A result for each call: the bytes that 50 calls in a row read and write per microsecond, compared with the
/// contiguous copy's kernel called in the same way.
inline std::vector<result> measured_calls(benchmark& b) {
  std::vector<result> results;
  progress shown;
  std::vector<relayout> const list = all_calls();
  shown.expect(list.size());
  for (relayout const& one : list) {
    shown.say(one.name);
    double elements = 1, first = 0;
    for (std::int64_t const n : one.extents) elements *= static_cast<double>(n);
    if (one.order.empty()) elements /= static_cast<double>(one.extents[0]);
    double const bytes = elements * (bytes_of_type(one.from) + bytes_of_type(one.to));
    call_times const mine = calls_of(one, b, first);
    auto const half = static_cast<std::int64_t>(bytes / 2);
    call_times const peer = times_of([&] { detail::launch_contiguous(b.in(), b.out(), half, nullptr); });
    auto const with_commas = [](auto const& numbers) {
      std::string text;
      for (auto const n : numbers) {
        if (!text.empty()) text += ',';
        text += std::to_string(n);
      }
      return text;
    };
    std::string const extents = with_commas(one.extents), order = with_commas(one.order);
    auto const rates = [&](std::vector<double> const& us) {
      std::vector<double> r;
      for (double const t : us) r.push_back(1e-3 * bytes / t);
      return r;
    };
    auto const number = [](double x) {
      char text[32];
      std::snprintf(text, sizeof text, "%.2f", x);
      return std::string(text);
    };
    // g++ 13 with nvcc takes no braces here.
    using parameter = std::pair<std::string, std::string>;
    results.push_back(
        result{"tensors/call_" + one.name,
               one.order.empty() ? "gather_rows" : "copy_tensor",
               "cosmati::copy_contiguous",
               {parameter("extents", quoted(extents)), parameter("order", quoted(order)),
                parameter("from", quoted(one.from)), parameter("to", quoted(one.to)), parameter("bytes", number(bytes)),
                parameter("us", number(median(mine.behind))), parameter("host_us", number(median(mine.host))),
                parameter("alone_us", number(median(mine.alone))), parameter("first_host_us", number(first))},
               "GB/s",
               rates(mine.behind),
               rates(peer.behind),
               "end to end: 50 calls in a row and a wait, a fiftieth of it"});
    shown.clear();
    std::printf("%-44s %9.2f us, on the host %6.2f, alone %9.2f, first %8.2f, contiguous %9.2f\n", one.name.c_str(),
                median(mine.behind), median(mine.host), median(mine.alone), first, median(peer.behind));
  }
  return results;
}

}  // namespace bench
