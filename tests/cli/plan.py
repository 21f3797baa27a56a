#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati plan: routes, words, C++, errors."""
import json
import pathlib
import tempfile
import time
import unittest

from support.command import run


def plan(*arguments: str) -> dict:
    done = run("plan", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Routes(unittest.TestCase):
    def test_what_lies_together_is_copied_directly(self):
        j = plan("--src", "(4096,4096):(1,4096)", "--dst", "(4096,4096):(1,4096)")
        self.assertEqual(j["plans"][0]["route"], "direct")
        self.assertIn("both sides lie together", j["plans"][0]["what"])
        self.assertEqual(j["problem"], "(4194304):(1) -> (1), elements of 16 bytes")

    def test_a_transpose(self):
        for size in ("1", "2", "4", "8", "16"):
            j = plan("--src", "(4096,4096):(4096,1)", "--dst", "(4096,4096):(1,4096)", "--bytes", size)
            self.assertEqual(j["plans"][0]["route"], "transpose", size)

    def test_a_permutation_of_odd_extents(self):
        j = plan("--shape", "31,45,57,63,101", "--permute", "3,1,4,0,2", "--bytes", "2")
        self.assertEqual(j["plans"][0]["route"], "sectors")
        self.assertGreaterEqual(j["considered"], 8)
        self.assertLessEqual(j["considered"], 64)
        costs = [p["us"] for p in j["plans"]]
        self.assertEqual(costs, sorted(costs))

    def test_tiles_of_windows_say_how_often_they_are_stored(self):
        j = plan("--src", "(300,130,160,77):(10010,1,3003000,0)", "--dst", "(300,130,160,77):(1,300,39000,6240000)",
                 "--bytes", "4", "--alternatives", "16")
        windows = [p["what"] for p in j["plans"] if p["route"] == "windows"]
        self.assertTrue(windows)
        for what in windows:
            tile = [int(n) for n in what.partition("tile (")[2].partition(")")[0].split(",")]
            self.assertEqual(f", each element {tile[3]} times," in what, tile[3] > 1, what)
        self.assertTrue(any("each element 77 times" in what for what in windows))
        once = plan("--shape", "31,45,57,63,101", "--permute", "3,1,4,0,2", "--bytes", "2", "--alternatives", "16")
        self.assertNotIn("each element", json.dumps(once["plans"]))

    def test_windows_that_are_loaded_once_say_where_they_go(self):
        # Odd rows repeated: windows of 16 bytes lie differently at each place. Aligned ones do not turn.
        for pitch, turns in ((100001, True), (100016, False)):
            j = plan("--src", "(100001,64,40):(1,0,100001)", "--dst", f"(100001,64,40):(1,{pitch},{64 * pitch})", "--bytes", "1",
                     "--alternatives", "16")
            once = [p for p in j["plans"] if "loaded once" in p["what"] and "windows of 16 bytes of 100001 " in p["what"]]
            self.assertTrue(once, j["plans"])
            for p in once:
                self.assertIn("each stored at 64 places", p["what"])
                self.assertEqual(", turned where these lie differently" in p["what"], turns)
                self.assertEqual(p["kernel"], f"copy_once<1, {str(turns).lower()}>")

    def test_what_decides_a_small_copy_is_its_start(self):
        for shape, permutation in (("4,4", "1,0"), ("7,9,11,13", "3,1,2,0")):
            for p in plan("--shape", shape, "--permute", permutation)["plans"]:
                self.assertTrue(p["why"].endswith("; most of it is the start of a kernel"), p["why"])
        self.assertIn("the memory decides", plan("--shape", "4096,4096", "--permute", "0,1")["plans"][0]["why"])

    def test_a_device_has_its_own_instructions_and_times(self):
        ragged = ("--shape", "2,4095,8193", "--permute", "0,2,1", "--bytes", "2", "--alternatives", "16")
        here, older = plan(*ragged), plan(*ragged, "--device", "a100")
        self.assertTrue(any("bulk copies" in p["what"] for p in here["plans"]))
        self.assertFalse(any("bulk copies" in p["what"] for p in older["plans"]), "bulk copies begin with capability 9.0")
        us = {name: plan(*ragged, "--device", name)["plans"][0]["us"] for name in ("b200", "h200", "h100", "l40s")}
        self.assertLess(us["b200"], us["h200"])
        self.assertLess(us["h200"], us["h100"])
        self.assertLess(us["h100"], us["l40s"])
        self.assertEqual(here, plan(*ragged, "--device", "h200"))

    def test_text_and_code(self):
        done = run("plan", "--src", "(64,32):(32,1)", "--dst", "(64,32):(1,64)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("plan  transpose: modes 1 and 0 in tiles of 64 x 64", done.stdout)
        self.assertIn("p.push(64, 32, 1);", done.stdout)
        self.assertIn("cosmati::launch_plan(p, plan, source, target);", done.stdout)

    def test_the_command_answers_at_once(self):
        begin = time.monotonic()
        plan("--src", "(7,9,11,13,17,19):(415701,46189,4199,323,19,1)", "--dst",
             "(7,9,11,13,17,19):(1,7,63,693,9009,153153)", "--bytes", "2")
        self.assertLess(time.monotonic() - begin, 5)  # 10 ms and the start of the process, on a loaded machine

    def test_a_permutation_by_its_order_is_the_same(self):
        by_order = plan("--shape", "31,45,57,63,101", "--permute", "2,4,0,1,3", "--bytes", "2")
        by_layouts = plan("--src", f"(31,45,57,63,101):({45 * 57 * 63 * 101},{57 * 63 * 101},{63 * 101},101,1)",
                          "--dst", f"(31,45,57,63,101):({45 * 63},63,{101 * 31 * 45 * 63},1,{31 * 45 * 63})", "--bytes",
                          "2")
        self.assertEqual(by_order, by_layouts)
        self.assertEqual(by_order["plans"][0]["route"], "sectors")
        self.assertEqual(by_order["plans"][0]["kernel"], "copy_sectors<2>")
        self.assertIn("that begin where sectors of 32 bytes do", by_order["plans"][0]["what"])

    def test_large_ragged_transposes(self):
        for size, batches, kernel, said in ((4, 8, "copy_sectors_by_lines<4>", "in 135 runs of 160 by whole lines"),
                                            (8, 4, "copy_sectors_by_lines<8>", "by whole lines"),
                                            (16, 2, "transpose_tiles<16, 16>", "in tiles of 32 x 32, vectors of 1 elements")):
            order = ("--shape", f"{batches},4095,8193", "--permute", "0,2,1", "--bytes", str(size))
            first = plan(*order)["plans"][0]
            self.assertEqual(first["kernel"], kernel)
            self.assertIn(said, first["what"])
            if size == 4:
                self.assertIn("plan.sectors = {1, 1, 160, 128, true};", run("plan", *order).stdout)

    def test_a_mode_within_both_runs(self):
        j = plan("--shape", "31,45,57,63,101", "--permute", "3,2,1,0,4", "--bytes", "2")
        self.assertRegex(j["plans"][0]["kernel"], r"^copy_windows<2, (true|false), (true|false)>$")

    def test_rows_at_odd_addresses_go_in_vectors(self):
        # Small ones put together from aligned windows of the source, larger ones from single elements.
        for size, kernel, what in (("1", r"^copy_windows<1, (true|false), (true|false)>$", "16 aligned bytes at a time"),
                                   ("4", r"^copy_direct<copy_bits<4>, 4, false, 1>$", ", single elements from the source")):
            j = plan("--src", "(40001,3001):(1,40003)", "--dst", "(40001,3001):(1,40001)", "--bytes", size)
            self.assertRegex(j["plans"][0]["kernel"], kernel)
            self.assertIn(what, j["plans"][0]["what"])

    def test_an_address_of_fewer_bytes_means_smaller_elements(self):
        self.assertIn("elements of 2 bytes", plan("--src", "(64,32):(32,1)", "--dst", "(64,32)", "--src-align", "2")["problem"])

    def test_the_code_says_which_addresses_it_is_for(self):
        order = ("--shape", "12,29,65", "--permute", "2,0,1", "--bytes", "4")
        self.assertNotIn("alignment", run("plan", *order).stdout)
        self.assertIn("p.push(65, 1, 348);  // extent, strides of the source and of the target\n"
                      "p.target_alignment = 4;\n", run("plan", *order, "--dst-align", "4").stdout)
        both = run("plan", *order, "--src-align", "8", "--dst-align", "2").stdout
        self.assertIn("p.source_alignment = 8;\np.target_alignment = 2;\n", both)

    def test_more_modes_than_remain(self):
        ones = ",".join(["1"] * 40)
        self.assertEqual(plan("--shape", "2,3," + ones, "--permute", "1,0," + ",".join(map(str, range(2, 42))))["problem"],
                         plan("--shape", "2,3", "--permute", "1,0")["problem"])
        # Forty modes of extent 2 of the first of which is the last one: two, once merged.
        turned = plan("--shape", ",".join(["2"] * 40), "--permute", ",".join(map(str, [*range(1, 40), 0])))
        self.assertEqual(turned["problem"], plan("--shape", f"2,{2**39}", "--permute", "1,0")["problem"])

    def test_nothing_to_copy(self):
        done = run("plan", "--shape", "0,4", "--permute", "1,0")
        self.assertEqual((done.returncode, "nothing to copy" in done.stdout), (0, True))
        self.assertEqual(plan("--shape", "0,4", "--permute", "1,0")["plans"], [])

    def test_alternatives(self):
        many = plan("--shape", "63,65,61", "--permute", "2,0,1", "--bytes", "2", "--alternatives", "9")["plans"]
        self.assertEqual(len(many), 10)
        self.assertEqual(len({json.dumps(one) for one in many}), 10)


class TiledCopies(unittest.TestCase):
    """--threads: the tiled copies of a kernel of one's own."""

    def test_a_transpose_through_a_stage(self):
        j = plan("--shape", "4096,4096", "--permute", "1,0", "--bytes", "2", "--threads", "256")
        self.assertGreaterEqual(j["considered"], 500)
        best = j["plans"][0]
        self.assertEqual((best["out"]["atom"], best["out"]["val"]), ("UniversalCopy<uint128_t>", "(8,1)"))
        self.assertRegex(best["in"]["atom"], r"^SM80_CP_ASYNC_CACHE(GLOBAL|ALWAYS)<uint\d+_t>$")
        self.assertRegex(best["stage"]["layout"], r"^Swizzle<\d,\d,\d> o \(\d+,\d+\):\(\d+,1\)$")
        for access in (best["read"], best["written"]):
            self.assertEqual(access["sectors"], access["fewest"])
        for access in (best["stage"]["read"], best["stage"]["written"]):
            self.assertEqual(access["wavefronts"], access["fewest"])
        self.assertRegex(best["why"], r"no bank conflict when the stage is read \(\d+ wavefronts without the swizzle\)$")
        costs = [p["us"] for p in j["plans"]]
        self.assertEqual(costs, sorted(costs))

    def test_what_the_command_counts_of_such_a_copy(self):
        best = plan("--shape", "4096,4096", "--permute", "1,0", "--threads", "128", "--arch", "sm_75")["plans"][0]
        done = run("check", "--json", "--atom", best["in"]["atom"], "--type", "float", "--thr", best["in"]["thr"], "--val",
                   best["in"]["val"], "--src", "(4096,4096):(4096,1)", "--dst", "(4096,4096):(4096,1)", "--space",
                   "global,global")
        source = json.loads(done.stdout)["source"]
        self.assertEqual(source["per_instruction"]["sectors"], best["read"]["sectors"], done.stdout)

    def test_registers_alone(self):
        best = plan("--src", "(1000,50):(1,1024)", "--dst", "(1000,50)", "--threads", "128")["plans"][0]
        self.assertEqual((best["in"]["atom"], best["stage"], best["out"]), ("UniversalCopy<uint128_t>", None, None))
        self.assertIn("through registers: UniversalCopy<uint128_t>, thr ", best["what"])

    def test_an_architecture_without_cp_async(self):
        order = ("--shape", "512,512", "--permute", "1,0", "--threads", "128")
        self.assertIn("CP_ASYNC", run("plan", *order).stdout)
        self.assertNotIn("CP_ASYNC", run("plan", *order, "--arch", "sm_75").stdout)

    def test_nothing_to_copy(self):
        order = ("--shape", "0,4", "--permute", "1,0", "--threads", "128")
        self.assertEqual(plan(*order)["plans"], [])
        self.assertIn("nothing to copy", run("plan", *order).stdout)

    def test_the_code_copies(self):
        """Of problems of each kind, whole and ragged, in one program on the simulated device."""
        problems = [  # extents, strides of the source, of the destination, bytes, threads
            ((64, 96), (96, 1), (1, 64), 2, 128),
            ((65, 99), (99, 1), (1, 65), 4, 256),
            ((65, 99), (99, 1), (1, 65), 2, 128),  # too narrow for cp.async: the stage's edge is cleared
            ((17, 40, 6, 5), (1, 85, 17, 3400), (240, 6, 1, 4080), 1, 96),
            ((33, 20), (1, 33), (1, 40), 8, 32),
            ((9, 10, 11), (0, -1, 10), (1, 9, 90), 16, 64),
            ((5000,), (1,), (1,), 4, 192),
        ]
        parts, calls = [], []
        for k, (extents, source, target, size, threads) in enumerate(problems):
            layouts = [f"({','.join(map(str, extents))}):({','.join(map(str, s))})" for s in (source, target)]
            j = plan("--src", layouts[0], "--dst", layouts[1], "--bytes", str(size), "--threads", str(threads))
            parts.append(f"namespace plan{k} {{\n{j['code']}}}\n")
            low = -sum((e - 1) * s for e, s in zip(extents, source) if s < 0)
            low += -low % 16  # the base stays at a multiple of 16 bytes
            room = [1 + sum((e - 1) * max(s, 0) for e, s in zip(extents, strides)) for strides in (source, target)]
            modes = range(len(extents))
            loops = "".join(f"for (long i{m} = 0; i{m} < {extents[m]}; ++i{m}) " for m in modes)
            at = ["".join(f" + i{m} * {strides[m]}" for m in modes) for strides in (source, target)]
            calls.append(f"""
  {{
    using plan{k}::element;
    std::vector<element> host({low + room[0]}), wanted({room[1]}, element(170));
    for (unsigned n = 0; n < host.size(); ++n) host[n] = element((n * 40503u) >> 3);
    cosmati::device_buffer<element> in(host), out(wanted);
    {loops}wanted[0{at[1]}] = host[{low}{at[0]}];
    plan{k}::planned_copy(in.data() + {low}, out.data());
    std::puts(out.download() == wanted ? "right" : "WRONG");
  }}""")
        program = "#include <cosmati/cosmati.hpp>\n#include <cstdio>\n" + "".join(parts) + \
            "int main() {" + "".join(calls) + "\n}\n"
        with tempfile.TemporaryDirectory(prefix="cosmati-test-") as folder:
            path = pathlib.Path(folder) / "program.cpp"
            path.write_text(program)
            done = run("sim", str(path))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("right\n"), len(problems), done.stdout)
        self.assertNotIn("WRONG", done.stdout)


class Errors(unittest.TestCase):
    def refused(self, *arguments: str, says: str):
        done = run("plan", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn(says, done.stderr)

    def test_orders_that_are_none(self):
        self.refused("--shape", "4,8,2", "--permute", "0,1,1", says="--permute: 0,1,1: mode 1 is there twice; write each of")
        self.refused("--shape", "4,8,2", "--permute", "0,1,3", says="mode 3 does not exist; write each of the 3 modes 0 to 2 once")
        self.refused("--shape", "4,8,2", "--permute", "1,0", says="--permute: 1,0 names 2 modes, the array has 3")
        self.refused("--shape", "4,8,2", says="--permute is missing")
        self.refused("--shape", "4,-8", "--permute", "1,0", says="a mode of size -8")

    def test_what_is_missing_and_what_does_not_go_together(self):
        self.refused("--src", "(4,8)", says="--src and --dst are needed")
        self.refused("--permute", "1,0", says="--shape")
        self.refused("--shape", "4,8", "--permute", "1,0", "--src", "(4,8)", says="--src")
        self.refused("--src", "(4,8)", "--dst", "(4,8)", "--bytes", "3", says="3")
        self.refused("--src", "(4,8", "--dst", "(4,8)", says="^")

    def test_blocks_and_architectures_that_there_are_not(self):
        order = ("--shape", "64,64", "--permute", "1,0")
        for threads in ("0", "-1", "1025"):
            self.refused(*order, "--threads", threads, says="--threads")
        self.refused(*order, "--arch", "sm_90", says="--arch requires --threads")
        self.refused(*order, "--threads", "128", "--arch", "hopper", says="--arch: expected an architecture, as sm_90")
        self.refused("--shape", "72057594037927936", "--permute", "0", "--bytes", "1", "--threads", "32",
                     says="--shape: plan_copy: 72057594037927936 elements are more tiles than the 2147483647 blocks")
        self.refused("--src", "(4,8)", "--dst", "(4,9)", "--threads", "32", says="mode 1 is of size 9")

    def test_shapes_that_differ(self):
        done = run("plan", "--src", "(4,8)", "--dst", "(4,9)")
        self.assertEqual(done.returncode, 2)
        self.assertIn("mode 1 is of size 9, that of --src of size 8", done.stderr)

    def test_a_destination_of_stride_0(self):
        done = run("plan", "--src", "(4,8)", "--dst", "(4,8):(1,0)")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a mode of extent 8 has stride 0 in the destination", done.stderr)

    def test_a_destination_that_overlaps(self):
        self.refused("--src", "(4,4)", "--dst", "(4,4):(1,2)", says="two elements of the destination are one place")
        self.assertEqual(plan("--src", "(3,2)", "--dst", "(3,2):(2,3)")["problem"],
                         "(3,2):(1,3) -> (2,3), elements of 4 bytes")

    def test_what_is_no_list_of_integers(self):
        for order, says in (("1,,0", "--permute: '1,,0': number 2 is missing"), ("1,0,", "number 3 is missing"),
                            (",1,0", "number 1 is missing"), ("", "number 1 is missing"), ("1, 0", "' 0' is no integer"),
                            ("1,0x", "'0x' is no integer; write integers with commas between them: 2,0,1")):
            self.refused("--shape", "4,8", "--permute", order, says=says)
        self.refused("--shape", "4,,8", "--permute", "1,0", says="--shape: '4,,8': number 2 is missing")
        self.refused("--shape", "99999999999999999999", "--permute", "0",
                     says="--shape: 99999999999999999999 does not fit 64 bits")

    def test_strides_that_are_basis_vectors(self):
        self.refused("--src", "(4,2)", "--dst", "(4,2):(1,1@0)",
                     says="--dst: mode 1 has a basis vector as stride: there are no elements at coordinates; give integers")

    def test_bytes_that_are_no_number_of_them(self):
        for option in ("--bytes", "--src-align", "--dst-align"):
            self.refused("--shape", "4,8", "--permute", "1,0", option, "4.0", says="4.0 not in {1,2,4,8,16}")

    def test_more_than_there_can_be(self):
        for shape in ("4294967296,4294967296", "9223372036854775807,1", "3,9223372036854775807", "72057594037927937,1"):
            self.refused("--shape", shape, "--permute", "1,0", says=f"--shape: {shape}: more than 2^56 elements")
        self.refused("--src", "(4294967296,4294967296):(0,0)", "--dst", "(4294967296,4294967296):(1,4294967296)",
                     says="mode 1 of extent 4294967296, times 4294967296 elements of the modes before, is more than 2^56")
        self.refused("--src", "(4,4):(1,4611686018427387904)", "--dst", "(4,4)",
                     says="mode 1 of extent 4, stride 4611686018427387904 in the source")
        self.assertEqual(plan("--shape", "0,4294967296,4294967296", "--permute", "1,0,2")["plans"], [])
        largest = plan("--shape", "268435456,268435456", "--permute", "1,0", "--bytes", "16")
        self.assertGreaterEqual(largest["considered"], 1)

    def test_a_device_that_is_not_known(self):
        self.refused("--shape", "4,4", "--permute", "1,0", "--device", "h300",
                     says="--device: h300 is none that is known; write one of h200, h100, a100, l40s, rtx4090, b200, rtx5090")

    def test_extents_below_0(self):
        self.refused("--src", "(-4,8)", "--dst", "(-4,8)", says="has an extent of -4: extents are 0 or more")
        self.refused("--src", "(0,-8)", "--dst", "(0,-8)", says="has an extent of -8")

    def test_more_modes_than_eight(self):
        nine = ("--shape", "2,3,2,3,2,3,2,3,2", "--permute", "8,7,6,5,4,3,2,1,0")
        self.refused(*nine, says="--shape: copy: 9 modes remain after merging what can be merged, the most is 8")
        many = ",".join(["2"] * 40)
        self.refused("--shape", many, "--permute", ",".join(map(str, range(39, -1, -1))),
                     says="32 modes that cannot be merged, and one more of extent 2; the most is 32")

    def test_ranks_that_differ(self):
        done = run("plan", "--src", "(4,8)", "--dst", "32")
        self.assertEqual(done.returncode, 2)
        self.assertIn("1 modes, --src has 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
