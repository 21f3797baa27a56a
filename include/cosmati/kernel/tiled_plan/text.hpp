// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tiled plan in words, and the kernel that it describes as C++. This header is opt-in, for the host.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy_text.hpp>
#include <cosmati/kernel/tiled_plan/plan.hpp>
#include <string>

namespace COSMATI_NAMESPACE {

/// The operation of a planned copy's atom, such as "UniversalCopy<uint128_t>".
inline std::string operation_name(planned_copy const& how) {
  int const bytes = how.vector * how.element_bytes;
  std::string const word = "uint" + std::to_string(8 * bytes) + "_t";
  if (!how.cp_async) return "UniversalCopy<" + word + ">";
  return std::string("SM80_CP_ASYNC_CACHE") + (bytes == 16 ? "GLOBAL" : "ALWAYS") + (how.ragged ? "_ZFILL<" : "<") +
         word + ">";
}
/// The thread layout, such as "(8,32):(32,1)".
inline std::string thr_text(planned_copy const& how) {
  return detail::formatted("(%d,%d):(%d,%d)", how.thr[0], how.thr[1], how.thr_stride[0], how.thr_stride[1]);
}
/// The value layout, which is compact, such as "(1,4)".
inline std::string val_text(planned_copy const& how) {
  return detail::formatted("(%d,%d)", how.along == 0 ? how.vector : 1, how.along == 1 ? how.vector : 1);
}
/// The layout of a stage, such as "Swizzle<4,2,8> o (128,128):(128,1)", or without a swizzle the layout alone.
inline std::string text(planned_stage const& stage) {
  std::string const plain =
      detail::formatted("(%d,%d):(%d,%d)", stage.extent[0], stage.extent[1], stage.stride[0], stage.stride[1]);
  return stage.bits == 0 ? plain
                         : detail::formatted("Swizzle<%d,%d,%d> o ", stage.bits, stage.base, stage.shift) + plain;
}

/// Describes the plan.
inline std::string text(tiled_copy_plan const& plan) {
  auto const side = [](planned_copy const& how) {
    return operation_name(how) + ", thr " + thr_text(how) + ", val " + val_text(how);
  };
  std::string s = detail::formatted("tiles of %d x %d", plan.tile[0], plan.tile[1]);
  if (plan.mode[0] >= 0) s += detail::formatted(" of mode %d", plan.mode[0]);
  if (plan.mode[1] >= 0) s += detail::formatted(" and mode %d", plan.mode[1]);
  s += detail::formatted(", %d threads; ", plan.threads);
  if (!plan.has_stage()) return s + "through registers: " + side(plan.in);
  return s + "in: " + side(plan.in) + "; stage: " + text(plan.stage) +
         detail::formatted(", %lld bytes; out: ", static_cast<long long>(plan.shared_bytes())) + side(plan.out);
}

/// Explains the cost of the plan.
inline std::string reason(tiled_copy_plan const& plan) {
  std::string s = detail::formatted("%.1f us: memory %.1f, work of the multiprocessors %.1f, instructions %.1f",
                                    plan.us, plan.memory_us, plan.shared_us, plan.issue_us);
  auto const sectors = [](char const* what, planned_access const& a) {
    return detail::formatted("; a warp's %s touches %d sector%s", what, a.sectors, a.sectors == 1 ? "" : "s") +
           (a.sectors > a.fewest ? detail::formatted(" where %d would do", a.fewest) : std::string(", the fewest"));
  };
  s += sectors("load", plan.read) + sectors("store", plan.written);
  if (!plan.has_stage()) return s;
  auto const conflicts = [](char const* what, planned_access const& a) {
    return a.wavefronts > a.fewest
               ? detail::formatted("; %d wavefronts to %s, %d would do", a.wavefronts, what, a.fewest)
               : detail::formatted("; no bank conflict when the stage is %s", what);
  };
  s += conflicts("written", plan.stage_written) + conflicts("read", plan.stage_read);
  bool const padded = plan.stage.stride[0] != plan.tile[1];
  if (plan.stage.bits > 0 || padded)
    s += detail::formatted(" (%d wavefronts without the %s)", plan.plain_wavefronts, padded ? "padding" : "swizzle");
  return s;
}

namespace detail {

/// "std::int64_t{3000000000}", or "300".
inline std::string number_as_cpp(std::int64_t n) {
  return n > 2147483647 || n < -2147483647 ? formatted("std::int64_t{%lld}", static_cast<long long>(n))
                                           : formatted("%lld", static_cast<long long>(n));
}
/// A plan's TiledCopy as a variable. @param name its name
inline std::string tiled_copy_as_cpp(char const* name, planned_copy const& how) {
  return formatted("  auto const %s = make_tiled_copy(Copy_Atom<", name) + operation_name(how) +
         formatted(
             ", element>{},\n      Layout<Shape<Int<%d>, Int<%d>>, Stride<Int<%d>, Int<%d>>>{},  // threads\n      "
             "Layout<Shape<Int<%d>, Int<%d>>>{});  // values\n",
             how.thr[0], how.thr[1], how.thr_stride[0], how.thr_stride[1], how.along == 0 ? how.vector : 1,
             how.along == 1 ? how.vector : 1);
}
/// "Layout<Shape<...>, Stride<...>>{}", behind a swizzle if the stage has one.
inline std::string stage_as_cpp(planned_stage const& stage) {
  std::string plain = formatted("Layout<Shape<Int<%d>, Int<%d>>, Stride<Int<%d>, Int<%d>>>{}", stage.extent[0],
                                stage.extent[1], stage.stride[0], stage.stride[1]);
  if (stage.bits == 0) return plain;
  return formatted("composition(Swizzle<%d, %d, %d>{}, ", stage.bits, stage.base, stage.shift) + plain + ")";
}

/// Which tile of both tensors a block of the planned kernel copies, as C++.
struct planned_blocks {
  std::string shape;   ///< of the grid: the tiles along both modes, then the other modes
  std::string source;  ///< where the block's matrix begins
  std::string target;
  std::int64_t count = 1;           ///< how many blocks there are
  std::int64_t extent[2] = {1, 1};  ///< of both modes
  bool of_other_modes = false;

  planned_blocks(copy_problem const& p, tiled_copy_plan const& plan) : source("source"), target("target") {
    for (int k = 0; k < 2; ++k) {
      if (plan.mode[k] >= 0) extent[k] = p.mode[plan.mode[k]].extent;
      std::int64_t const tiles = ceil_of(extent[k], plan.tile[k]);
      shape += (k == 0 ? "" : ", ") + number_as_cpp(tiles);
      count *= tiles;
    }
    int place = 2;
    for (int m = 0; m < p.rank; ++m) {
      if (m == plan.mode[0] || m == plan.mode[1]) continue;
      shape += ", " + number_as_cpp(p.mode[m].extent);
      count *= p.mode[m].extent;
      auto const step = [&](std::int64_t stride) {
        return formatted(" + get<%d>(at) * std::int64_t{%lld}", place, static_cast<long long>(stride));
      };
      source += step(p.mode[m].source);
      target += step(p.mode[m].target);
      of_other_modes = true;
      ++place;
    }
  }
};

/// The kernel's beginning: its parameters, and the tiles gIn and gOut.
inline std::string kernel_tiles_as_cpp(copy_problem const& p, tiled_copy_plan const& plan,
                                       planned_blocks const& blocks) {
  auto const strides = [&](bool of_source) {
    std::string s;
    for (int k = 0; k < 2; ++k) {
      std::int64_t stride = 0;
      if (plan.mode[k] >= 0) stride = of_source ? p.mode[plan.mode[k]].source : p.mode[plan.mode[k]].target;
      s += k == 0 ? "" : ", ";
      s += stride == 1 ? "_1{}" : formatted("std::int64_t{%lld}", static_cast<long long>(stride));
    }
    return s;
  };
  std::string s =
      plan.has_stage()
          ? "template <class Stage, class CopyIn, class CopyOut>\n__global__ void planned_copy_kernel(element const* "
            "source, element* target, Stage stage, CopyIn copy_in, CopyOut copy_out) {\n"
          : "template <class TiledCopy>\n__global__ void planned_copy_kernel(element const* source, element* target, "
            "TiledCopy tiled_copy) {\n";
  s += "  using namespace cosmati;\n";
  s += "  auto const at = idx2crd(std::int64_t{blockIdx.x}, make_shape(" + blocks.shape +
       "));  // tiles along both modes" + (blocks.of_other_modes ? ", then the other modes\n" : "\n");
  s += "  auto const shape = make_shape(" + number_as_cpp(blocks.extent[0]) + ", " + number_as_cpp(blocks.extent[1]) +
       ");\n";
  s += "  auto mIn = make_tensor(make_gmem_ptr(" + blocks.source + "), shape, make_stride(" + strides(true) + "));\n";
  s += "  auto mOut = make_tensor(make_gmem_ptr(" + blocks.target + "), shape, make_stride(" + strides(false) + "));\n";
  for (char const* const side : {"In", "Out"})
    s += formatted("  auto g%s = local_tile(m%s, Shape<Int<%d>, Int<%d>>{}, make_coord(get<0>(at), get<1>(at)));\n",
                   side, side, plan.tile[0], plan.tile[1]);
  return s;
}

/// The kernel's end: from gIn to gOut, through a stage in shared memory if the plan has one.
inline std::string kernel_copies_as_cpp(tiled_copy_plan const& plan, planned_blocks const& blocks) {
  char const* const within = plan.in.ragged ? ", shape" : "";
  if (!plan.has_stage())
    return "  auto thread = tiled_copy.get_slice(threadIdx.x);\n" +
           formatted("  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut)%s);\n}\n\n", within);
  std::string s = "  auto sTile = make_tensor(make_smem_ptr(dynamic_shared<element>()), stage);\n";
  s += "  auto in = copy_in.get_slice(threadIdx.x);\n  auto out = copy_out.get_slice(threadIdx.x);\n";
  if (plan.in.ragged && !plan.in.cp_async)  // those by cp.async write zeros
    s += formatted(
        "  if ((get<0>(at) + 1) * %d > %s || (get<1>(at) + 1) * %d > %s)\n    clear(in.partition_D(sTile));  "
        "// at the edge the stage has elements that nothing is copied to\n",
        plan.tile[0], number_as_cpp(blocks.extent[0]).c_str(), plan.tile[1], number_as_cpp(blocks.extent[1]).c_str());
  s += formatted("  copy(copy_in, in.partition_S(gIn), in.partition_D(sTile)%s);\n", within);
  if (plan.in.cp_async) s += "  cp_async_fence();\n  cp_async_wait<0>();\n";
  s += "  __syncthreads();\n";
  s += "  auto held = make_fragment_like(out.partition_D(gOut));  // vectors of what lies apart in the stage\n";
  s += "  copy(out.partition_S(sTile), held);\n";
  s += formatted("  copy(copy_out, held, out.partition_D(gOut)%s);\n}\n\n", within);
  return s;
}

/// The function that launches the kernel.
inline std::string launch_as_cpp(copy_problem const& p, tiled_copy_plan const& plan, planned_blocks const& blocks) {
  auto const offset = [&](std::int64_t n) {
    return n == 0 ? std::string() : formatted(n < 0 ? " - %lld" : " + %lld", static_cast<long long>(n < 0 ? -n : n));
  };
  auto const type = [](char const* name) { return formatted("std::remove_const_t<decltype(%s)>", name); };
  bool const staged = plan.has_stage();
  std::string s = "void planned_copy(element const* source, element* target) {\n  using namespace cosmati;\n";
  if (staged)
    s += tiled_copy_as_cpp("copy_in", plan.in) + tiled_copy_as_cpp("copy_out", plan.out) +
         "  auto const stage = " + stage_as_cpp(plan.stage) + ";\n";
  else
    s += tiled_copy_as_cpp("tiled_copy", plan.in);
  s += "  launch(planned_copy_kernel<" +
       (staged ? type("stage") + ", " + type("copy_in") + ", " + type("copy_out") : type("tiled_copy")) +
       formatted(">,\n         {.grid = %lld, .block = %d", static_cast<long long>(blocks.count), plan.threads);
  if (staged) s += formatted(", .shared_bytes = %lld", static_cast<long long>(plan.shared_bytes()));
  s += "}, source" + offset(p.source_offset) + ", target" + offset(p.target_offset) +
       (staged ? ", stage, copy_in, copy_out" : ", tiled_copy") + ");\n}\n";
  return s;
}

}  // namespace detail

/// The kernel and its launch, as C++: `planned_copy_kernel` and `planned_copy(source, target)`.
inline std::string code(copy_problem const& p, tiled_copy_plan const& plan) {
  detail::planned_blocks const blocks(p, plan);
  return detail::formatted("using element = cosmati::uint%d_t;\n\n", 8 * p.element_bytes) +
         detail::kernel_tiles_as_cpp(p, plan, blocks) + detail::kernel_copies_as_cpp(plan, blocks) +
         detail::launch_as_cpp(p, plan, blocks);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
