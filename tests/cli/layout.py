#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati layout, and what the command says about itself."""
import json
import unittest

from support.command import run


class Layout(unittest.TestCase):
    def test_text(self):
        done = run("layout", "(4,(2,2)):(2,(1,8))")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines(), [
            "(4,(2,2)):(2,(1,8))", "size       16", "cosize     16", "rank       2", "depth      2", "injective  yes",
            "bijective  yes", "", "     0  1  2  3", "  +------------", "0 |  0  1  8  9", "1 |  2  3 10 11",
            "2 |  4  5 12 13", "3 |  6  7 14 15"])

    def test_slices_of_rank_3(self):
        done = run("layout", "(2,3,2)")
        self.assertIn("(_,_,0)", done.stdout)
        self.assertIn("(_,_,1)", done.stdout)

    def test_json(self):
        j = json.loads(run("layout", "(2,(2,2)):(4,(1,2))", "--json").stdout)
        self.assertEqual(j["layout"], "(2,(2,2)):(4,(1,2))")
        self.assertEqual((j["shape"], j["stride"]), ([2, [2, 2]], [4, [1, 2]]))
        self.assertEqual((j["size"], j["cosize"], j["rank"], j["depth"]), (8, 8, 2, 2))
        self.assertEqual((j["injective"], j["bijective"]), (True, True))
        self.assertEqual(j["table"], [[0, 1, 2, 3], [4, 5, 6, 7]])

    def test_swizzled(self):
        j = json.loads(run("layout", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--json").stdout)
        self.assertEqual(j["layout"], "Sw<2,0,3> o 0 o (8,8):(8,1)")
        self.assertEqual(j["table"][1], [9, 8, 11, 10, 13, 12, 15, 14])
        self.assertTrue(j["bijective"])

    def test_not_one_to_one(self):
        j = json.loads(run("layout", "(4,2):(1,0)", "--json").stdout)
        self.assertEqual((j["injective"], j["bijective"]), (False, False))
        j = json.loads(run("layout", "(4,2):(1,8)", "--json").stdout)
        self.assertEqual((j["injective"], j["bijective"]), (True, False))

    def test_underscores_and_blanks(self):
        self.assertTrue(run("layout", "( _4, _2 ) : ( _1, _4 )").stdout.startswith("(4,2):(1,4)\n"))

    def test_wrong(self):
        done = run("layout", "(4,2:(1")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.splitlines()[-2:], ["  (4,2:(1", "         ^"])
        self.assertEqual(run("layout", "Sw<3,0,3>").returncode, 2)


class Command(unittest.TestCase):
    def test_version(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^cosmati \d+\.\d+\.\d+\n$")

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for name in ("layout", "eval", "tiled-copy"):
            self.assertIn(name, done.stdout)
            own = run(name, "--help")
            self.assertEqual(own.returncode, 0)
            self.assertIn(f"cosmati {name}", own.stdout)

    def test_wrong_command_lines(self):
        for arguments in ((), ("nothing",), ("eval",), ("layout", "4:1", "--nothing"), ("layout", "4:1", "5:1")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stdout, "", arguments)
            self.assertNotEqual(done.stderr, "", arguments)


if __name__ == "__main__":
    unittest.main()
