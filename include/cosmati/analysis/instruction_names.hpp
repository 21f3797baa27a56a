// SPDX-License-Identifier: Apache-2.0
/// @file
/// Memory instructions by name: `LDS16`, `LDSM4T`, `CPA8`, `STG4`, ... This header is for the host only.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/memory_instruction.hpp>
#include <string_view>

namespace COSMATI_NAMESPACE {

/// A memory instruction with its name.
struct named_instruction {
  std::string_view name;
  memory_instruction instruction;
};

/// LDS, STS are shared memory; LDSM, STSM are ldmatrix and stmatrix, with T transposed; CPA, CPG are cp.async .ca and
/// .cg; LDG, STG are global memory. The number is the width in bytes, or for LDSM and STSM the number of matrices.
inline constexpr named_instruction named_instructions[] = {
    {"LDS1", load_shared(1)},    {"LDS2", load_shared(2)},    {"LDS4", load_shared(4)},   {"LDS8", load_shared(8)},
    {"LDS16", load_shared(16)},  {"STS1", store_shared(1)},   {"STS2", store_shared(2)},  {"STS4", store_shared(4)},
    {"STS8", store_shared(8)},   {"STS16", store_shared(16)}, {"LDSM1", load_matrix(1)},  {"LDSM2", load_matrix(2)},
    {"LDSM4", load_matrix(4)},   {"LDSM1T", load_matrix(1)},  {"LDSM2T", load_matrix(2)}, {"LDSM4T", load_matrix(4)},
    {"STSM1", store_matrix(1)},  {"STSM2", store_matrix(2)},  {"STSM4", store_matrix(4)}, {"STSM1T", store_matrix(1)},
    {"STSM2T", store_matrix(2)}, {"STSM4T", store_matrix(4)}, {"CPA4", copy_async(4)},    {"CPA8", copy_async(8)},
    {"CPA16", copy_async(16)},   {"CPG16", copy_async(16)},   {"LDG1", load_global(1)},   {"LDG2", load_global(2)},
    {"LDG4", load_global(4)},    {"LDG8", load_global(8)},    {"LDG16", load_global(16)}, {"STG1", store_global(1)},
    {"STG2", store_global(2)},   {"STG4", store_global(4)},   {"STG8", store_global(8)},  {"STG16", store_global(16)},
};

/// The instruction of that name, or null.
constexpr named_instruction const* find_instruction(std::string_view name) {
  for (named_instruction const& n : named_instructions) {
    if (n.name == name) return &n;
  }
  return nullptr;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
