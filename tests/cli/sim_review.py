#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim for code review and CI: --sarif, --annotations, --fail-on."""
import json
import pathlib
import tempfile
import unittest

from support.command import run

PROGRAM = """#include <cosmati/cosmati.hpp>
using namespace cosmati;
__global__ void racing(float* p) {
  __shared__ float s[64];
  s[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x] = s[63 - threadIdx.x];
}
int main(int argc, char**) {
  std::vector<float> host(64, 1.f);
  device_buffer<float> b(host);
  try {
    launch(racing, {.grid = 1, .block = 64}, b.data());
  } catch (error const&) {
  }
  return argc > 1 ? 7 : 0;
}
"""


class Review(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name) / "own, 100%.cpp"
        self.source.write_text(PROGRAM)
        self.sarif = pathlib.Path(folder.name) / "found.sarif"

    def test_sarif_has_a_result_for_each_hazard(self):
        out = self.sarif.with_suffix(".json")
        done = run("sim", str(self.source), "--sarif", str(self.sarif), "--json", str(out), "--", "x")
        self.assertEqual(done.returncode, 3, done.stderr)
        log, hazards = json.loads(self.sarif.read_text()), json.loads(out.read_text())["hazards"]
        self.assertEqual(log["version"], "2.1.0")
        self.assertEqual(len(log["runs"]), 1)
        made = log["runs"][0]
        self.assertEqual(made["tool"]["driver"]["name"], "cosmati")
        self.assertEqual({r["id"] for r in made["tool"]["driver"]["rules"]}, {h["kind"] for h in hazards})
        self.assertGreaterEqual(len(hazards), 1)
        self.assertEqual(len(made["results"]), len(hazards))
        for result, hazard in zip(made["results"], hazards):
            self.assertEqual((result["ruleId"], result["level"]), (hazard["kind"], "error"))
            self.assertEqual(result["message"]["text"], hazard["message"])
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], "file://" + str(self.source).replace(", ", "%2C%20").replace("100%", "100%25"))
            self.assertEqual(place["region"]["startLine"], hazard["line"])
        told = made["invocations"][0]
        self.assertFalse(told["executionSuccessful"])
        self.assertIn("exit status 7", told["toolExecutionNotifications"][0]["message"]["text"])

    def test_annotations_are_escaped_lines(self):
        done = run("sim", str(self.source), "--quiet", "--annotations")
        self.assertEqual(done.returncode, 3, done.stderr)
        lines = done.stdout.splitlines()
        name = str(self.source).replace("%", "%25").replace(",", "%2C")
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"^::error file=")
        self.assertTrue(any(line.startswith(f"::error file={name},line=6,title=missing_barrier::") for line in lines), lines)

    def test_annotations_leave_the_json_alone(self):
        done = run("sim", str(self.source), "--annotations", "--json", "-")
        self.assertEqual(json.loads(done.stdout)["verdict"], "error")
        self.assertIn("::error file=", done.stderr)

    def test_fail_on_chooses_the_hazards_that_count(self):
        for kinds, status in ((["race"], 0), (["missing_barrier"], 3), (["race,missing_barrier"], 3), (["race", "deadlock"], 0)):
            options = [word for kind in kinds for word in ("--fail-on", kind)]
            with self.subTest(kinds):
                done = run("sim", str(self.source), *options)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertIn("verdict: error", done.stdout)
        done = run("sim", str(self.source), "--fail-on", "race", "--", "x")
        self.assertEqual(done.returncode, 3)  # the program itself failed

    def test_an_unknown_kind(self):
        for kind, words in (("races", "did you mean race?"), ("zzzzzz", "the kinds are out_of_bounds, ")):
            done = run("sim", str(self.source), "--fail-on", kind)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"--fail-on: {kind} is no kind of hazard; {words}", done.stderr)


if __name__ == "__main__":
    unittest.main()
