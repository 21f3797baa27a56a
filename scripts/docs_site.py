#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation's site, in build/site: the documents, a page a function, the tables of results, the API reference.

    docs_site.py [--out FOLDER] [--no-api]      default: build/site
    docs_site.py --undocumented [LAYER...]      lists the public names that have no comment, and ends with 1 if there are some
    docs_site.py --without-section [LAYER...]   the public functions that no page of functions names, likewise
    docs_site.py --incomplete                   the pages of functions that lack signature, law, example or picture, likewise

Needs mkdocs and doxygen (Debian's), and the command: COSMATI_BIN, else build/bin/cosmati. Pictures are made from marks of the documents,
`<!-- KIND: TEXT -->` on a line of its own, and never by hand:

    picture   arguments of `cosmati draw`; ` => ` or ` & ` between several
    table     `x=0..7; EXPRESSION; ...`, tree  `EXPRESSION & EXPRESSION => EXPRESSION`, strips  `NAME = 1 2 3; NAME = $1`: site_pictures.py
    timeline  `PROGRAM N`, the Nth time line of its report, or `this KERNEL`, that of a kernel of the document; costs likewise
    report    `'TITLE' ARGUMENTS OF cosmati report`, the picture of the page whose title begins so; plan  arguments of `cosmati plan`

Nothing is fetched, neither here nor by who reads the site.
"""
import argparse
import collections
import html
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import ordinary_pictures
import site_explorer
import site_functions
import site_pictures

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = os.environ.get("COSMATI_BIN", str(ROOT / "build/bin/cosmati"))
PICTURE = re.compile(r"^<!-- (picture|table|tree|strips|timeline|costs|report|plan): (.*) -->$", re.MULTILINE)
PRINTED = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+\.svg)\)")
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
NAMED = re.compile(r"\[((?:\.\./)*(?:[\w-]+/)*[\w-]+\.md)\](?=\(\1[)#])")  # a document by its file's name
# Split into a page a section; the sections keep their order.
SPLIT = ("functions.md", "functions-tiled.md", "functions-programs.md", "functions-analysis.md")

# Files only: a page's name in the menu is its heading, as in its title and in the list of documents.
NAVIGATION = """
site_name: Cosmati
docs_dir: source
site_dir: site
theme: {name: mkdocs, custom_dir: theme, highlightjs: false, nav_style: dark}
use_directory_urls: false
extra_css: [site.css]
plugins: [search]
markdown_extensions: [tables, fenced_code, toc, {codehilite: {guess_lang: false}}]
nav:
  - index.md
  - Start: [start.md, documents.md]
  - Book: [tutorial.md, swizzles.md, ragged.md, async.md, matmul.md, cost.md]
  - How to: [howto.md, testing-without-a-gpu.md, cuda-files.md, public-kernels.md, pictures.md, explorer.md, command.md, coming-from-cute.md, migrating.md, cute.md, coming-from-moye.md]
  - Reference: [functions.md, functions-tiled.md, functions-programs.md, functions-analysis.md, api.md, errors.md, hazards.md]
  - Project: [performance.md, how-a-copy-works.md, decisions.md, style.md, gpu-runs.md, release.md, tree/CHANGELOG.md, tree/CONTRIBUTING.md]
"""
ASSETS = ROOT / "scripts/site"
EXPLORER = "explorer-page.html"  # the explorer's own page; explorer.html is the document on it
# What the explorer begins with: the first picture of the first page.
NAMES = {"index.md": "documents.md"}  # on the site index.html is the first page
# Pictures that the repository holds -> their states.
ORDINARY = {name: site_explorer.of_arguments(arguments) for name, arguments in {**ordinary_pictures.DRAWN, **ordinary_pictures.BANKS}.items()}
FIRST_STATE = site_explorer.of_arguments(ordinary_pictures.BANKS["banks-992"])


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


MAIN_PAGE = """/** @mainpage The headers of Cosmati

Everything public is in the namespace @ref cosmati. Programs include cosmati/cosmati.hpp, and cosmati/mma.hpp for matrix instructions.
<a href="../functions.html">The pages of functions</a> say with a law, an example and a picture what each function does.

- <a href="namespacecosmati.html">Functions and variables</a>
- <a href="annotated.html">Classes</a>
- <a href="concepts.html">Concepts</a>
- <a href="files.html">Headers</a>, by layer: each layer includes those before it in the list of
  <a href="../tree/CONTRIBUTING.html">Contributing</a>
*/
"""
DOXYFILE = """
PROJECT_NAME = Cosmati
OUTPUT_DIRECTORY = "{out}"
INPUT = "{source}"
FILE_PATTERNS = *.hpp *.dox
RECURSIVE = YES
STRIP_FROM_PATH = "{source}"
STRIP_FROM_INC_PATH = "{source}"
EXTRACT_STATIC = YES
HIDE_UNDOC_MEMBERS = NO
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = __global__= __host__= __device__= "__launch_bounds__(...)=" COSMATI_NAMESPACE=cosmati COSMATI_HD= COSMATI_SIMULATED=1 \\
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
HTML_EXTRA_STYLESHEET = "{style}"
"""


def doxygen(out: pathlib.Path, html: bool) -> None:
    """Runs it over the headers; out/api or out/xml receives the result."""
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name) / "include"
        for header in sorted((ROOT / "include").rglob("*.hpp")):
            target = source / header.relative_to(ROOT / "include")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(spread(header.read_text()))
        (source / "main_page.dox").write_text(MAIN_PAGE)
        out.mkdir(parents=True, exist_ok=True)
        config = pathlib.Path(name) / "Doxyfile"
        config.write_text(DOXYFILE.format(out=out, source=source, html="YES" if html else "NO", xml="NO" if html else "YES", style=ASSETS / "api.css"))
        run(["doxygen", str(config)])


BAR = [("Cosmati", "index.html"), ("All documents", "documents.html"), ("Functions", "functions.html"), ("Errors", "errors.html")]


def lead_back(folder: pathlib.Path, explorer: bool) -> None:
    """The bar of the site on top of every page of the reference."""
    links = [*BAR, *([("Explorer", EXPLORER)] if explorer else [])]
    for page in folder.rglob("*.html"):
        up = os.path.relpath(folder.parent, page.parent)
        bar = "".join(f'<a href="{up}/{to}">{words}</a>' for words, to in links)
        text = page.read_text(errors="replace")
        page.write_text(text.replace('<div id="top">', f'<div id="top"><div class="sitebar">{bar}<span>API reference</span></div>', 1))


# Members that mean in every class what they mean in the standard library.
STANDARD = set("begin end cbegin cend data size empty front back get max_size at fill swap reset".split())


def without_arguments(name: str) -> str:
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"\s*<[^<>]*>", "", name)
    return name


def compounds_of_reference() -> list:
    """What Doxygen knows of the headers."""
    if ROOT not in known_of:
        known_of[ROOT] = read_reference()
    return known_of[ROOT]


known_of: dict[pathlib.Path, list] = {}


def read_reference() -> list:
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
LAYERS_WITH_PAGES = ("core", "number", "host", "layout", "tensor", "atom", "arch", "tiled", "algorithm", "pipeline", "runtime", "tma", "kernel", "analysis", "render", "interop")
INNER = {
    "core/access.hpp": "what the library tells the simulated device",
    "core/error.hpp": "how it fails",
    "core/evaluate.hpp": "between types and values",
    "core/functional.hpp": "function objects, each named as its operator",
    "host/file_lock.hpp": "one writer of a file at a time",
    "host/whole_file.hpp": "files are written whole or not at all",
    "number/minifloat_rounding.hpp": "codes of small floating-point numbers",
    "analysis/side_access.hpp": "addresses of a side as strides",
    "layout/any_swizzle.hpp": "swizzles as values",
    "layout/text_cursor.hpp": "of the parsers",
    "layout/text_tree.hpp": "of to_string",
    "render/run_report.hpp": "what the page of a run shows",
}
INNER_NAMES = {"advance_by", "belongs_here", "leaf_at", "make_placed_tensor", "make_iterator", "assumed_aligned", "cast_smem_ptr_to_uint", "gmem_ptr", "smem_ptr", "rmem_ptr"}


PARTS = {"signature": r"^```c\+\+$", "law": r"^\*\*Law\.\*\* ", "example": r"^```(cpp|console)$", "picture": PICTURE.pattern}


def sections() -> list[tuple[str, str, str]]:
    """(document, function, text) of all sections of the pages of functions."""
    found = []
    for document in SPLIT:
        for section in re.split(r"^## ", (ROOT / "docs" / document).read_text(), flags=re.MULTILINE)[1:]:
            found.append((document, section.partition("\n")[0], section))
    return found


def calls_of(section: str) -> set[str]:
    calls = re.search(r"```c\+\+\n(.*?)```", section, re.DOTALL)
    return set(re.findall(r"\b(\w+)\s*(?:<[^()]*>)?\s*\(", calls[1] if calls else ""))


def of_another(section: str, kind: str, text: str) -> list[str]:
    """Layouts that a picture shows and the section's example does not have."""
    parts = re.split(r" (?:=>|&) ", text) if kind == "picture" else [text.partition("' ")[2]] if kind == "report" else [text] if kind == "plan" else []
    return [layout for part in parts for layout in site_functions.shown_elsewhere(section, part)]


def incomplete() -> list[str]:
    """`document: function: what it lacks` of sections without signature, law, example or picture, of functions with two, of calls
    of what is no function, and of pictures of something else than the example."""
    found = []
    seen = collections.Counter(name for _, name, _ in sections())
    known = {m.findtext("name") for c in compounds_of_reference() for m in c.iter("memberdef")}
    known |= {without_arguments(c.findtext("compoundname")).rpartition("::")[2] for c in compounds_of_reference()}
    headers = [h.read_text() for h in (ROOT / "include").rglob("*.hpp")]
    known |= {m for h in headers for m in re.findall(r"^COSMATI_\w+_\((\w+), ", h, re.MULTILINE)}  # by a macro
    for document, name, text in sections():
        lacks = [part for part, what in PARTS.items() if not re.search(what, text, re.MULTILINE)]
        lacks += [f"a function that is called {c}" for c in sorted(calls_of(text) - known)]
        lacks += ["a name of its own"] if seen[name] > 1 else []
        lacks += [f"an example that has the picture's {layout}" for mark in PICTURE.findall(text) for layout in of_another(text, *mark)]
        found += [f"{document}: {name}: {part}" for part in lacks]
    return found


def without_section(layers: list[str]) -> list[str]:
    """`layer/file.hpp: name` of every public function that stands among the calls of no section of the pages of functions."""
    named = set().union(*(calls_of(text) | {name} for _, name, text in sections()))
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


def program_of(document: pathlib.Path) -> str:
    """The kernels of a document, launched as the sections do whose time line it shows."""
    sys.path.insert(0, str(ROOT / "tests/style"))
    import snippets

    text = document.read_text()
    shown = set(re.findall(r"^<!-- (?:timeline|costs): this (\w+) -->$", text, re.MULTILINE))
    blocks = [b for b in snippets.blocks_of(document)[0] if b.kind in ("scope", "snippet")]
    launches = re.compile(rf"\b({'|'.join(shown)})\b")
    wanted = [b for b in blocks if launches.search("\n".join(b.code)) or b.code[0].startswith("#include")]
    return snippets.program(wanted)


SMALLEST = 9  # pixels of a letter, as it is shown: a picture that would be narrower than that scrolls


def least_width(svg: str) -> int:
    """In pixels: that at which the smallest letters of a picture are legible."""
    width = float(re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+)', svg)[1])
    letters = [float(size) for size in re.findall(r"font(?:-size:|:[^;}\"]*?)\s*([\d.]+)px", svg)] or [12.0]
    return math.ceil(width * SMALLEST / min(letters)) + 1


def opened(state: str | None, here: str) -> str:
    """The link beside a picture. @param here from the page to the site's first folder"""
    address = html.escape(f"{here}/{EXPLORER}{state}".removeprefix("./"))
    return f'<a class="open" href="{address}">Open in the explorer</a>' if state else ""


class Site:
    def __init__(self, work: pathlib.Path, explorer: pathlib.Path | None = None):
        """@param explorer its page, which web/build makes"""
        self.source = work / "source"
        self.explorer = explorer
        self.pictures = 0
        self.pages: dict[str, str] = {}  # reports of programs
        (self.source / "pictures").mkdir(parents=True)

    def draw(self, kind: str, text: str, section: str, document: pathlib.Path) -> list[tuple[str, str, str]]:
        """The pictures of one mark: (what comes before it, file, what it shows). @param section the text around it"""
        printed = PRINTED.search(section)
        lines = printed[1].splitlines() if printed else []
        try:
            if kind == "picture":
                marks = re.split(r" (=>|&) ", text)
                return [(m, *self.drawn(arguments)) for m, arguments in zip(["", *marks[1::2]], marks[::2])]
            if kind == "table":
                return [("", *self.kept(*site_pictures.table(BIN, text)))]
            if kind == "tree":
                return [("", *self.kept(*site_pictures.tree(BIN, text, lines)))]
            if kind == "strips":
                return [("", *self.kept(*site_pictures.strips(text, lines)))]
            if kind == "report":
                return [("", *self.kept(*self.reported(text)))]
            if kind == "plan":
                return [("", *self.kept(*site_pictures.plan(BIN, text)))]
            return [("", *self.kept(*self.of_a_run(kind, text, document)))]
        except (ValueError, IndexError, KeyError, StopIteration) as e:
            sys.exit(f"{document.relative_to(ROOT)}: <!-- {kind}: {text} -->: {e!r}")

    def shown(self, name: str, words: str, state: str | None, here: pathlib.Path) -> str:
        """A picture, as wide as it is; where the page is narrower it shrinks as long as it is legible, then it scrolls."""
        svg = (self.source / name).read_text()
        least = least_width(svg)
        width = max(least, round(float(re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+)', svg)[1])))
        image = (f'<img alt="{html.escape(words)}" src="{os.path.relpath(self.source / name, here)}" '
                 f'style="width:{width}px;min-width:{least}px">')
        link = opened(state, os.path.relpath(self.source, here)) if self.explorer else ""
        return f'<span class="picture"><span class="scrolled">{image}</span>{link}</span>'

    def name(self) -> str:
        self.pictures += 1
        return f"pictures/{self.pictures:03}.svg"

    def kept(self, svg: str, words: str) -> tuple[str, str]:
        name = self.name()
        (self.source / name).write_text(svg)
        return name, words

    def drawn(self, arguments: str) -> tuple[str, str]:
        name = self.name()
        run([BIN, "draw", *shlex.split(arguments), "--format", "svg", "--out", str(self.source / name)])
        return name, " ".join(shlex.split(arguments))

    def reported(self, text: str) -> tuple[str, str]:
        """The first picture of a report whose title begins so."""
        title, *arguments = shlex.split(text)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([BIN, "report", "--out", folder, *arguments], capture_output=True, text=True)
            if done.returncode not in (0, 1):  # 1: the copy is wrong, and the report says why
                raise ValueError(done.stderr)
            pictures = SVG.findall((pathlib.Path(folder) / "report.html").read_text())
        titles = [html.unescape(re.search(r"<title>([^<]*)", svg)[1]) for svg in pictures]
        k = next(i for i, t in enumerate(titles) if t.startswith(title))
        return pictures[k], titles[k]

    def of_a_run(self, kind: str, text: str, document: pathlib.Path) -> tuple[str, str]:
        """A time line, or the costs: `PROGRAM N`, counted from 0, or `this KERNEL`."""
        program, _, wanted = text.partition(" ")
        key = f"{program} {document}" if program == "this" else program
        if key not in self.pages:
            with tempfile.TemporaryDirectory() as folder:
                path = ROOT / program
                if program == "this":
                    path = pathlib.Path(folder) / "document.cpp"
                    path.write_text(program_of(document))
                page = pathlib.Path(folder) / "report.html"
                done = subprocess.run([BIN, "sim", str(path), "--quiet", "-I", str(ROOT), "--report", str(page)], capture_output=True, text=True)
                if done.returncode not in (0, 3):  # 3: an error, which the document shows
                    raise ValueError(done.stdout[-2000:] + done.stderr[-2000:])
                self.pages[key] = page.read_text()
        page = self.pages[key]
        number = int(wanted) if program != "this" else 0
        if program == "this":
            page = page[re.search(rf"<h2>Kernel \S*\b{wanted}\b", page).start() :]
        title = "time line" if kind == "timeline" else "costs of"
        return [s for s in SVG.findall(page) if f"<title>{title}" in s][number], f"{title} {text}"

    def carried(self, path: pathlib.Path) -> str | None:
        """Where a file of the tree is on the site; a folder's README stands for it."""
        if path.is_dir():
            path = next((path / n for n in ("README.md",) if (path / n).exists()), path)
        if path.is_dir():
            return self.listing(path)
        if path.suffix in (".svg", ".png") and path.is_file() and ROOT in path.parents:
            target = self.source / "tree" / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            return str(target.relative_to(self.source))
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
            if path.parent == ROOT / "docs" and path.name in SPLIT and anchor:  # a section there is a page here
                return f"]({os.path.relpath(self.source / 'functions' / (anchor[1:] + '.md'), here)})"
            if path.parent == ROOT / "docs" and path.suffix == ".md":
                return f"]({os.path.relpath(self.source / NAMES.get(path.name, path.name), here)}{anchor})"
            there = self.carried(path)
            if there is None:
                sys.exit(f"{origin.relative_to(ROOT)}: the link {to} leads nowhere")
            return f"]({os.path.relpath(self.source / there, here)}{anchor})"

        def title(found: re.Match) -> str:
            path = origin.parent / found[1]
            heading = re.match(r"# (.*)", path.read_text()) if path.is_file() else None
            return f"[{heading[1]}]" if heading else found[0]

        pieces = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.MULTILINE | re.DOTALL)  # code stays as it is
        def image(found: re.Match) -> str:
            words, path = found[1], (here / found[2]).resolve()
            return self.shown(str(path.relative_to(self.source.resolve())), words, ORDINARY.get(path.stem), here)

        text = "".join(piece if piece.startswith("`") else IMAGE.sub(image, LINK.sub(link, NAMED.sub(title, piece))) for piece in pieces)

        def pictures(found: re.Match) -> str:
            arrow = {"=>": '<span class="becomes">→</span> '}
            states = site_explorer.of_mark(found[1], found[2])
            images = [arrow.get(mark, "") + self.shown(name, words, state, here)
                      for (mark, name, words), state in zip(self.draw(found[1], found[2], text, origin), states)]
            return '<p class="pictures">' + " ".join(images) + "</p>"

        return PICTURE.sub(pictures, text)

    def split(self, path: pathlib.Path, declarations: site_functions.Declarations) -> None:
        """A page for each section, and one that names them."""
        head, *parts = re.split(r"^## ", path.read_text(), flags=re.MULTILINE)
        heading = re.match(r"# (.*)", head)[1]
        names = [section.partition("\n")[0] for section in parts]
        texts = {name: text for _, name, text in sections()}
        rows = ["| | |", "|---|---|"]
        for k, section in enumerate(parts):
            name, _, body = section.partition("\n")
            target = self.source / "functions" / f"{name}.md"
            target.parent.mkdir(exist_ok=True)
            near = {"previous": names[k - 1] if k else "", "next": names[k + 1] if k + 1 < len(names) else ""}
            top = "".join(f"{which}: functions/{to}.html\n" for which, to in near.items() if to)
            text = f"# {name}\n{body.rstrip()}\n\n{self.example(body)}{declarations.table(section, name)}\n\n"
            page = self.page(text, path, target)
            target.write_text(f"---\n{top}---\n{page}{self.neighbours(near, site_functions.related(name, texts), path, heading)}")
            sentence = re.split(r"```\n\n", body, maxsplit=1)[1].replace("\n", " ").partition(". ")[0].partition("**Law")[0].strip()
            rows.append(f"| [{name}](functions/{name}.md) | {sentence.rstrip('.').replace('|', chr(92) + '|')}. |")
        target = self.source / path.name
        head = "\n".join(line for line in head.splitlines() if not line.startswith("<!-- scope"))
        target.write_text(self.page(head, path, target) + "\n\n" + "\n".join(rows) + "\n")

    def example(self, body: str) -> str:
        """A link to the explorer with the example's state, where no picture of the page has one."""
        if not self.explorer or any(any(site_explorer.of_mark(*mark)) for mark in PICTURE.findall(body)):
            return ""
        lines = [line for console in re.findall(r"^```console\n(.*?)^```$", body, re.MULTILINE | re.DOTALL) for line in console.splitlines()]
        states = [state for line in sorted(lines, key=lambda line: " == " in line) if (state := site_explorer.of_command(line))]
        return f'<p>{opened(states[0], "..").replace("Open in", "Open the example in")}</p>\n\n' if states else ""

    @staticmethod
    def neighbours(near: dict[str, str], related: list[str], path: pathlib.Path, heading: str) -> str:
        """What is read next: the functions that belong to it, those before and after it, and the list of all."""
        others = [f"[{other}]({other}.md)" for other in related]
        see = f"**See also** {', '.join(others)}.\n\n" if others else ""
        words = {"previous": "Previous", "next": "Next"}
        links = [f"{words[which]}: [{to}]({to}.md)" for which, to in near.items() if to]
        return see + " · ".join([*links, f"all: [{heading}](../{path.name})"]) + "\n"

    def landing(self) -> None:
        """The first page: what README.md begins with."""
        head = (ROOT / "README.md").read_text().partition("\n## ")[0]
        if self.explorer:
            address = html.escape(EXPLORER + FIRST_STATE)
            head = re.sub(r"\[([^\]]*)\]\(docs/explorer\.md\)", lambda found: f'<a href="{address}">{found[1]}</a>', head)
        target = self.source / "index.md"
        target.write_text(self.page(head, ROOT / "README.md", target))

    def documents(self, api: bool) -> None:
        declarations = site_functions.Declarations(compounds_of_reference(), without_arguments, header_of)
        self.landing()
        for path in sorted((ROOT / "docs").glob("*.md")):
            target = self.source / NAMES.get(path.name, path.name)
            if path.name in SPLIT:
                self.split(path, declarations)
            else:
                target.write_text(self.page(path.read_text(), path, target))
        for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
            self.carried(ROOT / name)
        index = "[Namespaces, classes and functions](api/index.html), made by Doxygen from the headers." if api else "Not built."
        (self.source / "api.md").write_text(f"# API reference\n\n{index}\n")
        shutil.copy(ASSETS / "site.css", self.source)
        if self.explorer:
            shutil.copy(self.explorer, self.source / EXPLORER)
            page = self.source / "explorer.md"
            heading, _, text = page.read_text().partition("\n")
            page.write_text(f"{heading}\n\n[Open the explorer]({EXPLORER}).\n{text}")


def wrapped(out: pathlib.Path) -> None:
    """Lines of consoles and of messages go on below, so that a verdict is seen whole; lines of programs do not."""
    block = re.compile(r'<div class="codehilite"><pre><span></span><code>(?=<span class="g[po]">|[^<]*</code>)')
    for page in out.rglob("*.html"):
        if out / "api" not in page.parents and page.name != EXPLORER:
            page.write_text(block.sub(lambda found: found[0].replace("codehilite", "codehilite wraps", 1), page.read_text()))


def searchable(out: pathlib.Path) -> None:
    """A search that works from file:// too: its index is a script, and no worker reads it."""
    folder = out / "search"
    index = json.loads((folder / "search_index.json").read_text())["docs"]
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "index.js").write_text("globalThis.cosmati_search = " + json.dumps(index, ensure_ascii=False).replace("</", "<\\/") + ";\n")
    shutil.copy(ASSETS / "search.js", folder / "main.js")


def build(out: pathlib.Path, api: bool, explorer: pathlib.Path = pathlib.Path(os.environ.get("COSMATI_PAGE", ROOT / "build/web/index.html"))) -> None:
    """@param explorer one file, which web/build makes; without it no picture has a link to it"""
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        site = Site(work, explorer if explorer.exists() else None)
        site.documents(api)
        if api:
            doxygen(work / "source", html=True)
            lead_back(work / "source/api", explorer.exists())
        shutil.copytree(ASSETS / "theme", work / "theme")
        extra = {"explorer": EXPLORER if explorer.exists() else "", "api": "api/index.html" if api else ""}
        (work / "mkdocs.yml").write_text(NAVIGATION + f"extra: {json.dumps(extra)}\n")
        # Warnings (a link that leads nowhere, a page that is not there) are errors.
        run(["mkdocs", "build", "--strict", "-f", str(work / "mkdocs.yml")])
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(work / "site", out)
        searchable(out)
        wrapped(out)
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
    parser.add_argument("--incomplete", action="store_true")
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
    if options.incomplete:
        found = incomplete()
        print("\n".join(found))
        return 1 if found else 0
    build(options.out.resolve(), not options.no_api)
    elsewhere = fetched(options.out)
    print("\n".join(elsewhere[:20]), end="\n" if elsewhere else "")
    return 1 if elsewhere else 0


if __name__ == "__main__":
    sys.exit(main())
