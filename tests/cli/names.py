#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command's own name and those of its subcommands."""
import unittest

from support.command import run


class Names(unittest.TestCase):
    def test_unknown_ones_are_named_beside_those_there_are(self):
        for word in ("nonsense", "", "evil"):
            with self.subTest(word=word):
                done = run(word)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"there is no command '{word}'; the commands are layout, eval, tiled-copy, ", done.stderr)

    def test_none(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertIn("A subcommand is required", done.stderr)

    def test_options_before_it(self):
        self.assertRegex(run("--version").stdout, r"^cosmati \d+\.\d+\.\d+\n$")
        self.assertEqual(run("--nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
