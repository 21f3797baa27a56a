// SPDX-License-Identifier: Apache-2.0
#include "absent_names.hpp"

#include <fmt/format.h>
#include <initializer_list>

namespace cosmati::cli {

namespace {

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

/// 90 of SM90_TMA_LOAD; 0 where the name does not begin so.
int architecture(std::string_view name) {
  if (!name.starts_with("SM")) return 0;
  int sm = 0;
  std::size_t at = 2;
  while (at < name.size() && at < 6 && name[at] >= '0' && name[at] <= '9') sm = 10 * sm + (name[at++] - '0');
  return at < name.size() && name[at] == '_' ? sm : 0;
}
/// SM80_16x8x16_...: extents of a product.
bool names_a_product(std::string_view name) {
  std::size_t const begin = name.find('_') + 1;
  std::string_view const extents = name.substr(begin, name.find('_', begin) - begin);
  return has(extents, "x") && !extents.empty() && extents[0] >= '0' && extents[0] <= '9';
}

/// Instructions of CuTe's that no table here has.
std::string absent_instruction(std::string_view name) {
  int const sm = architecture(name);
  if (sm == 0) return {};
  if (has(name, "TMA_"))
    return "; CuTe's TMA atoms are not here yet: tensor_copy_g2s and tensor_copy_s2g move boxes, SM90_BULK_COPY_G2S "
           "and "
           "_S2G runs of memory";
  bool const of_groups = sm == 90 && (has(name, "GMMA") || name.ends_with("_SS") || name.ends_with("_RS") ||
                                      has(name, "_SS_") || has(name, "_RS_"));
  if (of_groups)
    return "; wgmma, the product of four warps, is not here yet: take an atom of mma.sync, as "
           "SM80_16x8x16_F32F16F16F32_TN";
  if (sm >= 100)
    return fmt::format("; atoms of sm_{}, with tensor memory, are not here yet: take those up to sm_90", sm);
  return {};
}

struct absent_function {
  std::string_view name, instead;
};
/// Functions of CuTe's that take or make what no expression holds.
constexpr absent_function functions_of_tensors[] = {
    {"local_tile", "zipped_divide(L, tile) followed by ((_,_),(i,j))"},
    {"local_partition", "zipped_divide(L, shape of the threads) followed by ((i,j),(_,_))"},
    {"outer_partition", "zipped_divide(L, shape of the threads) followed by ((i,j),(_,_))"},
    {"inner_partition", "zipped_divide(L, tile) followed by ((_,_),(i,j))"},
    {"make_tensor", "its layout"},
    {"partition_S", "the copy's page or 'cosmati tiled-copy --src'"},
    {"partition_D", "the copy's page or 'cosmati tiled-copy --dst'"},
    {"partition_A", "the product's page or 'cosmati tiled-mma --a'"},
    {"partition_B", "the product's page or 'cosmati tiled-mma --b'"},
    {"partition_C", "the product's page or 'cosmati tiled-mma --c'"},
    {"copy", "'cosmati check'"},
    {"copy_if", "'cosmati check --bounds'"},
};

std::string absent_from_expressions(std::string_view name) {
  if (name.starts_with("make_tiled_copy"))
    return "; it makes a tiled copy, no layout: give the line to 'cosmati tiled-copy --atom' or 'cosmati check --atom'";
  if (name.starts_with("make_tiled_mma") || name == "TiledMMA" || name == "MMA_Atom")
    return "; it makes a tiled product, no layout: give the line to 'cosmati tiled-mma --atom'";
  if (name == "Copy_Atom" || name == "TiledCopy")
    return "; it is a copy, no layout: 'cosmati tiled-copy --atom' takes it";
  if (name.starts_with("make_tma_")) return "; CuTe's TMA atoms are not here yet";
  for (absent_function const& f : functions_of_tensors) {
    if (f.name == name) return fmt::format("; it takes tensors, and expressions hold layouts: write {}", f.instead);
  }
  return {};
}

}  // namespace

std::string absent_name(std::string_view name, name_place place) {
  if (place == name_place::expression) return absent_from_expressions(name);
  if (std::string absent = absent_instruction(name); !absent.empty()) return absent;
  if (place == name_place::copy_atom && (name == "UniversalFMA" || (architecture(name) > 0 && names_a_product(name))))
    return "; that is a matrix instruction, which --mma and 'cosmati tiled-mma --atom' take";
  bool const copies = name == "UniversalCopy" || has(name, "_LDSM_") || has(name, "_STSM_") || has(name, "CP_ASYNC") ||
                      has(name, "BULK_COPY") || name == "Copy_Atom";
  if (place == name_place::mma_atom && copies)
    return "; that is a copy operation, which 'cosmati tiled-copy --atom' takes";
  return {};
}

}  // namespace cosmati::cli
