#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts index arithmetic in the PTX of three kernels, and checks the place of loads:  index_arithmetic.py [--include FOLDER]

nvcc joins sums and products where it can, and each address then has a register of its own. The library hides integers that
many addresses share (layout/opaque.hpp). The expected counts follow from the layouts, not from a listing:

* `columns` loads a swizzled tile of 64 x 64 halves by ldmatrix.trans, 4 places along N times 4 along K. A place along N
  changes two bits that the swizzle mixes, which takes 3 exclusive ors besides the thread's own. A place along K is an immediate.
* `rows` sums 8 vectors of 4 rows a turn, whose distance is known at run time. One address advances, by one addition.
  In its machine code all 8 loads of a turn stand before the first addition, so that the thread waits once. `many` holds
  32 vectors, 128 registers, and leaves the order to ptxas.
* `update` multiplies tiles in shared memory into C of 64 x 64 floats, of which a thread has 16 pairs. It has 16 loads and 16
  stores of pairs, and none of a single float.
"""
import argparse
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import run  # noqa: E402
ARCH = "90a"
SOURCE = """
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
using namespace cosmati;
using Mma = decltype(make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_4, _1>>{}, Tile<_64, _16, _16>{}));
using Square = decltype(make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}));
using Rows = Layout<Shape<_64, _64>, Stride<_64, _1>>;
using Columns = Layout<Shape<_64, _64>, Stride<_1, _64>>;

extern "C" __global__ void columns(half_t* out) {
  __shared__ alignas(128) half_t memory[64 * 64];
  auto const sV = make_tensor(make_smem_ptr(memory), composition(Swizzle<3, 3, 3>{}, Columns{}));
  auto const copier = make_tiled_copy_B(Copy_Atom<SM75_U16x8_LDSM_T, half_t>{}, Mma{});
  auto const from = copier.get_slice(static_cast<int>(threadIdx.x)).partition_S(sV);
  auto rV = Mma{}.get_slice(static_cast<int>(threadIdx.x)).partition_fragment_B(sV);
  auto to = copier.get_slice(static_cast<int>(threadIdx.x)).retile_D(rV);
  COSMATI_UNROLL
  for (int k = 0; k < size<2>(rV); ++k) copy(copier, from(_, _, k), to(_, _, k));
  COSMATI_UNROLL
  for (int i = 0; i < size(rV); ++i) out[i] = rV(i);
}

template <int tile_rows>
__device__ void sum_rows(float const* in, float* out, int columns) {
  auto const copier = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{},
                                      Layout<Shape<_1, _4>>{});
  auto const m = make_tensor(make_gmem_ptr(in), make_shape(static_cast<int>(gridDim.x) * tile_rows, columns), make_stride(columns, _1{}));
  auto const tiles = local_tile(m, Shape<C<tile_rows>, _64>{}, make_coord(static_cast<int>(blockIdx.x), _));
  auto const from = copier.get_slice(static_cast<int>(threadIdx.x)).partition_S(tiles);
  auto held = make_fragment_like(from(_, _, _, 0));
  float sum = 0;
  COSMATI_NO_UNROLL
  for (int k = 0; k < static_cast<int>(size<3>(from)); ++k) {
    copy(copier, from(_, _, _, k), held);
    COSMATI_UNROLL
    for (int i = 0; i < size(held); ++i) sum += held(i);
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void rows(float const* in, float* out, int columns) { sum_rows<64>(in, out, columns); }
extern "C" __global__ void many(float const* in, float* out, int columns) { sum_rows<256>(in, out, columns); }

extern "C" __global__ void update(half_t* out) {
  __shared__ alignas(128) half_t memory_a[64 * 64], memory_b[64 * 64];
  __shared__ alignas(128) float memory_c[64 * 64];
  cooperative_gemm(threadIdx.x, Square{}, 1.0f, make_tensor(make_smem_ptr(memory_a), Rows{}),
                   make_tensor(make_smem_ptr(memory_b), Rows{}), 1.0f, make_tensor(make_smem_ptr(memory_c), Rows{}));
}
"""


def compiled(nvcc: str, include: pathlib.Path) -> tuple[dict[str, str], bytes]:
    """The PTX of each kernel, and the machine code of all."""
    with tempfile.TemporaryDirectory() as folder:
        program, out, cubin = (pathlib.Path(folder) / f"kernels.{end}" for end in ("cu", "ptx", "cubin"))
        program.write_text(SOURCE)
        flags = ["-std=c++20", "-O3", "-DNDEBUG", f"-I{include}", f"-arch=sm_{ARCH}"]
        for command in ([nvcc, *flags, "-ptx", "-o", str(out), str(program)], [nvcc, f"-arch=sm_{ARCH}", "-cubin", "-o", str(cubin), str(out)]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"does not compile:\n{done.stdout}{done.stderr}")
        parts = re.split(r"\.entry (\w+)\(", out.read_text())
        return dict(zip(parts[1::2], parts[2::2])), cubin.read_bytes()


class Order:
    """A kernel's loads from global memory (L) and additions of floats (+), in the order of its machine code."""

    def __init__(self, code: bytes):
        kinds = {0x981: "L", 0x221: "+", 0x421: "+"}
        self.text = "".join(kinds.get(low & 0xFFF, "") for low, _ in struct.iter_unpack("<QQ", code))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", metavar="FOLDER", default=HERE.parents[1] / "include", help="another tree's headers")
    options = parser.parse_args()
    nvcc = shutil.which("nvcc", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))
    if nvcc is None:
        print("skipped: no nvcc")
        return 77
    code, cubin = compiled(nvcc, options.include)
    run.Kernel = Order
    order = next(k.text for name, k in run.kernels(cubin).items() if "rows" in name)
    loop = code["rows"][code["rows"].index("nounroll"):]
    counts = [
        ("columns: ldmatrix", len(re.findall(r"ldmatrix", code["columns"])), 16, 16),
        ("columns: exclusive ors", len(re.findall(r"xor\.b32", code["columns"])), 3, 4),
        ("rows: loads of a turn", len(re.findall(r"ld\.global\.v4|ld\.global\.v2\.u64", loop)), 8, 8),
        ("rows: addresses that advance", len(re.findall(r"add\.s64\s+(%rd\d+), \1, 256", loop)), 1, 1),
        ("rows: loads before the first addition", len(order.split("+")[0]), 8, 8),
        ("many: orders of loads", code["many"].count("pmevent"), 0, 0),
        ("update: loads of pairs", len(re.findall(r"ld\.shared\.(?:v2\.[fu]32|u64|b64)", code["update"])), 16, 16),
        ("update: stores of pairs", len(re.findall(r"st\.shared\.(?:v2\.[fu]32|u64|b64)", code["update"])), 16, 16),
        ("update: loads of single floats", len(re.findall(r"ld\.shared\.f32", code["update"])), 0, 0),
        ("update: stores of single floats", len(re.findall(r"st\.shared\.f32", code["update"])), 0, 0),
    ]
    failed = 0
    for name, found, least, most in counts:
        right = least <= found <= most
        failed += not right
        print(f"  {name}: {found}" + ("" if right else f", not {least}" + (f" to {most}" if most > least else "")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
