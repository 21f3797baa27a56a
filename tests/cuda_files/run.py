#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CUDA files as people write them, run by `cosmati sim` with no changed line, and compiled by nvcc where it is there.

Each .cu of this folder gives the exit status 0 and the verdict clean. With -D PLANTED a file of the table below has a
bug, which is reported with the line of the user's file. COSMATI_BIN names the command.
"""
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
BIN = os.environ.get("COSMATI_BIN", str(HERE / "../../build/bin/cosmati"))
COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
# The folder of CUDA's headers, if those of its other libraries are there.
TOOLKIT = next((folder for folder in [pathlib.Path(NVCC).resolve().parents[1] / "include"] if (folder / "cublasLt.h").is_file()), None) if NVCC else None
CLEAN, ERROR = 0, 3

# The file, the kind of the hazard, and text of the line that the report names.
PLANTED = {
    "vector_add": ("out_of_bounds", "// planted: out_of_bounds"),
    "grid_sync": ("race", "float left = i > 0"),
    "reduction": ("missing_barrier", "if (tid < 128) sdata[tid]"),
    "matmul_tiled": ("missing_barrier", "ds_A[threadIdx.y][threadIdx.x] ="),
    "transpose": ("out_of_bounds", "// planted: out_of_bounds"),
    "histogram": ("missing_barrier", "// planted: race"),
    "scan": ("out_of_bounds", "// planted: out_of_bounds"),
    "softmax": ("missing_barrier", "float offset = maxvals[0];"),
    "stencil": ("uninitialized", "// planted: uninitialized"),
    "streams": ("race", "s += a[i];"),
    "half2_axpy": ("misaligned", "// planted: misaligned"),
    "saxpy_main": ("missing_barrier", "// planted: missing_barrier"),
    "cub_block": ("missing_barrier", "int const best = Reduce(temp.reduce)"),
    "awbarrier": ("missing_barrier", "// planted: missing_barrier"),
    "pipeline_primitives": ("missing_wait", "// planted: missing_wait"),
    "group_copy": ("missing_wait", "// planted: missing_wait"),
    "barrier": ("missing_barrier", "// planted: missing_barrier"),
    "bulk_tensor": ("missing_proxy_fence", "// planted: missing_proxy_fence"),
    "pipeline": ("missing_wait", "// planted: missing_wait"),
    "atomic": ("race", "// planted: race"),
    "cluster_group": ("missing_barrier", "// planted: missing_barrier"),
    "ptx_functions": ("missing_wait", "// planted: missing_wait"),
    "wide_tile": ("missing_barrier", "// planted: missing_barrier"),
    "wmma": ("missing_barrier", "// planted: missing_barrier"),
    "curand": ("uninitialized", "// planted: uninitialized"),
    "ptx_forms": ("out_of_bounds", "// planted: out_of_bounds"),
    "ptx_memory": ("missing_barrier", 'asm volatile("ld.shared.v2.u32'),
    "ptx_warps": ("missing_barrier", "// planted: missing_barrier"),
    "ptx_gemm": ("missing_wait", "// planted: missing_wait"),
    "ptx_tensor_cores": ("misaligned", "m8n8.x1.shared.b16 {%0}, [%1];"),
    "ptx_wmma": ("missing_barrier", "// planted: missing_barrier"),
    "ptx_wgmma": ("missing_proxy_fence", "// planted: missing_proxy_fence"),
    "ptx_transactions": ("missing_wait", "// planted: missing_wait"),
    "memory": ("missing_wait", "// planted: missing_wait"),
    "driver": ("invalid_argument", "encode(&other"),
    "vector": ("out_of_bounds", "// planted: out_of_bounds"),
    "ptx_async_stores": ("missing_wait", "// planted: missing_wait"),
    "texture": ("race", "// planted: race"),
    "surface": ("out_of_bounds", "// planted: out_of_bounds"),
    "child_launches": ("out_of_bounds", "// planted: out_of_bounds"),
    "universal_vector": ("missing_wait", "// planted: missing_wait"),
    "default_stream": ("race", "// planted: race"),
    "functors": ("out_of_bounds", "operator()(int i) const { to[i + shift]"),
    "nv_atomic": ("race", "// planted: race"),
    "cublas_lt": ("race", "add_one(float* x) {"),
    "cublas_gemm": ("race", "c[threadIdx.x] *= 2;"),
    "cub_adjacent": ("missing_barrier", "SubtractLeft(mine, result[left], Minus());"),
}
FILE_OF_BUG = {"saxpy_main": "saxpy_kernels.cuh"}

# The argument of errors.cu, and the kind of the hazard at the line that its comment names.
ERRORS = {
    "configuration": "invalid_launch",
    "shared": "invalid_launch",
    "swapped": "wrong_space",
    "beyond": "out_of_bounds",
    "freed": "out_of_bounds",
    "twice": "invalid_argument",
    "unwritten": "uninitialized",
    "stream": "invalid_argument",
}

# The same of library_errors.cu.
LIBRARY_ERRORS = {
    "small": "out_of_bounds",
    "leading": "out_of_bounds",
    "unwritten": "uninitialized",
    "sum": "uninitialized",
    "host_matrix": "wrong_space",
    "alpha": "wrong_space",
    "null": "invalid_argument",
    "result": "wrong_space",
    "stride": "out_of_bounds",
    "transfer": "out_of_bounds",
    "freed": "out_of_bounds",
    "wait": "missing_wait",
    "streams": "race",
    "numbers": "out_of_bounds",
    "host_numbers": "wrong_space",
    "lt_unwritten": "uninitialized",
    "lt_small": "out_of_bounds",
    "lt_alpha": "wrong_space",
    "lt_bias": "out_of_bounds",
    "lt_aux": "wrong_space",
}

# The same of wrong_calls.cu.
WRONG_CALLS = {
    "size": "invalid_argument",
    "far_zeros": "invalid_argument",
    "promise": "misaligned",
    "multiple": "invalid_argument",
    "leading": "misaligned",
    "pointer": "misaligned",
    "lanes": "invalid_argument",
    "beyond": "out_of_bounds",
    "uninitialised": "mbarrier",
    "too_many": "deadlock",
    "half_a_warp": "divergence",
    "leaves_the_grid": "deadlock",
}

# The same of texture_errors.cu. A line of a kernel may belong to several.
TEXTURE_ERRORS = {
    "format": "invalid_argument",
    "extent": "invalid_argument",
    "rows": "out_of_bounds",
    "array_twice": "invalid_argument",
    "alignment": "misaligned",
    "pitch": "invalid_argument",
    "flag": "invalid_argument",
    "texture_twice": "invalid_argument",
    "integers": "invalid_argument",
    "destroyed": "invalid_argument",
    "dimensions": "invalid_argument",
    "trap": "out_of_bounds",
    "bytes": "misaligned",
    "array_unwritten": "uninitialized",
}


def line_of(name: str, text: str) -> int:
    lines = (HERE / name).read_text().splitlines()
    found = [i for i, line in enumerate(lines, 1) if text in line]
    assert len(found) == 1, (name, text, found)
    return found[0]


class Case(unittest.TestCase):
    def sim(self, name: str, *options: str, arguments: tuple = ()):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.json"
            behind = ["--", *arguments] if arguments else []
            done = subprocess.run([BIN, "sim", str(HERE / name), "--json", str(out), *options, *behind],
                                  capture_output=True, text=True, timeout=300)
            return done, json.loads(out.read_text()) if out.exists() else None


def in_turn(names) -> list:
    """Each name with one compiler, in turn."""
    return [(name, COMPILERS[i % len(COMPILERS)]) for i, name in enumerate(names)]


class Files(Case):
    def test_unchanged_files_are_clean(self):
        files = sorted(HERE.glob("*.cu"))
        self.assertGreaterEqual(len(files), 17)
        for file in files:
            for compiler in COMPILERS:
                with self.subTest(file.name, compiler=compiler):
                    done, out = self.sim(file.name, "--cxx", compiler)
                    self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                    self.assertEqual(out["verdict"], "clean")
                    self.assertEqual(out["program"]["exit"], 0)
                    self.assertTrue(out["counters"])
                    self.assertEqual(done.stderr, "")

    def test_a_c_file_calls_the_runtime_by_its_own_declarations(self):
        host = ("#include <stdio.h>\nint cudaMalloc(void **p, size_t bytes);\nint cudaMemcpy(void *to, void const *from, size_t bytes, int kind);\n"
                "int cudaFree(void *p);\nvoid twice(int *p, int n);\n"
                "int main(void) {\n  int a[3] = {1, 2, 3};\n  void *p = 0;\n  cudaMalloc(&p, sizeof a);\n  cudaMemcpy(p, a, sizeof a, 1);\n"
                "  twice(p, 3);\n  cudaMemcpy(a, p, sizeof a, 2);\n  cudaFree(p);\n  printf(\"%d %d %d\\n\", a[0], a[1], a[2]);\n  return 0;\n}\n")
        kernel = ("__global__ void k(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= 2; }\n"
                  "extern \"C\" void twice(int* p, int n) { k<<<1, 32>>>(p, n); }\n")
        for compiler in COMPILERS:
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "host.c").write_text(host)
                (pathlib.Path(folder) / "kernel.cu").write_text(kernel)
                done, out = self.sim(folder + "/host.c", folder + "/kernel.cu", "--cxx", compiler)
                self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (CLEAN, "2 4 6"), done.stdout + done.stderr)
                self.assertEqual(out["hazards"], [])

    @unittest.skipUnless(TOOLKIT, "the headers of CUDA's other libraries are not here")
    def test_headers_of_the_toolkits_other_libraries_stand_beside_ours(self):
        """cublasXt.h and its kin include cublas_api.h, which is ours."""
        headers = [h for h in ("cublasXt.h", "cusolverDn.h", "cusparse.h", "cufft.h", "curand_mtgp32_host.h")
                   if (TOOLKIT / h).is_file()]
        kernel = """
            __global__ void one(int* to) { *to = 1; }
            int main() {
              int *to, found = 0;
              cudaMalloc(&to, 4);
              one<<<1, 1>>>(to);
              cudaMemcpy(&found, to, 4, cudaMemcpyDeviceToHost);
              cudaFree(to);
              return found - 1;
            }"""
        orders = [["cublas_v2.h", "curand.h", *headers]]
        if "cufft.h" in headers:
            orders.append(["cufft.h", "cuComplex.h"])  # cufft.h includes the cuComplex.h beside it
        for compiler, order in itertools.product(COMPILERS, orders):
            with self.subTest(compiler, order=order), tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "beside.cu"
                source.write_text("".join(f"#include <{h}>\n" for h in order) + kernel)
                done, _ = self.sim(str(source), "--cxx", compiler, "-I", str(TOOLKIT))
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)

    @unittest.skipUnless(TOOLKIT, "the headers of CUDA's other libraries are not here")
    def test_the_toolkits_cublaslt_calls_ours(self):
        """Its descriptions and numbers are those of our library."""
        text = (HERE / "cublas_lt.cu").read_text().replace("<cublasLt.h>", f'"{TOOLKIT}/cublasLt.h"')
        text = text.replace('"expectations.cuh"', f'"{HERE}/expectations.cuh"')
        for compiler in COMPILERS:
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "own.cu"
                source.write_text(text)
                done, out = self.sim(str(source), "--cxx", compiler)
                self.assertEqual((done.returncode, out["hazards"]), (CLEAN, []), done.stdout + done.stderr)

    def test_a_cpp_file_of_cudas_libraries_is_a_cuda_program(self):
        text = ("#include <cublas_v2.h>\n#include <curand.h>\n#include <cstdio>\nint main() {\n  float* x;\n  float sum = 0;\n  cudaMalloc(&x, 400);\n"
                "  curandGenerator_t g;\n  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);\n  curandGenerateUniform(g, x, 100);\n"
                "  cublasHandle_t h;\n  cublasCreate(&h);\n  cublasSasum(h, 100, x, 1, &sum);\n  cudaFree(x);\n  std::printf(\"%d\\n\", sum > 30 && sum < 70);\n}\n")
        for compiler in COMPILERS:
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "own.cpp"
                path.write_text(text)
                done, out = self.sim(str(path), "--cxx", compiler)
                self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (CLEAN, "1"), done.stdout + done.stderr)
                self.assertIn("function cublasSasum, 1 call", done.stdout)


class Bugs(Case):
    def test_planted_bugs_have_the_line_of_the_users_file(self):
        for stem, compiler in in_turn(PLANTED):
            with self.subTest(stem, compiler=compiler):
                kind, text = PLANTED[stem]
                done, out = self.sim(stem + ".cu", "-D", "PLANTED", "--cxx", compiler)
                self.assertEqual(done.returncode, ERROR, done.stdout + done.stderr)
                name = FILE_OF_BUG.get(stem, stem + ".cu")
                places = {(h["kind"], pathlib.Path(h["file"]).name, h["line"]) for h in out["hazards"]}
                self.assertIn((kind, name, line_of(name, text)), places)
                self.assertEqual({n for _, n, _ in places}, {name})

    def test_wrong_calls_return_cudas_error_and_have_a_line(self):
        for what, compiler in in_turn(ERRORS):
            with self.subTest(what, compiler=compiler):
                done, out = self.sim("errors.cu", "--cxx", compiler, arguments=(what,))
                self.assertEqual(out["program"]["exit"], 0, done.stdout)
                self.assertEqual([(h["kind"], h["line"]) for h in out["hazards"]],
                                 [(ERRORS[what], line_of("errors.cu", "// line of " + what))])

    def test_wrong_operands_of_libraries_have_a_line(self):
        for what, compiler in in_turn(LIBRARY_ERRORS):
            with self.subTest(what, compiler=compiler):
                done, out = self.sim("library_errors.cu", "--cxx", compiler, arguments=(what,))
                self.assertEqual(out["program"]["exit"], 0, done.stdout)
                self.assertEqual([(h["kind"], h["line"]) for h in out["hazards"]],
                                 [(LIBRARY_ERRORS[what], line_of("library_errors.cu", "// line of " + what))])

    def test_wrong_calls_in_kernels_have_a_line(self):
        for what, compiler in in_turn(WRONG_CALLS):
            with self.subTest(what, compiler=compiler):
                _, out = self.sim("wrong_calls.cu", "--cxx", compiler, arguments=(what,))
                self.assertEqual({(h["kind"], h["line"]) for h in out["hazards"]},
                                 {(WRONG_CALLS[what], line_of("wrong_calls.cu", "// line of " + what))})

    def test_wrong_textures_and_surfaces_have_a_line(self):
        for what, compiler in in_turn(TEXTURE_ERRORS):
            with self.subTest(what, compiler=compiler):
                _, out = self.sim("texture_errors.cu", "--cxx", compiler, arguments=(what,))
                self.assertEqual(out["program"]["exit"], 0)
                self.assertEqual([(h["kind"], h["line"]) for h in out["hazards"]],
                                 [(TEXTURE_ERRORS[what], line_of("texture_errors.cu", "line of " + what))])

    def test_the_host_waits_for_pinned_and_managed_memory(self):
        for which, compiler in in_turn("12345"):
            with self.subTest(which, compiler=compiler):
                _, out = self.sim("managed.cu", "--cxx", compiler, arguments=(which,))
                self.assertEqual([(h["kind"], h["line"]) for h in out["hazards"]],
                                 [("missing_wait", line_of("managed.cu", "// line of " + which))])

    def test_a_kernels_error_stays(self):
        done, out = self.sim("errors.cu", arguments=("trap",))
        self.assertEqual(out["program"]["exit"], 0, done.stdout)
        self.assertEqual([h["kind"] for h in out["hazards"]], ["trap"])
        done, out = self.sim("errors.cu", arguments=("direction",))
        self.assertEqual((done.returncode, out["hazards"]), (CLEAN, []))

    def test_calls_after_a_kernels_error_are_no_further_hazards(self):
        done, out = self.sim("errors.cu", arguments=("after",))
        self.assertEqual(out["program"]["exit"], 0, done.stdout)
        self.assertEqual([h["kind"] for h in out["hazards"]], ["trap"])

    def test_the_host_may_have_less_memory_than_the_card(self):
        done, out = self.sim("errors.cu", "--device", "b200", arguments=("memory",))
        self.assertEqual((done.returncode, out["hazards"]), (CLEAN, []), done.stdout + done.stderr)


class Levels(Case):
    def test_seeds_and_levels(self):
        for more in (("--seed", "1"), ("--seed", "5"), ("-O", "0"), ("-O", "3"), ("--std", "c++20", "-D", "T=3", "-D", "V=1")):
            for name in ("reduction.cu", "launch_forms.cu", "groups.cu"):
                with self.subTest(name, more=more):
                    if "T=3" in more and name != "groups.cu":
                        continue  # these two name a type T
                    done, _ = self.sim(name, *more)
                    self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)

    def test_macros_and_arguments_reach_the_program(self):
        done, _ = self.sim("saxpy_main.cu", "-D", "N=64")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (CLEAN, "64 elements, max error: 0.000000"))
        done, _ = self.sim("saxpy_main.cu", arguments=("100",))
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (CLEAN, "100 elements, max error: 0.000000"))


class Refusals(Case):
    def refused(self, text: str, compiler: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.cu"
            path.write_text(text)
            done = subprocess.run([BIN, "sim", str(path), "--cxx", compiler], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            return done.stderr.splitlines()[0].replace(folder + "/", "")

    def test_what_is_not_there_is_one_sentence(self):
        for compiler in COMPILERS:
            for line, words in (("cudaImportExternalMemory(0, 0);", "own.cu:3: cudaImportExternalMemory is not on the simulated device"),
                                ("\n  int x = __nvvm_get_smem_pointer(0);", "own.cu:4: __nvvm_get_smem_pointer is not on the simulated device")):
                with self.subTest(line, compiler=compiler):
                    said = self.refused("#include <cuda_runtime.h>\nint main() {\n" + line + "\n}\n", compiler)
                    self.assertTrue(said.endswith(words), said)
            with self.subTest("group", compiler=compiler):
                said = self.refused("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                                    "int main() { cg::cluster_group_of_nobody g; }\n", compiler)
                self.assertTrue(said.endswith("own.cu:3: cooperative_groups::cluster_group_of_nobody is not on the simulated device"), said)
            for name in ("cuda::ptx::tensor_of_nobody", "cuda::device::of_nobody", "nvcuda::wmma::of_nobody"):
                with self.subTest(name, compiler=compiler):
                    said = self.refused(f"#include <cuda/ptx>\n#include <mma.h>\nint main() {{\n  {name}(0);\n}}\n", compiler)
                    self.assertTrue(said.endswith(f"own.cu:4: {name} is not on the simulated device"), said)
            for text, words in (("texture<float, 2> t;\n", "own.cu:2: texture references are not on the simulated device: CUDA 12 removed texture "
                                 "references; make an object by cudaCreateTextureObject, and give it to the kernel"),
                                ("int main() { cudaUnbindTexture(0); }\n", "own.cu:2: cudaUnbindTexture is not on the simulated device: CUDA 12 "
                                 "removed texture references; make an object by cudaCreateTextureObject, and give it to the kernel")):
                with self.subTest(text, compiler=compiler):
                    said = self.refused("#include <cuda_runtime.h>\n" + text, compiler)
                    self.assertTrue(said.endswith(words), said)
            with self.subTest("header", compiler=compiler):
                said = self.refused("#include <cuda_runtime.h>\n#include <cudnn_of_nobody.h>\nint main() {}\n", compiler)
                self.assertTrue(said.endswith("own.cu:2: the header cudnn_of_nobody.h is not on the simulated device"), said)
                said = self.refused('#include "utils.cuh"\nint main() {}\n', compiler)
                self.assertTrue(said.endswith("own.cu:1: there is no header utils.cuh; give its folder by -I"), said)
                said = self.refused("#include <helper_cuda.h>\nint main() {}\n", compiler)
                self.assertTrue(said.endswith("own.cu:1: there is no header helper_cuda.h; it is in the folder Common of NVIDIA's samples: give "
                                              "that by -I"), said)

    def test_an_unknown_instruction_is_one_sentence_where_a_lane_reaches_it(self):
        for text, words in (("frobnicate.sync.b32 %0, %1;", "the PTX instruction `frobnicate.sync.b32 %0, %1` is not on the simulated device"),
                            ("add.u32 %0, %1, %7;", "an asm statement cannot be read as PTX: %7 is no operand of the statement, which has 2"),
                            ("mov.u32 %0, %%tid.w;", "an asm statement cannot be read as PTX: %tid.w is neither a declared register nor a special one"),
                            ("add.u32 %0, %1, other;", "an asm statement cannot be read as PTX: in `add.u32 %0, %1, other`, other is no register that the text declares"),
                            ("add.u32 %0, %1, 2", "an asm statement cannot be read as PTX: `add.u32 %0, %1, 2` does not end with `;`")):
            for compiler in COMPILERS:
                with self.subTest(text, compiler=compiler), tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "own.cu"
                    path.write_text("__global__ void k(int n) {\n  int x;\n  if (n > 0)\n    asm volatile(\n"
                                    f"        \"{text}\" : \"=r\"(x) : \"r\"(n));\n}}\n"
                                    "int main(int argc, char**) { k<<<1, 32>>>(argc - 1); return cudaDeviceSynchronize() != cudaSuccess; }\n")
                    done, out = self.sim(str(path), "--cxx", compiler)
                    self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                    done, out = self.sim(str(path), "--cxx", compiler, arguments=("x",))
                    self.assertEqual(done.returncode, ERROR, done.stdout + done.stderr)
                    self.assertEqual([(h["kind"], h["line"], h["message"]) for h in out["hazards"]], [("invalid_argument", 4, words + " (own.cu:4)")])

    def test_a_function_of_a_library_ends_the_program_where_it_is_called(self):
        text = ("extern \"C\" int cublasCreate_v2(void**);\nextern \"C\" int cublasCherk_v2(void*);\n"
                "__global__ void k(int* p) { *p = 1; }\n"
                "int main(int argc, char**) {\n  void* handle = nullptr;\n  int* p;\n  cudaMalloc(&p, 4);\n"
                "  if (cublasCreate_v2(&handle) != 0) return 1;\n  k<<<1, 1>>>(p);\n"
                "  return argc > 1 ? cublasCherk_v2(handle) : 0;\n}\n")
        for compiler in COMPILERS:
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "own.cu"
                path.write_text(text)
                done, out = self.sim(str(path), "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                done, out = self.sim(str(path), "--cxx", compiler, arguments=("x",))
                self.assertEqual(done.stderr, "cosmati: cublasCherk_v2 is not on the simulated device\n")
                self.assertEqual([(h["kind"], h["line"], h["message"]) for h in out["hazards"]],
                                 [("invalid_argument", 10, "cublasCherk_v2 is not on the simulated device")])

    def test_other_errors_have_the_users_line(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                said = self.refused("__global__ void k(int* p) { *p = 1; }\nint main() {\n  k<<<1, 1>>>(2.5, 3);\n}\n", compiler)
                self.assertTrue(said.endswith("own.cu:3: kernel<<<...>>>(arguments...): pass as many arguments as the kernel has parameters: "
                                              "it has 1, and the launch passes 2"), said)
                said = self.refused("__global__ void k(int* p) { *p = 1; }\nint main() {\n  int x = \"one\";\n}\n", compiler)
                self.assertTrue(said.endswith("own.cu cannot be compiled"), said)


@unittest.skipUnless(NVCC, "nvcc is not there")
class Nvcc(unittest.TestCase):
    def test_the_files_are_cuda(self):
        for file in sorted(HERE.glob("*.cu")):
            for more in ([], ["-DPLANTED"]) if "PLANTED" in file.read_text() else ([],):
                with self.subTest(file.name, more=more), tempfile.TemporaryDirectory() as folder:
                    done = subprocess.run([NVCC, "-std=c++20", "-arch=sm_90", "--extended-lambda", "-rdc=true", "-ptx", *more, "-o", folder + "/x.ptx", str(file)],
                                          capture_output=True, text=True, timeout=300)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_program_of_several_files_is_cuda(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [str(HERE / "together" / name) for name in ("main.cu", "kernels.cu", "checks.cpp")]
            done = subprocess.run([NVCC, "-std=c++20", "-arch=sm_90", "-rdc=true", "-o", folder + "/x", *files],
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
