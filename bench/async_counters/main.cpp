// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies and warpgroup matrix instructions, one a launch, for comparison of their counters with the model's.
///
///     bench_async_counters boxes|products           launches every case in order; on the simulated device prints what
///                                                   each counted
///     bench_async_counters boxes|products --list    prints the cases, a line of CSV each
///
/// Nsight Compute reads the hardware's counters; run.py starts it.
#include <cstdio>
#include <cstring>
#include <string>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/device.hpp>

#if defined(COSMATI_SIMULATED)
#include <cosmati/runtime/cost_trace.hpp>
#endif

#include "boxes.hpp"
#include "products.hpp"

namespace {

using namespace async_counters;

void list(std::vector<box_case> const& all) {
  std::printf(
      "does,type,bytes,rank,extent,stride_bytes,box,step,first,data_bytes,swizzle,promotion,shared_bytes,blocks,"
      "mask\n");
  auto const modes = [](int const(&x)[5], int rank) {
    std::string text;
    for (int i = 0; i < rank; ++i) text += (i == 0 ? "" : " ") + std::to_string(x[i]);
    return text;
  };
  for (box_case const& c : all) {
    std::printf("%s,%d,%d,%d,%s,%s,%s,%s,%s,%d,%d,%d,%d,%d,%u\n", way_names[static_cast<int>(c.does)],
                static_cast<int>(c.type), detail::bytes_of(c.type), c.rank, modes(c.extent, c.rank).c_str(),
                modes(c.stride_bytes, c.rank).c_str(), modes(c.box, c.rank).c_str(), modes(c.step, c.rank).c_str(),
                modes(c.first, c.rank).c_str(), c.data_bytes, static_cast<int>(c.swizzle),
                static_cast<int>(c.promotion), c.shared_bytes, c.blocks, c.mask);
  }
}

void list(std::vector<product_case> const& all) {
  std::printf(
      "n,bytes,a_in_registers,a_major,b_major,a_layout,a_address,a_leading,a_stride,b_layout,b_address,b_leading,"
      "b_stride,count\n");
  for (product_case const& c : all) {
    std::printf("%d,%d,%d,%d,%d", c.n, c.element_bytes, c.a_in_registers, static_cast<int>(c.a_major),
                static_cast<int>(c.b_major));
    for (operand const* o : {&c.a, &c.b})
      std::printf(",%d,%u,%u,%u", static_cast<int>(o->layout), o->address, o->leading_bytes, o->stride_bytes);
    std::printf(",%d\n", c.count);
  }
}

#if defined(COSMATI_SIMULATED)
/// Runs a case and prints its counts: of the instructions of one kind, and of no others of the kinds that are counted
/// here.
template <class Run>
void count(Run const& run) {
  cosmati::cost_trace const costs;
  run();
  cosmati::instruction_costs sum;
  for (cosmati::kernel_costs const& kernel : costs.kernels()) {
    for (auto const kind : {cosmati::instruction_kind::bulk_load, cosmati::instruction_kind::bulk_store,
                            cosmati::instruction_kind::wgmma}) {
      cosmati::instruction_costs const& c = kernel[kind];
      sum.instructions += c.instructions;
      sum.sectors += c.sectors;
      sum.requests += c.requests;
      sum.wavefronts += c.wavefronts;
      sum.bank_conflicts += c.bank_conflicts;
    }
  }
  std::printf("%llu,%llu,%llu,%llu,%llu\n", static_cast<unsigned long long>(sum.instructions),
              static_cast<unsigned long long>(sum.sectors), static_cast<unsigned long long>(sum.requests),
              static_cast<unsigned long long>(sum.wavefronts), static_cast<unsigned long long>(sum.bank_conflicts));
}
#else
template <class Run>
void count(Run const& run) {
  run();
}
#endif

}  // namespace

int main(int argc, char** argv) {
  bool const lists = argc > 2 && std::strcmp(argv[2], "--list") == 0;
  std::string const what = argc > 1 ? argv[1] : "";
  if (what != "boxes" && what != "products") {
    std::fprintf(stderr, "async_counters: name what to launch, boxes or products\n");
    return 2;
  }
  try {
    if (what == "boxes") {
      auto const all = box_cases();
      if (lists) return list(all), 0;
      // The tensors' begins count from a multiple of 4096 bytes.
      cosmati::device_buffer<unsigned char> memory(std::vector<unsigned char>(1u << 21));
      auto const begin = (reinterpret_cast<std::uintptr_t>(memory.data()) + 4095) & ~std::uintptr_t{4095};
      for (box_case const& c : all) count([&] { start(c, reinterpret_cast<unsigned char*>(begin)); });
    } else {
      auto const all = product_cases();
      if (lists) return list(all), 0;
      cosmati::device_buffer<unsigned char> sums(1u << 17);
      for (product_case const& c : all) count([&] { c.start(c, sums.data()); });
    }
    cosmati::synchronize();
  } catch (cosmati::error const& e) {
    std::fprintf(stderr, "async_counters: %s\n", e.what());
    return 1;
  }
  return 0;
}
