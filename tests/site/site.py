#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation's site: it is built, its links lead somewhere, nothing is fetched, every public name has a comment
and every public function a page; planted faults are found.  Run by `./test docs`; needs mkdocs, doxygen and the command (COSMATI_BIN)."""
import collections
import html.parser
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import docs_site  # noqa: E402
import site_pictures  # noqa: E402

OUT = pathlib.Path(os.environ.get("COSMATI_SITE", ROOT / "build/site"))


class Links(html.parser.HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.to, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.to += [given[k] for k in ("href", "src") if given.get(k)]
        self.names |= {given[k] for k in ("id", "name") if given.get(k)}


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        docs_site.build(OUT, api=True)

    def test_links_lead_somewhere(self):
        own = [p for p in OUT.rglob("*.html") if OUT / "api" not in p.parents and p.name not in ("404.html", "explorer-page.html")]
        pages = {p: Links(p.read_text()) for p in own}
        broken = []
        for page, links in pages.items():
            for to in links.to:
                address = urllib.parse.urlsplit(to)
                if address.scheme or to.startswith("//"):
                    continue
                target = page.parent / urllib.parse.unquote(address.path) if address.path else page
                target = pathlib.Path(os.path.normpath(target))
                if not target.exists():
                    broken.append(f"{page.relative_to(OUT)}: {to}")
                elif address.fragment and target in pages and address.fragment not in pages[target].names:
                    broken.append(f"{page.relative_to(OUT)}: {to} names no place")
            for shown in re.findall(r'<img[^>]* src="([^"]+)"', page.read_text()):
                if not shown.endswith((".svg", ".png")):
                    broken.append(f"{page.relative_to(OUT)}: {shown} is no picture")
        self.assertEqual(broken, [])
        self.assertGreater(sum(len(x.to) for x in pages.values()), 2000)

    def test_nothing_is_fetched(self):
        self.assertEqual(docs_site.fetched(OUT), [])

    def test_a_page_a_function(self):
        pages = {p.stem: p.read_text() for p in (OUT / "functions").glob("*.html")}
        row = set("""make_layout composition complement coalesce right_inverse left_inverse logical_divide zipped_divide tiled_divide
                     flat_divide logical_product zipped_product blocked_product raked_product zip group filter tile_to_shape Swizzle
                     local_tile local_partition inner_partition make_tiled_copy make_tiled_copy_A get_slice partition_S retile_S
                     tidfrg_S get_layoutS_TV copy make_tiled_mma partition_A gemm cp_async_fence fold transform_leaf for_each_leaf make_coord_iterator cp_async_stages
                     mbarrier_ring device_buffer cost_trace""".split())
        self.assertLessEqual(row, set(pages))
        self.assertEqual(set(pages), {name for _, name, _ in docs_site.sections()})
        for name, page in pages.items():
            with self.subTest(name):
                head, _, body = page.partition("<strong>Law.</strong>")
                self.assertIn("<h1", head)
                self.assertRegex(head, r"<div class=\"codehilite( wraps)?\"><pre>")  # the calls
                self.assertRegex(body, r"<div class=\"codehilite( wraps)?\"><pre>")  # an example
                shown = re.findall(r'<img alt="([^"]+)" src="\.\./(pictures/\d+\.svg)"', body)
                self.assertTrue(shown, "no picture with words")
                for _, path in shown:
                    self.assertTrue((OUT / path).exists(), path)
                self.assertRegex(body, r"<strong>Parameters(</strong>, as the headers declare them:</p>\s*<table>|\.</strong> None\.)")
                self.assertRegex(body, r"all: <a href=\"\.\./functions[\w-]*\.html\">")

    def test_neighbours_of_functions(self):
        order: dict[str, list[str]] = {}
        for document, name, _ in docs_site.sections():
            order.setdefault(document, []).append(name)
        for document, names in order.items():
            for before, name, after in zip([None, *names], names, [*names[1:], None]):
                page = (OUT / f"functions/{name}.html").read_text()
                for rel, words, to in (("prev", "Previous", before), ("next", "Next", after)):
                    with self.subTest(name, to=to):
                        in_bar = re.findall(rf'<a rel="{rel}" href="([^"]*)"', page)
                        self.assertEqual(in_bar, [f"{to}.html"] if to else [])
                        self.assertEqual(re.findall(rf'{words}: <a href="([^"]*)">', page), [f"{to}.html"] if to else [])

    def test_one_name_a_page(self):
        menu = dict(re.findall(r'<a href="([^"#]+\.html)" class="dropdown-item[^"]*">([^<]+)</a>', (OUT / "index.html").read_text()))
        self.assertGreater(len(menu), 25)
        listed = dict(re.findall(r'<td><a href="([^"#]+\.html)">([^<]+)</a></td>', (OUT / "documents.html").read_text()))
        self.assertGreater(len(listed), 15)
        for path, name in menu.items():
            page = (OUT / path).read_text()
            with self.subTest(path):
                self.assertEqual(re.search(r"<title>(.*) - Cosmati</title>", page)[1], name)
                self.assertEqual(re.sub(r"<[^>]*>", "", re.search(r"<h1[^>]*>(.*?)</h1>", page)[1]), name)
                self.assertEqual(listed.get(path, name), name)

    def test_the_first_page(self):
        page = (OUT / "index.html").read_text().partition('role="main"')[2]
        readme = (ROOT / "README.md").read_text()
        head = readme.partition("\n## ")[0]
        self.assertEqual(page.count("<h1"), 1)
        kernel = re.search(r"```cpp\n(.*?)```", head, re.DOTALL)[1]
        self.assertLessEqual(kernel.count("\n"), 14)
        self.assertIn("__global__", kernel)
        self.assertEqual(re.findall(r"^\./(\w+)", head, re.MULTILINE), ["demo", "test"])
        parts = ["<h1", "__global__", "992 in all", "banks-992.svg", "banks-swizzled.svg", "./demo", "Try it", "start.html", "coming-from-cute.html"]
        places = [page.find(part) for part in parts]
        self.assertNotIn(-1, places)
        self.assertEqual(places, sorted(places))
        for picture in ("banks-992", "banks-swizzled"):  # light and dark
            self.assertIn("prefers-color-scheme:dark", (ROOT / f"docs/pictures/{picture}.svg").read_text())

    def test_the_reference_leads_back(self):
        pages = [p for p in (OUT / "api").rglob("*.html") if '<div id="top">' in p.read_text(errors="replace")]
        self.assertGreater(len(pages), 500)
        for page in pages[:: len(pages) // 20]:
            links = Links(page.read_text(errors="replace")).to
            for to in ("index.html", "documents.html", "functions.html"):
                here = [link for link in links if (page.parent / link).resolve() == OUT / to]
                self.assertTrue(here, f"{page.name} has no link to {to}")
            self.assertIn("api.css", links)

    def test_chapters_have_pictures_and_checked_code(self):
        book = re.search(r"- Book: \[(.*)\]", docs_site.NAVIGATION)[1]
        chapters = re.findall(r"(\w+)\.md", book)
        self.assertGreater(len(chapters), 5)
        for name in [*chapters, "start", "howto", "pictures"]:
            with self.subTest(name):
                self.assertRegex((OUT / f"{name}.html").read_text(), r'<img alt="[^"]+" src="pictures/\d+\.svg"')
                self.assertRegex((ROOT / f"docs/{name}.md").read_text(), r"(?m)^(<!-- (snippet|scope|file|fails): .*-->|```console)$")

    def test_the_search_knows_functions_and_chapters(self):
        script = (OUT / "search/index.js").read_text()
        index = json.loads(script.partition("= ")[2].rstrip().rstrip(";").replace("<\\/", "</"))
        where = {d["location"] for d in index}
        for place in ("functions/raked_product.html", "functions/mbarrier_ring.html", "functions/warp_cost_of.html", "swizzles.html#which-one", "errors.html"):
            self.assertIn(place, where)

    def test_pictures_are_pictures(self):
        pictures = sorted((OUT / "pictures").glob("*.svg"))
        self.assertGreater(len(pictures), 150)
        for path in pictures:
            with self.subTest(path.name):
                text = path.read_text()
                root = xml.fromstring(text)
                self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
                self.assertIn("prefers-color-scheme:dark", text)
                self.assertTrue(root.findtext("{http://www.w3.org/2000/svg}title"))
                _, _, width, height = map(float, root.get("viewBox").split())
                for shape in root.iter("{http://www.w3.org/2000/svg}rect"):  # nothing is cut off
                    self.assertLessEqual(float(shape.get("x", 0)) + float(shape.get("width")), width + 1)
                    self.assertLessEqual(float(shape.get("y", 0)) + float(shape.get("height")), height + 1)

    def test_results_are_there(self):
        page = (OUT / "performance.html").read_text()
        for words in ("Compile cost", "Matrix products", "<table>"):
            self.assertIn(words, page)

    def test_the_reference(self):
        self.assertTrue((OUT / "api/index.html").exists())
        names = collections.Counter(p.name.partition("_")[0].partition("cosmati")[0] for p in (OUT / "api").glob("*.html"))
        self.assertGreater(names["struct"] + names["class"], 200)


class Pictures(unittest.TestCase):
    """The diagrams of scripts/site_pictures.py."""

    def texts(self, svg: str) -> list[str]:
        return [t.text for t in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]

    def test_a_table_shows_what_the_command_says(self):
        svg, words = site_pictures.table(docs_site.BIN, "x=0..5; ceil_div(x,4); round_up(x,4)")
        self.assertEqual(self.texts(svg)[7:], ["ceil_div(x,4)", *"011112", "round_up(x,4)", *"044448"])
        self.assertEqual(words, "ceil_div(x,4) and round_up(x,4) for x = 0 to 5")
        svg, _ = site_pictures.table(docs_site.BIN, "i=0..1, j=0..2; ((2,3):(3,1))(i,j); j==1")
        self.assertEqual([t for t in self.texts(svg) if t.isdigit()], [*"012", *"0012", *"1345"])
        self.assertEqual(len(re.findall('class="c k0"', svg)), 2)  # the column

    def test_boxes_keep_the_nesting(self):
        self.assertEqual(site_pictures.parsed("(4,(2,3)):(3,(12,1))"), ["4:3", ["2:12", "3:1"]])
        self.assertEqual(site_pictures.parsed("((4,2),(3:8))"), [["4", "2"], ["3:8"]])
        svg, words = site_pictures.tree(docs_site.BIN, "(4,(2,3)) => get<1>: get<1>((4,(2,3))) & printed: $2.2", ["", "(_1,_1)(_2,(_3,_3))"])
        self.assertEqual(self.texts(svg), ["(4,(2,3))", "4", "2", "3", "get<1>", "2", "3", "printed", "2", "3", "3"])
        self.assertEqual(len(re.findall('class="b"', svg)), 5)
        self.assertEqual(words, "(4,(2,3)), then get<1>: (2,3), then printed: (2,(3,3))")

    def test_strips_show_what_was_printed(self):
        svg, _ = site_pictures.strips("x = 0..2; y = $1; z = $2[1:3]", ["5 6 7", "(1,2) (3,4), (5,6)"])
        self.assertEqual(self.texts(svg)[3:], ["x", *"012", "y", *"567", "z", "(3,4)", "(5,6)"])

    def test_a_wrong_expression_ends_the_build(self):
        with self.assertRaisesRegex(ValueError, "no function has the name 'nothing'"):
            site_pictures.table(docs_site.BIN, "x=0..1; nothing(x)")


class Explorer(unittest.TestCase):
    """The explorer's state of a picture."""

    def test_states(self):
        # As web/state.js writes them: encodeURIComponent, with : , / @ ; as they are.
        expected = {
            "picture '(4,(2,2)):(2,(1,8))'": ["#view=algebra&expression=(4,(2,2)):(2,(1,8))"],
            "picture 'Sw<3,0,3> o 0 o (8,8):(8,1)' --bits 32": ["#view=algebra&expression=Sw%3C3,0,3%3E%20o%200%20o%20(8,8):(8,1)&bits=32"],
            "picture '(2,2)' => 'downcast<4>((2,2))'": ["#view=algebra&expression=(2,2)", "#view=algebra&expression=downcast%3C4%3E((2,2))"],
            "picture --atom 'UniversalCopy<float>' --type float --thr '(4,2)' --val '2:1'":
                ["#view=copy&atom=UniversalCopy%3Cfloat%3E&type=float&thr=(4,2)&val=2:1"],
            "picture --mma SM80_8x8x4_F64F64F64F64_TN --atom-layout '(2,2,1)'": ["#view=mma&atom=SM80_8x8x4_F64F64F64F64_TN&layout=(2,2,1)"],
            "picture --atom A --type half --mma M --operand A --permutation '(32,32,16)'":
                ["#view=copy&atom=A&type=half&mma=M&operand=A&permutation=(32,32,16)"],
            "picture '(4,(4,1)):(4,(1,0))' --tile '(8,2)'": [None],  # the explorer draws no tile of a layout
            "report 'source: banks' --atom A --thr '(32,8)' --src '(32,32):(32,1)' --space shared":
                ["#view=copy&atom=A&thr=(32,8)&src=(32,32):(32,1)&space=shared"],
            "plan --shape 63,65 --permute 1,0": ["#view=plan&shape=63,65&permute=1,0"],
            "table x=0..7; x+1": [None],
        }
        for mark, states in expected.items():
            kind, _, text = mark.partition(" ")
            with self.subTest(mark):
                self.assertEqual(docs_site.site_explorer.of_mark(kind, text), states)

    def test_states_of_commands(self):
        of = docs_site.site_explorer.of_command
        self.assertEqual(of("$ cosmati eval 'size((4,2))'"), "#view=algebra&expression=size((4,2))")
        self.assertEqual(of("$ cosmati check --atom 'UniversalCopy<uint64_t>' --type half --thr '(4,8)' | tail -1"),
                         "#view=copy&atom=UniversalCopy%3Cuint64_t%3E&type=half&thr=(4,8)")
        self.assertEqual(of("$ cosmati eval '1 > 0'"), "#view=algebra&expression=1%20%3E%200")
        self.assertIsNone(of("$ cosmati sim examples/01_through_shared.cpp"))
        self.assertIsNone(of("true"))

    def test_every_picture_that_it_can_show_has_a_link(self):
        self.assertEqual(docs_site.FIRST_STATE, "#view=copy&atom=UniversalCopy%3Cfloat%3E&type=float&thr=(32,8)&src=(32,32):(32,1)&space=shared")
        page = "<!-- picture: '(2,3):(3,1)' -->\n\n<!-- picture: '(4,(4,1)):(4,(1,0))' --tile '(8,2)' -->\n"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "explorer.html").write_text("")
            for explorer, links in ((folder / "explorer.html", 1), (None, 0)):
                site = docs_site.Site(folder / f"work{links}", explorer)
                (site.source / "functions").mkdir()
                made = site.page(page, ROOT / "docs/functions.md", site.source / "functions/x.md")
                self.assertEqual(made.count("<img"), 2)
                self.assertEqual(re.findall(r'href="([^"]*)"', made), ["../explorer-page.html#view=algebra&amp;expression=(2,3):(3,1)"] * links)


class Parameters(unittest.TestCase):
    """Of a page of a function, from the headers."""

    def table(self, header: str, section: str) -> str:
        root = docs_site.ROOT
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include/cosmati/core").mkdir(parents=True)
            (folder / "include/cosmati/core/x.hpp").write_text("#pragma once\nnamespace COSMATI_NAMESPACE {\n" + header + "\n}\n")
            docs_site.ROOT = folder
            try:
                declarations = docs_site.site_functions.Declarations(docs_site.compounds_of_reference(), docs_site.without_arguments, docs_site.header_of)
            finally:
                docs_site.ROOT = root
        return declarations.table(section, section.partition("\n")[0])

    def test_types_and_words(self):
        header = """/// Cuts.
/// @param n how many
template <int k, class L>
int cut(L const& layout, int n = 1);
/// Of a place.
struct box {
  /// Turns it.
  void turn(double by);
};
/// Nothing.
void rest();
int cut(refused const&, int n);
"""
        self.assertEqual(self.table(header, "cut\n\n```c++\ncut<k>(piece)\ncut<k>(piece, count)\n```\n").splitlines()[2:],
                         ["| parameter | type | |", "|---|---|---|", "| `<k>` | `int` |  |", "| `piece` | `L const&` |  |", "| `count` | `int` | how many |"])
        self.assertEqual(self.table(header, "box\n\n```c++\nb.turn(angle)\nrest()\n```\n").splitlines()[4:], ["| `angle` | `double` |  |"])
        self.assertEqual(self.table(header, "rest\n\n```c++\nrest()\n```\n"), "**Parameters.** None.")

    def test_a_picture_of_something_else(self):
        """The layouts of a picture that the example does not have; layouts of C++ are read as the command's."""
        of = docs_site.of_another
        cpp = "f\n\n```cpp\nauto c = make_tiled_copy(Copy_Atom<X, half_t>{}, Layout<Shape<_8, Shape<_2, _2>>, Stride<_4, Stride<Int<1>, _2>>>{}, Layout<_8>{}, Tile<_32, _16>{});\n```\n"
        console = "f\n\n```console\n$ cosmati eval 'size((4,2):(1,8))'\n8\n```\n"
        for section, kind, text, elsewhere in (
                (cpp, "picture", "--atom X --type half --thr '(8,(2,2)):(4,(1,2))' --val '8:1'", []),
                (cpp, "picture", "--mma M --permutation '(32,16)'", []),
                (cpp, "picture", "--atom X --thr '(8,4):(4,1)' --val '8:1'", ["(8,4):(4,1)"]),
                (cpp, "picture", "--atom X --thr '(8,(2,2)):(4,(1,2))' --val '(1,4)'", ["(1,4)"]),
                (cpp, "report", "'source: banks' --atom X --src '(9,9)'", ["(9,9)"]),
                (console, "picture", "'size((4,2):(1,8))' => '(4,2):(1,8)'", []),
                (console, "picture", "'coalesce((4,2):(1,8))'", []),  # another question of the same layout
                (console, "picture", "'(4,2):(1,8)' & '(4,3):(1,8)'", ["(4,3):(1,8)"]),
                (console, "plan", "--src '(64,32)' --dst '(4,2):(1,8)'", ["(64,32)"]),
                (console, "table", "x=0..7; x+1", [])):
            with self.subTest(text):
                self.assertEqual(of(section, kind, text), elsewhere)

    def test_functions_that_belong_together(self):
        texts = {"a": "a\n\nLike `b`, behind `c`.\n", "b": "b\n\n```console\n$ cosmati eval 'd(1)'\n```\n", "c": "c\n", "d": "d\n\nSee `c`.\n"}
        related = docs_site.site_functions.related
        self.assertEqual(related("a", texts), ["b", "c"])
        self.assertEqual(related("b", texts), ["a", "d"])
        self.assertEqual(related("c", texts), ["d", "a"])


class Names(unittest.TestCase):
    def test_every_public_name_has_a_comment(self):
        self.assertEqual(docs_site.undocumented([]), [])

    def test_every_public_function_has_a_section(self):
        self.assertEqual(docs_site.without_section([]), [])

    def test_every_section_is_whole(self):
        self.assertEqual(docs_site.incomplete(), [])

    def test_what_a_section_lacks_is_found(self):
        root, split = docs_site.ROOT, docs_site.SPLIT
        whole = ("## f\n\n```c++\nf(x)\n```\n\nWords.\n\n**Law.** One.\n\n```console\n$ cosmati eval '1'\n1\n```\n\n"
                 "<!-- table: x=0..3; x+1 -->\n\n")
        faults = {"signature": ("```c++\nf(x)", "```text\nf(x)"), "law": ("**Law.**", "Law."), "example": ("```console", "```text"),
                  "picture": ("<!-- table: ", "<!-- tables: "), "a function that is called g": ("f(x)", "f(x)\ng(x)")}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include/cosmati/core").mkdir(parents=True)
            (folder / "include/cosmati/core/x.hpp").write_text("#pragma once\nnamespace COSMATI_NAMESPACE {\nint f(int);\n}\n")
            (folder / "docs").mkdir()
            docs_site.ROOT, docs_site.SPLIT = folder, ("one.md",)
            try:
                (folder / "docs/one.md").write_text(whole)
                self.assertEqual(docs_site.incomplete(), [])
                for lacks, (right, wrong) in faults.items():
                    self.assertIn(right, whole)
                    (folder / "docs/one.md").write_text(whole.replace(right, wrong))
                    self.assertEqual(docs_site.incomplete(), [f"one.md: f: {lacks}"])
                (folder / "docs/one.md").write_text(2 * whole)
                self.assertEqual(docs_site.incomplete(), 2 * ["one.md: f: a name of its own"])
                (folder / "docs/one.md").write_text(whole.replace("<!-- table: x=0..3; x+1 -->", "<!-- picture: '(4,2)' -->"))
                self.assertEqual(docs_site.incomplete(), ["one.md: f: an example that has the picture's (4,2)"])
            finally:
                docs_site.ROOT, docs_site.SPLIT = root, split

    def test_every_layer_has_pages(self):
        layers = {p.name for p in (ROOT / "include/cosmati").iterdir() if p.is_dir()} - {"cuda"}  # these names are CUDA's
        self.assertEqual(layers, set(docs_site.LAYERS_WITH_PAGES))

    def test_a_function_without_one_is_found(self):
        root = docs_site.ROOT
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include/cosmati/layout").mkdir(parents=True)
            (folder / "include/cosmati/layout/x.hpp").write_text(
                "#pragma once\nnamespace COSMATI_NAMESPACE {\nint composition(int);\nint composed_anew(int);\nnamespace detail {\nint inner(int);\n}\n}\n")
            shutil.copytree(root / "docs", folder / "docs")
            docs_site.ROOT = folder
            try:
                found = docs_site.without_section([])
            finally:
                docs_site.ROOT = root
        self.assertEqual(found, ["layout/x.hpp: composed_anew"])

    def test_names_without_one_are_found(self):
        text = """// SPDX-License-Identifier: Apache-2.0
#pragma once
#define COSMATI_LOOSE 1
namespace COSMATI_NAMESPACE {
/// Has one.
struct good {
  /// Has one.
  int f() const;

  int bare() const;
  int data_member;
};
/// Heads two.
int first();
int second();

int loose();
/// @name A group
/// @{
struct in_group {};
/// @}
struct loose_type {};
namespace detail {
int hidden();
}
[[noreturn]] void what_is_wrong();
template <class T>
concept loose_concept = true;
}
"""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include/cosmati/core").mkdir(parents=True)
            (folder / "include/cosmati/core/x.hpp").write_text(text)
            root, docs_site.ROOT = docs_site.ROOT, folder
            try:
                found = docs_site.undocumented([])
            finally:
                docs_site.ROOT = root
        self.assertEqual([f.partition(": ")[2] for f in found],
                         ["COSMATI_LOOSE", "cosmati::good::bare", "cosmati::loose", "cosmati::loose_concept", "cosmati::loose_type"])

    def test_a_link_that_leads_nowhere(self):
        with tempfile.TemporaryDirectory() as name:
            site = docs_site.Site(pathlib.Path(name))
            with self.assertRaisesRegex(SystemExit, "nowhere"):
                site.page("[a](nothing/here.md)", ROOT / "docs/index.md", site.source / "index.md")
            self.assertEqual(site.page("[start.md](start.md#x)", ROOT / "docs/index.md", site.source / "index.md"), "[Start in five minutes](start.md#x)")
            shown = site.page("![a](pictures/bandwidth.svg)", ROOT / "docs/performance.md", site.source / "performance.md")
            self.assertIn('<img alt="a" src="tree/docs/pictures/bandwidth.svg"', shown)
            self.assertEqual(site.page("[x](index.md#y)", ROOT / "docs/start.md", site.source / "start.md"), "[x](documents.md#y)")
            self.assertEqual(site.page("`[a](x.md)`", ROOT / "docs/index.md", site.source / "index.md"), "`[a](x.md)`")


if __name__ == "__main__":
    if not all(map(shutil.which, ("mkdocs", "doxygen"))):
        sys.exit("needs mkdocs and doxygen")
    unittest.main()
