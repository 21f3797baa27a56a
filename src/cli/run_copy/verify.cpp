// SPDX-License-Identifier: Apache-2.0
#include "verify.hpp"
#include "../array_command.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace cosmati::cli {

namespace {

/// The index of the element at a position of the file, as numpy writes it.
std::string index_text(npy_head const& head, std::int64_t place) {
  std::vector<std::int64_t> index(head.shape.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    std::size_t const mode = head.fortran_order ? i : index.size() - 1 - i;
    index[mode] = place % head.shape[mode];
    place /= head.shape[mode];
  }
  return fmt::format("[{}]", fmt::join(index, ","));
}

}  // namespace

std::vector<std::byte> copy_by_hand(npy_array const& input, npy_head const& output,
                                    std::vector<std::size_t> const& order) {
  std::vector<std::byte> copy(input.bytes());
  std::byte* out = copy.data();
  std::size_t const rank = input.shape.size();
  auto const bytes = static_cast<std::size_t>(input.value_bytes);
  // An odometer runs over the output in memory order. Its digits, rearranged, are the input's.
  std::vector<std::size_t> walk(rank), place(rank);
  for (std::size_t i = 0; i < rank; ++i) walk[i] = output.fortran_order ? i : rank - 1 - i;
  for (std::size_t i = 0; i < rank; ++i) place[order[i]] = i;
  std::vector<std::int64_t> at(rank);
  std::int64_t const count = input.count();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t from = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      std::size_t const mode = input.fortran_order ? rank - 1 - k : k;
      from = from * input.shape[mode] + at[place[mode]];
    }
    std::memcpy(out, input.data.data() + static_cast<std::size_t>(from) * bytes, bytes);
    out += bytes;
    for (std::size_t const mode : walk) {
      if (++at[mode] < output.shape[mode]) break;
      at[mode] = 0;
    }
  }
  return copy;
}

std::vector<std::byte> inverted(std::vector<std::byte> const& wanted) {
  std::vector<std::byte> output(wanted.size());
  std::transform(wanted.begin(), wanted.end(), output.begin(), [](std::byte b) { return ~b; });
  return output;
}

void expect_same(std::vector<std::byte> const& output, std::vector<std::byte> const& wanted, npy_head const& head) {
  if (output == wanted) return;
  auto const bytes = static_cast<std::size_t>(head.value_bytes);
  std::int64_t wrong = 0, first = -1;
  for (std::size_t i = 0; i < output.size(); i += bytes) {
    if (std::memcmp(&output[i], &wanted[i], bytes) == 0) continue;
    if (wrong++ == 0) first = static_cast<std::int64_t>(i / bytes);
  }
  throw command_error(
      failure, fmt::format("the copy is wrong: {} of {} elements differ, the first at {}; nothing was written", wrong,
                           head.count(), index_text(head, first)));
}

nlohmann::ordered_json json_of_arrays(std::string const& device, std::string const& in, npy_head const& input,
                                      std::string const& out, npy_head const& output) {
  nlohmann::ordered_json j;
  j["device"] = device;
  j["input"] = in;
  j["output"] = out;
  j["type"] = name_of(input.type);
  j["descr"] = input.descr;
  j["shape"] = input.shape;
  j["order"] = order_of(input);
  j["output_shape"] = output.shape;
  j["output_order"] = order_of(output);
  return j;
}

}  // namespace cosmati::cli
