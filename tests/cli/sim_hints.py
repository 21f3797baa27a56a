#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: a program with words that nvcc alone has is refused with a sentence that says what to write; any other error has no such sentence."""
import pathlib
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
HEAD = """#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void add(float* a, float const* b, int n) { if (threadIdx.x < n) a[threadIdx.x] += b[threadIdx.x]; }
"""
WORDS = {  # what the program has, what the sentence begins with
    "add<<<4, 256>>>(nullptr, nullptr, 0);": "a kernel is started by launch(kernel, {.grid = 4, .block = 256}, arguments...)",
    "add<<<dim3(4), dim3(256), 1024>>>(nullptr, nullptr, 0);": "a kernel is started by launch(",
    "float* a; cudaMalloc(&a, 4000);": "memory of the device is a device_buffer<T>",
    "float *a = nullptr, *b = nullptr; cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice);": "memory of the device is a device_buffer<T>",
    "cudaDeviceSynchronize();": "launch waits for its kernel",
}
HEADERS = {"cuda_runtime_of_nobody.h": "leave the CUDA toolkit's header out", "cute/of_nobody.hpp": "a program for CuTe is compiled with -I"}
OTHERS = ("int x = 1 << ;", "undeclared();", "add(nullptr);", "int y = 8 >>> 1;")


class Hints(unittest.TestCase):
    def refused(self, source: str, compiler: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.cpp"
            path.write_text(source)
            done = run("sim", str(path), "--cxx", compiler)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        first = done.stderr.splitlines()[0]
        self.assertRegex(first, r"^cosmati: sim: \S*own\.cpp cannot be compiled")
        self.assertIn("error: ", done.stderr)  # the compiler's own words follow
        return first.partition("cannot be compiled")[2]

    def test_words_of_nvcc(self):
        for compiler in COMPILERS:
            for line, sentence in WORDS.items():
                with self.subTest(line, compiler=compiler):
                    self.assertTrue(self.refused(HEAD + "int main() { " + line + " }\n", compiler).startswith(": " + sentence))

    def test_headers(self):
        for compiler in COMPILERS:
            for header, sentence in HEADERS.items():
                with self.subTest(header, compiler=compiler):
                    self.assertTrue(self.refused(f"#include <{header}>\n", compiler).startswith(": " + sentence))

    def test_a_program_without_main(self):
        for compiler in COMPILERS:
            for name, text in (("own.cpp", HEAD), ("own.cu", "__global__ void k(int* p) { *p = 1; }\n")):
                with self.subTest(name, compiler=compiler), tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / name
                    path.write_text(text)
                    done = run("sim", str(path), "--cxx", compiler)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertIn(f"{name} cannot be linked: no file has a function main;", done.stderr.splitlines()[0])

    def test_a_function_that_no_file_has(self):
        for compiler in COMPILERS:
            for call, sentence in (("near(1.f)", "no file defines near(float); give the file as well, or its library by -l"),
                                   ("near(1.f) + far()", "no file defines near(float) and 1 more; "),
                                   ("cuts::half(1.f)", "no file defines cuts::half(float); "),
                                   ("omp_get_num_procs()", "omp_get_num_procs is of OpenMP: add -Xcompiler -fopenmp")):
                for name in ("own.cpp", "own.cu"):
                    with self.subTest(call, name=name, compiler=compiler), tempfile.TemporaryDirectory() as folder:
                        path = pathlib.Path(folder) / name
                        path.write_text("int near(float); int far(); extern \"C\" int omp_get_num_procs();\nnamespace cuts { int half(float); }\n"
                                        f"int main() {{ return {call}; }}\n")
                        done = run("sim", str(path), "--cxx", compiler)
                        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                        self.assertIn(f"{name} cannot be linked: {sentence}", done.stderr.splitlines()[0])

    def cuda_sentence(self, source: str, compiler: str) -> str:
        """What is said of a CUDA file that does not compile, without the folder of the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.cu"
            path.write_text(source)
            done = run("sim", str(path), "--cxx", compiler)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stderr.splitlines()[0].partition("cannot be compiled")[2].replace(folder + "/", "")

    def test_sentences_about_cuda_files(self):
        kernel = "__global__ void k(int* p, int n) { p[0] = n; }\nint main() { int* p = nullptr;\n"
        cases = {
            '#include "cuda_common.cuh"\n': "own.cu:1: there is no header cuda_common.cuh; give its folder by -I",
            '#include "device_code.h"\n': "own.cu:1: there is no header device_code.h; give its folder by -I",
            '#include "cutensor.h"\n': "own.cu:1: the header cutensor.h is not on the simulated device",
            "#include <cuda_of_nobody.h>\n": "own.cu:1: the header cuda_of_nobody.h is not on the simulated device",
            kernel + "k<<<1, 1>>>(p); }\n": "own.cu:3: kernel<<<...>>>(arguments...): pass as many arguments as the kernel has parameters: it has 2, "
                "and the launch passes 1",
            "__device__ int f(int v) {\n  return __shfl_down(v, 1); }\nint main() {}\n":
                "own.cu:2: __shfl_down is not on the simulated device: CUDA removed it for compute capability 7.0 and later; "
                "write __shfl_down_sync, with the mask of the lanes as its first argument",
            "#include <cub/cub.cuh>\nusing load = cub::NoLoad<int, 4>;\n": "own.cu:2: cub::NoLoad is not on the simulated device",
            "#include <cub/cub.cuh>\nint main() {\n  cub::NoSort::Keys(1); }\n": "own.cu:3: cub::NoSort is not on the simulated device",
            "#include <cub/cub.cuh>\nint main() {\n  cub::DeviceScan::NoSum(1); }\n": "own.cu:3: cub::DeviceScan::NoSum is not on the simulated device",
            "#include <thrust/device_vector.h>\nint main() {\n  thrust::no_sum(1);\n  int __y = __no_word; }\n": "own.cu:3: thrust::no_sum is not on the simulated device",
            "#include <cuda/barrier>\nnamespace cde = cuda::device::experimental;\nint main() {\n  cde::no_fence(); }\n":
                "own.cu:4: cuda::device::experimental::no_fence is not on the simulated device",
            "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\nint main() {\n  cg::no_group(); }\n":
                "own.cu:4: cooperative_groups::no_group is not on the simulated device",
            "__device__ int f(int v) {\n  return __ballot(v); }\nint main() {}\n": "own.cu:2: __ballot is not on the simulated device: CUDA removed it",
        }
        for compiler in COMPILERS:
            for source, sentence in cases.items():
                with self.subTest(source, compiler=compiler):
                    self.assertTrue(self.cuda_sentence(source, compiler).startswith(": " + sentence), self.cuda_sentence(source, compiler))

    def test_what_is_said_to_be_unreachable(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.cu"
            path.write_text("__global__ void k(int n) {\n  if (n > 3) __builtin_unreachable();\n}\nint main() { k<<<1, 1>>>(4); }\n")
            done = run("sim", str(path), "--cxx", "g++")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"trap at \S*own\.cu:2\n.*\n  __builtin_unreachable\(\) was executed; own\.cu:2")

    def test_other_errors(self):
        for compiler in COMPILERS:
            for line in OTHERS:
                with self.subTest(line, compiler=compiler):
                    self.assertEqual(self.refused(HEAD + "int main() { " + line + " }\n", compiler), "")

    def test_what_the_sentence_says_compiles(self):
        program = HEAD + """int main() {
  std::vector<float> const host_vector(1000, 1.f);
  device_buffer<float> in(host_vector), out(host_vector);
  launch(add, {.grid = 4, .block = 256}, out.data(), in.data(), 0);
  return out.download() == host_vector ? 0 : 1;
}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.cpp"
            path.write_text(program.replace("threadIdx.x < n", "static_cast<int>(threadIdx.x) < n"))
            done = run("sim", str(path))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("verdict: clean", done.stdout)


if __name__ == "__main__":
    unittest.main()
