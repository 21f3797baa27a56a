// SPDX-License-Identifier: Apache-2.0
#include "boxes.hpp"

namespace async_counters {
namespace {

using swizzle_bits = TMA::SmemSwizzleBits;

/// A box of `rows` rows of `row_bytes` that begins `late_bytes` after a row's begin; halves.
box_case rows_of(way does, int row_bytes, int late_bytes, int rows = 8, int pitch_bytes = 4096) {
  box_case c;
  c.does = does;
  c.box[0] = row_bytes / 2;
  c.box[1] = rows;
  c.first[0] = late_bytes / 2;
  c.stride_bytes[1] = pitch_bytes;
  c.extent[0] = pitch_bytes / 2;
  return c;
}

/// Widths of rows at many begins.
void add_widths(std::vector<box_case>& all, way does) {
  bool const loads = does == way::load;
  for (int const bytes : {16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 512}) all.push_back(rows_of(does, bytes, 0));
  for (int const bytes : {16, 32, 64, 96, 128, 256}) {
    for (int const late : {16, 32, 48, 64, 112}) {
      if (!loads && (late == 32 || late == 64 || bytes == 32 || bytes == 96)) continue;
      all.push_back(rows_of(does, bytes, late));
    }
  }
  // Rows whose bytes follow those of the row before, and pitches that are no multiples of 128.
  for (int const bytes : {16, 48, 64, 80}) all.push_back(rows_of(does, bytes, 0, 8, bytes));
  all.push_back(rows_of(does, 16, 0, 8, 32));
  for (int const pitch : {144, 208, 272, 1040}) {
    for (int const bytes : {64, 128}) {
      for (int const late : {0, 16}) {
        if (!loads && late != 0 && bytes == 128) continue;
        all.push_back(rows_of(does, bytes, late, 8, pitch));
      }
    }
  }
}

/// Swizzles, types and ranks.
void add_forms(std::vector<box_case>& all, way does) {
  bool const loads = does == way::load;
  for (int bits = 1; bits <= 3; ++bits) {
    for (int bytes = 16; bytes <= 16 << bits; bytes *= 2) {
      for (int const late : {0, 16, 64}) {
        if (!loads && late == 64) continue;
        all.push_back(rows_of(does, bytes, late));
        all.back().swizzle = static_cast<swizzle_bits>(bits);
      }
    }
  }
  all.push_back(rows_of(does, 96, 0));
  all.back().swizzle = swizzle_bits::B128;
  for (auto const type : {tensor_map_type::u8, tensor_map_type::f32, tensor_map_type::f64, tensor_map_type::tf32}) {
    for (int const bytes : {64, 128}) {
      for (int const late : {0, 16}) {
        box_case c = rows_of(does, bytes, late);
        int const size = detail::bytes_of(type);
        c.type = type;
        c.box[0] = bytes / size;
        c.first[0] = late / size;
        c.extent[0] = 4096 / size;
        all.push_back(c);
      }
    }
  }
  for (int const bytes : {16, 64, 128, 256, 512}) {
    for (int const late : {0, 16}) {
      box_case c = rows_of(does, bytes, late);
      c.rank = 1;
      all.push_back(c);
    }
  }
  for (int rank = 3; rank <= 5; ++rank) {
    for (int const late : {0, 16}) {
      for (int const bytes : {32, 64}) {
        box_case c = rows_of(does, bytes, late, 4, 528);
        c.rank = rank;
        c.extent[1] = 8;
        for (int i = 2; i < rank; ++i) {
          c.extent[i] = 4;
          c.box[i] = i == 2 ? 3 : 2;
          c.stride_bytes[i] = c.stride_bytes[i - 1] * c.extent[i - 1] + 16 * i;
        }
        all.push_back(c);
      }
    }
  }
}

/// Over the tensor's edges.
void add_edges(std::vector<box_case>& all, way does) {
  auto const cut = [&](int extent, int first, int first_row = 0, int row_bytes = 128) {
    box_case c = rows_of(does, row_bytes, 0);
    c.extent[0] = extent;
    c.first[0] = first;
    c.first[1] = first_row;
    all.push_back(c);
  };
  cut(1024, 1024 - 8);
  cut(1024, 1024 - 24);
  cut(1024, 1024 - 32);
  cut(1024, 1024 - 40, 0, 256);
  cut(40, 0);
  cut(1024, 0, 60);
  cut(1024, 8, 63);
  cut(1024, 1024);
  cut(1024, 0, 64);
  if (does != way::load) return;
  cut(100, 64);
  cut(100, 0, 0, 256);
  cut(30, 0, 0, 64);
  cut(1024, -8);
  cut(1024, -24);
  cut(1024, -32);
  cut(1024, 0, -3);
  cut(1024, -8, -3);
  cut(1024, -64);
}

/// What only loads have.
void add_of_loads(std::vector<box_case>& all) {
  for (int promotion = 0; promotion <= 3; ++promotion) {
    for (int const bytes : {32, 128}) {
      for (int const late : {0, 16}) {
        all.push_back(rows_of(way::load, bytes, late));
        all.back().promotion = static_cast<TMA::L2Promotion>(promotion);
      }
    }
  }
  for (int const bytes : {32, 64, 128}) {
    for (int const late : {0, 16}) {
      for (unsigned const mask : {1u, 2u, 3u}) {
        if (mask != 3 && bytes != 128) continue;
        all.push_back(rows_of(way::multicast, bytes, late));
        all.back().blocks = 2;
        all.back().mask = mask;
      }
    }
  }
  for (int const late : {0, 16, 64}) all.push_back(rows_of(way::prefetch, 128, late));
  all.push_back(rows_of(way::prefetch, 32, 0));
}

/// Tensors that begin late, boxes that begin late in shared memory, and steps.
void add_begins(std::vector<box_case>& all, way does) {
  for (int const data : {16, 48, 64}) {
    all.push_back(rows_of(does, 128, 0));
    all.back().data_bytes = data;
  }
  all.push_back(rows_of(does, 96, 0));
  all.back().shared_bytes = 128;
  all.push_back(rows_of(does, 128, 0));
  all.back().shared_bytes = 384;
  for (int const step : {2, 3}) {
    all.push_back(rows_of(does, 64, 0));
    all.back().step[1] = step;
  }
  all.push_back(rows_of(does, 128, 0, 64));
  all.push_back(rows_of(does, 128, 16, 64, 144));
}

/// Sums: the types, and fewer boxes.
void add_sums(std::vector<box_case>& all) {
  for (auto const type : {tensor_map_type::u32, tensor_map_type::f32, tensor_map_type::f16, tensor_map_type::bf16,
                          tensor_map_type::f64, tensor_map_type::u64}) {
    for (int const bytes : {16, 64, 128, 256}) {
      for (int const late : {0, 16, 112}) {
        bool const often = type == tensor_map_type::u32;
        if (!often && (bytes == 16 || bytes == 256 || late == 112)) continue;
        box_case c = rows_of(way::add, bytes, late);
        int const size = detail::bytes_of(type);
        c.type = type;
        c.box[0] = bytes / size;
        c.first[0] = late / size;
        c.extent[0] = 4096 / size;
        all.push_back(c);
      }
    }
  }
  add_edges(all, way::add);
  for (auto i = all.end() - 9; i != all.end(); ++i) i->type = tensor_map_type::f16;
}

}  // namespace

std::vector<box_case> box_cases() {
  std::vector<box_case> all;
  all.push_back(rows_of(way::none, 128, 0));
  for (way const does : {way::load, way::store}) {
    add_widths(all, does);
    add_forms(all, does);
    add_edges(all, does);
    add_begins(all, does);
  }
  add_of_loads(all);
  add_sums(all);
  return all;
}

}  // namespace async_counters
