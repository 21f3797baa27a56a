#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the results of bench/results/ as tables: a summary into README.md, all of them into docs/performance.md. Every number in these
two sections comes from a result.

    readme_tables.py            writes the tables between the marks `<!-- results:begin -->` and `<!-- results:end -->`
    readme_tables.py --check    writes nothing; exit status 1 if the documents differ from the results

For each piece of work and each device, the newest file counts. `work_of` defines a piece of work. bench/validate.py refuses older files.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"
NONE = "No results are committed yet. `bench/README.md` says what a result is; this section is made from the results."
DOCUMENTS = ("README.md", "docs/performance.md")
TITLES = {"compile": "Compile cost", "copy": "Copies", "cute": "The same kernels with CuTe's headers", "counters": "The cost model", "gemm": "Matrix products", "gemm_counters": "Shared memory in matrix products", "eval": "The algebra at run time", "sim": "The simulated device"}


# Parameters that record the outcome of a run or its random problems. Two runs that differ only in these are the same work.
OUTCOMES = {"seed", "within_5_percent", "worst", "plans", "counters"}


def work_of(result: dict) -> str:
    """The identity of a piece of work: its name, its sizes and types, and the device. Of results with one identity, the newest is kept."""
    work = result["work"]
    parameters = {k: v for k, v in work.get("parameters", {}).items() if k not in OUTCOMES}
    return json.dumps([work["name"], parameters, result["device"]["name"]], sort_keys=True)


def newest_files(folder: pathlib.Path) -> dict[str, tuple[pathlib.Path, dict]]:
    """The newest file of each piece of work, and its result. If two files have the same date, the later name counts as newer."""
    newest: dict[str, tuple[pathlib.Path, dict]] = {}
    for path in sorted(folder.rglob("*.json")):
        result = json.loads(path.read_text())
        key = work_of(result)
        if key not in newest or newest[key][1]["date"] <= result["date"]:
            newest[key] = path, result
    return newest


def load(folder: pathlib.Path) -> list[dict]:
    """The newest result of each piece of work on each device, ordered by work."""
    return [result for _, (_, result) in sorted(newest_files(folder).items())]


def number(x: float) -> str:
    return f"{x:,.0f}" if x >= 1000 else f"{x:.3g}"


def quantity(q: dict) -> str:
    return number(q["value"]) + ("" if q["unit"] == "count" else f" {q['unit']}")


def piece(result: dict) -> tuple[str, str]:
    """The key of a result's row: its work without the peer's name, sizes and orders, then its device, date and commit."""
    work = result["work"]
    name = re.sub(r"_beside_\w+$", "", work["name"])
    if kind := work.get("parameters", {}).get("type"):
        name += f"_{kind}"
    return name, f"{result['device']['name']}, {result['date'][:10]}, `{result['commit'][:10]}`"


def span(least: str, greatest: str) -> str:
    return greatest if least == greatest.partition(" ")[0] else f"{least} to {greatest}"


def spread_of(quantities: list[dict]) -> str:
    ordered = sorted(quantities, key=lambda q: q["value"])
    return span(number(ordered[0]["value"]), quantity(ordered[-1]))


def common_parameters(those: list[dict]) -> dict:
    """The parameters that all results of a row share, without those that the row's name already has: the type and the bytes."""
    sets = [r["work"].get("parameters", {}) for r in those]
    return {k: v for k, v in sets[0].items() if k not in ("type", "bytes") and all(other.get(k) == v for other in sets)}


def row(name: str, where: str, those: list[dict]) -> str:
    """The row of one piece of work: its figures from the least to the greatest, and its ratio to each peer."""
    peers: dict[str, list[float]] = {}
    for result in those:
        peers.setdefault(result["peer"]["name"], []).append(result["ratio"])
    parameters = ", ".join(f"{k} {v}" for k, v in common_parameters(those).items())
    what = name.partition("/")[2] or name
    cells = [
        what.replace("_", " ") + (f" ({parameters})" if parameters else ""),
        spread_of([r["figure"] for r in those]),
        "; ".join(f"{span(f'{min(ratios):.3g}', f'{max(ratios):.3g}')} ({peer})" for peer, ratios in peers.items()),
        f"{100 * max(r['spread'] for r in those):.2g} %",
        where,
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def rows(results: list[dict]) -> list[str]:
    """A row for each piece of work."""
    pieces: dict[tuple[str, str], list[dict]] = {}
    for result in results:
        pieces.setdefault(piece(result), []).append(result)
    return [row(*key, those) for key, those in sorted(pieces.items(), key=lambda item: natural(item[0][0]))]


def natural(name: str) -> list:
    """A sort key that puts 4 before 16."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def limited(text: str, limit: str | None) -> str:
    return text + (f" (limit {limit})" if limit else "")


def compile_table(results: list[dict]) -> list[str]:
    """A row for each case, with its time (compile/CASE) and its memory (compile/CASE_memory)."""
    named = {(r["work"]["name"].partition("/")[2], r["device"]["name"]): r for r in results}
    out = ["| what | user time | empty kernel | ratio | spread | memory | where |", "|---|---|---|---|---|---|---|"]
    for (case, device), result in sorted(named.items(), key=lambda item: item[1]["ratio"]):
        if case.endswith("_memory"):
            continue
        parameters = result["work"].get("parameters", {})
        limit = parameters.get("limit_ratio")
        memory = named.get((f"{case}_memory", device))
        most = (memory or result)["work"].get("parameters", {}).get("limit_bytes")
        cells = [
            case.replace("_", " "),
            quantity(result["figure"]),
            quantity(result["peer"]["figure"]),
            limited(f"{result['ratio']:.3g}", limit and f"{limit:g}"),
            f"{100 * result['spread']:.2g} %",
            limited(f"{memory['figure']['value'] / 1e9:.2f} GB", most and f"{most / 1e9:g} GB") if memory else "",
            f"{device}, {result['date'][:10]}, `{result['commit'][:10]}`",
        ]
        out.append("| " + " | ".join(cells) + " |")
    flags = {r["work"].get("parameters", {}).get("flags", "") for r in results} - {""}
    out += ["", "The time is the user time of nvcc and its children. The memory is that of the largest process. The peer is a translation unit with an empty "
                "kernel. The command is " + " or ".join(f"`nvcc {f} -Iinclude`" for f in sorted(flags)) + "."]
    return out


def best_table(results: list[dict]) -> list[str]:
    """A row for each piece of work: the configuration with the best ratio, and the range of all ratios."""
    works: dict[tuple[str, str], list[dict]] = {}
    for result in results:
        works.setdefault((result["work"]["name"], result["device"]["name"]), []).append(result)
    out = ["| what | best of | figure | peer, in the same run | ratio | all ratios | where |", "|---|---|---|---|---|---|---|"]
    for (name, device), those in sorted(works.items()):
        best, worst = max(those, key=lambda r: r["ratio"]), min(those, key=lambda r: r["ratio"])
        sets = [r["work"].get("parameters", {}) for r in those]
        common = {k: v for k, v in sets[0].items() if all(other.get(k) == v for other in sets)}
        own = {k: v for k, v in best["work"].get("parameters", {}).items() if k not in common}
        cells = [
            ", ".join([name.partition("/")[2].replace("_", " "), *(f"{k} {v}" for k, v in common.items())]),
            f"{len(those)}" + (": " if own else "") + ", ".join(f"{k} {v}" for k, v in own.items()),
            quantity(best["figure"]),
            f"{quantity(best['peer']['figure'])} ({best['peer']['name']})",
            f"{best['ratio']:.3g}",
            f"{worst['ratio']:.3g} to {best['ratio']:.3g}",
            f"{device}, {best['date'][:10]}, `{best['commit'][:10]}`",
        ]
        out.append("| " + " | ".join(cells) + " |")
    return out + ["", "Each configuration is a file in `bench/results/copy`."]


def counters_table(results: list[dict]) -> list[str]:
    out = ["| what | equal | where |", "|---|---|---|"]
    for r in results:
        counters = r["work"].get("parameters", {}).get("counters", 0)
        out.append(f"| kernels whose counters on the simulated device all equal Nsight Compute's ({counters} counters in all) "
                   f"| {r['figure']['value']:g} of {r['peer']['figure']['value']:g} "
                   f"| {r['device']['name']}, {r['date'][:10]}, `{r['commit'][:10]}` |")
    return out


SPECIAL = {"compile": compile_table, "copy": best_table, "counters": counters_table}


def tables(results: list[dict]) -> str:
    if not results:
        return NONE
    areas: dict[str, list[dict]] = {}
    for result in results:
        areas.setdefault(result["work"]["name"].partition("/")[0], []).append(result)
    out = []
    for area in sorted(areas, key=lambda a: (list(TITLES).index(a) if a in TITLES else len(TITLES), a)):
        out += [f"**{TITLES.get(area, area.replace('_', ' ').capitalize())}**", ""]
        if area in SPECIAL:
            out += [*SPECIAL[area](areas[area]), ""]
            continue
        out += ["| what | figure | ratio to each peer, in the same run | spread | where |", "|---|---|---|---|---|"]
        out += [*rows(areas[area]), ""]
    out.append("A ratio is the figure divided by the peer. A ratio of speeds above 1 means faster than the peer; so does a ratio of times below 1.")
    return "\n".join(out)


# The rows of the summary. A row has a regular expression for the names of its results (for products `name:type`) and a title, in which
# {} stands for what the expression's group matched. The summary does not hold every result.
LINES = [
    (r"compile/(header|copy_header|one_kernel|eight_kernels|layouts_300|gemm_mma)", "compile time, {}"),
    (r"copy/", "tiled copy of 4 GiB through registers or shared memory, {count} configurations"),
    (r"counters/kernels", "kernels whose counters on the simulated device all equal Nsight Compute's"),
    (r"gemm_counters/launches", "launches of matrix products without a bank conflict, on the GPU and on the simulated device"),
    (r"sim/(\w+?)(?:_256|_16|_1024|_x4)", "simulated device, {}"),
    (r"gemm/mma:(\w+)", "matrix product, {}, 4096 and 8192"),
    (r"gemm/hopper:(\w+)", "matrix product by wgmma, {}, 2048 to 16384"),
    (r"gemm/simt:(\w+)", "matrix product, {} without tensor cores, 4096 and 8192"),
    (r"tensors/contiguous_\d+_mib", "contiguous copy, {count} sizes to 4 GiB"),
    (r"tensors/pitched_\d+_beside_cuda", "pitched rows of 1000, 4096 and 10000 bytes"),
    (r"tensors/convert_(?:bf16|f16|f32)_(?:bf16|f16|f32)", "conversion between f32 and 2-byte floats"),
    (r"tensors/gather_512", "gather of random rows of 512 bytes"),
    (r"tensors/transpose_b(?:32|64|128)", "transpose, 4 to 16 bytes"),
    (r"tensors/transpose_b(?:8|16)", "transpose, 1 and 2 bytes"),
    (r"tensors/transpose_b(?:32|64|128)_ragged", "transpose of 4095 x 8193, 4 to 16 bytes"),
    (r"tensors/transpose_b(?:8|16)_ragged", "transpose of 4095 x 8193, 1 and 2 bytes"),
    (r"tensors/convert_f32_e4m3", "conversion of f32 to e4m3"),
    (r"tensors/transpose_b(?:32|64|128)_beside_geam", "transpose, 4 to 16 bytes, compared with cuBLAS"),
    (r"tensors/transpose_b\d+(?:_ragged)?_beside_pytorch", "transposes, 1 to 8 bytes, compared with PyTorch"),
    (r"tensors/gather_512_beside_pytorch", "gather of random rows of 512 bytes, compared with index_select"),
    (r"tensors/planner_study", "planner's first choice compared with the best of an exhaustive search, medians over random problems"),
]


def summary(results: list[dict]) -> str:
    """A row for each of LINES and each peer, with the range of figures and ratios."""
    if not results:
        return NONE
    rows: dict[tuple[int, str, str], list[dict]] = {}
    for result in results:
        work = result["work"]
        name = work["name"] + (f":{work['parameters']['type']}" if work["name"].startswith("gemm/") else "")
        for k, (pattern, title) in enumerate(LINES):
            if found := re.fullmatch(pattern + (r"\w*" if pattern.endswith("/") else ""), name):
                groups = [g.replace("_", " ") for g in found.groups()]
                rows.setdefault((k, title.replace("{}", *groups) if groups else title, result["peer"]["name"]), []).append(result)
    out = ["| what | figure | peer, in the same run | ratio | where |", "|---|---|---|---|---|"]
    for (_, title, peer), those in sorted(rows.items(), key=lambda item: item[0][0]):
        figures = sorted((r["figure"] for r in those), key=lambda q: q["value"])
        ratios = sorted(r["ratio"] for r in those)
        least, greatest = number(figures[0]["value"]), quantity(figures[-1])
        out.append(f"| {title.replace('{count}', str(len(those)))} | {span(least, greatest) if len(those) > 1 else greatest} | {peer} "
                   f"| {span(*(f'{r:.3g}' for r in (ratios[0], ratios[-1])))} | {those[0]['device']['name']} |")
    return "\n".join([*out, "", "A ratio is the figure divided by the peer. A ratio of speeds above 1 means faster than the peer; so does a ratio of times below 1."])


def filled(document: str, section: str) -> str:
    """`document` with `section` between the marks; raises ValueError without both marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the lines {BEGIN} and {END} are missing")
    return f"{before}{BEGIN}\n{section}\n{END}{after}"


def documents() -> dict[pathlib.Path, str]:
    """The right text of each document that states results."""
    results = load(ROOT / "bench/results")
    paths = [ROOT / name for name in DOCUMENTS]
    return {path: filled(path.read_text(), section) for path, section in zip(paths, (summary(results), tables(results)))}


def main() -> int:
    status = 0
    for path, new in documents().items():
        if "--check" not in sys.argv[1:]:
            path.write_text(new)
        elif path.read_text() != new:
            print(f"{path.relative_to(ROOT)}'s tables are not those of bench/results/: run scripts/readme_tables.py")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
