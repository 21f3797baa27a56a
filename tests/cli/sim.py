#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: exit statuses, the JSON, the page, each kind of hazard, what is not seen, and programs that end badly."""
import collections
import html.parser
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support.command import BIN, run

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/hazards"))
from suite import variants  # noqa: E402

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
CLEAN, REVIEW, INCOMPLETE, ERROR = 0, 4, 5, 3
HAZARD_KEYS = {"kind", "kernel", "block", "thread", "file", "line", "other_line", "tensor", "coord", "message"}
COUNTER_KEYS = {"instructions", "global_requests", "global_sectors", "shared_wavefronts", "shared_bank_conflicts"}

DOUBLE = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void twice(float* p) { p[threadIdx.x] *= 2; }
"""
RUN_DOUBLE = """
  std::vector<float> host(64, 1.f);
  device_buffer<float> b(host);
  launch(twice, {.grid = 1, .block = 64}, b.data());
"""


def main_of(body: str) -> str:
    return f"int main(int argc, char** argv) {{ (void)argc; (void)argv; {body} }}\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cosmati-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def source(self, text: str, name: str = "program.cpp") -> str:
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def sim(self, text: str, *more: str, arguments: tuple = (), path: str = ""):
        """Runs the program; returns what the command did and its JSON."""
        out = self.folder / "out.json"
        out.unlink(missing_ok=True)
        behind = ["--", *arguments] if arguments else []
        done = run("sim", path or self.source(text), "--json", str(out), *more, *behind)
        return done, json.loads(out.read_text()) if out.exists() else None


class Statuses(Case):
    def test_clean(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, out = self.sim(DOUBLE + main_of(RUN_DOUBLE), "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                self.assertEqual(out["verdict"], "clean")
                self.assertEqual(out["hazards"], [])
                self.assertTrue(done.stdout.endswith("verdict: clean\n"), done.stdout)
                self.assertEqual(done.stderr, "")

    def test_counters_are_those_of_the_hardware(self):
        # A column of float[32][32]: 32 wavefronts a load; float[32][33]: 1. Rows of 128 bytes: 4 sectors a request.
        text = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
template <int Pitch>
__global__ void turned(float const* in, float* out) {
  __shared__ float tile[32 * Pitch];
  for (unsigned r = threadIdx.y; r < 32; r += 8) tile[r * Pitch + threadIdx.x] = in[r * 32 + threadIdx.x];
  __syncthreads();
  for (unsigned r = threadIdx.y; r < 32; r += 8) out[r * 32 + threadIdx.x] = tile[threadIdx.x * Pitch + r];
}
int main() {
  device_buffer<float> in(std::vector<float>(1024, 1.f)), out(1024);
  launch(turned<32>, {.grid = 1, .block = {32, 8, 1}}, in.data(), out.data());
  for (int i = 0; i < 3; ++i) launch(turned<33>, {.grid = 1, .block = {32, 8, 1}}, in.data(), out.data());
}
"""
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, out = self.sim(text, "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                self.assertEqual(set(out["counters"]), {"turned<32>", "turned<33>"})
                for pitch, launches, loaded in ((32, 1, 32 * 32), (33, 3, 32)):
                    k = out["counters"][f"turned<{pitch}>"]
                    self.assertLessEqual(COUNTER_KEYS, set(k))
                    self.assertEqual(k["launches"], launches)
                    self.assertEqual(k["instructions"], dict.fromkeys(
                        ("global_load", "global_store", "shared_load", "shared_store"), 32 * launches))
                    self.assertEqual(k["global_requests"], 64 * launches)
                    self.assertEqual(k["global_sectors"], 256 * launches)
                    self.assertEqual(k["shared_wavefronts"], (32 + loaded) * launches)
                    self.assertEqual(k["shared_bank_conflicts"], (loaded - 32) * launches)

    def test_no_kernel_is_incomplete(self):
        done, out = self.sim(DOUBLE + main_of(""))
        self.assertEqual(done.returncode, INCOMPLETE)
        self.assertEqual(out["reasons"], ["no kernel ran"])

    def test_a_file_that_is_not_there(self):
        done = run("sim", str(self.folder / "none.cpp"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no file", done.stderr)
        done = run("sim", str(self.folder))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a folder", done.stderr)

    def test_what_does_not_compile_or_link(self):
        wall = "".join(f"int f{i}() {{ return unknown_{i}; }}\n" for i in range(500))
        for text, words in ((DOUBLE + "int main() { return nowhere; }", "nowhere"),
                            (wall, "more lines"),
                            ("int elsewhere(); int main() { return elsewhere(); }", "elsewhere")):
            for compiler in COMPILERS:
                with self.subTest(words=words, compiler=compiler):
                    done, out = self.sim(text, "--cxx", compiler)
                    self.assertEqual(done.returncode, 2)
                    self.assertEqual((out["verdict"], out["hazards"], out["counters"]), ("incomplete", [], {}))
                    self.assertIn("cannot be", out["reasons"][0])
                    self.assertIn("cannot be", done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertLess(len(done.stderr), 7000)
                    self.assertLess(done.stderr.count("\n"), 50)

    def test_what_is_no_source(self):
        array = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
        os.mkfifo(self.folder / "pipe")
        for content, words in ((array, "an array of numpy's"), (b"", "is empty"), (b" \n\t\n", "nothing but blanks"),
                               (b"int main() {\0}", "is no text: byte 12 is 0x00"), (b"\x7fELF\2\1", "ELF"),
                               (b"PK\3\4", "archive"), ("int main() {}".encode("utf-16"), "UTF-16"),
                               (b"a" * (33 << 20), "more than the 33554432"), (None, "is no ordinary file")):
            with self.subTest(words=words):
                path = self.folder / "data"
                if content is None:
                    path = self.folder / "pipe"
                else:
                    path.write_bytes(content)
                # no compiler is asked
                done = run("sim", str(path), "--cxx", "no-such-compiler", "--json", str(self.folder / "out"))
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
        done = run("sim", self.source("// \u00e9t\u00e9, \x0c\nint main() {}"))
        self.assertEqual(done.returncode, INCOMPLETE, done.stderr)

    def compiler(self, text: str) -> str:
        """A compiler of that shell script."""
        path = self.folder / "compiler"
        path.write_text('#!/bin/sh\ncase "$*" in *-dM*) exit 0;; esac\n' + text)
        path.chmod(0o700)
        return str(path)

    def test_limits_of_the_compiler(self):
        for script, more, words in (("sleep 100 & wait", ("--compile-timeout", "0.7"), "within 0.7 s"),
                                    ("sleep 100 & wait", ("--compile-timeout", "0.7"), "--compile-timeout gives it more"),
                                    ("yes 'x.cpp:1: error: wrong'", (), "said more than 16 MB"),
                                    ("echo first: error: 1; seq 100000; echo last; exit 1", (), "first: error: 1"),
                                    ("echo first: error: 1; seq 100000; echo last; exit 1", (), "\nlast\n")):
            with self.subTest(script=script, words=words):
                begin = time.monotonic()
                done, out = self.sim("int main() {}", "--cxx", self.compiler(script), *more)
                self.assertLess(time.monotonic() - begin, 30)
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)
                self.assertLess(len(done.stderr), 8000)
                self.assertEqual(out["verdict"], "incomplete")

    def test_no_room_for_temporary_files(self):
        for script in ("echo \"ld: final link failed: No space left on device\"; exit 1",
                       "echo \"as: File size limit exceeded\"; exit 1"):
            done, _ = self.sim("int main() {}", "--cxx", self.compiler(script))
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"the temporary folder {tempfile.gettempdir()} has no room", done.stderr)
            self.assertIn("TMPDIR names another", done.stderr)
        path = self.source(DOUBLE + main_of(RUN_DOUBLE))
        done = subprocess.run([BIN, "sim", path], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the temporary folder", done.stderr)
        done = subprocess.run([BIN, "sim", path], capture_output=True, text=True, env={**os.environ, "TMPDIR": "/nonexistent"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("temporary folder /nonexistent", done.stderr)

    def test_signals_at_every_stage(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        pid = self.folder / "pid"
        wait = f'sleep 100 & echo $! > "{pid}"; wait'
        stages = {"asking": f'#!/bin/sh\n{wait}\n',
                  "compiling": f'#!/bin/sh\ncase "$*" in *" -S "*) {wait};; esac\n',
                  "assembling": f'#!/bin/sh\ncase " $* " in *" -S "*) exec g++ "$@";; *" -c "*) {wait};; esac\n',
                  "linking": f'#!/bin/sh\ncase "$*" in *" -S "*|*" -c "*) exec g++ "$@";; *-dM*) ;; *) {wait};; esac\n'}
        path = self.source("int main() {}")
        for number in (signal.SIGINT, signal.SIGTERM):
            for stage, script in stages.items():
                with self.subTest(stage=stage, signal=number):
                    compiler = self.folder / "compiler"
                    compiler.write_text(script)
                    compiler.chmod(0o700)
                    pid.unlink(missing_ok=True)
                    out = self.folder / "out.json"
                    with subprocess.Popen([BIN, "sim", path, "--cxx", str(compiler), "--json", str(out)],
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                          env={**os.environ, "TMPDIR": str(temporary)}) as child:
                        end = time.monotonic() + 60
                        while not (pid.exists() and pid.read_text()) and time.monotonic() < end:
                            time.sleep(0.02)
                        child.send_signal(number)
                        said_out, said = child.communicate(timeout=60)
                    self.assertEqual((child.returncode, said_out, said), (128 + number, "", "cosmati: interrupted\n"))
                    self.assertEqual(os.listdir(temporary), [])
                    self.assertFalse(out.exists())
                    sleeping = pathlib.Path(f"/proc/{pid.read_text().strip()}/stat")
                    for _ in range(100):
                        if ended := not sleeping.exists() or sleeping.read_text().split()[2] == "Z":
                            break
                        time.sleep(0.05)
                    self.assertTrue(ended)

    def test_a_signal_while_results_are_written(self):
        # standard output is a pipe that nobody empties
        text = DOUBLE + main_of(RUN_DOUBLE + 'for (int i = 0; i < 20000; ++i) std::printf("x%d\\n", i);')
        temporary = self.folder / "temporary"
        temporary.mkdir()
        with subprocess.Popen([BIN, "sim", self.source(text)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "TMPDIR": str(temporary)}) as child:
            child.stdout.read(1)
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGINT)
        self.assertEqual(os.listdir(temporary), [])

    def test_a_compiler_that_is_not_there(self):
        done = run("sim", self.source("int main() {}"), "--cxx", "no-such-compiler")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-such-compiler", done.stderr)

    def test_output_that_cannot_be_written(self):
        done = run("sim", self.source("int main() {}"), "--json", str(self.folder / "none/out.json"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no folder", done.stderr)


class Programs(Case):
    def test_exit_status(self):
        done, out = self.sim(DOUBLE + main_of(RUN_DOUBLE + "return 7;"))
        self.assertEqual(done.returncode, ERROR)
        self.assertEqual(out["verdict"], "error")
        self.assertEqual(out["hazards"], [])
        self.assertEqual(out["program"]["exit"], 7)
        self.assertIn("exit status 7", done.stdout)

    def test_bad_ends_leave_what_was_counted(self):
        for body, number in (("throw 3;", signal.SIGABRT), ("std::abort();", signal.SIGABRT),
                             ("*(int volatile*)8 = 1;", signal.SIGSEGV)):
            with self.subTest(body):
                done, out = self.sim(DOUBLE + main_of(RUN_DOUBLE + body), "--compile-flags=-w")
                self.assertEqual(done.returncode, ERROR)
                self.assertEqual(out["program"]["signal"], number)
                self.assertEqual(out["counters"]["twice"]["launches"], 1)

    def test_time(self):
        begin = time.monotonic()
        done, out = self.sim(DOUBLE + main_of(RUN_DOUBLE + "for (int volatile i = 0;; i = 1) {}"), "--timeout", "0.5")
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(done.returncode, INCOMPLETE)
        self.assertTrue(out["program"]["timed_out"])
        self.assertIn("had not ended after 0.5 s", done.stdout)
        self.assertEqual(out["counters"]["twice"]["launches"], 1)

    def test_arguments_input_and_output(self):
        text = main_of('for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]); char c = 0;'
                       'while (fread(&c, 1, 1, stdin) == 1) putchar(c); fputs("oops", stderr);' + RUN_DOUBLE)
        path = self.source(DOUBLE + text)
        done = run("sim", path, "--quiet", "--", "-O", "a b", "--json", text="given")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (CLEAN, "[-O][a b][--json]given", "oops"))
        done = run("sim", path, "--json", "-", text="given")
        self.assertEqual(json.loads(done.stdout)["verdict"], "clean")
        self.assertIn("given", done.stderr)

    def test_much_output(self):
        done, _ = self.sim(DOUBLE + main_of(RUN_DOUBLE + "for (int i = 0; i < 1000000; ++i) printf(\"%d\\n\", i);"))
        self.assertEqual(done.returncode, CLEAN)
        self.assertGreater(len(done.stdout), 6000000)

    def test_many_kernels_and_launches(self):
        text = DOUBLE + """
__global__ void thrice(float* p) { p[threadIdx.x] *= 3; }
__global__ void idle() {}
""" + main_of(RUN_DOUBLE + """
  for (int i = 0; i < 500; ++i) launch(twice, {.grid = 1, .block = 32}, b.data());
  launch(thrice, {.grid = 1, .block = 64}, b.data());
  launch(idle, {.grid = 1, .block = 64});
""")
        done, out = self.sim(text)
        self.assertEqual(done.returncode, CLEAN, done.stdout)
        self.assertEqual({k: c["launches"] for k, c in out["counters"].items()}, {"twice": 501, "thrice": 1, "idle": 1})
        self.assertEqual(out["counters"]["twice"]["instructions"], {"global_load": 502, "global_store": 502})

    def test_an_assertion_in_a_kernel(self):
        text = DOUBLE + "__global__ void asserts(int n) { assert(n < 3); }\n"
        done, out = self.sim(text + main_of("launch(asserts, {.grid = 1, .block = 32}, 4);"))
        self.assertEqual(done.returncode, ERROR)
        self.assertEqual([h["kind"] for h in out["hazards"]], ["assertion"])
        self.assertIn("assertion `n < 3` failed", out["hazards"][0]["message"])

    def test_extern_shared_arrays_are_the_dynamic_shared_memory(self):
        text = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
extern __shared__ float of_file[];
__global__ void first(float* out) {
  of_file[threadIdx.x] = float(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = of_file[31 - threadIdx.x];
}
template <class T>
__global__ void second(T* out, int shift) {
  extern __shared__ __align__(16) unsigned char of_function[];
  T* const t = reinterpret_cast<T*>(of_function);
  t[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = dynamic_shared<T>()[31 - threadIdx.x + shift];  // [load]
}
""" + main_of("""
  device_buffer<float> a(32), b(32);
  launch(first, {.grid = 1, .block = 32, .shared_bytes = 128}, a.data());
  launch(second<float>, {.grid = 1, .block = 32, .shared_bytes = 128}, b.data(), argc - 1);
  return a.download()[3] == 28 && (argc > 1 || b.download() == a.download()) ? 0 : 1;
""")
        for compiler in COMPILERS:
            for level in "0", "1":
                with self.subTest(compiler=compiler, level=level):
                    done, out = self.sim(text, "--cxx", compiler, "-O", level)
                    self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                    self.assertEqual(out["counters"]["first"]["instructions"]["shared_load"], 1)
        done, out = self.sim(text, arguments=("shifted",))
        self.assertEqual(done.returncode, ERROR)
        self.assertEqual(out["hazards"][0]["kind"], "out_of_bounds")
        self.assertEqual(out["hazards"][0]["line"], 1 + text[:text.index("[load]")].count("\n"))

    def test_alignas_behind_shared(self):
        (self.folder / "row.hpp").write_text("constexpr int row = 32;\n")
        text = """
#include <cosmati/cosmati.hpp>
#include "row.hpp"
using namespace cosmati;
__global__ void aligned(int* out, int shift) {
  __shared__ alignas(128) int a[row];  // not __shared__ alignas(8)
  static __shared__
      alignas(alignof(float4)) const volatile int b[row] = {};
  extern __shared__ alignas(16) int c[];
  a[threadIdx.x] = c[threadIdx.x] = static_cast<int>(reinterpret_cast<std::size_t>(a) % 128) + shift;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + c[31 - threadIdx.x] + (b == nullptr);
  if (shift != 0) out[threadIdx.x] = a[31u - threadIdx.x + static_cast<unsigned>(shift)];  // [load]
}
""" + main_of("""
  device_buffer<int> out(32);
  launch(aligned, {.grid = 1, .block = 32, .shared_bytes = 128}, out.data(), argc - 1);
  return out.download()[5] == 0 ? 0 : 1;
""")
        line = 1 + text[:text.index("[load]")].count("\n")
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, out = self.sim(text, "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
        done, out = self.sim(text, arguments=("shifted",))
        self.assertEqual([(h["kind"], h["file"], h["line"]) for h in out["hazards"]],
                         [("out_of_bounds", str(self.folder / "program.cpp"), line)], done.stdout)

    def test_flags(self):
        (self.folder / "with").mkdir()
        (self.folder / "with/value.hpp").write_text("constexpr int value = 5;\n")
        text = "#include <value.hpp>\n" + DOUBLE + main_of(
            RUN_DOUBLE + 'printf("%d %s", value + PLUS + OTHER, __OPTIMIZE__ ? "fast" : "");')
        done, _ = self.sim(text, "-I", str(self.folder / "with"), "-DPLUS=2", "-O2", "--std", "c++20",
                           "--compile-flags=-DOTHER=3 -Wall")
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        self.assertTrue(done.stdout.startswith("10 fast"), done.stdout)

    LETTERS = ("-DM=64", "-D", "N=2", "-DK", "-DT=float", "-DV=4", "-DA=1", "-DB=1", "-DS=1", "-DD=1", "-DL=1", "-DI=1",
               "-DF(x)=((x)+1)", "-Dcopies=3", "-DSIZE=5", "-Dmax=6", "--compile-flags=-DX=7 -D Y=8 -Wall")
    SUM = "M + N + K + V + A + B + S + D + L + I + F(1) + copies + SIZE + max + X + Y + static_cast<int>(T(1.5f))"
    IN_ALL = "109 64"  # 64 + 2 + 1 + 4 + 6 ones + 2 + 3 + 5 + 6 + 7 + 8 + 1, and the buffer's elements

    def test_macros_of_one_letter(self):
        text = DOUBLE + main_of(RUN_DOUBLE + f'printf("%d %d", {self.SUM}, static_cast<int>(b.size()));')
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, _ = self.sim(text, "--cxx", compiler, *self.LETTERS)
                self.assertEqual(done.returncode, CLEAN, done.stderr)
                self.assertTrue(done.stdout.startswith(self.IN_ALL), done.stdout)
                self.assertEqual(done.stderr, "")

    def test_macros_where_a_header_of_the_program_includes_the_library(self):
        # Found beside the source, in a folder of its own, and by -I; the second needs the macros itself.
        (self.folder / "own").mkdir()
        (self.folder / "with").mkdir()
        (self.folder / "own/kernel.hpp").write_text(
            "/* #include <cosmati/no_such.hpp> */\n#pragma once\n#include <own_mma.hpp>\n#include \"more.hpp\"\n")
        (self.folder / "own/more.hpp").write_text("  #  include <cosmati/cosmati.hpp>\nconstexpr int doubled = 2 * M;\n")
        (self.folder / "with/own_mma.hpp").write_text("#include <cosmati/mma.hpp>\n")
        text = '#include "own/kernel.hpp"\n' + DOUBLE + main_of(
            RUN_DOUBLE + f'printf("%d %d", {self.SUM}, doubled / 2);')
        done, _ = self.sim(text, "-I", str(self.folder / "with"), *self.LETTERS)
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        self.assertTrue(done.stdout.startswith(self.IN_ALL), done.stdout)

    def test_macros_keep_lines_and_settings(self):
        text = DOUBLE.replace("twice(float* p) {", "twice(float* p) { p[N] = 1;  // [race]\n") + main_of(RUN_DOUBLE)
        text = "#define COSMATI_NAMESPACE cute\n" + text.replace("using namespace cosmati", "using namespace cute")
        line = 1 + text[:text.index("[race]")].count("\n")
        done, out = self.sim(text, "-DN=3", "-DNDEBUG")
        self.assertEqual(done.returncode, ERROR, done.stderr)
        self.assertIn((str(self.folder / "program.cpp"), line), {(h["file"], h["line"]) for h in out["hazards"]})
        done, _ = self.sim(DOUBLE + "int oops = N;\n" + main_of(RUN_DOUBLE), "-DN=1 +")
        self.assertEqual(done.returncode, 2)
        self.assertIn("program.cpp:5", done.stderr)

    def test_the_library_in_another_namespace(self):
        # What it moves without instrumentation it has reported, whatever its functions are called.
        text = (ROOT / "examples/01_through_shared.cpp").read_text()
        text = "#define COSMATI_NAMESPACE cute\n" + text.replace("using namespace cosmati", "using namespace cute")
        for level in ("0", "2"):
            done, out = self.sim(text, "-O", level)
            self.assertEqual(done.returncode, CLEAN, done.stderr)
            self.assertEqual(out["unseen"], [])

    def test_macros_above_the_include(self):
        done, _ = self.sim("#define N 1024\n" + DOUBLE + main_of(RUN_DOUBLE))
        self.assertEqual(done.returncode, 2)
        self.assertIn("put #define N below the includes of cosmati", done.stderr)
        self.assertEqual(done.stderr.count("error: "), 2, done.stderr)  # this one, and the end

    def test_nothing_stays_behind(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        for text, status in ((DOUBLE + main_of(RUN_DOUBLE), CLEAN), ("no program", 2)):
            done = subprocess.run([BIN, "sim", self.source(text)], capture_output=True, env=environment)
            self.assertEqual(done.returncode, status)
            self.assertEqual(os.listdir(temporary), [])
        path = self.source(DOUBLE + main_of(RUN_DOUBLE + 'puts("here"); fflush(stdout); for (int volatile i = 0;; i = 1) {}'))
        with subprocess.Popen([BIN, "sim", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=environment) as child:
            self.assertEqual(child.stdout.readline(), "here\n")
            self.assertEqual(len(os.listdir(temporary)), 1)
            child.send_signal(signal.SIGINT)
            _, said = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGINT)
        self.assertIn("interrupted", said)
        self.assertEqual(os.listdir(temporary), [])


class Unseen(Case):
    TEXT = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
#if !defined(NO_SANITIZE)
#define NO_SANITIZE
#endif
NO_SANITIZE __attribute__((noinline)) void put(float* p, float v) { *p = v; }
__attribute__((noinline)) float table(float x) {  // constants and an array of its own: nothing is hidden
  float c[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float s = 0;
  for (int i = 0; i < int(x); ++i) s += c[i & 7];
  return s + std::sin(x) + std::pow(x, 2.f);
}
__global__ void plain(float* p) {
  float s, c;
  sincosf(p[threadIdx.x], &s, &c);
  p[threadIdx.x] = table(p[threadIdx.x]) + s + c;
  asm volatile("" ::: "memory");
}
__global__ void assembly(float* p) {
  float v;
  asm volatile("movss (%1), %0" : "=x"(v) : "r"(p + threadIdx.x));  // [assembly]
  p[threadIdx.x] = v;
}
__global__ void length(float* p) {
  if (threadIdx.x == 0) p[0] = float(std::strlen(reinterpret_cast<char*>(p + 1)));  // [length]
}
__global__ void sorts(float* p) {
  if (threadIdx.x == 0) std::qsort(p, 8, 4, [](void const*, void const*) { return 0; });  // [sorts]
}
__global__ void puts_one(float* p) { put(p + threadIdx.x, 1); }
"""

    def program(self, kernel: str) -> str:
        return self.TEXT + main_of("device_buffer<float> b(std::vector<float>(32, 1.f));"
                                   "std::vector<float> h(8); std::qsort(h.data(), 8, 4, [](void const*, void const*) { return 0; });"
                                   f"launch({kernel}, {{.grid = 1, .block = 32}}, b.data());")

    def test_what_is_seen_is_clean(self):
        for compiler in COMPILERS:
            for level in "0", "1", "2":
                with self.subTest(compiler=compiler, level=level):
                    done, out = self.sim(self.program("plain"), "--cxx", compiler, "-O", level)
                    self.assertEqual(done.returncode, CLEAN, out and out["reasons"])

    def test_what_is_not_is_incomplete(self):
        for compiler in COMPILERS:
            for kernel, what in (("assembly", "inline assembly"), ("length", "call of strlen"), ("sorts", "call of qsort")):
                line = 1 + self.TEXT[:self.TEXT.index(f"[{kernel}]")].count("\n")
                with self.subTest(compiler=compiler, kernel=kernel):
                    done, out = self.sim(self.program(kernel), "--cxx", compiler)
                    self.assertEqual(done.returncode, INCOMPLETE, done.stdout)
                    self.assertEqual([(u["what"], u["kernel"], u["line"]) for u in out["unseen"]], [(what, kernel, line)])
                    self.assertIn(f"program.cpp:{line}", done.stdout)

    def test_functions_without_instrumentation(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, out = self.sim(self.program("puts_one"), "--cxx", compiler,
                                     '--compile-flags=\'-DNO_SANITIZE=__attribute__((no_sanitize("thread")))\'')
                self.assertEqual(done.returncode, INCOMPLETE, done.stdout + done.stderr)
                self.assertIn("function put(float*, float)", out["unseen"][0]["what"])
                done, out = self.sim(self.program("puts_one"), "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout)

    def test_address_sanitizer(self):
        done, out = self.sim(self.program("plain"), "--compile-flags=-fsanitize=address -fsanitize-recover=address")
        self.assertEqual(done.returncode, INCOMPLETE, done.stdout + done.stderr)
        self.assertIn("a sanitizer that excludes the instrumentation", " ".join(out["reasons"]))
        self.assertEqual(out["program"]["exit"], 0)

    def test_undefined_behaviour_sanitizer(self):
        text = DOUBLE + "__global__ void shifts(int* p, int by) { p[threadIdx.x] = 1 << by; }\n"
        body = "device_buffer<int> b(32); launch(shifts, {.grid = 1, .block = 32}, b.data(), 40);"
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, _ = self.sim(text + main_of(body), "--cxx", compiler, "--compile-flags=-fsanitize=undefined")
                self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
                self.assertIn("shift exponent 40 is too large", done.stderr)


@unittest.skipUnless((ROOT / "src/sim/hazards.cpp").exists(), "the simulated device looks for no hazards yet")
class Hazards(Case):
    # A mutant of tests/hazards for each kind.
    MUTANTS = {
        "out_of_bounds": "11_stencil.right_neighbour_of_the_last",
        "misaligned": "02_vector_tail.vector_from_the_second",
        "race": "08_histogram.plain_bins",
        "uninitialized": "08_histogram.result_not_cleared",
        "missing_wait": "16_bulk_load.no_wait",
        "missing_commit": "12_cp_async_two_stages.no_commit",
        "missing_barrier": "06_reduce_shuffle.no_barrier",
        "missing_proxy_fence": "18_epilogue_bulk_store.no_fence",
        "mbarrier": "35_mbarrier_tokens.init_by_two",
        "deadlock": "16_bulk_load.expects_too_much",
        "divergence": "05_reduce_tree.barrier_under_branch",
    }
    ALL = {v.name: v for v in variants()}

    def test_every_kind(self):
        for kind, name in self.MUTANTS.items():
            with self.subTest(name):
                v = self.ALL[name]
                done, out = self.sim(v.text)
                self.assertEqual(done.returncode, ERROR, done.stdout + done.stderr)
                first = out["hazards"][0]
                self.assertLessEqual(HAZARD_KEYS, set(first))
                self.assertIn(first["kind"], v.mutant["kinds"], done.stdout)
                self.assertEqual(first["kind"], kind)
                self.assertIn(first["line"], v.at)
                self.assertEqual(first["file"], str(self.folder / "program.cpp"))
                self.assertIn(first["kernel"], out["counters"])
                self.assertEqual(len(first["block"]), 3)
                self.assertIn(first["message"], done.stdout)

    def test_review(self):
        done, out = self.sim(self.ALL["16_bulk_load.no_init_fence"].text)
        self.assertEqual(done.returncode, REVIEW, done.stdout + done.stderr)
        self.assertEqual(out["verdict"], "review")
        self.assertEqual([h["severity"] for h in out["hazards"]], ["review"] * len(out["hazards"]))

    def test_errors_stand_before_what_is_to_be_reviewed(self):
        kernel = """__global__ void both(int* p, int const* in) {
  __shared__ __align__(16) int stage[32];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    arrive_and_expect_bytes(full, 128);
    bulk_copy_g2s(stage, in, 128, full);
  }
  __syncthreads();
  wait_barrier(full, 0);
  p[threadIdx.x + (threadIdx.x == 31)] = stage[threadIdx.x];
}
"""
        done, out = self.sim("#include <cosmati/cosmati.hpp>\nusing namespace cosmati;\n" + kernel + main_of("""
  device_buffer<int> p(32), in(std::vector<int>(32, 1));
  launch(both, {.grid = 1, .block = 32}, p.data(), in.data());"""))
        self.assertEqual(done.returncode, ERROR, done.stdout + done.stderr)
        self.assertEqual([(h["kind"], h["severity"]) for h in out["hazards"]],
                         [("out_of_bounds", "error"), ("missing_proxy_fence", "review")])

    def test_a_seed_reproduces_everything(self):
        path = self.source(self.ALL["12_cp_async_two_stages.one_group_too_few"].text)
        for seed in "0", "7":
            with self.subTest(seed):
                given = [self.sim("", "--seed", seed, path=path) for _ in range(2)]
                for done, out in given[1:]:
                    self.assertEqual(done.stdout, given[0][0].stdout)
                    self.assertEqual(out, given[0][1])
                self.assertEqual(given[0][1]["program"]["seed"], int(seed))
                self.assertEqual(given[0][1]["verdict"], "error")


class Installed(Case):
    def test_beside_the_installed_command(self):
        build = pathlib.Path(BIN).resolve().parents[1]
        if not (build / "cmake_install.cmake").exists():
            self.skipTest("the command does not lie in a build folder")
        prefix = self.folder / "prefix"
        done = subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.source(DOUBLE + main_of(RUN_DOUBLE))
        done = subprocess.run([str(prefix / "bin/cosmati"), "sim", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, CLEAN, done.stdout + done.stderr)
        shutil.rmtree(prefix / "include")
        done = subprocess.run([str(prefix / "bin/cosmati"), "sim", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("libcosmati_sim.a", done.stderr)


PIPELINE = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void rows(float const* in, float* out) {
  __shared__ __align__(16) float stage[2][256];
  int const t = static_cast<int>(threadIdx.x);
  for (int k = 0; k < 2; ++k) {
    cp_async<16>(&stage[k][4 * t], in + 256 * k + 4 * t);
    cp_async_fence();
  }
  for (int k = 0; k < 2; ++k) {
    if (k == 0) cp_async_wait<1>(); else cp_async_wait<0>();
    BARRIER;
    for (int j = t; j < 256; j += 64) out[256 * k + j] = stage[k][255 - j];
  }
}
int main() {
  device_buffer<float> in(std::vector<float>(512, 1.f)), out(512);
  try {
    launch(rows, {.grid = 3, .block = 64}, in.data(), out.data());
  } catch (error const&) {
    return 1;
  }
}
"""
BULK = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void one_row(float const* in, float* out, unsigned bytes) {
  __shared__ std::uint64_t full;
  __shared__ __align__(16) float stage[256];
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect_bytes(full, bytes);
    bulk_copy_g2s(stage, in, 1024, full);
  }
  wait_barrier(full, 0);
  for (int j = static_cast<int>(threadIdx.x); j < 256; j += 64) out[j] = stage[j];
}
int main(int argc, char**) {
  device_buffer<float> in(std::vector<float>(256, 1.f)), out(256);
  try {
    launch(one_row, {.grid = 1, .block = 64}, in.data(), out.data(), argc > 1 ? 2048u : 1024u);
  } catch (error const&) {
  }
}
"""


class Page(html.parser.HTMLParser):
    """A report's page: it is closed properly, and what its time lines say."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.svgs, self.titles, self.marked, self.references = [], 0, [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.references += [v for k, v in attributes if k in ("src", "href")]
        self.svgs += tag == "svg"
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.references += [v for k, v in attributes if k in ("src", "href")]

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.titles.append(data)
        if self.open and self.open[-1] == "mark":
            self.marked.append(data)


class Report(Case):
    def page(self, text: str, *more: str, arguments: tuple = ()):
        path = self.folder / "out.html"
        done, out = self.sim(text, "--report", str(path), *more, arguments=arguments)
        page = Page(path.read_text())
        self.assertEqual(page.open, [])
        self.assertEqual(page.references, [])
        self.assertNotIn("@import", path.read_text())
        return done, out, page

    def test_copies_and_barriers_of_each_warp(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                done, _, page = self.page(PIPELINE.replace("BARRIER", "__syncthreads()"), "--cxx", compiler)
                self.assertEqual(done.returncode, CLEAN, done.stdout)
                self.assertEqual(page.svgs, 2)  # costs; the first block
                said = collections.Counter(t.split(";")[0] for t in page.titles)
                for group in (0, 1):  # two warps; a bar before the commit and one behind it
                    self.assertEqual(said[f"cp.async group {group}: 32 copies, 512 bytes"], 4, said)
                    self.assertEqual(said[f"cp.async.commit_group {group}"], 2)
                self.assertEqual(said["cp.async.wait_group 1"], 2)
                self.assertEqual(said["cp.async.wait_all"], 2)
                self.assertEqual(said["__syncthreads"], 4)
                self.assertEqual(said["__syncthreads lets its threads go on"], 2)
                self.assertEqual(said["the warp has ended"], 2)
                self.assertEqual(said["hazard"], 0)
                self.assertFalse([t for t in page.titles if "never" in t])
                self.assertTrue([t for t in page.titles if t.endswith("program.cpp:8")], page.titles)

    def test_a_hazard_with_its_lines(self):
        done, out, page = self.page(PIPELINE.replace("BARRIER", "if (blockIdx.x == 0) __syncthreads()"))
        self.assertEqual(done.returncode, ERROR)
        self.assertEqual({tuple(h["block"]) for h in out["hazards"]}, {(1, 0, 0)})
        self.assertEqual(page.svgs, 3)  # costs, the first block, the first with a hazard
        self.assertIn("time line of block (0,0,0)", page.titles)
        self.assertIn("time line of block (1,0,0)", page.titles)
        self.assertEqual(len(page.marked), sum(1 + (h["other_line"] != h["line"]) for h in out["hazards"]))
        self.assertTrue(any("= stage[k][255 - j];" in m for m in page.marked), page.marked)
        self.assertTrue(any("cp_async<16>(" in m for m in page.marked), page.marked)
        self.assertTrue(any(t.startswith("hazard") for t in page.titles))

    def test_bulk_copies_and_phases(self):
        _, _, page = self.page(BULK)
        said = {t.split("; ")[0] for t in page.titles}
        self.assertLessEqual({"mbarrier.init of 0, 1 arrivals a phase",
                              "mbarrier.arrive at 0, 1 arrival, expects 1024 bytes",
                              "cp.async.bulk to shared memory, 1024 bytes, signals mbarrier 0, phase 0",
                              "1024 bytes have landed that mbarrier 0 counts", "phase 0 of mbarrier 0 completes",
                              "waits for phase 0 of mbarrier 0"}, said)
        done, _, page = self.page(BULK, arguments=("more",))
        self.assertEqual(done.returncode, ERROR)
        waits = [t for t in page.titles if t.startswith("waits for phase 0")]
        self.assertEqual(len(waits), 2)
        for text in waits:
            self.assertTrue(text.endswith("never goes on"), text)
        self.assertIn("phase 0 does not complete", page.titles)

    def test_a_test_in_vain_is_no_wait_without_end(self):
        _, _, page = self.page("""#include <cosmati/cosmati.hpp>
__global__ void asks(int* out) {
  __shared__ std::uint64_t barrier;
  cosmati::initialize_barrier(barrier, 1);
  cosmati::fence_barrier_init();
  out[0] = cosmati::test_barrier(barrier, 0);
}
int main() {
  cosmati::device_buffer<int> out(1);
  cosmati::launch(asks, {.grid = 1, .block = 1}, out.data());
  return out.download()[0];
}
""")
        self.assertEqual(len([t for t in page.titles if t.startswith("waits for phase 0")]), 1)
        self.assertFalse([t for t in page.titles if "never" in t])

    def test_copies_that_arrive_at_an_mbarrier(self):
        _, _, page = self.page((ROOT / "tests/hazards/originals/15_gather_cp_async_mbarrier.cpp").read_text())
        said = collections.Counter(t.split(";")[0] for t in page.titles)
        self.assertEqual(said["cp.async group 0: 32 copies, 128 bytes"], 6)  # two warps, three rounds
        self.assertEqual(said["256 bytes have landed that mbarrier 0 counts"], 3)
        self.assertFalse([t for t in page.titles if "never" in t])

    def test_bulk_stores(self):
        text = (ROOT / "tests/hazards/originals/18_epilogue_bulk_store.cpp").read_text()
        _, _, page = self.page(text)
        said = collections.Counter(t.split(";")[0] for t in page.titles)
        for group in range(4):
            self.assertEqual(said[f"cp.async.bulk.commit_group {group}"], 1)
            self.assertTrue([t for t in said if t.startswith(f"cp.async.bulk to global memory, group {group}")], said)

    def test_groups_are_numbered_without_gaps(self):
        """A wait for everything commits in passing, and makes no group of nothing: three stages have groups 0, 1, 2, ..."""
        _, _, page = self.page("""
#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void ring(float const* in, float* out) {
  __shared__ alignas(16) float stage[2][128];
  for (int k = 0; k < 5; ++k) {
    cp_async<16>(&stage[k % 2][4 * threadIdx.x], in + 4 * threadIdx.x);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    out[threadIdx.x] = stage[k % 2][127 - threadIdx.x];
    __syncthreads();
  }
}
int main() {
  device_buffer<float> in(std::vector<float>(128, 1.f)), out(32);
  launch(ring, {.grid = 1, .block = 32}, in.data(), out.data());
}
""".replace("cp_async_wait<0>()", "cp_async_wait_all()"))
        groups = sorted({t.split(":")[0] for t in page.titles if t.startswith("cp.async group")})
        self.assertEqual(groups, [f"cp.async group {g}" for g in range(5)])

    def test_a_long_loop_is_cut(self):
        text = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void busy() { for (int i = 0; i < 4000; ++i) __syncthreads(); }
int main() { launch(busy, {.grid = 1, .block = 64}); }
"""
        _, _, page = self.page(text)
        self.assertLess(len(page.titles), 5000)
        self.assertIn("later events of single threads were not kept", (self.folder / "out.html").read_text())

    def test_conflicts_have_their_line_and_a_remedy(self):
        """Each remedy is what the classic transpose needs; a padded tile needs none."""
        text = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
template <int pad>
__global__ void turn(float const* in, float* out) {
  __shared__ float tile[32 * (32 + pad)];
  int const x = threadIdx.x % 32, y = threadIdx.x / 32;
  for (int r = y; r < 32; r += 8) tile[r * (32 + pad) + x] = in[r * 32 + x];
  __syncthreads();
  for (int r = y; r < 32; r += 8) out[r * 32 + x] = tile[x * (32 + pad) + r];
}
__global__ void columns(float const* in, float* out) { out[threadIdx.x] = in[32 * threadIdx.x]; }
__global__ void by_tensors(float const* in, float* out) {
  __shared__ float tile[32 * 32];
  auto s = make_tensor(make_smem_ptr(tile), Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  auto c = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_1, _1>>{}).get_slice(threadIdx.x);
  copy(c.partition_S(make_tensor(make_gmem_ptr(in), Layout<Shape<_32, _32>>{})), c.partition_D(s));
}
int main() {
  device_buffer<float> in(std::vector<float>(1024, 1.f)), out(1024);
  launch(turn<0>, {.grid = 1, .block = 256}, in.data(), out.data());
  launch(turn<0>, {.grid = 2, .block = 256}, in.data(), out.data());
  launch(turn<1>, {.grid = 1, .block = 256}, in.data(), out.data());
  launch(columns, {.grid = 1, .block = 32}, in.data(), out.data());
  launch(by_tensors, {.grid = 1, .block = 256}, in.data(), out.data());
}
"""
        self.page(text)
        written = (self.folder / "out.html").read_text()
        parts = {h.partition(",")[0]: h for h in written.split("<h2>Kernel ")[1:]}
        places = {kernel: re.findall(r'<section class="place">.*?</section>', part, re.DOTALL) for kernel, part in parts.items()}
        turned = places["turn&lt;0&gt;"]
        self.assertEqual(len(turned), 1)  # the launches of two grids together
        self.assertIn("2976 bank conflicts at ", turned[0])  # 992 of each block
        self.assertIn("program.cpp:10", turned[0])
        self.assertIn("put 4 bytes of padding behind every 128 bytes", turned[0])
        self.assertIn("Swizzle&lt;5,0,5&gt; for elements of 4 bytes", turned[0])
        self.assertRegex(turned[0], r"<mark>.*tile\[x \* \(32 \+ pad\) \+ r\]")
        self.assertEqual(places["turn&lt;1&gt;"], [])
        self.assertEqual(len(places["columns"]), 1)
        self.assertIn("32 sectors, where 4 would do at ", places["columns"][0])
        self.assertIn("neighbouring lanes are 128 bytes apart and move 4", places["columns"][0])
        # The library's copy is told by the program's line, not by one of a header.
        self.assertIn("992 bank conflicts at ", places["by_tensors"][0])
        self.assertIn("program.cpp:17", places["by_tensors"][0])

    def test_a_program_writes_its_own(self):
        program, out = self.folder / "program", self.folder / "own.html"
        path = self.source(PIPELINE.replace("BARRIER", ""))
        run("sim", path, "--program", str(program), "--quiet")
        done = subprocess.run([program], env={**os.environ, "COSMATI_SIM_HTML": str(out)}, capture_output=True)
        self.assertEqual(done.returncode, 1)  # the hazard is thrown as without a page
        page = Page(out.read_text())
        self.assertEqual(page.svgs, 2)
        self.assertIn("verdict: error", out.read_text())
        self.assertTrue(any("= stage[k][255 - j];" in m for m in page.marked), page.marked)
        done = subprocess.run([program], env={**os.environ, "COSMATI_SIM_HTML": str(self.folder / "no/own.html")},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write", done.stderr)
        self.assertIn("own.html: No such file or directory", done.stderr)
        out.unlink()
        subprocess.run([program], capture_output=True)
        self.assertFalse(out.exists())

    def test_no_folder(self):
        done = run("sim", self.source("int main() {}"), "--report", str(self.folder / "none/out.html"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("--report", done.stderr)

    def test_diff_of_two_runs(self):
        a, b = self.folder / "a.json", self.folder / "b.json"
        run("sim", self.source(PIPELINE.replace("BARRIER", "__syncthreads()")), "--json", str(a), "--quiet")
        self.assertEqual(run("diff", str(a), str(a)).returncode, 0)
        run("sim", self.source(PIPELINE.replace("BARRIER", "if (k) __syncthreads()")), "--json", str(b), "--quiet")
        done = run("diff", str(a), str(b))
        self.assertEqual(done.returncode, 1)
        self.assertIn('/verdict: "clean" -> "error"', done.stdout)
        self.assertIn("/hazards/missing_barrier in rows at program.cpp:14 with line 8/kind: - ", done.stdout)


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debugger(Case):
    def test_it_stops_inside_a_lane(self):
        path = self.source(DOUBLE.replace("*= 2", "*=\n  2") + main_of(RUN_DOUBLE))
        program = str(self.folder / "program")
        done = run("sim", path, "-O0", "--compile-flags=-g", "--program", program, "--quiet")
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        commands = ["set debuginfod enabled off", "break twice if threadIdx.x == 5", "run", "print threadIdx.x", "bt 1"]
        done = subprocess.run(["gdb", "-q", "-batch", "-nx"] + [f"-ex={c}" for c in commands] + [program],
                              capture_output=True, text=True, timeout=120)
        if "ptrace" in done.stderr or "Couldn't get registers" in done.stderr:
            self.skipTest("gdb may not watch programs here")
        self.assertIn("= 5", done.stdout, done.stdout + done.stderr)
        self.assertIn("program.cpp:4", done.stdout)


if __name__ == "__main__":
    unittest.main()
