#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflows of .github: YAML that a host accepts, whose commands are scripts that exist and stages that `./test` knows, and whose artefacts are
folders that those make. Run by `./test docs`; needs python3-yaml, which mkdocs brings."""
import os
import pathlib
import re
import shlex
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folder -> the file that makes it, and the words there that say so.
MADE = {"build/site": ("scripts/docs_site.py", 'default=ROOT / "build/site"'), "build/visual": ("tests/visual/visual.py", 'ROOT / "build/visual"')}
# Stages of `./test`.
STAGES = set(re.search(r"^usual_stages=\((.*)\)$", (ROOT / "test").read_text(), re.MULTILINE)[1].split()) | \
    set(re.search(r'^all_stages=\("\$\{usual_stages\[@\]\}" (.*)\)$', (ROOT / "test").read_text(), re.MULTILINE)[1].split()) | {"all"}


def faults(text: str) -> list[str]:
    """What is wrong with a workflow."""
    try:
        flow = yaml.safe_load(text)
    except yaml.YAMLError as e:
        return [f"no YAML: {e}"]
    if not isinstance(flow, dict):
        return ["no mapping"]
    found = [f"no {key!r}" for key in ("name", "jobs") if key not in flow]
    events = flow.get(True, flow.get("on"))  # YAML 1.1 reads `on` as true
    known = {"push", "pull_request", "workflow_dispatch"}
    found += [f"the event {e!r} is none of {sorted(known)}" for e in events or ["none"] if e not in known]
    jobs = flow.get("jobs") or {}
    for name, job in jobs.items():
        needs = job.get("needs", [])
        found += [f"{name} needs {n}, which is no job" for n in ([needs] if isinstance(needs, str) else needs) if n not in jobs]
        found += [] if "runs-on" in job else [f"{name} does not say where it runs"]
        found += [] if job.get("steps") else [f"{name} has no steps"]
        for step in job.get("steps") or []:
            if ("run" in step) == ("uses" in step):
                found.append(f"{name}: a step is either run or used: {step}")
            if "uses" in step and not re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]):
                found.append(f"{name}: {step['uses']} names no version")
            for line in str(step.get("run", "")).splitlines():
                found += [f"{name}: {fault}" for fault in faults_of_command(line)]
            path = (step.get("with") or {}).get("path")
            if path is not None and path not in MADE:
                found.append(f"{name}: nothing makes {path}")
    return found


def faults_of_command(line: str) -> list[str]:
    words = shlex.split(line)
    if not words:
        return []
    script = ROOT / words[0]
    if "/" not in words[0] or not script.is_file():
        return [f"{words[0]} is no script of the repository"]
    if not os.access(script, os.X_OK):
        return [f"{words[0]} may not be executed"]
    if script == ROOT / "test":
        return [f"./test has no stage {stage}" for stage in words[1:] if stage not in STAGES]
    return []


class Workflows(unittest.TestCase):
    def test_each(self):
        files = sorted((ROOT / ".github/workflows").glob("*.yml"))
        self.assertIn(ROOT / ".github/workflows/site.yml", files)
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(faults(path.read_text()), [])

    def test_folders_are_made_where_it_is_said(self):
        for folder, (script, words) in MADE.items():
            self.assertIn(words, (ROOT / script).read_text(), folder)

    def test_the_site_is_published_and_previewed(self):
        flow = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text())
        steps = flow["jobs"]["build"]["steps"]
        run = [step["run"] for step in steps if "run" in step]
        self.assertLess(run.index("web/build"), run.index("./test docs"))  # the site links to the explorer where there is one
        unconditional = [step["with"]["path"] for step in steps if step.get("uses", "").startswith("actions/upload-artifact@") and "if" not in step]
        self.assertEqual(unconditional, ["build/site"])
        self.assertIn("pull_request", flow[True])
        for job in ("build", "publish"):
            for step in [flow["jobs"][job], *flow["jobs"][job]["steps"]]:
                if "pages" in step.get("uses", "") and job == "build":
                    self.assertIn("github.event_name != 'pull_request'", step["if"])
        self.assertIn("github.event_name != 'pull_request'", flow["jobs"]["publish"]["if"])
        self.assertEqual(flow["permissions"], {"contents": "read"})

    def test_faults_are_found(self):
        good = "name: x\non: [push]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ./test docs\n"
        self.assertEqual(faults(good), [])
        for old, new, words in (("- run: ./test docs", "- run: ./test documents", "no stage documents"),
                                ("- run: ./test docs", "- run: scripts/nothing.sh", "is no script"),
                                ("- run: ./test docs", "- run: scripts/packages.sh", "may not be executed"),
                                ("- run: ./test docs", "- run: curl x | sh", "is no script"),
                                ("- run: ./test docs", "- uses: actions/checkout", "names no version"),
                                ("- run: ./test docs", "- uses: actions/upload-artifact@v4\n        with: {path: build/nothing}", "nothing makes"),
                                ("    runs-on", "    needs: b\n    runs-on", "needs b"),
                                ("[push]", "[pushed]", "event 'pushed'"),
                                ("jobs:", "jobs: [", "no YAML")):
            self.assertIn(old, good)
            self.assertTrue(any(words in fault for fault in faults(good.replace(old, new))), (new, faults(good.replace(old, new))))


if __name__ == "__main__":
    unittest.main()
