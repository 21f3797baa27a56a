#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how far a build is, and about how long it will take, while it runs.

    build_progress.py LOG COMMAND...

runs COMMAND (a `cmake --build`), writes its output to LOG, and prints `42 of 93 build steps, about 2 min left`. On a
terminal it rewrites one line; elsewhere it prints a line every 10 seconds. The exit status is the command's. For each
step that is left, the estimate is the mean time of the steps done so far.
"""
import re
import subprocess
import sys
import threading
import time

# Ninja prints [42/93], make [ 45%].
NINJA = re.compile(rb"^\[(\d+)/(\d+)\]")
MAKE = re.compile(rb"^\[ *(\d+)%\]")
SECONDS_BETWEEN_LINES = 10.0


def position(line: bytes) -> tuple[int, int] | None:
    """The number of steps done and of all steps, or None if the line does not say."""
    if match := NINJA.match(line):
        return int(match[1]), int(match[2])
    if match := MAKE.match(line):
        return int(match[1]), 100
    return None


def duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def sentence(done: int, steps: int, seconds: float) -> str:
    """The text that is printed `seconds` after the first step."""
    what = f"{done} %" if steps == 100 else f"{done} of {steps} build steps"
    if done >= steps:
        return f"{what}, {duration(seconds)}"
    if done < 2 or seconds < 2:
        return what
    return f"{what}, about {duration(seconds / done * (steps - done))} left"


class Progress:
    """Prints positions; `clock` gives seconds."""

    def __init__(self, out, terminal: bool, clock=time.monotonic):
        self.out, self.terminal, self.clock = out, terminal, clock
        self.began = self.printed = clock()
        self.position = (0, 0)
        self.width = 0
        self.lock = threading.Lock()

    def print(self):
        done, steps = self.position
        text = "  " + (sentence(done, steps, self.clock() - self.began) if steps else "begins")
        if self.terminal:
            self.out.write("\r" + text.ljust(self.width))
            self.width = len(text)
        else:
            self.out.write(text + "\n")
        self.out.flush()
        self.printed = self.clock()

    def step(self, done: int, steps: int):
        with self.lock:
            self.position = (done, steps)
            if self.terminal:
                self.print()

    def wait(self):
        """Prints if it is time. The caller calls it now and then."""
        with self.lock:
            if self.clock() - self.printed >= (1.0 if self.terminal else SECONDS_BETWEEN_LINES):
                self.print()

    def end(self):
        if self.position[1]:
            with self.lock:
                self.print()
        if self.terminal and self.width:
            self.out.write("\n")
            self.out.flush()


def run(log: str, command: list[str], out=sys.stdout) -> int:
    progress = Progress(out, out.isatty())
    with open(log, "ab") as file, subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        ended = threading.Event()

        def now_and_then():
            while not ended.wait(0.5):
                progress.wait()

        clock = threading.Thread(target=now_and_then, daemon=True)
        clock.start()
        for line in process.stdout:
            file.write(line)
            if at := position(line):
                progress.step(*at)
        status = process.wait()
        ended.set()
        clock.join()
        progress.end()
    return status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__)
        sys.exit(2)
    sys.exit(run(sys.argv[1], sys.argv[2:]))
