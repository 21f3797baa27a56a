// SPDX-License-Identifier: Apache-2.0
/// @file
/// Descriptors of operands in shared memory: `GmmaDescriptor`, whose bits a program can set and read by name.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/wgmma_descriptor.hpp>
#include <cstdio>
#include <cute/arch/config.hpp>
#include <cute/arch/mma.hpp>
#include <iosfwd>

namespace COSMATI_NAMESPACE {

namespace GMMA {
/// The name of an exchange; nullptr for a number that is none.
COSMATI_HD inline char const* to_string(LayoutType type) {
  char const* const names[] = {"INTERLEAVE", "B128", "B64", "B32"};
  return type <= LayoutType::B32 ? names[static_cast<int>(type)] : nullptr;
}
/// A template, so that <iosfwd> is enough here.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, LayoutType type) {
  char const* const name = to_string(type);
  if (name == nullptr)
    out.setstate(std::basic_ostream<char, Traits>::failbit);
  else
    out << name;
  return out;
}
}  // namespace GMMA

/// The 64 bits of a descriptor. Distances and the address are counted in units of 16 bytes.
union GmmaDescriptor {
  std::uint64_t desc_;
  std::uint32_t reg32_[2];
  std::uint16_t reg16_[4];
  struct {
    std::uint16_t start_address_ : 14, : 2;        ///< the lowest 18 bits of the shared address
    std::uint16_t leading_byte_offset_ : 14, : 2;  ///< between blocks along the contiguous mode
    std::uint16_t stride_byte_offset_ : 14, : 2;   ///< between blocks along the other mode
    std::uint8_t : 1, base_offset_ : 3, : 4;       ///< of a pattern that does not begin at its own multiple
    std::uint8_t : 6, layout_type_ : 2;            ///< of GMMA::LayoutType
  } bitfield;

  COSMATI_HD constexpr GmmaDescriptor(std::uint64_t desc = 0) noexcept : desc_(desc) {}
  COSMATI_HD constexpr operator std::uint64_t() const noexcept { return desc_; }
};

/// Prints the fields of a descriptor.
COSMATI_HD inline void print(GmmaDescriptor const& d) {
  detail::wgmma_descriptor const fields = detail::decoded(d.desc_);
  std::printf(
      "GmmaDescriptor: 0x%016llx\n  start_addr :  0x%04x\n  leading_off:  0x%04x (%d)\n  stride_off :  0x%04x (%d)\n"
      "  base_offset:  0x%01x\n  layout_type:  0x%01x (%s)\n",
      static_cast<unsigned long long>(d.desc_), fields.address >> 4, fields.leading_bytes >> 4,
      static_cast<int>(fields.leading_bytes >> 4), fields.stride_bytes >> 4, static_cast<int>(fields.stride_bytes >> 4),
      fields.base_offset, static_cast<unsigned>(fields.layout), to_string(fields.layout));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
