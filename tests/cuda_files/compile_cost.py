#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cosmati sim` itself adds to the compilation of a CUDA file: at most 20 % of the compiler's time.

The compiler is replaced by a script that keeps each command and its preprocessed text, runs the compiler, and refuses to
link, so that no program runs. Measured is processor time in user mode, of two kinds, in turn:

  * with the rewriting: all of `cosmati sim` up to the link. It preprocesses, turns CUDA's syntax into C++, compiles to
    assembly, marks the assembly, and assembles.
  * without: the same preprocessor command, and one compilation of the rewritten text to an object file by the same flags.
    A compiler cannot read CUDA's syntax, so the text is the rewritten one.

The ratio of a file is that of the medians, or that of the least times if it is less: other work on the machine makes
single times longer, and never shorter. Rounds are added while the ratio is above the limit.
"""
import os
import pathlib
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
BIN = os.environ.get("COSMATI_BIN", str(HERE / "../../build/bin/cosmati"))
LIMIT = 1.20
ROUNDS, MOST_ROUNDS = 3, 9
# Of few lines, of templates and Thrust, and of inline PTX with the longest text.
FILES = ("vector_add.cu", "functors.cu", "ptx_forms.cu")

# A command that neither preprocesses, compiles nor assembles is a link.
COMPILER = """#!/bin/sh
kind=link
for word in "$@"; do
  case "$word" in
    -E) kind=preprocess ;;
    -S|-c) test $kind = preprocess || kind=compile ;;
    -dM) kind=ask ;;
    *.ii) test $kind = compile && cp "$word" KEPT/text.ii ;;
  esac
done
test $kind = link && exit 1
printf '%s\\n' "$@" > KEPT/$kind.$$
exec REAL "$@"
"""


def user_seconds(command: list, status: int) -> float:
    """The processor time of a command and what it starts, in user mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != status:
        raise RuntimeError(f"{command[:3]} ended with {done.returncode}: {done.stderr[:400]}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class measurement:
    """The two kinds of times of one file."""

    def __init__(self, file: pathlib.Path, compiler: str, folder: pathlib.Path):
        self.file, self.real, self.folder = file, compiler, folder
        self.script = folder / "compiler"
        self.script.write_text(COMPILER.replace("KEPT", shlex.quote(str(folder))).replace("REAL", compiler))
        self.script.chmod(0o755)
        self.with_rewriting, self.without = [], []
        self.rewritten()
        self.commands = self.plain_commands()

    def rewritten(self) -> float:
        return user_seconds([BIN, "sim", str(self.file), "--cxx", str(self.script), "--quiet"], 2)

    def plain_commands(self) -> list:
        """The preprocessor's command, and a compilation of the rewritten text to an object file."""
        def kept(kind):
            return [path.read_text().splitlines() for path in sorted(self.folder.glob(f"{kind}.*"))]
        preprocess = [words for words in kept("preprocess") if str(self.file) in words]
        compile_ = [words for words in kept("compile") if any(word.endswith(".ii") for word in words)]
        if (len(preprocess), len(compile_)) != (1, 1):
            raise RuntimeError(f"{self.file.name}: {len(preprocess)} preprocessor commands and {len(compile_)} compilations are no pair")
        kept_text, text, out = str(self.folder / "text.ii"), str(self.folder / "again.ii"), str(self.folder / "again.o")

        def command(words, source, out_):
            words = ["-c" if word == "-S" else source if word.endswith(".ii") else word for word in words]
            words[words.index("-o") + 1] = out_
            if "-MF" in words:
                words[words.index("-MF") + 1] = str(self.folder / "again.d")
            return [self.real, *words]
        return [command(preprocess[0], text, text), command(compile_[0], kept_text, out)]

    def take(self) -> None:
        self.with_rewriting.append(self.rewritten())
        self.without.append(sum(user_seconds(command, 0) for command in self.commands))

    def ratio(self) -> float:
        return ratio_of(self.with_rewriting, self.without)


def ratio_of(with_rewriting: list, without: list) -> float:
    """The ratio of the medians, or that of the least times if it is less."""
    return min(min(with_rewriting) / min(without), statistics.median(with_rewriting) / statistics.median(without))


class Rule(unittest.TestCase):
    def test_a_cost_above_the_limit_is_seen(self):
        self.assertGreater(ratio_of([1.30, 1.28, 1.31], [1.00, 1.02, 1.03]), LIMIT)
        self.assertGreater(ratio_of([1.25, 1.24, 1.26], [1.00, 1.50, 1.01]), LIMIT)  # a disturbed time without
        self.assertLess(ratio_of([1.10, 1.90, 1.95], [1.00, 1.02, 1.00]), LIMIT)  # disturbed times with


class Cost(unittest.TestCase):
    def test_the_rewriting_costs_little(self):
        for name in FILES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                m = measurement(HERE / name, "g++", pathlib.Path(folder))
                for done in range(1, MOST_ROUNDS + 1):
                    m.take()
                    if done >= ROUNDS and m.ratio() <= LIMIT:
                        break
                print(f"{name}: {statistics.median(m.with_rewriting):.2f} s with the rewriting, "
                      f"{statistics.median(m.without):.2f} s without, ratio {m.ratio():.3f}", file=sys.stderr)
                self.assertLessEqual(m.ratio(), LIMIT)


if __name__ == "__main__":
    unittest.main()
