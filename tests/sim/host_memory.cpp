// SPDX-License-Identifier: Apache-2.0
// Host memory passed to the library's copies is an error of the call, for every kernel that might run.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gather.hpp>
#include <cosmati/kernel/gemm/simt.hpp>
#include <cosmati/kernel/tune_copy.hpp>

#include <numeric>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

__device__ float variable[64 * 64];

template <class T>
auto rows(T* p) {
  return make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 64), make_stride(64, 1)));
}
template <class T>
auto columns(T* p) {
  return make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 64)));
}

TEST(HostMemory, OfCopiesIsRefused) {
  std::vector<float> host(64 * 64);
  device_buffer<float> device(host);
  device_buffer<half_t> halves(64 * 64);
  std::vector<half_t> host_halves(64 * 64);
  char const* const src = "copy_tensor(src, dst): src, at 0x";
  char const* const dst = "copy_tensor(src, dst): dst, at 0x";
  EXPECT_MESSAGE(copy_tensor(rows(host.data()), columns(device.data())), src);
  EXPECT_MESSAGE(copy_tensor(rows(device.data()), columns(host.data())), dst);
  EXPECT_MESSAGE(copy_tensor(columns(device.data()), columns(host.data())),
                 "is memory of the host; use a device_buffer");
  EXPECT_MESSAGE(copy_tensor(rows(host.data()), columns(halves.data())), src);
  EXPECT_MESSAGE(copy_tensor(rows(device.data()), columns(host_halves.data())), dst);
  EXPECT_MESSAGE((void)tune_copy(rows(device.data()), columns(host.data()), {.plans = 1, .rounds = 1, .cache = ""}),
                 "tune_copy(src, dst): dst, at 0x");
  copy_plans const plans = plan_copy(make_copy_problem(rows(device.data()), columns(device.data())));
  EXPECT_MESSAGE(launch_plan(plans.problem, plans.plan[0], host.data(), device.data()),
                 "launch_plan: the source, at 0x");
  EXPECT_MESSAGE(launch_plan(plans.problem, plans.plan[0], device.data(), host.data()),
                 "launch_plan: the target, at 0x");
  float on_stack[64 * 64] = {};
  EXPECT_MESSAGE(copy_tensor(rows(on_stack), columns(device.data())), src);
}
TEST(HostMemory, NullIsRefused) {
  device_buffer<float> device(64 * 64);
  device_buffer<half_t> halves(64 * 64);
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{7, 8});
  float* const null = nullptr;
  EXPECT_MESSAGE(
      copy_tensor(rows(null), columns(device.data())),
      "copy_tensor(src, dst): src is null, and there are elements to move; use a device_buffer of that many");
  EXPECT_MESSAGE(copy_tensor(rows(device.data()), columns(null)), "copy_tensor(src, dst): dst is null");
  EXPECT_MESSAGE(copy_tensor(rows(null), columns(halves.data())), "copy_tensor(src, dst): src is null");
  EXPECT_MESSAGE((void)tune_copy(rows(null), columns(device.data())), "tune_copy(src, dst): src is null");
  copy_tensor(make_tensor(make_gmem_ptr(null), make_layout(0)), make_tensor(make_gmem_ptr(null), make_layout(0)));
  row_moves moved = {.row_bytes = 64, .table_rows = 4, .count = 2};
  EXPECT_MESSAGE(gather_rows(null, index.data(), device.data(), moved), "gather_rows: table is null");
  EXPECT_MESSAGE(gather_rows(device.data(), index.data(), null, moved), "gather_rows: out is null");
  EXPECT_MESSAGE(scatter_rows(null, index.data(), device.data(), moved), "scatter_rows: in is null");
  moved.table_rows = 0;  // without a table, no number is right
  EXPECT_MESSAGE(gather_rows(null, index.data(), device.data(), moved), "index[0] is 7, which is no row of the table");
}
TEST(HostMemory, OfRowsIsRefused) {
  std::vector<float> host(256);
  std::vector<std::int32_t> host_index(3);
  device_buffer<float> table(host), list(host);
  device_buffer<std::int32_t> index(host_index);
  row_moves const moved = {.row_bytes = 64, .table_rows = 4, .count = 3};
  EXPECT_MESSAGE(gather_rows(host.data(), index.data(), list.data(), moved), "gather_rows: table, at 0x");
  EXPECT_MESSAGE(gather_rows(table.data(), host_index.data(), list.data(), moved), "gather_rows: index, at 0x");
  EXPECT_MESSAGE(gather_rows(table.data(), index.data(), host.data(), moved), "gather_rows: out, at 0x");
  EXPECT_MESSAGE(scatter_rows(host.data(), index.data(), table.data(), moved), "scatter_rows: in, at 0x");
  EXPECT_MESSAGE(scatter_rows(list.data(), index.data(), host.data(), moved), "scatter_rows: table, at 0x");
}
TEST(HostMemory, OfProductsIsRefused) {
  std::vector<float> host(64 * 64);
  device_buffer<float> device(host);
  auto const matrix = [](float* p) {
    return make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 64), make_stride(64, _1{})));
  };
  auto const good = matrix(device.data()), bad = matrix(host.data());
  EXPECT_MESSAGE(gemm_simt(bad, good, good), "gemm: A, at 0x");
  EXPECT_MESSAGE(gemm_simt(good, bad, good), "gemm: B, at 0x");
  EXPECT_MESSAGE(gemm_simt(good, good, bad), "is memory of the host; use a device_buffer");
}
template <class Source>
__global__ void read_a_tensor(Source source, float* out) {
  out[threadIdx.x] = source(threadIdx.x);
}
TEST(HostMemory, InATensorIsFoundWhereTheKernelReadsIt) {
  std::vector<float> host(32);
  device_buffer<float> device(host), out(32);
  auto const tensor = [](float* p) { return make_tensor(make_gmem_ptr(p), make_layout(32)); };
  launch(read_a_tensor<decltype(tensor(nullptr))>, {.grid = 1, .block = 32}, tensor(device.data()), out.data());
  EXPECT_MESSAGE(
      launch(read_a_tensor<decltype(tensor(nullptr))>, {.grid = 1, .block = 32}, tensor(host.data()), out.data()),
      "goes to memory of the host; use memory of cudaMalloc or a device_buffer");
}
TEST(HostMemory, TheProgramsVariablesAreNone) {
  std::vector<float> numbers(64 * 64);
  std::iota(numbers.begin(), numbers.end(), 0.f);
  device_buffer<float> in(numbers), out(64 * 64);
  copy_tensor(columns(in.data()), rows(variable));
  copy_tensor(rows(variable), columns(out.data()));
  EXPECT_EQ(out.download(), numbers);
}

}  // namespace
