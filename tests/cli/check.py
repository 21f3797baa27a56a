#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati check: the documents' verdicts on coalescing, with the numbers that are true; conflicts, budgets, errors."""
import json
import random
import unittest

from support.command import run

ROWS, COLUMNS = "(4096,4096):(4096,1)", "(4096,4096):(1,4096)"
SCALAR, VECTOR = "UniversalCopy<uint16_t>", "UniversalCopy<uint64_t>"
ASYNC = "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"


def check(*arguments: str, status: int = 0) -> dict:
    done = run("check", "--json", *arguments)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def half(atom: str, thr: str, val: str, src: str, status: int = 0) -> dict:
    return check("--type", "half", "--atom", atom, "--thr", thr, "--val", val, "--src", src, status=status)


class Coalescing(unittest.TestCase):
    """16-bit values, (4096,4096): the table of `TiledCopy with cp.async`."""

    def expect(self, j: dict, ratio: float, sectors: int, lines: int, coalesced: bool):
        source = j["source"]
        self.assertEqual(source["sector_ratio"], ratio)
        self.assertEqual(source["per_instruction"]["sectors"], sectors)
        self.assertEqual(source["per_instruction"]["lines"], lines)
        self.assertEqual(source["coalesced"], coalesced)
        self.assertTrue(source["verdict"].startswith(f"{ratio:.1f}x the sectors needed"), source["verdict"])
        # the whole copy: as many instructions as it has warps' worth of vectors
        values = 32 * j["vector"]["bytes"] / 2
        self.assertEqual(source["instructions"], 4096 * 4096 / values)
        self.assertEqual(source["sectors"], sectors * source["instructions"])

    def test_row_major(self):
        j = half(SCALAR, "(16,8):(8,1)", "(1,4)", ROWS)
        self.assertEqual(j["tiler"], "(16,32)")
        self.expect(j, 4.0, 8, 4, False)
        self.assertIn("neighbouring threads start 8 bytes apart but read 2; use an 8-byte atom, "
                      "UniversalCopy<uint64_t>: 1.0x", j["source"]["verdict"])
        self.assertEqual(j["source"]["advice"]["atom"], VECTOR)
        self.expect(half(VECTOR, "(16,8):(8,1)", "(1,4)", ROWS), 1.0, 8, 4, True)

    def test_column_major_the_same(self):
        # Four rows of a warp share each sector: 4.0x. 16 is what a thread alone would move.
        j = half(SCALAR, "(16,8):(8,1)", "(1,4)", COLUMNS)
        self.expect(j, 4.0, 8, 8, False)
        self.assertEqual(j["source"]["thread_alone_ratio"], 16.0)
        self.assertEqual(j["source"]["neighbours_apart_bytes"], 4 * 4096 * 2)
        self.assertIn("let neighbouring threads take neighbouring rows: --thr '(16,8):(1,16)'", j["source"]["verdict"])
        j = half(VECTOR, "(16,8):(8,1)", "(1,4)", COLUMNS, status=1)
        self.assertFalse(j["vectorizable"])
        self.assertFalse(j["ok"])
        self.assertEqual(j["verify"]["fault"], "not_vectorizable")
        self.assertEqual((j["verify"]["thread"], j["verify"]["value"], j["verify"]["coordinate"]), (0, 1, [0, 1]))
        self.assertIn("not vectorizable: in the source value 1 of a thread lies 4096 elements from value 0",
                      j["source"]["verdict"])
        self.assertEqual(j["source"]["sector_ratio"], 4.0)  # value by value

    def test_the_documents_remedy(self):
        j = half(SCALAR, "(8,16):(16,1)", "(4,1)", COLUMNS)
        self.assertEqual(j["tiler"], "(32,16)")
        self.expect(j, 8.0, 16, 16, False)
        j = half(VECTOR, "(8,16):(16,1)", "(4,1)", COLUMNS)
        self.expect(j, 2.0, 16, 16, False)
        self.assertEqual(j["source"]["advice"]["thr"], "(8,16):(1,8)")
        self.assertIn("neighbouring threads start 8192 bytes apart but read 8; let neighbouring threads take "
                      "neighbouring rows: --thr '(8,16):(1,8)': 1.0x", j["source"]["verdict"])

    def test_a_true_remedy(self):
        self.expect(half(SCALAR, "(8,16):(1,8)", "(4,1)", COLUMNS), 4.0, 8, 4, False)
        self.expect(half(VECTOR, "(8,16):(1,8)", "(4,1)", COLUMNS), 1.0, 8, 4, True)

    def test_asynchronous(self):
        j = half(ASYNC, "(16,8):(8,1)", "(1,8)", ROWS)
        self.expect(j, 1.0, 16, 4, True)
        self.assertIsNone(j["source"]["advice"])
        j = half(ASYNC, "(8,16):(16,1)", "(8,1)", COLUMNS)
        self.expect(j, 1.0, 16, 16, True)
        self.assertIn("but 16 lines an instruction where 4 would do", j["source"]["verdict"])
        self.assertEqual(j["source"]["advice"]["thr"], "(8,16):(1,8)")
        j = half(ASYNC, "(32,4):(4,1)", "(1,8)", ROWS)
        self.expect(j, 1.0, 16, 8, True)
        self.assertIn("but 8 lines an instruction where 4 would do", j["source"]["verdict"])
        self.assertEqual(j["source"]["advice"]["thr"], "(16,8):(8,1)")

    def test_advice_keeps_its_word(self):
        for atom, thr, val, src in ((SCALAR, "(16,8):(8,1)", "(1,4)", ROWS), (SCALAR, "(16,8):(8,1)", "(1,4)", COLUMNS),
                                    (VECTOR, "(8,16):(16,1)", "(4,1)", COLUMNS),
                                    (SCALAR, "(8,16):(16,1)", "(4,1)", COLUMNS),
                                    (ASYNC, "(8,16):(16,1)", "(8,1)", COLUMNS)):
            better = half(atom, thr, val, src)["source"]["advice"]
            j = half(better.get("atom", atom), better.get("thr", thr), better.get("val", val), src)
            for key in ("sectors", "lines", "instructions", "sector_ratio"):
                self.assertEqual(j["source"][key], better[key], (atom, thr, val, src))
        better = half(VECTOR, "(16,8):(8,1)", "(1,4)", COLUMNS, status=1)["source"]["advice"]
        self.assertEqual(half(VECTOR, better["thr"], better["val"], COLUMNS)["source"]["sector_ratio"], 1.0)

    def test_moye_vectorized_and_coalesced(self):
        # Float32, column-major, threads down the columns
        def moye(atom, val):
            return check("--type", "float", "--atom", atom, "--thr", "(32,8)", "--val", val, "--src", "(4096,4096)")
        j = moye("UniversalCopy<double>", "(4,1)")
        self.assertFalse(j["source"]["coalesced"])
        self.assertEqual(j["source"]["sector_ratio"], 2.0)
        self.assertIn("start 16 bytes apart but read 8; use a 16-byte atom", j["source"]["verdict"])
        for atom, val in (("UniversalCopy<double>", "(2,1)"), ("UniversalCopy<uint128_t>", "(4,1)")):
            j = moye(atom, val)
            self.assertTrue(j["source"]["coalesced"])
            self.assertEqual(j["source"]["sector_ratio"], 1.0)


class Shared(unittest.TestCase):
    def test_conflicts(self):
        columns = ("--type", "float", "--atom", "UniversalCopy<float>", "--thr", "(32,8)", "--space", "shared", "--src")
        j = check(*columns, "(32,32):(32,1)")
        self.assertEqual(j["source"]["bank_conflicts"], 32 * 31)
        self.assertEqual(j["source"]["worst_bank"]["words"], 32)
        self.assertEqual(j["source"]["worst_bank"]["lanes"], list(range(32)))
        self.assertEqual(j["source"]["advice"]["bank_conflicts"], 0)
        self.assertEqual(check(*columns, j["source"]["advice"]["layout"])["source"]["bank_conflicts"], 0)
        self.assertEqual(check(*columns, "(32,32):(33,1)")["source"]["verdict"], "no bank conflicts")

    def test_matrices(self):
        def matrices(layout):
            return check("--type", "half", "--atom", "SM75_U32x4_LDSM_N", "--thr", "(16,2)", "--val", "(2,4)", "--src", layout)
        j = matrices("(64,64)")
        self.assertEqual(j["source"]["space"], "shared")
        self.assertEqual(j["source"]["bank_conflicts"], 64)
        self.assertEqual(matrices("Sw<3,3,3> o 0 o (64,64)")["source"]["bank_conflicts"], 0)

    def test_both_sides(self):
        j = check("--type", "half", "--atom", ASYNC, "--thr", "(16,8):(8,1)", "--val", "(1,8)", "--src",
                  "(64,64):(4096,1)", "--dst", "(64,64):(64,1)")
        self.assertEqual((j["source"]["space"], j["destination"]["space"]), ("global", "shared"))
        self.assertEqual((j["source"]["instruction"], j["destination"]["wavefronts"]), ("CPA16", 64))
        j = check("--type", "float", "--thr", "(32,8)", "--src", "(32,32)", "--dst", "(32,32):(32,1)")
        self.assertEqual(j["source"]["coalesced"], True)
        self.assertEqual(j["destination"]["bank_conflicts"], 992)
        j = check("--type", "float", "--thr", "(32,8)", "--src", "(32,32)", "--dst", "(32,32)", "--space", "shared,global")
        self.assertEqual((j["source"]["space"], j["destination"]["space"]), ("shared", "global"))


class Ragged(unittest.TestCase):
    """Tiles that reach beyond the tensor, counted again here by the definition: a block a tile, copied with bounds."""

    def by_definition(self, thr, val, by, extents, bounds, strides, size):
        """(instructions, requests, sectors, bytes used) of tiles inside and at the edge; sides are (extents, strides)."""
        (tm, tn), (dtm, dtn) = thr
        (vm, vn), (dvm, dvn) = val
        tile = (tm * vm, tn * vn)
        cost = {True: [0, 0, 0, 0], False: [0, 0, 0, 0]}
        count = {True: 0, False: 0}
        places = {i * dtm + j * dtn: (i * vm, j * vn) for i in range(tm) for j in range(tn)}
        values = {i * dvm + j * dvn: (i, j) for i in range(vm) for j in range(vn)}
        for first in ((i, j) for i in range(0, bounds[0], tile[0]) for j in range(0, bounds[1], tile[1])):
            inside = all(first[k] + tile[k] <= bounds[k] for k in (0, 1))
            count[inside] += 1
            for step in range(0, vm * vn, by):
                for warp in range(0, tm * tn, 32):
                    whole, single = [], [[] for _ in range(by)]
                    for t in range(warp, min(warp + 32, tm * tn)):
                        at = [[first[k] + places[t][k] + values[step + v][k] for k in (0, 1)] for v in range(by)]
                        here = [all(a[k] < bounds[k] for k in (0, 1)) for a in at]
                        begin = [size * (a[0] * strides[0] + a[1] * strides[1]) for a in at]
                        if all(here):
                            whole.append((begin[0], by * size))
                        else:
                            for v in range(by):
                                if here[v]:
                                    single[v].append((begin[v], size))
                    for accesses in [whole, *single]:
                        if accesses:
                            touched = {b for begin, n in accesses for b in range(begin, begin + n)}
                            for k, n in enumerate((1, 1, len({b // 32 for b in touched}), len(touched))):
                                cost[inside][k] += n
        return cost, count

    def test_random_extents(self):
        draw = random.Random(7)
        for _ in range(60):
            rows = draw.random() < 0.5
            size, name = draw.choice(((1, "int8"), (2, "half"), (4, "float"), (8, "double")))
            threads = draw.choice(((4, 8), (16, 2), (8, 8), (3, 16), (2, 32)))
            values = draw.choice((1, 2, 4)) if size < 8 else draw.choice((1, 2))
            thr = (threads, (threads[1], 1) if draw.random() < 0.5 else (1, threads[0]))
            val = ((1, values), (values, 1)) if rows else ((values, 1), (1, values))
            by = draw.choice((1, values))
            tile = (threads[0] * val[0][0], threads[1] * val[0][1])
            extents = tuple(draw.randrange(1, 3 * n + 1) for n in tile)
            bounds = tuple(draw.randrange(1, n + 1) if draw.random() < 0.3 else n for n in extents)
            pitch = -(-extents[1 if rows else 0] // values) * values + values * draw.randrange(3)
            strides = (pitch, 1) if rows else (1, pitch)
            said = check("--type", name, "--atom", f"UniversalCopy<uint{8 * size * by}_t>",
                         "--thr", f"({thr[0][0]},{thr[0][1]}):({thr[1][0]},{thr[1][1]})",
                         "--val", f"({val[0][0]},{val[0][1]}):({val[1][0]},{val[1][1]})",
                         "--src", f"({extents[0]},{extents[1]}):({strides[0]},{strides[1]})",
                         "--bounds", f"({bounds[0]},{bounds[1]})")
            cost, count = self.by_definition(thr, val, by, extents, bounds, strides, size)
            self.assertEqual(said["tiles"], {"inside": count[True], "edge": count[False]})
            source = said["source"]
            for inside, key in ((True, "inside"), (False, "edge")):
                got = [source[key][k] for k in ("instructions", "requests", "sectors", "bytes_used")]
                self.assertEqual(got, cost[inside], said)
            self.assertEqual(source["sectors"], cost[True][2] + cost[False][2])

    def test_words(self):
        base = ("--type", "float", "--atom", "UniversalCopy<uint128_t>", "--thr", "(16,16):(16,1)", "--val", "(1,4)",
                "--src", "(70,101):(104,1)")
        done = run("check", *base, "--bounds", "(70,101)", "--min-efficiency", "0.9")
        self.assertEqual(done.returncode, 0)
        for words in ("105 of warps, LDG16, 32 of them in 4 tiles inside, 73 in 6 at the edge",
                      "at the edge 1.2x the sectors, 79% of the bytes used", "kept          --min-efficiency 0.9: found 0.90"):
            self.assertIn(words, done.stdout)
        self.assertEqual(run("check", *base, "--bounds", "(70,101)", "--min-efficiency", "0.91").returncode, 1)
        # Without bounds it is wrong, and the answer says what it would cost with them.
        j = check(*base, status=1)
        self.assertEqual((j["verify"]["fault"], j["tiles"]), ("out_of_bounds", {"inside": 4, "edge": 6}))
        self.assertIn("counted as a copy with bounds", j["notes"][0])
        # What takes no bounds is counted whole, and said to be.
        j = check("--type", "half", "--atom", "SM75_U32x4_LDSM_N", "--thr", "(16,2)", "--val", "(2,4)", "--src", "(72,70):(1,72)",
                  status=1)
        self.assertIsNone(j["tiles"])
        self.assertIn("ldmatrix and stmatrix (x4) take no bounds", j["notes"][0])


class Boxes(unittest.TestCase):
    """Tensor copies: the boxes of make_tma_copy, their sectors counted again here, budgets and mistakes."""

    def tma(self, atom: str, type_: str, src: str, dst: str, *more: str, status: int = 0) -> dict:
        return check("--atom", atom, "--type", type_, "--src", src, "--dst", dst, *more, status=status)

    def test_whole_lines(self):
        j = self.tma("SM90_TMA_LOAD", "half", ROWS, "Sw<3,3,3> o 0 o (128,64):(64,1)")
        self.assertEqual(j["box"], {"extents": [64, 128], "bytes": 16384, "a_tile": 1, "swizzle_bytes": 128})
        self.assertEqual(j["source"]["sectors"], 4096 * 4096 * 2 // 32)
        self.assertEqual(j["source"]["requests"], 4096 * 4096 * 2 // 128)
        self.assertEqual(j["destination"]["bank_conflicts"], 0)

    def test_rows_that_begin_anywhere(self):
        # Rows of 272 bytes, of which a row of a box takes 128: a sum over the rows of both tiles.
        j = self.tma("SM90_TMA_STORE", "float", "(16,32):(32,1)", "(16,64):(68,1)")
        begins = [272 * row + 128 * tile for row in range(16) for tile in range(2)]
        self.assertEqual(j["destination"]["sectors"], sum((at + 127) // 32 - at // 32 + 1 for at in begins))
        self.assertEqual(j["destination"]["requests"], sum((at + 127) // 128 - at // 128 + 1 for at in begins))
        self.assertEqual(j["destination"]["instructions"], 2)

    def test_edges(self):
        j = self.tma("SM90_TMA_LOAD", "half", "(64,96):(96,1)", "(64,64):(64,1)", "--min-efficiency", "0.8", status=1)
        self.assertTrue(j["verify"]["ok"])
        self.assertEqual(j["verify"]["elements_outside"], 64 * 32)
        self.assertEqual(j["source"]["sectors"], 64 * 8)  # those outside are asked for, too
        self.assertFalse(j["budgets"][0]["kept"])

    def test_mistakes(self):
        for src, dst, words in (("(64,100):(100,1)", "(64,64):(64,1)", "stride of 200 bytes"),
                                (ROWS, "(64,64):(1,64)", "does not transpose"),
                                (ROWS, "(64,64):(72,1)", "a gap behind 64")):
            j = self.tma("SM90_TMA_LOAD", "half", src, dst, status=1)
            self.assertIn(words, j["verify"]["message"])
        done = run("check", "--atom", "SM90_TMA_LOAD", "--type", "half", "--dst", "(64,64):(64,1)")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--src: expected the layout of the tensor in global memory", done.stderr)


class Bulk(unittest.TestCase):
    """One thread's bulk copies, counted again here: cut at lines of shared memory, each piece costs the sectors it touches."""

    BASE = ("--atom", "SM90_BULK_COPY_AUTO", "--thr", "1", "--val", "1")

    def test_random_pitches(self):
        draw = random.Random(5)
        for _ in range(40):
            size, name = draw.choice(((1, "int8"), (2, "half"), (4, "float"), (8, "double")))
            run, count = 16 // size * draw.randrange(1, 20), draw.randrange(2, 12)
            pitch, shared = (run + 16 // size * draw.randrange(0, 9) for _ in range(2))
            stores = draw.random() < 0.5
            in_global, in_shared = f"({run},{count}):(1,{pitch})", f"({run},{count}):(1,{shared})"
            said = check(*self.BASE, "--type", name, "--src", in_shared if stores else in_global,
                         "--dst", in_global if stores else in_shared, "--space", "shared,global" if stores else "global,shared")
            one = pitch == shared == run
            runs = [(0, 0, run * count * size)] if one else [(size * pitch * k, size * shared * k, size * run) for k in range(count)]
            sectors = {(k, (to + b) // 128, (at + b) // 32) for k, (at, to, n) in enumerate(runs) for b in range(n)}
            lines = {(k, (to + b) // 128, (at + b) // 128) for k, (at, to, n) in enumerate(runs) for b in range(n)}
            side = said["destination" if stores else "source"]
            self.assertEqual((side["instructions"], side["sectors"], side["bytes_used"]),
                             (len(runs), len(sectors), size * run * count), said)
            self.assertEqual(said["vector"]["bytes"], runs[0][2])
            if stores:
                self.assertEqual(side["requests"], len(lines))
            else:
                self.assertGreaterEqual(side["requests"], len(lines))
            self.assertEqual(side["instruction"], "cp.async.bulk")

    def test_what_is_wrong(self):
        for source in ("(2,32):(1,4)", "(64,8):(1,66)", "(64,32):(64,1)"):
            j = check(*self.BASE, "--type", "float", "--src", source, "--dst", source.partition(":")[0], status=1)
            self.assertEqual((j["ok"], j["verify"]["fault"]), (False, "not_vectorizable"))
            self.assertIn("bulk copies move multiples of 16 bytes", j["verify"]["message"])
        for words, said in ((("--thr", "32"), "--thr, --val: "), (("--bounds", "(3,4)"), "--bounds: ")):
            done = run("check", "--atom", "SM90_BULK_COPY_AUTO", "--type", "float", "--src", "(64,8):(1,68)",
                       *(("--thr", "1") if "--thr" not in words else ()), *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)
        # a budget
        base = (*self.BASE, "--type", "float", "--src", "(64,32):(1,68)", "--dst", "(64,32)", "--min-efficiency")
        self.assertEqual(run("check", *base, "0.88").returncode, 0)
        self.assertEqual(run("check", *base, "0.9").returncode, 1)


class Verify(unittest.TestCase):
    def test_what_is_wrong(self):
        base = ("--type", "float", "--atom", "UniversalCopy<uint128_t>", "--thr", "(16,8):(8,1)", "--val", "(1,4)", "--src")
        for fault, more in (("out_of_bounds", ("(16,36):(36,1)",)), ("misaligned", ("(16,32):(33,1)",)),
                            ("not_vectorizable", ("(16,32)",)),
                            ("written_twice", ("(16,32):(32,1)", "--dst", "(16,32):(28,1)")),
                            ("shapes_differ", ("(16,32):(32,1)", "--dst", "(32,16):(16,1)")),
                            ("bounds", ("(16,32):(32,1)", "--bounds", "(16,33)"))):
            j = check(*base, *more, status=1)
            self.assertEqual(j["verify"]["fault"], fault)
            self.assertFalse(j["ok"])
        j = check(*base, "(16,36):(36,1)", status=1)
        self.assertEqual((j["verify"]["thread"], j["verify"]["value"], j["verify"]["coordinate"]), (1, 4, [0, 36]))
        self.assertTrue(check(*base, "(16,36):(36,1)", "--bounds", "(16,36)")["ok"])

    def test_budgets(self):
        base = ("--type", "float", "--atom", "UniversalCopy<float>", "--thr", "(32,8)", "--src", "(32,32):(32,1)")
        self.assertFalse(check(*base, "--space", "shared", "--max-conflicts", "991", status=1)["ok"])
        self.assertTrue(check(*base, "--space", "shared", "--max-conflicts", "992")["ok"])
        j = check(*base, "--min-efficiency", "0.5", status=1)
        self.assertEqual(j["budgets"], [{"option": "--min-efficiency", "limit": 0.5, "found": 0.125, "kept": False}])
        self.assertTrue(check(*base, "--min-efficiency", "0.125")["ok"])

    def test_text(self):
        done = run("check", "--type", "half", "--atom", SCALAR, "--thr", "(16,8):(8,1)", "--val", "(1,4)", "--src", ROWS)
        self.assertEqual(done.returncode, 0)
        for words in ("right         every element of the source is read once, in bounds and aligned",
                      "sectors             8 an instruction, 2 would do; 4194304 of 1048576 in all: 4.0x",
                      "layouts would allow 8 bytes"):
            self.assertIn(words, done.stdout)

    def test_bad_input(self):
        good = ["--type", "float", "--thr", "(32,8)", "--src", "(32,32)"]
        for arguments, words in (
                (["--space", "glbal"], "--space: expected global or shared"), (["--arch", "sm-9"], "--arch: expected an architecture"),
                (["--atom", "UniversalCopy<uint128_t>"], "--val: 1:0 has 1 values"), (["--atom", "Universal"], "--atom: expected"),
                (["--dst", "(32,"], "--dst: "), (["--bounds", "(32"], "--bounds: "), (["--min-efficiency", "2"], "--min-efficiency"),
                (["--min-efficiency", "x"], "'x' is no number from 0 to 1"), (["--max-conflicts", "-1"], "'-1' is no integer from 0 to 9223372036854775807"),
                (["--atom", "SM90_U32x4_STSM_N", "--arch", "sm_80"], "STSM"), (["--atom", "SM75_U32x1_MOVM_T"], "--atom: ")):
            done = run("check", *good, *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout))
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")
        for caret in (["--space", "glbal"], ["--arch", "sm-9"], ["--dst", "(32,"], ["--bounds", "(32"]):
            self.assertIn("^", run("check", *good, *caret).stderr)
        self.assertEqual(run("check", "--thr", "32").returncode, 2)


if __name__ == "__main__":
    unittest.main()
