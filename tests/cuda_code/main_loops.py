#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the products of one stage of gemm_mma stand together in the machine code, without a branch between them:

    main_loops.py [--include FOLDER]

Where cp.async brings the tiles, copies stand between the products. A copy loop that nvcc does not unroll becomes a branch there.
The products before it must then end before those behind it begin. For double that costs a quarter of the speed on sm_90a.
"""
import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from register_banks import BRANCHES, HERE, text_section  # noqa: E402

# The type of A and B, the type of C, the architecture, the low 12 bits of the instruction, and the instructions of a warp's stage.
CASES = [("double", "double", "90a", 0x23F, 2 * 8 * 4), ("half_t", "half_t", "80", 0x23C, 4 * 8 * 4),
         ("tfloat32_t", "float", "80", 0x23C, 4 * 8 * 4), ("std::int8_t", "int", "80", 0x237, 4 * 8 * 4)]

SOURCE = """
#include <cosmati/kernel/gemm/mma.hpp>
using namespace cosmati;
using Problem = gemm_problem<gemm_operand<TYPE const, 1>, gemm_operand<TYPE const, 1>, gemm_operand<TYPE_C, 1>>;
using Parts = detail::mma_parts<detail::mma_config_for<TYPE>(), Problem>;
template __global__ void cosmati::gemm_mma_kernel<Parts, true, identity>(
    Problem, gemm_tile_order, bool, bool, identity, detail::mma_tensor_maps const __grid_constant__);
"""


def most_together(code: bytes, product: int) -> int:
    """The largest number of products without a branch between them."""
    most = here = 0
    for low, _ in struct.iter_unpack("<QQ", code):
        here = 0 if low & 0xFFF in BRANCHES else here + (low & 0xFFF == product)
        most = max(most, here)
    return most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", metavar="FOLDER", default=HERE.parents[1] / "include", help="another tree's headers")
    options = parser.parse_args()
    nvcc = shutil.which("nvcc", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))
    if nvcc is None:
        print("skipped: no nvcc")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder) / "gemm_mma.cu", pathlib.Path(folder) / "gemm_mma.cubin"
        source.write_text(SOURCE)
        for type_ab, type_c, arch, product, wanted in CASES:
            command = [nvcc, "-std=c++20", "-O3", "-DNDEBUG", f"-I{options.include}", f"-DTYPE={type_ab}", f"-DTYPE_C={type_c}",
                       f"-gencode=arch=compute_{arch},code=sm_{arch}", "-cubin", "-o", str(cubin), str(source)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"  {type_ab} for sm_{arch} does not compile:\n{done.stdout}{done.stderr}")
                failed += 1
                continue
            found = most_together(text_section(cubin.read_bytes()), product)
            print(f"  {type_ab} for sm_{arch}: {found} products stand together, {wanted} are a stage's")
            failed += found < wanted
    print(f"counts: {len(CASES) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
