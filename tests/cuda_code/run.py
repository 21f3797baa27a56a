#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the machine code of the library's kernels with that of handwritten kernels:  run.py [CASE.cpp...]

Each case has two kernels of one meaning, `by_library` and `by_hand`, compiled for sm_90a. They must agree in the following:

* They issue the same memory instructions, of the same widths, in all, and on the path that a whole tile takes. This path is the
  stretch without a branch that has the most 16-byte accesses.
* They wait, fence and arrive as often.
* They use no local memory.
* If no access of a whole tile is predicated by itself in `by_hand`, none is in `by_library`.

The library's kernel may use at most 10 % more registers. The instructions are read from the ELF file, 16 bytes each, so that no
disassembler is needed. If there is a cuobjdump, its listing must say the same.
"""
import collections
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
# Low 12 bits of an instruction; where the width is (bits 73 to 75), and its names.
OPCODES = {0x981: "LDG", 0x986: "STG", 0x984: "LDS", 0x388: "STS", 0x983: "LDL", 0x387: "STL", 0x980: "LD", 0x985: "ST",
           0xFAE: "LDGSTS"}
# Barriers, fences, mbarriers and bulk copies.
WAITS = {0xB1D: "BAR", 0x91A: "DEPBAR", 0x3C6: "FENCE", 0x5A7: "SYNCS", 0x9A7: "SYNCS", 0x5B2: "SYNCS", 0x3BA: "UBLKCP"}
BRANCHES = {0x947, 0x94D, 0x945, 0x941}  # BRA, EXIT, BSSY, BSYNC
WIDTHS = {0: ".U8", 1: ".S8", 2: ".U16", 3: ".S16", 4: "", 5: ".64", 6: ".128", 7: ".?"}
ALWAYS = 7  # the predicate that is true


class Kernel:
    """What one kernel's code holds."""

    def __init__(self, code: bytes):
        self.instructions = 0
        self.all = collections.Counter()
        self.waits = collections.Counter()
        stretches = [(collections.Counter(), set())]
        for low, high in struct.iter_unpack("<QQ", code):
            opcode, predicate = low & 0xFFF, low >> 12 & 7
            self.instructions += opcode != 0x918  # NOP
            if opcode in WAITS:
                self.waits[WAITS[opcode]] += 1
            if opcode in OPCODES:
                name = OPCODES[opcode] + WIDTHS[high >> 9 & 7]
                self.all[name] += 1
                stretches[-1][0][name] += 1
                stretches[-1][1].update({predicate} - {ALWAYS})
            elif opcode in BRANCHES:
                stretches.append((collections.Counter(), set()))
        # A whole tile's accesses, and the predicates they depend on.
        self.whole, self.predicates = max(stretches, key=lambda s: sum(n for k, n in s[0].items() if k.endswith(".128")))


def kernels(cubin: bytes) -> dict[str, Kernel]:
    """The kernels of an ELF file, by name: its sections .text.NAME."""
    offset, = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, offset + k * size) for k in range(count)]
    strings = sections[names][4]
    found = {}
    for name, _, _, _, start, length in sections:
        begin = strings + name
        text = cubin[begin:cubin.index(b"\0", begin)].decode()
        if text.startswith(".text."):
            found[text.removeprefix(".text.")] = Kernel(cubin[start:start + length])
    return found


def registers(log: str) -> dict[str, int]:
    found, name = {}, None
    for line in log.splitlines():
        if entry := re.search(r"Compiling entry function '(\w+)'", line):
            name = entry[1]
        elif used := re.search(r"Used (\d+) registers", line):
            found[name] = int(used[1])
    return found


def as_listed(cuobjdump: str, cubin: pathlib.Path, kernel: str) -> collections.Counter:
    listing = subprocess.run([cuobjdump, "-sass", "-fun", kernel, cubin], capture_output=True, text=True, check=True).stdout
    found = collections.Counter()
    for name, parts in re.findall(r"^\s+/\*[0-9a-f]+\*/.*?\b(LDGSTS|LDG|STG|LDS|STS|LDL|STL|LD|ST)((?:\.\w+)*) ", listing, re.M):
        width = re.search(r"\.(128|64|U16|S16|U8|S8)\b", parts)
        found[name + (width[0] if width else "")] += 1
    return found


def text(counts: collections.Counter) -> str:
    return " ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "none"


def check(nvcc: str, cuobjdump: str | None, source: pathlib.Path, folder: pathlib.Path) -> list[str]:
    cubin = folder / f"{source.stem}.cubin"
    command = [nvcc, "-std=c++20", "-O3", "-DNDEBUG", f"-I{HERE.parents[1] / 'include'}", "-Xptxas", "-v",
               f"-gencode=arch=compute_{ARCH},code=sm_{ARCH}", "-x", "cu", "-cubin", "-o", str(cubin), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return [f"does not compile:\n{done.stdout}{done.stderr}"]
    code, used = kernels(cubin.read_bytes()), registers(done.stdout + done.stderr)
    library, hand = code["by_library"], code["by_hand"]
    for name in ("by_library", "by_hand"):
        k = code[name]
        print(f"  {source.stem:15} {name:10} {used[name]:3} registers {k.instructions:4} instructions"
              f" | whole tile: {text(k.whole)} | all: {text(k.all)}"
              f"{f' | {text(k.waits)}' if k.waits else ''}")
    problems = []
    if library.whole != hand.whole or not any(name.endswith(".128") for name in hand.whole):
        problems.append("the accesses of a whole tile differ")
    if library.all != hand.all:
        problems.append("the accesses differ")
    if library.waits != hand.waits:
        problems.append("barriers, fences or arrivals differ")
    if any(name[:3] in ("LDL", "STL") for name in library.all):
        problems.append("local memory is used")
    if len(library.predicates) > max(1, len(hand.predicates)):
        problems.append(f"a whole tile's accesses depend on {len(library.predicates)} predicates")
    if used["by_library"] > 1.1 * used["by_hand"]:
        problems.append(f"{used['by_library']} registers, more than 10 % above {used['by_hand']}")
    if cuobjdump:
        for name in ("by_library", "by_hand"):
            listed = as_listed(cuobjdump, cubin, name)
            if listed != code[name].all:
                problems.append(f"{name}: cuobjdump lists {text(listed)}")
    return problems


def main() -> int:
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    nvcc, cuobjdump = shutil.which("nvcc", path=path), shutil.which("cuobjdump", path=path)
    if nvcc is None:
        print("skipped: no nvcc")
        return 77
    sources = [pathlib.Path(name) for name in sys.argv[1:]] or sorted(HERE.glob("*.cpp"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            problems = check(nvcc, cuobjdump, source, pathlib.Path(folder))
            failed += bool(problems)
            for problem in problems:
                print(f"  {source.stem}: {problem}")
    print(f"counts: {len(sources) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
