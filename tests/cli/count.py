#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati count: equal to what the hardware counted, errors, and its speed."""
import collections
import csv
import gzip
import json
import pathlib
import resource
import unittest

from support.command import run

RESULTS = pathlib.Path(__file__).parents[2] / "bench/results/counters"


def measured(table: str = "h200_counters.csv.gz") -> list[list[str]]:
    opened = gzip.open if table.endswith(".gz") else open
    with opened(RESULTS / table, "rt", encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return rows[1:]


def line_of(row: list[str]) -> str:
    sources = row[39:] if row[0].startswith("CPA") else []
    return ",".join([row[0], row[2]] + row[7:39] + sources)


def answers(lines: list[str], *more: str) -> list[str]:
    done = run("count", *more, "-", text="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def same(instruction: str, width: int, offsets) -> str:
    return f"{instruction},{width}," + ",".join("" if o is None else str(o) for o in offsets)


class Measured(unittest.TestCase):
    def test_every_row_of_the_hardware(self):
        rows = measured()
        self.assertEqual(len(rows), 618)
        compared = 0
        for row, answer in zip(rows, answers([line_of(r) for r in rows]), strict=True):
            name = row[0], row[1]
            with self.subTest(name):
                if row[0] == "CPG16":  # its counters follow the source: counted as CPA16
                    continue
                self.assertEqual(answer, ",".join(row[3:7]))
                compared += 1
        self.assertEqual(compared, 600)

    def test_every_row_under_masks(self):
        """Of asynchronous copies that read a bank twice no rule gives the conflicts, nor all wavefronts, which they say."""
        rows = measured("h200_partial_masks.csv.gz")
        kinds, other = collections.Counter(), []
        for row, answer in zip(rows, answers([line_of(r) for r in rows], "--json"), strict=True):
            with self.subTest((row[0], row[1])):
                j = json.loads(answer)
                kinds[row[0], j["exact"]] += 1
                for key, counted in (("global_requests", row[5]), ("global_sectors", row[6])):
                    if counted:
                        self.assertEqual(j[key], int(counted))
                if j["exact"]:
                    self.assertEqual(j["shared_bank_conflicts"], int(row[4]))
                    self.assertEqual(j["shared_wavefronts"], int(row[3]))
                elif j["shared_wavefronts"] != int(row[3]):
                    other.append(j["shared_wavefronts"] - int(row[3]))
        self.assertEqual(kinds, {("LDS8", True): 366, ("LDS16", True): 799, ("CPA16", True): 128, ("CPA16", False): 64})
        self.assertEqual(sorted(other), [-1, -1, -1, 1, 1])

    def test_full_warps_are_always_exact(self):
        full = [r for r in measured() if all(r[7:])]
        for answer in answers([line_of(r) for r in full], "--json"):
            self.assertTrue(json.loads(answer)["exact"])


class Lines(unittest.TestCase):
    def test_one_line_as_an_argument(self):
        done = run("count", same("LDS4", 4, range(0, 4096, 128)))
        self.assertEqual((done.returncode, done.stdout), (0, "32,31,0,0\n"))

    def test_matrix_loads_look_at_their_own_lanes_only(self):
        rows = [16 * i for i in range(32)]
        far = [128 * i for i in range(32)]
        self.assertEqual(answers([same("LDSM1", 16, rows[:8] + far[8:]), same("LDSM2", 16, rows[:16] + far[16:]),
                                  same("LDSM4", 16, far), same("STSM1T", 16, far), same("LDSM2T", 16, far)]),
                         ["1,0,0,0", "2,0,0,0", "32,28,0,0", "8,7,0,0", "16,14,0,0"])
        # Not even the alignment of the others matters.
        self.assertEqual(answers([same("LDSM1", 16, rows[:8] + [3] * 24)]), ["1,0,0,0"])

    def test_no_lane_no_cost(self):
        self.assertEqual(answers([same("LDG4", 4, [None] * 32), same("CPA16", 16, [None] * 32)]), ["0,0,0,0"] * 2)

    def test_cp_async_counts_both_memories(self):
        self.assertEqual(answers([same("CPA16", 16, range(0, 512, 16)), same("CPA8", 8, [0] * 32)]),
                         ["4,0,1,16", "32,30,1,8"])
        # Eight lanes read one slot of 16 bytes of their lines.
        self.assertEqual(answers([same("CPA16", 16, [*range(0, 512, 16), *range(0, 4096, 128)])]), ["32,28,1,32"])

    def test_json(self):
        [answer] = answers([same("LDS4", 4, [0, 128, 256] + list(range(4, 120, 4)))], "--json")
        j = json.loads(answer)
        self.assertEqual((j["shared_wavefronts"], j["shared_wavefronts_floor"], j["shared_wavefronts_ideal"],
                          j["shared_bank_conflicts"]), (3, 1, 1, 2))
        self.assertEqual(j["worst_bank"], {"bank": 0, "words": 3, "lanes": [0, 1, 2]})
        [answer] = answers([same("LDG2", 2, range(0, 256, 8))], "--json")
        j = json.loads(answer)
        self.assertEqual([j[f"global_{k}"] for k in ("requests", "sectors", "sectors_ideal", "lines", "lines_ideal",
                                                     "bytes_used", "bytes_moved")], [1, 8, 2, 2, 1, 64, 256])

    def test_wrong_lines_say_why_and_the_next_is_read(self):
        good = same("LDS4", 4, range(0, 128, 4))
        for wrong, words in (
                ("", "no instruction is called ''"),
                ("LDS5,5", "no instruction is called 'LDS5'; there are LDS1 LDS2 "),
                ("LDS4", "the line ends after the instruction"),
                ("LDS4,", "the number of bytes a lane is '', expected an integer"),
                (same("LDS4", 8, range(32)), "LDS4 has 4 bytes a lane, not 8"),
                (same("LDSM4", 8, range(32)), "LDSM4 has 16 bytes at each address, not 8"),
                (same("LDS4", 4, range(0, 124, 4)), "the line has 31 offsets"),
                (good + ",0", "more than 32 offsets"),
                (same("CPA16", 16, [0] * 32 + [0] * 31), "the line has 31 sources"),
                (same("CPA16", 16, [0] * 32 + [8] * 32), "the source of lane 0 is 8, no multiple"),
                (same("CPA16", 16, [0] * 65), "more than 32 offsets and 32 sources"),
                (same("CPA16", 16, [0] * 63 + [None]), "lane 31 has an offset and no source"),
                (same("CPA16", 16, [None] + [0] * 63), "lane 0 has a source and no offset"),
                (same("LDS4", 4, [0] * 5 + ["x"] + [0] * 26), "the offset of lane 5 is 'x'"),
                (same("LDS4", 4, [0] * 5 + [-4] + [0] * 26), "the offset of lane 5 is '-4'"),
                (same("LDS4", 4, [0] * 5 + ["99999999999999999999"] + [0] * 26), "the offset of lane 5 is"),
                (same("LDS4", 4, [0] * 5 + [1 << 62] + [0] * 26), "more than"),
                (same("LDG8", 8, [0, 4] + [0] * 30), "the offset of lane 1 is 4, no multiple of the 8 bytes")):
            with self.subTest(wrong):
                first, second = answers([wrong, good])
                self.assertTrue(first.startswith("error: "), first)
                self.assertIn(words, first)
                self.assertEqual(second, "1,0,0,0")
                alone = run("count", wrong)
                if wrong:
                    self.assertEqual(alone.returncode, 2)
                    self.assertIn(words, alone.stderr)
                self.assertIn("error", json.loads(answers([wrong], "--json")[0]))

    def test_blanks_line_ends_and_a_last_line_without_one(self):
        text = same(" LDS4 ", 4, range(0, 128, 4)).replace(",", " ,\t") + "\r\n" + same("STS2", 2, [0] * 32)
        done = run("count", "-", text=text)
        self.assertEqual(done.stdout, "1,0,0,0\n1,0,0,0\n")

    def test_help(self):
        text = run("count", "--help").stdout
        for word in ("STSM4T", "instruction,bytes_per_lane,offset0", "cp.async", "inactive", "--json"):
            self.assertIn(word, text)


class Speed(unittest.TestCase):
    def test_speed(self):
        lines = [line_of(r) for r in measured()] * 100
        best = 0.0
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            given = answers(lines)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
            best = max(best, len(lines) / max(seconds, 1e-9))
        self.assertEqual(len(given), len(lines))
        print(f"{best:,.0f} lines a second of processor time")
        self.assertGreater(best, 50_000)


if __name__ == "__main__":
    unittest.main()
