#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./test` says in its last line which stages it did not run, and then fails."""
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(command: list[str], **variables: str) -> tuple[int, list[str]]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ | variables)
    return done.returncode, done.stdout.strip().splitlines()


class Stages(unittest.TestCase):
    def test_stages_that_begin_too_late_are_not_run(self):
        status, lines = run(["./test", "sources", "tidy"], MINUTES="0")
        self.assertNotEqual(status, 0)
        self.assertEqual(lines[-1], "0 passed, 0 failed, 0 skipped, 2 not run: sources tidy")

    def test_continuous_integration_fails_then(self):
        status, lines = run([".ci/run", "gcc"], MINUTES="0")
        self.assertNotEqual(status, 0)
        self.assertEqual(lines[-1], "0 passed, 0 failed, 0 skipped, 1 not run: gcc")

    def test_help_lists_the_stages(self):
        status, lines = run(["./test", "--help"])
        self.assertEqual(status, 0)
        for stage in ("sources", "tidy", "gcc", "clang", "sanitizers", "cuda", "web", "docs"):
            self.assertTrue(any(line.split()[:1] == [stage] for line in lines), stage)
        self.assertIn("not run", " ".join(lines))


if __name__ == "__main__":
    sys.exit(unittest.main())
