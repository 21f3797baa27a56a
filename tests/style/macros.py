#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the headers compile whatever macros the program defines.

    macros.py COMPILER [ROOT]       COMPILER is g++, clang++ or nvcc

Three things are tried:
  * Every identifier of the headers that is a single letter or in capitals becomes a macro, and all headers are
    preprocessed. A letter that is replaced must be in core/macro_letters.hpp. No other name may be replaced, so
    core/macros_aside.hpp must have it. Names that stay the program's own risk are listed below.
  * After a macro of each such letter, each include gives one #error that names the letter, and no other error.
  * All headers compile after macros of common words, and the program has its macros back after them.

Exit status 77 (skipped) if there is no such compiler.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

NOT_CODE = re.compile(
    r'R"(\w*)\((?:.|\n)*?\)\1"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"' r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"
)
# Macros of the headers of the system and of CUDA, and public names that CuTe has, too: SM80_..., _128.
NOT_TRIED = re.compile(
    r"__|_GLIBCXX_CMATH|_LIBCPP_CMATH|COSMATI|SM\d\d_|_\d|CUDART|(FILE|CLOCK_MONOTONIC|EINTR|ENOENT|FE_(DOWNWARD|TOWARDZERO|UPWARD)|INT(32|64)_(C|MAX|MIN)|LOCK_EX|NDEBUG|O_CLOEXEC|O_CREAT|"
    r"O_NOFOLLOW|O_RDWR|S_ISDIR|S_ISREG|W_OK)$"
)
SYSTEM = "bits/stdc++.h fcntl.h sys/file.h sys/mman.h sys/stat.h unistd.h".split()
# Object-like macros, with a value that no declaration can contain.
WORDS = """SIZE TILE BLOCK WARP I THREADS DEBUG CHECK ROWS COLS BM BN BK TM TN WIDTH HEIGHT NUM PI TILE_SIZE BLOCK_SIZE
 WARP_SIZE NUM_THREADS STAGES DIM SHAPE STRIDE TYPE KIND NAME IDX OFFSET CEIL_DIV ASSERT TA TB TC L2 C0 rows size sum
 check tile index width height num data min max swap abs block thread warp count type value""".split()
FUNCTIONS = {
    "min(a, b)": "min(3, 2) == 2",
    "max(a, b)": "max(3, 2) == 3",
    "swap(a, b)": "swap(3, 2)",
    "abs(a)": "abs(-3) == 3",
    "CHECK(call)": "CHECK(true)",
    "check(call)": "check(true)",
    "index(i, j)": "index(1, 0)",
    "sum(a, b)": "sum(1, 0)",
}
MEANINGS = {
    "min(a, b)": "((a) < (b) ? (a) : (b))",
    "max(a, b)": "((a) < (b) ? (b) : (a))",
    "abs(a)": "((a) < 0 ? -(a) : (a))",
    "swap(a, b)": "((a) + (b) == 5)",
    "index(i, j)": "((i) + (j) == 1)",
    "sum(a, b)": "((a) + (b) == 1)",
}

root = pathlib.Path(__file__).resolve().parents[2]
compiler = "g++"


def headers() -> list[str]:
    base = root / "include"
    return sorted(
        str(h.relative_to(base)) for h in base.rglob("*.hpp") if not re.match(r"macros?_", h.name) and h.name != "tune.hpp"
    )


def read(name: str) -> str:
    return (root / "include/cosmati/core" / name).read_text()


def letters() -> set[str]:
    return set(re.findall(r"if defined\((\w+)\)", read("macro_letters.hpp")))


def is_nvcc() -> bool:
    return "nvcc" in os.path.basename(compiler)


def run(source: str, *flags: str) -> tuple[int, str]:
    """The exit status of a compilation, and its whole output."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / ("source.cu" if is_nvcc() else "source.cpp")
        file.write_text(source)
        words = [compiler, "-std=c++20", f"-I{root / 'include'}", *flags, str(file)]
        if "-E" not in flags:
            words += (
                ["-arch=sm_90a", "-ptx", "-fdevice-syntax-only", "-o", os.devnull, "-Werror=all-warnings"]
                if is_nvcc()
                else ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
            )
        done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def in_parallel(function, items) -> list:
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def errors(text: str) -> list[str]:
    return re.findall(r"error: (?:#error )?\"?(.*)", text)


class Macros(unittest.TestCase):
    def test_names_of_the_headers_are_protected(self):
        names = set()
        for header in headers():
            names |= set(re.findall(r"\b[A-Za-z_]\w*", NOT_CODE.sub(" ", (root / "include" / header).read_text())))
        tried = sorted(n for n in names if (len(n) == 1 or n.upper() == n) and not NOT_TRIED.match(n))
        self.assertGreater(len(tried), 100)
        source = "".join(f"#include <{h}>\n" for h in SYSTEM)
        # The check of letters is off, so that their replacements are visible.
        source += "#include <cosmati/core/macros_begin.hpp>\n"
        source += "".join(f"#define {n} was_{n}_\n" for n in tried if len(n) == 1)
        source += "#undef COSMATI_IN_ITS_HEADERS\n#define COSMATI_IN_ITS_HEADERS\n"
        code, preprocessed = run(source + "".join(f"#include <{h}>\n" for h in headers()), "-E")
        self.assertEqual(code, 0, preprocessed[:500])
        self.assertEqual(set(re.findall(r"\bwas_(\w)_\b", preprocessed)) - letters(), set())

        source = "".join(f"#include <{h}>\n" for h in SYSTEM)
        source += "".join(f"#define {n} was_{n}_\n" for n in tried if len(n) > 1)
        code, preprocessed = run(source + "".join(f"#include <{h}>\n" for h in headers()), "-E")
        self.assertEqual(code, 0, preprocessed[:500])
        self.assertEqual(sorted(set(re.findall(r"\bwas_(\w+?)_\b", preprocessed))), [])

    def test_what_is_put_aside_comes_back(self):
        aside = re.findall(r'push_macro\("(\w+)"\)\n#undef (\w+)', read("macros_aside.hpp"))
        self.assertEqual([a for a, _ in aside], [b for _, b in aside])
        self.assertEqual([a for a, _ in aside], re.findall(r'pop_macro\("(\w+)"\)', read("macros_back.hpp")))

    def one_error(self, letter: str, said: tuple[int, str]):
        code, text = said
        self.assertNotEqual(code, 0)
        found = errors(text)
        self.assertEqual(len(found), 2, text)
        self.assertIn(f"put #define {letter} below the includes", found[0])
        self.assertIn("see the line above", found[1])
        self.assertLess(len(text.splitlines()), 15, text)

    def test_each_letter_is_one_error(self):
        source = "#include <cosmati/cosmati.hpp>\nint main() { return cosmati::size(cosmati::Shape<cosmati::_8>{}); }\n"
        every = sorted(letters())
        self.assertGreaterEqual(len(every), 40)
        for letter, said in zip(every, in_parallel(lambda one: run(source, f"-D{one}=64"), every)):
            self.one_error(letter, said)

    def test_each_header_has_the_error(self):
        every = headers() if os.path.basename(compiler).startswith("g++") else headers()[::20]  # the others are slow to start
        for header, said in zip(every, in_parallel(lambda h: run(f"#define N 1024\n#include <{h}>\n"), every)):
            with self.subTest(header):
                self.one_error("N", said)

    def test_between_two_includes(self):
        self.one_error("K", run("#include <cosmati/cosmati.hpp>\n#define K 8\n#include <cosmati/mma.hpp>\n"))

    def test_words_do_no_harm(self):
        includes = "".join(f"#include <{h}>\n" for h in headers())
        source = "".join(f"#define {w} 64\n" for w in WORDS) + includes
        source += "".join(f"#if {w} != 64\n#error {w}\n#endif\n" for w in WORDS)
        code, text = run(source)
        self.assertEqual((code, text), (0, ""))

    def test_functions_do_no_harm(self):
        includes = "".join(f"#include <{h}>\n" for h in headers())
        for before in ("", "#include <algorithm>\n"):
            source = before + "".join(f"#define {f} {MEANINGS.get(f, '(call)')}\n" for f in FUNCTIONS) + includes
            source += "".join(f"static_assert({value});\n" for value in FUNCTIONS.values())
            code, text = run(source)
            self.assertEqual((code, text), (0, ""))


def main() -> int:
    global compiler, root
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    compiler = sys.argv[1]
    if len(sys.argv) > 2:
        root = pathlib.Path(sys.argv[2]).resolve()
    if shutil.which(compiler) is None:
        print(f"skipped: no {compiler}")
        return 77
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Macros)
    return 0 if unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
