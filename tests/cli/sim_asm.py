#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: asm statements with PTX that nvcc or the GPU does not take: operands of the wrong size, labels elsewhere, `.aligned` in a branch."""
import json
import pathlib
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
CLEAN, ERROR, REFUSED = 0, 3, 2

# The declaration of an operand, its section of the statement, the number, and the words that the sentence has.
OPERANDS = (
    ("long long x = 1", ': "=r"(y) : "r"(x)', 1, ", 8 bytes", '"r" takes an integer of 4 bytes', '"l"'),
    ("float x = 1", ': "=r"(y) : "r"(x)', 1, "float, 4 bytes", '"r" takes an integer of 4 bytes', '"f"'),
    ("short x = 1", ': "=r"(y) : "r"(x)', 1, "short", '"r" takes an integer of 4 bytes', '"h"'),
    ("unsigned char x = 1", ': "=r"(y) : "r"(x)', 1, "1 byte,", '"r" takes an integer of 4 bytes', "cast it to such a type"),
    ("int x = 1", ': "=l"(x) : "r"(y)', 0, "int, 4 bytes", '"l" takes an integer of 8 bytes', '"r"'),
    ("int x = 1", ': "=r"(y) : "h"(x)', 1, "int, 4 bytes", '"h" takes an integer of 2 bytes', '"r"'),
    ("double x = 1", ': "=r"(y) : "f"(x)', 1, "double, 8 bytes", '"f" takes a float', '"d"'),
    ("unsigned x = 1", ': "+f"(x)', 0, "unsigned", '"f" takes a float', '"r"'),
    ("float x = 1", ': "=r"(y) : "n"(x)', 1, "float, 4 bytes", '"n" takes an integer constant', '"f"'),
)
FITTING = """#include <cstdint>
#include <cuda_fp16.h>
enum class colour : unsigned { red };
__global__ void k(long long* out, void const* p, __half h) {
  short a = 1; unsigned short b = *reinterpret_cast<unsigned short*>(&h); int c; unsigned d = 2; long e; float f = 1; double g;
  asm volatile("cvt.s32.s16 %0, %1;" : "=r"(c) : "h"(a));
  asm volatile("cvt.u32.u16 %0, %1;" : "=r"(d) : "h"(b));
  asm volatile("mov.u64 %0, %1;" : "=l"(e) : "l"(p));
  asm volatile("cvt.f64.f32 %0, %1;" : "=d"(g) : "f"(f));
  asm volatile("add.u32 %0, %0, %1;" : "+r"(d) : "n"(3));
  asm volatile("add.u32 %0, %0, %1;" : "+r"(d) : "r"(colour::red));
  asm volatile("add.s64 %0, %1, %2;" : "=l"(*out) : "l"(5ll), "l"(out) : "memory");
  asm volatile("mov.b32 %0, %1;" : "=r"(d) : "r"(*reinterpret_cast<unsigned const*>(p)));
}
int main() { long long *q; cudaMalloc(&q, 8); cudaMemset(q, 0, 8); k<<<1, 1>>>(q, q, __half()); cudaFree(q); }
"""
# Each is run by 128 threads; the words that its hazard has, or None where all threads come.
ALIGNED = {
    "half_fence": ('if (threadIdx.x % 32 < 16) asm volatile("wgmma.fence.sync.aligned;");', "divergence"),
    "one_warp_fences": ('if (threadIdx.x < 32) asm volatile("wgmma.fence.sync.aligned;");', "divergence"),
    "half_commit": ('if (threadIdx.x % 32 < 16) asm volatile("wgmma.commit_group.sync.aligned;");', "divergence"),
    "half_wait": ('if (threadIdx.x % 2) asm volatile("wgmma.wait_group.sync.aligned 0;");', "divergence"),
    "two_fences": ('if (threadIdx.x % 32 < 16) asm volatile("wgmma.fence.sync.aligned;"); '
                   'else asm volatile("wgmma.fence.sync.aligned;");', "divergence"),
    "order": ('if (threadIdx.x < 64) asm volatile("wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned;"); '
              'else asm volatile("wgmma.commit_group.sync.aligned; wgmma.fence.sync.aligned;");', "divergence"),
    "cluster": ('if (threadIdx.x % 32 < 16) asm volatile("barrier.cluster.arrive.aligned;"); '
                'else asm volatile("barrier.cluster.arrive.aligned;"); asm volatile("barrier.cluster.wait.aligned;");',
                "divergence"),
    "registers": ('if (threadIdx.x < 64) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");', "divergence"),
    "elect": ('unsigned l; asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffff; }" : "=r"(l));', "divergence"),
    "bar": ('if (threadIdx.x % 2) asm volatile("barrier.sync.aligned 0;"); else asm volatile("barrier.sync.aligned 0;");',
            "divergence"),
    "all_come": ('asm volatile("wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"); '
                 'asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"); '
                 'asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); unsigned l; '
                 'asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; }" : "=r"(l)); '
                 'if (threadIdx.x % 2) asm volatile("barrier.sync 0;"); else asm volatile("barrier.sync 0;"); '
                 'if (threadIdx.x % 32 < 16) asm volatile("barrier.cluster.arrive;"); '
                 'else asm volatile("barrier.cluster.arrive;"); asm volatile("barrier.cluster.wait;");', None),
}
LABELS = ('asm("bra L;");', 'asm("{ .reg .pred q; setp.eq.u32 q, %0, 0; @q bra L; }" :: "r"(threadIdx.x));',
          'asm volatile("bra.uni L;");')


class Asm(unittest.TestCase):
    def simulate(self, text: str, compiler: str, *arguments: str):
        with tempfile.TemporaryDirectory() as folder:
            source, found = pathlib.Path(folder) / "own.cu", pathlib.Path(folder) / "found.json"
            source.write_text(text)
            r = run("sim", str(source), "--cxx", compiler, "--json", str(found), "--quiet", "--", *arguments)
            return r, json.loads(found.read_text())["hazards"] if found.exists() else None

    def test_operands_of_another_size(self):
        for i, (declaration, operands, number, *words) in enumerate(OPERANDS):
            text = "__global__ void k() {\n  %s; int y = 1;\n  asm volatile(\"mov.b32 %%%%0, %%%%0;\" %s);\n}\n" % (declaration, operands)
            r, _ = self.simulate(text.replace("%%", "%") + "int main() { k<<<1, 1>>>(); }\n", COMPILERS[i % len(COMPILERS)])
            with self.subTest(declaration, operands=operands):
                self.assertEqual(r.returncode, REFUSED, r.stdout + r.stderr)
                first = r.stderr.splitlines()[0]
                self.assertRegex(first, r"own\.cu:3: operand %%%d of the asm statement is of type " % number)
                for word in words:
                    self.assertIn(word, first)

    def test_operands_that_fit(self):
        for compiler in COMPILERS:
            r, found = self.simulate(FITTING, compiler)
            self.assertEqual((r.returncode, found), (CLEAN, []), r.stdout + r.stderr)

    def test_labels_of_another_statement(self):
        for i, statement in enumerate(LABELS):
            r, found = self.simulate("__global__ void k() {\n  %s\n}\nint main() { k<<<1, 32>>>(); }\n" % statement,
                                     COMPILERS[i % len(COMPILERS)])
            with self.subTest(statement):
                self.assertEqual(r.returncode, ERROR, r.stdout + r.stderr)
                self.assertEqual([(h["kind"], h["line"]) for h in found], [("invalid_argument", 2)])
                self.assertIn("one outside of the asm statement cannot be reached", found[0]["message"])

    def test_aligned_instructions(self):
        kernels = "".join(f"__global__ void {name}() {{ {body} }}  // [{name}]\n" for name, (body, _) in ALIGNED.items())
        calls = "".join(f'  if (!strcmp(v[1], "{name}")) {name}<<<1, 128>>>();\n' for name in ALIGNED)
        text = "#include <cstring>\n" + kernels + "int main(int, char** v) {\n" + calls + "  cudaDeviceSynchronize();\n}\n"
        lines = text.split("\n")
        for i, (name, (_, kind)) in enumerate(ALIGNED.items()):
            r, found = self.simulate(text, COMPILERS[i % len(COMPILERS)], name)
            with self.subTest(name):
                self.assertIsNotNone(found, r.stderr)
                line = next(n for n, text_of_line in enumerate(lines, 1) if f"// [{name}]" in text_of_line)
                self.assertEqual({(h["kind"], h["line"]) for h in found}, {(kind, line)} if kind else set(), r.stdout)


if __name__ == "__main__":
    unittest.main()
