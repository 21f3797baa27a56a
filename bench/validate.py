#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks benchmark results against bench/schema.json:  validate.py [FILE...]

Without files it checks everything under bench/results/, and the example in bench/README.md. A result is then also wrong if there
is a newer one for the same work and device. The script uses only the standard library. It knows only those keywords that the
schema has, and refuses a schema with others.
"""
import json
import pathlib
import re
import sys

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH.parent / "scripts"))
import readme_tables  # noqa: E402

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
}
KEYWORDS = {
    *("$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "pattern", "minLength"),
    *("required", "properties", "additionalProperties", "items", "minimum", "exclusiveMinimum"),
}


def is_type(value, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def check(value, schema: dict, root: dict, place: str = "result") -> list[str]:
    """Says what is wrong with the value, in one sentence for each fault."""
    unknown = set(schema) - KEYWORDS
    if unknown:
        raise ValueError(f"schema keyword {sorted(unknown)[0]} is not known to validate.py")
    if "$ref" in schema:
        return check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    wanted = schema.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if wanted and not any(is_type(value, name) for name in wanted):
        return [f"{place} is not of type {' or '.join(wanted)}"]
    problems = []
    if "const" in schema and value != schema["const"]:
        problems.append(f"{place} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        problems.append(f"{place} is {value!r}, not one of {', '.join(map(str, schema['enum']))}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        problems.append(f"{place} is {value!r}, which does not match {schema['pattern']}")
    if "minLength" in schema and len(value) < schema["minLength"]:
        problems.append(f"{place} is empty")
    if "minimum" in schema and value < schema["minimum"]:
        problems.append(f"{place} is {value}, less than {schema['minimum']}")
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        problems.append(f"{place} is {value}, not above {schema['exclusiveMinimum']}")
    if isinstance(value, dict):
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        problems += [f"{place}.{name} is missing" for name in schema.get("required", []) if name not in value]
        for name, part in value.items():
            if name in properties:
                problems += check(part, properties[name], root, f"{place}.{name}")
            elif others is False:
                problems.append(f"{place}.{name} is not in the schema")
            elif isinstance(others, dict):
                problems += check(part, others, root, f"{place}.{name}")
    if isinstance(value, list) and "items" in schema:
        for index, part in enumerate(value):
            problems += check(part, schema["items"], root, f"{place}[{index}]")
    return problems


def check_result(result, schema: dict) -> list[str]:
    problems = check(result, schema, schema)
    if problems:
        return problems
    figure, peer = result["figure"], result["peer"]["figure"]
    if figure["unit"] != peer["unit"]:
        problems.append(f"figure is in {figure['unit']}, the peer's in {peer['unit']}")
    elif abs(result["ratio"] - figure["value"] / peer["value"]) > 0.002 * result["ratio"]:
        problems.append(f"ratio is {result['ratio']}, figure / peer is {figure['value'] / peer['value']:.4g}")
    return problems


def superseded(folder: pathlib.Path) -> dict[pathlib.Path, pathlib.Path]:
    """The result files that are not the newest of their work and device, each with the newest one. Tables (DATE-WHAT.csv
    and .csv.gz) are the same work if their names differ only in the date."""
    newest = readme_tables.newest_files(folder)
    found = {}
    tables = [path for path in sorted(folder.rglob("*.csv*")) if re.match(r"\d{4}-\d\d-\d\d-", path.name)]
    last = {(path.parent, path.name[11:]): path for path in tables}
    found |= {path: last[path.parent, path.name[11:]] for path in tables if last[path.parent, path.name[11:]] != path}
    for path in sorted(folder.rglob("*.json")):
        kept = newest[readme_tables.work_of(json.loads(path.read_text()))][0]
        if path != kept:
            found[path] = kept
    return found


def main() -> int:
    schema = json.loads((BENCH / "schema.json").read_text())
    files = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((BENCH / "results").rglob("*.json"))
    texts = [(str(path), path.read_text()) for path in files]
    if len(sys.argv) == 1:
        example = re.search(r"```json\n(.*?)```", (BENCH / "README.md").read_text(), re.S)
        texts.append(("bench/README.md", example[1]))
    wrong = 0
    for name, text in texts:
        try:
            problems = check_result(json.loads(text), schema)
        except json.JSONDecodeError as problem:
            problems = [f"not JSON: {problem}"]
        wrong += bool(problems)
        for problem in problems:
            print(f"{name}: {problem}")
    if len(sys.argv) == 1 and not wrong:
        for path, kept in superseded(BENCH / "results").items():
            print(f"{path}: {kept.name} is newer for the same work and device: remove the older file")
            wrong += 1
    print(f"{len(texts)} results, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
