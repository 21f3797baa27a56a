#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation's site, in build/site: the documents, a page a function, the tables of results, the API reference.

    docs_site.py [--out FOLDER] [--no-api]      default: build/site
    docs_site.py --undocumented [LAYER...]      lists the public names that have no comment, and ends with 1 if there are some
    docs_site.py --without-section [LAYER...]   the public functions that no page of functions names, likewise

Needs mkdocs and doxygen (Debian's), and the command: COSMATI_BIN, else build/bin/cosmati. Pictures are made by it, from the marks
`<!-- picture: ARGUMENTS OF cosmati draw -->` of the documents, and of `<!-- timeline: PROGRAM N -->`, the Nth time line of its report. Nothing is fetched, neither here nor by who reads the site.
"""
import argparse
import collections
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml


ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = os.environ.get("COSMATI_BIN", str(ROOT / "build/bin/cosmati"))
PICTURE = re.compile(r"^<!-- picture: (.*) -->$", re.MULTILINE)
TIMELINE = re.compile(r"^<!-- timeline: (\S+) (\d+) -->$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
# Split into a page a section; the sections keep their order.
SPLIT = {"functions.md": "Functions of the algebra", "functions-tiled.md": "Functions of tensors and tiles",
         "functions-programs.md": "Functions of tuples, pipelines and devices"}

NAVIGATION = """
site_name: Cosmati
docs_dir: source
site_dir: site
theme: {name: mkdocs, highlightjs: false, nav_style: dark}
use_directory_urls: false
extra_css: [site.css]
plugins: [search]
markdown_extensions: [tables, fenced_code, toc, {codehilite: {guess_lang: false}}]
nav:
  - Start: [{Start in five minutes: start.md}, {All documents: index.md}]
  - Book: [{Layouts and tiled copies: tutorial.md}, {Swizzles: swizzles.md}, {Ragged tiles: ragged.md}, {Asynchronous copies: async.md}, {Tensor cores and products: matmul.md}, {What a copy costs: cost.md}]
  - How to: [{Single tasks: howto.md}, {Test without a GPU: testing-without-a-gpu.md}, {Pictures: pictures.md}, {The explorer: explorer.md}, {The command: command.md}, {Coming from CuTe: coming-from-cute.md}, {Coming from MoYe: coming-from-moye.md}]
  - Reference: [{Functions of the algebra: functions.md}, {Functions of tensors and tiles: functions-tiled.md}, {"Functions of tuples, pipelines and devices": functions-programs.md}, {API: api.md}, {Errors: errors.md}, {Hazards: hazards.md}]
  - Project: [{Performance: performance.md}, {Decisions: decisions.md}, {Runs on GPUs: gpu-runs.md}, {Releases: release.md}, {Changes: tree/CHANGELOG.md}, {Contributing: tree/CONTRIBUTING.md}]
"""
STYLE = "body{max-width:none}pre{overflow-x:auto}img{max-width:100%;background:#fff}table{display:block;overflow-x:auto}\n"


def run(command: list, **more) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        said = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if "INFO" not in line and not line.startswith("  - "))
        sys.exit(f"{shlex.join(map(str, command))}\n{said[-3000:]}")
    return done.stdout + done.stderr


# The API reference
# ----------------------------------------------------------------------------------------------------------------------


DECLARES = re.compile(r"(struct|class|using|template|enum|inline constexpr)\b")


def spread(text: str) -> str:
    """A comment heads the declarations below it up to a blank line, and a group's name heads the group's classes and aliases: Doxygen is
    given a comment for each of them."""
    out: list[str] = []
    doc: list[str] = []
    group: list[str] = []  # the comment that names the group
    inside = complete = False
    indent = ""
    for line in text.split("\n"):
        bare = line.strip()
        at = line[: len(line) - len(line.lstrip())]
        if bare.startswith("///") and not bare.startswith("///<"):
            if not inside:
                doc = []
            doc.append(line)
            inside, complete, indent = True, False, at
            if "@{" in bare:
                words = [d for d in doc if "@{" not in d]
                named = words and "@name" in words[0]
                group, doc = ([words[0].replace("@name ", "")] + words[1:] if named else []), []
            elif "@}" in bare:
                group, doc = [], []
            out += [line] if not re.search(r"@[{}]", bare) else [line, ""]
            continue
        if inside and "@file" in "".join(doc):
            doc = []
        inside = False
        begins = not bare.startswith(("//", "#", "}", ")", "{", "public:", "private:", "protected:")) and "///<" not in line
        if not bare:
            doc, complete = [], bool(group)
        elif complete and at == indent and begins:
            out += doc or (group if DECLARES.match(bare) else [])
        elif group and not doc and at == indent and DECLARES.match(bare) and "@{" in out[-2]:
            out += group
        code = re.sub(r"\s*//.*$", "", line).rstrip()
        if bare and at == indent:
            complete = code.endswith((";", "}"))
        elif bare and len(at) < len(indent):
            doc = []
        out.append(line)
    return "\n".join(out)


DOXYFILE = """
PROJECT_NAME = Cosmati
OUTPUT_DIRECTORY = "{out}"
INPUT = "{source}"
FILE_PATTERNS = *.hpp
RECURSIVE = YES
STRIP_FROM_PATH = "{source}"
STRIP_FROM_INC_PATH = "{source}"
EXTRACT_STATIC = YES
HIDE_UNDOC_MEMBERS = NO
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = __global__= __host__= __device__= "__launch_bounds__(x)=" COSMATI_NAMESPACE=cosmati COSMATI_HD= COSMATI_DEVICE= COSMATI_SIMULATED=1 \\
  COSMATI_AND_CALLER_PARAMETERS_= COSMATI_CALLER_PARAMETERS_=
EXCLUDE_SYMBOLS = cosmati::detail* detail::* *::detail cosmati_cuda*
SORT_MEMBERS_CTORS_1ST = YES
QUIET = YES
WARNINGS = NO
HAVE_DOT = NO
GENERATE_LATEX = NO
GENERATE_HTML = {html}
GENERATE_XML = {xml}
XML_PROGRAMLISTING = NO
HTML_OUTPUT = api
HTML_TIMESTAMP = NO
GENERATE_TREEVIEW = YES
DISABLE_INDEX = NO
SEARCHENGINE = YES
SERVER_BASED_SEARCH = NO
"""


def doxygen(out: pathlib.Path, html: bool) -> None:
    """Runs it over the headers; out/api or out/xml receives the result."""
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name) / "include"
        for header in sorted((ROOT / "include").rglob("*.hpp")):
            target = source / header.relative_to(ROOT / "include")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(spread(header.read_text()))
        out.mkdir(parents=True, exist_ok=True)
        config = pathlib.Path(name) / "Doxyfile"
        config.write_text(DOXYFILE.format(out=out, source=source, html="YES" if html else "NO", xml="NO" if html else "YES"))
        run(["doxygen", str(config)])


# Members that mean in every class what they mean in the standard library.
STANDARD = set("begin end cbegin cend data size empty front back get max_size at fill swap reset".split())


def without_arguments(name: str) -> str:
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"\s*<[^<>]*>", "", name)
    return name


def compounds_of_reference() -> list:
    """What Doxygen knows of the headers."""
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name)
        doxygen(out, html=False)
        return [c for p in out.glob("xml/*.xml") if p.name != "index.xml" for c in xml.parse(p).getroot().iter("compounddef")]


def diagnoses() -> set[str]:
    """Functions whose name is a diagnosis."""
    texts = [h.read_text() for h in (ROOT / "include").rglob("*.hpp")]
    return {m for t in texts for m in re.findall(r"\[\[noreturn\]\][^;{}()]*?\b(\w+)\(", t)}


def header_of(element) -> str:
    """`layer/file.hpp`"""
    location = element.find("location")
    return location.get("file").rpartition("cosmati/")[2] if location is not None else ""


# What a program calls; the others' functions are for who builds on the library's inner parts, and are in the reference.
LAYERS_WITH_PAGES = ("core", "layout", "tensor", "atom", "arch", "tiled", "algorithm", "pipeline", "runtime", "render", "interop")
INNER = {
    "core/access.hpp": "what the library tells the simulated device",
    "core/error.hpp": "how it fails",
    "core/evaluate.hpp": "between types and values",
    "core/functional.hpp": "function objects, each named as its operator",
    "core/minifloat_rounding.hpp": "codes of small floating-point numbers",
    "layout/any_swizzle.hpp": "swizzles as values",
    "layout/text_cursor.hpp": "of the parsers",
    "layout/text_flat.hpp": "of to_string",
}
INNER_NAMES = {"advance_by", "leaf_at", "make_placed_tensor", "make_iterator", "assumed_aligned", "cast_smem_ptr_to_uint", "gmem_ptr", "smem_ptr", "rmem_ptr"}


def without_section(layers: list[str]) -> list[str]:
    """`layer/file.hpp: name` of every public function that stands among the calls of no section of the pages of functions."""
    named = set()
    for document in SPLIT:
        for section in re.split(r"^## ", (ROOT / "docs" / document).read_text(), flags=re.MULTILINE)[1:]:
            calls = re.search(r"```c\+\+\n(.*?)```", section, re.DOTALL)
            named |= set(re.findall(r"\b(\w+)\s*(?:<[^()]*>)?\s*\(", calls[1] if calls else ""))
            named.add(section.partition("\n")[0])
    missing = set()
    guides = set()
    not_ours = INNER_NAMES | diagnoses()
    for compound in compounds_of_reference():
        parts = without_arguments(compound.findtext("compoundname")).split("::")
        if parts[0] == "cosmati" and compound.get("kind") in ("class", "struct"):
            guides.add(parts[-1])
        if parts != ["cosmati"] or compound.get("kind") != "namespace":
            continue
        for member in compound.iter("memberdef"):
            called, header = member.findtext("name"), header_of(member)
            layer = header.partition("/")[0]
            if member.get("kind") != "function" or layer not in LAYERS_WITH_PAGES or header in INNER or (layers and layer not in layers):
                continue
            if called in named or called in not_ours or called.startswith(("operator", "COSMATI_")) or called.endswith("_") or "<" in called:
                continue
            missing.add((header, called))
    return sorted(f"{header}: {called}" for header, called in missing if called not in guides)


def undocumented(layers: list[str]) -> list[str]:
    """`layer/file.hpp: name` of every public name without a comment.

    Public names: those of namespace cosmati (functions, classes, aliases, variables, concepts, enumerations), macros that headers leave
    defined, and public member functions. Not: `detail`, specializations, constructors and operators (their class has the comment), the
    data members and member types of a class, members that the standard library's classes have, and the functions whose name
    is a diagnosis (`[[noreturn]]`, "stride_and_extent_do_not_divide").
    """
    names: dict[str, list] = collections.defaultdict(lambda: [False, ""])
    compounds = compounds_of_reference()

    texts = [h.read_text() for h in (ROOT / "include").rglob("*.hpp")]
    # Of macros one definition has the comment, the compiler's or the other.
    blocks = [b for t in texts for b in re.findall(r"^///.*\n((?:///.*\n|#\s*define .*\n|#if.*\n)+)", t, re.MULTILINE)]
    heads = {m for b in blocks for m in re.findall(r"#\s*define (\w+)", b)}

    def has_comment(element) -> bool:
        texts = (element.find("briefdescription"), element.find("detaileddescription"))
        return any("".join(t.itertext()).strip() for t in texts if t is not None)

    def note(qualified: str, commented: bool, element) -> None:
        entry = names[qualified]
        entry[0] = entry[0] or commented
        entry[1] = entry[1] or header_of(element)

    for compound in compounds:
        kind, full = compound.get("kind"), without_arguments(compound.findtext("compoundname"))
        parts = full.split("::")
        is_class = kind in ("class", "struct", "union")
        if kind not in ("class", "struct", "union", "concept", "namespace", "file") or "detail" in parts:
            continue
        if kind != "file" and parts[0] != "cosmati":
            continue
        if compound.get("prot") in ("private", "protected"):
            continue
        if is_class or kind == "concept":
            note(full, has_comment(compound), compound)
        for section in compound.findall("sectiondef"):
            if section.get("kind", "").startswith(("private", "protected")):
                continue
            headed = section.find("header") is not None
            for member in section.findall("memberdef"):
                what, called = member.get("kind"), member.findtext("name")
                if member.get("prot") in ("private", "protected") or what == "friend" or (kind == "file") != (what == "define"):
                    continue
                if is_class and (what in ("variable", "typedef") or called in STANDARD or called.lstrip("~") == parts[-1]):
                    continue
                if called.startswith(("operator", "@")) or called.endswith("_"):
                    continue
                if called == "explicit" or "<" in called or "-&gt;" in called:  # guides and specializations
                    continue
                commented = has_comment(member) or headed or (what == "define" and called in heads)
                note(called if kind == "file" else f"{full}::{called}", commented, member)
    named_for_faults = diagnoses()
    removed = {m for t in texts for m in re.findall(r"^\s*#\s*undef (\w+)", t, re.MULTILINE)}
    return sorted(f"{file}: {name}" for name, (commented, file) in names.items()
                  if not commented and file and name not in removed
                  and name.rpartition("::")[2] not in removed | named_for_faults and (not layers or file.partition("/")[0] in layers))


# The documents
# ----------------------------------------------------------------------------------------------------------------------


class Site:
    def __init__(self, work: pathlib.Path):
        self.source = work / "source"
        self.pictures = 0
        (self.source / "pictures").mkdir(parents=True)

    def draw(self, arguments: str) -> str:
        self.pictures += 1
        name = f"pictures/{self.pictures:03}.svg"
        run([BIN, "draw", *shlex.split(arguments), "--format", "svg", "--out", str(self.source / name)])
        return name

    def timeline(self, program: str, number: int) -> str:
        """A time line of the program's run, counted from 0."""
        self.pictures += 1
        name = f"pictures/{self.pictures:03}.svg"
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "report.html"
            run([BIN, "sim", str(ROOT / program), "--quiet", "--report", str(page)])
            lines = [s for s in re.findall(r"<svg.*?</svg>", page.read_text(), re.DOTALL) if "<title>time line" in s]
        (self.source / name).write_text(lines[number])
        return name

    def carried(self, path: pathlib.Path) -> str | None:
        """Where a file of the tree is on the site; a folder's README stands for it."""
        if path.is_dir():
            path = next((path / n for n in ("README.md",) if (path / n).exists()), path)
        if path.is_dir():
            return self.listing(path)
        if not path.is_file() or ROOT not in path.parents:
            return None
        if path.suffix == ".md":
            target = self.source / "tree" / path.relative_to(ROOT)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("")  # its own links may lead back
                target.write_text(self.page(path.read_text(), path, target))
            return str(target.relative_to(self.source))
        return self.listing(path)

    def listing(self, path: pathlib.Path) -> str:
        """A page that shows a file, or names a folder's."""
        target = self.source / "tree" / (str(path.relative_to(ROOT)) + ".md")
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            title = f"# {path.relative_to(ROOT)}\n\n"
            if path.is_dir():
                target.write_text("")
                entries = sorted(p for p in path.iterdir() if p.suffix in (".cpp", ".hpp", ".md", ".py", ".toml", ".csv") and p.stat().st_size < 200000)
                links = [f"* [{p.name}]({os.path.relpath(self.source / self.carried(p), target.parent)})" for p in entries]
                target.write_text(title + "\n".join(links) + "\n")
            else:
                language = {".cpp": "c++", ".hpp": "c++", ".py": "python"}.get(path.suffix, "text")
                target.write_text(f"{title}````{language}\n{path.read_text(errors='replace')}\n````\n")
        return str(target.relative_to(self.source))

    def page(self, text: str, origin: pathlib.Path, target: pathlib.Path) -> str:
        """A document's text for the site: pictures in their places, links to where things are there."""
        here = target.parent

        def link(found: re.Match) -> str:
            to, anchor = found[1], found[2] or ""
            if re.match(r"[a-z]+:", to):
                return found[0]
            path = (origin.parent / to).resolve()
            if path.parent == ROOT / "docs" and path.suffix == ".md":
                return f"]({os.path.relpath(self.source / path.name, here)}{anchor})"
            there = self.carried(path)
            if there is None:
                sys.exit(f"{origin.relative_to(ROOT)}: the link {to} leads nowhere")
            return f"]({os.path.relpath(self.source / there, here)}{anchor})"

        pieces = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.MULTILINE | re.DOTALL)  # code stays as it is
        text = "".join(piece if piece.startswith("`") else LINK.sub(link, piece) for piece in pieces)
        text = TIMELINE.sub(lambda m: f"![time line]({os.path.relpath(self.source / self.timeline(m[1], int(m[2])), here)})", text)
        return PICTURE.sub(lambda m: f"![cosmati draw]({os.path.relpath(self.source / self.draw(m[1]), here)})", text)

    def split(self, path: pathlib.Path) -> None:
        """A page for each section, and one that names them."""
        head, *sections = re.split(r"^## ", path.read_text(), flags=re.MULTILINE)
        rows = ["| | |", "|---|---|"]
        for section in sections:
            name, _, body = section.partition("\n")
            target = self.source / "functions" / f"{name}.md"
            target.parent.mkdir(exist_ok=True)
            target.write_text(self.page(f"# {name}\n{body}", path, target))
            sentence = re.split(r"```\n\n", body, maxsplit=1)[1].replace("\n", " ").partition(". ")[0].partition("**Law")[0].strip()
            rows.append(f"| [{name}](functions/{name}.md) | {sentence.rstrip('.').replace('|', chr(92) + '|')}. |")
        target = self.source / path.name
        head = "\n".join(line for line in head.splitlines() if not line.startswith("<!-- scope"))
        target.write_text(self.page(head, path, target) + "\n\n" + "\n".join(rows) + "\n")

    def documents(self, api: bool) -> None:
        for path in sorted((ROOT / "docs").glob("*.md")):
            target = self.source / path.name
            if path.name in SPLIT:
                self.split(path)
            else:
                target.write_text(self.page(path.read_text(), path, target))
        for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
            self.carried(ROOT / name)
        index = "[Namespaces, classes and functions](api/index.html), made by Doxygen from the headers." if api else "Not built."
        (self.source / "api.md").write_text(f"# API reference\n\n{index}\n")
        (self.source / "site.css").write_text(STYLE)
        explorer = ROOT / "build/web/index.html"
        if explorer.exists():  # one file; web/build makes it
            shutil.copy(explorer, self.source / "explorer-page.html")
            with (self.source / "explorer.md").open("a") as page:
                page.write("\n[Open it](explorer-page.html).\n")


def build(out: pathlib.Path, api: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        site = Site(work)
        site.documents(api)
        if api:
            doxygen(work / "source", html=True)
        (work / "mkdocs.yml").write_text(NAVIGATION)
        # Warnings (a link that leads nowhere, a page that is not there) are errors.
        run(["mkdocs", "build", "--strict", "-f", str(work / "mkdocs.yml")])
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(work / "site", out)
    pages = len(list(out.rglob("*.html")))
    print(f"{out}: {pages} pages, {site.pictures} pictures, {len(list((out / 'functions').glob('*.html')))} functions")


def fetched(out: pathlib.Path) -> list[str]:
    """What a browser would fetch from elsewhere."""
    found = []
    for page in out.rglob("*.html"):
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page.read_text(errors="replace")):
            address = re.search(r'(?:src|href)="((?:https?:)?//[^"]*)"', tag)
            if address and 'rel="canonical"' not in tag:
                found.append(f"{page.relative_to(out)}: {address[1]}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/site")
    parser.add_argument("--no-api", action="store_true")
    parser.add_argument("--undocumented", nargs="*", metavar="LAYER")
    parser.add_argument("--without-section", nargs="*", metavar="LAYER")
    options = parser.parse_args()
    if options.undocumented is not None:
        names = undocumented(options.undocumented)
        print("\n".join(names))
        print(f"{len(names)} public names without a comment")
        return 1 if names else 0
    if options.without_section is not None:
        names = without_section(options.without_section)
        print("\n".join(names))
        print(f"{len(names)} public functions without a section")
        return 1 if names else 0
    build(options.out.resolve(), not options.no_api)
    elsewhere = fetched(options.out)
    print("\n".join(elsewhere[:20]), end="\n" if elsewhere else "")
    return 1 if elsewhere else 0


if __name__ == "__main__":
    sys.exit(main())
