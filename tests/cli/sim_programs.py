#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim of several files: one program of all, a program of each, nvcc's options, devices, memory never freed."""
import json
import os
import pathlib
import re
import string
import tempfile
import unittest

from support.command import run

FILES = pathlib.Path(__file__).parent.parent / "cuda_files"
TOGETHER = [str(FILES / "together" / name) for name in ("main.cu", "kernels.cu", "checks.cpp")]
CLEAN, NO_PROGRAM, ERROR, INCOMPLETE = 0, 2, 3, 5

GOOD = """#include <cstdio>
__global__ void one(float* p) { p[threadIdx.x] = 1; }
int main() {
  float* p;
  cudaMalloc(&p, 32 * sizeof(float));
  one<<<1, 32>>>(p);
  cudaDeviceProp d;
  cudaGetDeviceProperties(&d, 0);
  int shared = 0;
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
#ifdef __CUDA_ARCH__
  int arch = __CUDA_ARCH__;
#else
  int arch = 0;
#endif
  printf("%s|%d.%d|%d|%d|%d|%d\\n", d.name, d.major, d.minor, d.multiProcessorCount, shared, d.l2CacheSize, arch);
  return cudaFree(p);
}
"""
BEYOND = """__global__ void far(float* p) { p[threadIdx.x + 1] = 1; }  // the line
int main() { float* p; cudaMalloc(&p, 128); far<<<1, 32>>>(p); cudaDeviceSynchronize(); cudaFree(p); }
"""
LEAK = """__global__ void one(float* p) { p[threadIdx.x] = 1; }
static float* make(int n) {
  float* p;
  cudaMalloc(&p, n * sizeof(float));  // line 4
  return p;
}
int main(int argc, char**) {
  for (int i = 0; i < 3; ++i) one<<<1, 32>>>(make(32));
  cudaDeviceSynchronize();
  if (argc > 1) cudaDeviceReset();
  return 0;
}
"""
ENDLESS = """__global__ void spin(volatile int* flag) {
  while (*flag == 0) {  // nobody sets it
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  spin<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
"""
HOST_LOOP = "__global__ void one(int* p) { *p = 1; }\nint main() { int* p; cudaMalloc(&p, 4); one<<<1, 1>>>(p); for (volatile int i = 0; i == 0;) {} }\n"
HUNGRY = """#include <cstdio>
__global__ void one(char* p) { p[0] = 1; }
int main() {
  char *p, *more;
  cudaMalloc(&p, 16);
  one<<<1, 1>>>(p);
  size_t free_bytes, all_bytes;
  cudaMemGetInfo(&free_bytes, &all_bytes);
  cudaError_t e = cudaMalloc(&more, all_bytes + 1);
  printf("%s\\n", cudaGetErrorName(e));
  return cudaFree(p) != cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation ? 0 : 1;
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def sim(self, *words: str):
        out = self.folder / "out.json"
        at = words.index("--") if "--" in words else len(words)
        done = run("sim", *words[:at], "--json", str(out), *words[at:])
        return done, json.loads(out.read_text()) if out.exists() else None


class OneProgram(Case):
    def test_files_are_linked_as_nvcc_does(self):
        for compiler in ("g++", "clang++"):
            with self.subTest(compiler):
                done, out = self.sim(*TOGETHER, "--cxx", compiler, "--", "50")
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                self.assertEqual(done.stdout.splitlines()[0], "50 elements, 0 wrong")
                self.assertEqual(len(out["counters"]), 3)

    def test_a_hazard_names_the_file_that_has_it(self):
        done, out = self.sim(*TOGETHER, "-D", "PLANTED")
        self.assertEqual(done.returncode, ERROR, done.stdout)
        line = [i for i, text in enumerate(pathlib.Path(TOGETHER[1]).read_text().splitlines(), 1) if "// planted" in text]
        self.assertIn(("out_of_bounds", TOGETHER[1], line[0]), [(h["kind"], h["file"], h["line"]) for h in out["hazards"]])

    def test_what_is_defined_nowhere_or_twice_is_an_error_of_the_linker(self):
        for files, words in (((TOGETHER[0], TOGETHER[2]), "undefined reference"), ((*TOGETHER, self.file("more.cu", "__device__ int launches;\n")), "multiple definition")):
            with self.subTest(words):
                done = run("sim", *files)
                self.assertEqual(done.returncode, NO_PROGRAM)
                self.assertIn("cannot be linked", done.stderr.splitlines()[0])
                self.assertIn(words, done.stderr)

    def test_a_file_that_does_not_compile(self):
        done, out = self.sim(TOGETHER[0], self.file("bad.cu", "int f() { return nothing; }\n"))
        self.assertEqual(done.returncode, NO_PROGRAM)
        self.assertIn("bad.cu cannot be compiled", done.stderr.splitlines()[0])
        self.assertIn("bad.cu:1:", done.stderr)
        self.assertEqual(out["verdict"], "incomplete")

    def test_no_source_is_an_error(self):
        self.assertEqual(run("sim", "--", "a").returncode, NO_PROGRAM)


class EachProgram(Case):
    def setUp(self):
        super().setUp()
        self.files = [self.file("good.cu", GOOD), self.file("beyond.cu", BEYOND), self.file("bad.cu", "int main() { nothing(); }\n")]

    def test_one_table_and_the_worst_status(self):
        done, out = self.sim("--each", "--quiet", *self.files)
        self.assertEqual(done.returncode, ERROR, done.stdout + done.stderr)
        table = [line.split() for line in done.stdout.splitlines()[-5:]]
        self.assertEqual(table[0], ["file", "outcome", "findings"])
        self.assertEqual(table[1], [self.files[0], "clean"])
        self.assertEqual(table[2], [self.files[1], "error", "1", "out_of_bounds"])
        self.assertEqual(table[3][:3], [self.files[2], "not", "compiled"])
        self.assertEqual(done.stdout.splitlines()[-1], "1 of 3 programs pass")
        self.assertEqual([(p["program"]["source"], p["verdict"], p["status"]) for p in out["programs"]],
                         [(self.files[0], "clean", 0), (self.files[1], "error", 3), (self.files[2], "incomplete", 2)])
        self.assertEqual(out["verdict"], "error")
        self.assertEqual(run("sim", "--each", "--quiet", self.files[0], self.files[2]).returncode, NO_PROGRAM)
        self.assertEqual(run("sim", "--each", "--quiet", self.files[0]).returncode, CLEAN)

    def test_sarif_and_annotations_of_many_files(self):
        sarif = self.folder / "found.sarif"
        done = run("sim", "--each", "--quiet", "--annotations", "--sarif", str(sarif), *self.files[:2])
        runs = json.loads(sarif.read_text())["runs"]
        self.assertEqual([[r["ruleId"] for r in one["results"]] for one in runs], [[], ["out_of_bounds"]])
        self.assertEqual(runs[1]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1)
        self.assertIn(f"::error file={self.files[1]},line=1,title=out_of_bounds::", done.stdout)
        done = run("sim", "--each", "--quiet", "--fail-on", "race", *self.files[:2])
        self.assertEqual(done.returncode, CLEAN)

    def test_outputs_of_one_program_are_refused(self):
        done = run("sim", "--each", "--report", str(self.folder / "page.html"), *self.files)
        self.assertEqual(done.returncode, NO_PROGRAM)
        self.assertIn("--report is for one program", done.stderr)


class Options(Case):
    def test_nvccs_options_have_an_effect_or_a_reason(self):
        path = self.file("own.cu", "#include \"part.h\"\n" + GOOD.replace("int main() {", "static_assert(PART == 3 && WIDTH == 4 && FORCED);\nint main() {"))
        self.file("part.h", "")
        (self.folder / "more").mkdir()
        (self.folder / "more/part.h").write_text("#define PART 3\n")
        (self.folder / "part.h").unlink()
        forced = self.file("forced.h", "#define FORCED 1\n")
        words = ["-O3", "-arch=sm_80", "-lineinfo", "--use_fast_math", "-Xcompiler", "-Wall,-fopenmp", "-lcublas", "-lcublasLt", "-lcurand", "-lcudart", "-lcufft", "-lm", "-std=c++17",
                 "-I", str(self.folder / "more"), "-DWIDTH=4", "-include", forced, "--expt-relaxed-constexpr", "-Xptxas", "-v",
                 "-maxrregcount=64", "-o", "unused", "-rdc=true", "-ccbin", "g++", "--extended-lambda"]
        done, out = self.sim(*words, path)
        self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
        self.assertIn("NVIDIA A100", done.stdout)
        notes = re.findall(r"^cosmati: (\S+(?: -\w+)?) has no effect: \S", done.stderr, re.MULTILINE)
        self.assertEqual(notes, ["-lineinfo", "--use_fast_math", "-Xcompiler -Wall", "-lcufft", "-std=c++17", "--expt-relaxed-constexpr",
                                 "-Xptxas", "-maxrregcount", "-o", "-rdc", "-ccbin", "--extended-lambda"])
        self.assertFalse(pathlib.Path("unused").exists())
        done = run("sim", path, "-arch")
        self.assertEqual(done.returncode, NO_PROGRAM)
        self.assertIn("-arch of nvcc takes a value", done.stderr)

    def test_what_a_distribution_turns_on_hides_nothing(self):
        source = ('#include <cstdio>\n__global__ void say(char const* name, int* p) { printf("%s %d\\n", name, *p); }\n'
                  "int main() {\n  char* name;\n  int* p;\n  cudaMallocManaged(&name, 2);\n  cudaMallocManaged(&p, 4);\n"
                  "  name[0] = 'a';\n  name[1] = 0;\n  *p = 3;\n  say<<<1, 1>>>(name, p);\n  cudaDeviceSynchronize();\n"
                  "  cudaFree(name);\n  return cudaFree(p);\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "say.cu"
            path.write_text(source)
            done = run("sim", str(path), "-D_FORTIFY_SOURCE=2")
            self.assertIn("a 3", done.stdout)
            self.assertIn("verdict: clean", done.stdout)
            self.assertEqual(done.returncode, CLEAN)

    def test_devices_report_what_cards_report(self):
        path = self.file("own.cu", GOOD)
        # From the tables of compute capabilities of the CUDA C++ programming guide, and the cards' data sheets.
        for device, words in (("a100", "NVIDIA A100-SXM4-80GB|8.0|108|166912|41943040|800"), ("h100", "NVIDIA H100 80GB HBM3|9.0|132|232448|52428800|900"),
                              ("rtx4090", "NVIDIA GeForce RTX 4090|8.9|128|101376|75497472|890"), ("b200", "NVIDIA B200|10.0|148|232448|132120576|1000")):
            with self.subTest(device):
                done = run("sim", path, "--device", device, "--quiet")
                self.assertEqual(done.stdout.strip(), words, done.stderr)
        done = run("sim", path, "--device", "rtx4080")
        self.assertEqual(done.returncode, NO_PROGRAM)
        self.assertIn("the devices are h200, h100, a100, l40s, rtx4090, b200, rtx5090; did you mean rtx4090?", done.stderr)

    def test_every_letter_may_be_a_macro(self):
        letters = [word for letter in string.ascii_letters for word in ("-D", f"{letter}=64")]
        headers = ["cuda_runtime.h", "cuda.h", "cudaTypedefs.h", "cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "cooperative_groups/reduce.h",
                   "nvtx3/nvToolsExt.h", "thrust/device_vector.h", "thrust/sort.h", "thrust/random.h", "thrust/iterator/zip_iterator.h"]
        text = "".join(f"#include <{h}>\n" for h in headers) + """static_assert(a == 64 && Z == 64);
__global__ void one(float* values) { values[M - 1] = T; }
int main() { float* values; cudaMalloc(&values, N * sizeof(float)); one<<<1, 1>>>(values); return cudaFree(values); }
"""
        for compiler in ("g++", "clang++"):
            with self.subTest(compiler):
                done = run("sim", self.file("letters.cu", text), *letters, "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)


class Memory(Case):
    def test_memory_never_freed_is_a_note(self):
        path = self.file("leak.cu", LEAK)
        done, out = self.sim(path)
        self.assertEqual((done.returncode, out["verdict"], out["hazards"]), (CLEAN, "clean", []), done.stdout + done.stderr)
        self.assertEqual([(n["kind"], n["severity"], n["file"], n["line"]) for n in out["notes"]], [("leak", "note", path, 4)])
        self.assertIn("3 allocations of this line, 384 bytes", out["notes"][0]["message"])
        self.assertIn("note: leak at ", done.stdout)
        self.assertEqual(run("sim", path, "--fail-on", "leak").returncode, ERROR)
        self.assertEqual(run("sim", path, "--fail-on", "race").returncode, CLEAN)
        _, out = self.sim(path, "--", "reset")
        self.assertEqual(out["notes"], [])

    def test_the_device_has_so_much_memory(self):
        done, _ = self.sim(self.file("hungry.cu", HUNGRY), "--device", "rtx4090")
        self.assertEqual(done.stdout.splitlines()[0], "cudaErrorMemoryAllocation", done.stderr)


class Endless(Case):
    def test_an_endless_kernel_has_its_line(self):
        path = self.file("endless.cu", ENDLESS)
        done, out = self.sim(path, "--timeout", "20")
        self.assertNotEqual(done.returncode, CLEAN)
        places = {(pathlib.Path(h["file"]).name, h["line"]) for h in out["hazards"]}
        self.assertTrue(places & {("endless.cu", 2), ("endless.cu", 3)}, out)

    def test_an_endless_program_says_so(self):
        done, out = self.sim(self.file("loop.cu", HOST_LOOP), "--timeout", "2")
        self.assertEqual((done.returncode, out["program"]["timed_out"]), (INCOMPLETE, True))
        self.assertIn("the program had not ended after 2 s", done.stdout)


if __name__ == "__main__":
    unittest.main()
