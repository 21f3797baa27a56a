#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the operands that meet in one bank of registers, in the machine code of gemm_simt's main loop:

    register_banks.py [--include FOLDER]

FFMA reads three registers. The register file gives one register of each bank (even and odd numbers) a cycle. An operand that
the preceding FFMA kept (.reuse) costs nothing (bench/notes/register-banks.md). A loop therefore takes as many issue slots as it
has instructions and conflicts. The kernel can reach FFMA's own speed divided by the slots for each FFMA.

ptxas chooses the registers, and the kernel's loop is written so that it chooses well. A branch in the loop, or copies at
another place, cost a tenth. The script fails if the slots for each FFMA exceed those of the measured code by more than a
hundredth. That code was timed against cuBLAS, for float32 in every layout of A and B, on sm_90a. The instructions are read
from the ELF file. If there is a cuobjdump, its listing must give the same count.
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
ARCH = "90a"
FFMA, NOP = 0x223, 0x918  # the low 12 bits; FFMA of registers alone
BRANCHES = {0x947, 0x94D, 0x945, 0x941}  # BRA, EXIT, BSSY, BSYNC
RZ = 255
STEPS, SUMS = 16, 8 * 16  # along K of a tile, and of a thread
# Layout: the contiguous modes of A and B, and the most slots an FFMA.
LAYOUTS = {"NT": (0, 0, 1.218), "TN": (1, 1, 1.282), "NN": (0, 1, 1.278), "TT": (1, 0, 1.271)}

SOURCE = """
#include <cosmati/kernel/gemm/simt.hpp>
using namespace cosmati;
using Problem = gemm_problem<gemm_operand<float const, MODE_A>, gemm_operand<float const, MODE_B>, gemm_operand<float, 1>>;
using Parts = detail::simt_parts<detail::simt_config_for<4, MODE_A == 1 || MODE_B == 1>(), true, Problem>;
template __global__ void cosmati::gemm_simt_kernel<Parts, true, identity>(Problem, gemm_tile_order, identity);
"""


class Instruction:
    """An instruction of 16 bytes: its operation, the registers that it reads, and which of them it keeps, by operand."""

    def __init__(self, low: int, high: int):
        self.opcode = low & 0xFFF
        self.reads = (low >> 24 & 0xFF, low >> 32 & 0xFF, high & 0xFF) if self.opcode == FFMA else ()
        self.holds = tuple(bool(high >> 58 >> k & 1) for k in range(3))


def conflicts(code: list[Instruction]) -> int:
    """The cycles that the FFMA instructions read longer than one each."""
    total, held = 0, set()
    for at in code:
        if at.opcode != FFMA:
            continue
        read = {r for k, r in enumerate(at.reads) if r != RZ and (k, r) not in held}
        total += max(0, max(sum(r % 2 == bank for r in read) for bank in (0, 1)) - 1)
        held = {(k, r) for k, r in enumerate(at.reads) if at.holds[k]}
    return total


def main_loop(code: bytes) -> list[Instruction]:
    """The stretch without a branch that has the most FFMA instructions."""
    stretches: list[list[Instruction]] = [[]]
    for low, high in struct.iter_unpack("<QQ", code):
        at = Instruction(low, high)
        if at.opcode in BRANCHES:
            stretches[-1].append(at)
            stretches.append([])
        elif at.opcode != NOP:
            stretches[-1].append(at)
    return max(stretches, key=lambda s: sum(i.opcode == FFMA for i in s))


def text_section(cubin: bytes) -> bytes:
    """The code of the one kernel of an ELF file."""
    offset, = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, offset + k * size) for k in range(count)]
    strings = sections[names][4]
    found = [cubin[start:start + length] for name, _, _, _, start, length in sections if cubin.startswith(b".text.", strings + name)]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} kernels where there should be one")
    return found[0]


def listed_conflicts(cuobjdump: str, cubin: pathlib.Path) -> int:
    """The conflicts of all FFMA of registers alone, from the disassembler's listing."""
    listing = subprocess.run([cuobjdump, "-sass", cubin], capture_output=True, text=True, check=True).stdout
    total, held = 0, set()
    for line in re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(.*?);", listing, re.M):
        words = re.match(r"(?:@!?U?P\w+ )?(\S+) (.*)", line + " ")
        operands = [o.strip() for o in words[2].split(",")] if words else []
        is_ffma = words is not None and words[1] == "FFMA" and all(re.fullmatch(r"-?\|?R(\d+|Z)(\.reuse)?\|?", o) for o in operands[1:4])
        if not is_ffma:
            continue
        named = [re.search(r"R(\d+|Z)(\.reuse)?", o) for o in operands[1:4]]
        read = {int(n[1]) for k, n in enumerate(named) if n[1] != "Z" and (k, n[1]) not in held}
        total += max(0, max(sum(r % 2 == bank for r in read) for bank in (0, 1)) - 1)
        held = {(k, n[1]) for k, n in enumerate(named) if n[2]}
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", metavar="FOLDER", default=HERE.parents[1] / "include", help="another tree's headers")
    options = parser.parse_args()
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    nvcc, cuobjdump = shutil.which("nvcc", path=path), shutil.which("cuobjdump", path=path)
    if nvcc is None:
        print("skipped: no nvcc")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder) / "gemm_simt.cu", pathlib.Path(folder) / "gemm_simt.cubin"
        source.write_text(SOURCE)
        for layout, (mode_a, mode_b, most) in LAYOUTS.items():
            command = [nvcc, "-std=c++20", "-O3", "-DNDEBUG", f"-I{options.include}", f"-DMODE_A={mode_a}", f"-DMODE_B={mode_b}",
                       f"-gencode=arch=compute_{ARCH},code=sm_{ARCH}", "-cubin", "-o", str(cubin), str(source)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"  {layout} does not compile:\n{done.stdout}{done.stderr}")
                failed += 1
                continue
            code = text_section(cubin.read_bytes())
            loop = main_loop(code)
            products, meet = sum(i.opcode == FFMA for i in loop), conflicts(loop)
            slots = (len(loop) + meet) / products
            problems = []
            if products != STEPS * SUMS:
                problems.append(f"{products} FFMA, not {STEPS * SUMS}, stand together without a branch: one is in the main loop")
            if slots > most:
                problems.append(f"{slots:.3f} slots an FFMA, more than {most}")
            if cuobjdump:
                listed = listed_conflicts(cuobjdump, cubin)
                all_of_it = conflicts([Instruction(*words) for words in struct.iter_unpack("<QQ", code)])
                if listed != all_of_it:
                    problems.append(f"{all_of_it} conflicts of all its FFMA, {listed} as cuobjdump lists them")
            print(f"  {layout}: main loop of {products} FFMA, {len(loop) - products} other instructions, {meet} conflicts: {slots:.3f} slots an FFMA")
            for problem in problems:
                print(f"  {layout}: {problem}")
            failed += bool(problems)
    print(f"counts: {len(LAYOUTS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
