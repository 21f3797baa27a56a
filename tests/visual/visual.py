#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How site and explorer look, in headless Chromium: at 1440, 768 and 375 pixels, light and dark, nothing is wider than the window, no letter
is below 9 pixels as it is shown, contrast is WCAG's AA, the verdict is in sight. The screenshots are left in build/visual.

Needs the site (build/site or COSMATI_SITE, made by scripts/docs_site.py) and, for the explorer, its page (build/web/index.html or COSMATI_PAGE)."""
import collections
import os
import pathlib
import re
import shutil
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = pathlib.Path(os.environ.get("COSMATI_SITE", ROOT / "build/site"))
PAGE = pathlib.Path(os.environ.get("COSMATI_PAGE", ROOT / "build/web/index.html"))
SHOTS = pathlib.Path(os.environ.get("COSMATI_SCREENSHOTS", ROOT / "build/visual"))
LEAST = 9  # pixels of a letter
SIZES = ((1440, 900), (768, 1024), (375, 812))
SCHEMES = ("light", "dark")
PAGES = ("index", "start", "documents", "swizzles", "hazards", "errors", "performance", "pictures", "functions", "functions/raked_product",
         "functions/plan_copy", "api/index", "api/structcosmati_1_1TiledCopy")
STATES = {"first": "", "product": "#view=mma&atom=SM80_16x8x16_F32F16F16F32_TN&layout=(2,2,1)&permutation=(32,32,16)",
          "divide": "#view=algebra&expression=logical_divide((4,(2,4)):(2,(1,8)), (2,4))".replace(" ", "%20"),
          "plan": "#view=plan&src=(4096,4096):(4096,1)&dst=(4096,4096):(1,4096)",
          "vectors": "#view=copy&atom=UniversalCopy%3Cuint128_t%3E&type=half&thr=(32,8):(8,1)&val=(1,8)"}
IN_PAGE = (pathlib.Path(__file__).parent / "in_page.js").read_text()
# What a canvas writes, with its size in pixels of the page.
CANVAS = """
  const write = CanvasRenderingContext2D.prototype.fillText;
  globalThis.visualCanvasTexts = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    if (this.canvas.isConnected) visualCanvasTexts.push([parseFloat(/([\\d.]+)px/.exec(this.font)[1]) * this.getTransform().d / (devicePixelRatio || 1), text]);
    return write.call(this, text, ...more);
  };"""

driver: webdriver.Chrome


def setUpModule():
    global driver
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1440,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CANVAS})
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True)


def tearDownModule():
    driver.quit()


def look(size: tuple[int, int], scheme: str) -> None:
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def open_page(path: pathlib.Path, state: str = "") -> None:
    driver.get("about:blank")
    driver.get(path.resolve().as_uri() + state)
    driver.execute_script(IN_PAGE)


def until(condition: str, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not driver.execute_script("return " + condition):
        assert time.monotonic() < end, f"waited for {condition}: {driver.get_log('browser')}"
        time.sleep(0.02)


def asked(what: str, *arguments):
    return driver.execute_script(f"return visual.{what}(...arguments)", *arguments)


def letters_of(svg: str) -> tuple[float, float]:
    """(width, size of the smallest letters) of a picture, in its own units."""
    sizes = [float(n) for n in re.findall(r"font(?:-size:|:[^;}\"]*?)\s*([\d.]+)px", svg)]
    return float(re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+)', svg)[1]), min(sizes, default=12.0)


def faults() -> list[str]:
    """Of the page that is shown."""
    found = [*asked("overflow"), *(f"small: {x}" for x in asked("small", LEAST)), *(f"contrast: {x}" for x in asked("weak"))]
    for source, width in asked("pictures"):
        path = pathlib.Path(source.removeprefix("file://"))
        if path.suffix == ".svg" and path.is_file():
            whole, least = letters_of(path.read_text())
            if least * width / whole < LEAST - 0.05:
                found.append(f"small: {path.name} is shown {width:.0f} pixels wide: letters of {least * width / whole:.1f}")
    return found


class Looks(unittest.TestCase):
    """Pages at each size, in each scheme."""

    def each(self, name: str, path: pathlib.Path, state: str = "", ready: str = "document.readyState === 'complete'"):
        for scheme in SCHEMES:
            for size in SIZES:
                with self.subTest(page=name, width=size[0], scheme=scheme):
                    look(size, scheme)
                    open_page(path, state)
                    until(ready)
                    driver.save_screenshot(str(SHOTS / f"{name.replace('/', '-')}-{size[0]}-{scheme}.png"))
                    self.assertEqual(faults(), [])

    def test_site(self):
        for name in PAGES:
            self.each(name, SITE / f"{name}.html")

    @unittest.skipUnless(PAGE.exists(), "no explorer: web/build makes it")
    def test_explorer(self):
        for name, state in STATES.items():
            self.each(f"explorer-{name}", PAGE, state, "document.body.dataset.ready === 'true'")

    def test_menus_and_search_have_contrast(self):
        for scheme in SCHEMES:
            look(SIZES[0], scheme)
            open_page(SITE / "index.html")
            until("Boolean(window.jQuery && jQuery.fn.modal)")
            for menu in driver.find_elements(By.CSS_SELECTOR, ".navbar .dropdown-toggle"):
                driver.execute_script("document.querySelectorAll('.navbar .dropdown-menu').forEach((m) => m.classList.remove('show')); arguments[0].nextElementSibling.classList.add('show')", menu)
                self.assertEqual(faults(), [], (scheme, menu.text))
        driver.save_screenshot(str(SHOTS / "menu.png"))

    @unittest.skipUnless(PAGE.exists(), "no explorer: web/build makes it")
    def test_the_verdict_is_in_sight(self):
        look((1440, 900), "light")
        open_page(PAGE)
        until("document.body.dataset.ready === 'true'")
        box = driver.execute_script("const r = document.querySelector('.verdict').getBoundingClientRect(); return [r.top, r.bottom, r.left, r.right]")
        self.assertGreaterEqual(box[0], 0)
        self.assertLessEqual(box[1], 900)
        self.assertLessEqual(box[3], 1440)
        self.assertIn("992", driver.find_element(By.CSS_SELECTOR, ".verdict").text)

    def test_the_first_page_says_what_to_do_in_sight(self):
        look((1440, 900), "light")
        open_page(SITE / "index.html")
        for words in ("Try it", "Start in five minutes", "Coming from CuTe"):
            link = driver.find_element(By.PARTIAL_LINK_TEXT, words)
            self.assertLessEqual(driver.execute_script("return arguments[0].getBoundingClientRect().bottom", link), 900, words)
        shown = [driver.execute_script("return arguments[0].getBoundingClientRect().top", e) for e in driver.find_elements(By.CSS_SELECTOR, "[role=main] img, [role=main] pre")]
        self.assertEqual(len(shown), 4)  # the kernel, 992 and 0 conflicts, the commands
        self.assertLess(max(shown), 900)


class Pictures(unittest.TestCase):
    def test_contrast(self):
        pictures = [*sorted((SITE / "pictures").glob("*.svg")), *sorted((ROOT / "docs/pictures").glob("*.svg"))]
        self.assertGreater(len(pictures), 100)
        weak = collections.defaultdict(list)
        for scheme in SCHEMES:
            look(SIZES[0], scheme)
            driver.get("about:blank")
            driver.execute_script(IN_PAGE)
            for path in pictures:
                weak[f"{path.name} {scheme}"] += asked("weakIn", path.read_text())
        self.assertEqual({name: found[:3] for name, found in weak.items() if found}, {})

    def test_a_weak_picture_is_found(self):
        look(SIZES[0], "light")
        driver.get("about:blank")
        driver.execute_script(IN_PAGE)
        svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><rect width="90" height="40" fill="#fff"/><rect width="40" height="40" '
               'fill="#000"/><text x="5" y="20" font-size="12" fill="{}">in</text><text x="50" y="20" font-size="12" fill="{}">out</text></svg>')
        self.assertEqual(asked("weakIn", svg.format("#fff", "#000")), [])
        apart = svg.replace('<rect width="40" height="40" fill="#000"/>', '<path d="M0 0h40v40h-40zM85 0h5v40h-5z" fill="#000"/>')
        self.assertNotEqual(apart, svg)
        self.assertEqual(asked("weakIn", apart.format("#fff", "#000")), [])  # the second word is between the two parts of the path
        self.assertEqual(asked("weakIn", svg.format("#333", "#777")), ['"in": 1.66', '"out": 4.48'])  # by WCAG's formula: 1.66, 4.48


class Faults(unittest.TestCase):
    """What is planted is found."""

    def shown(self, markup: str) -> list[str]:
        look(SIZES[2], "light")
        driver.get("about:blank")
        driver.execute_script(IN_PAGE)
        driver.execute_script("document.body.innerHTML = arguments[0]", markup)
        return faults()

    def test_each(self):
        self.assertEqual(self.shown("<p>words</p>"), [])
        self.assertRegex(self.shown('<p style="width:600px">words</p>')[0], "pixels wide")
        self.assertEqual(self.shown('<div style="overflow-x:auto"><p style="width:600px">words</p></div>'), [])
        self.assertRegex(self.shown('<p style="overflow:hidden;white-space:nowrap;width:40px">many words indeed</p>')[0], "cut off")
        self.assertRegex(self.shown('<p style="font-size:8px">words</p>')[0], "small: .*8")
        self.assertRegex(self.shown('<svg width="100" height="40" viewBox="0 0 200 80"><text y="20" font-size="12">words</text></svg>')[0], "small: .*6.0")
        self.assertRegex(self.shown('<p style="color:#888">words</p>')[0], "contrast: .*3.54")
        self.assertEqual(self.shown('<p style="color:#888;font-size:24px">words</p>'), [])


class Explorer(unittest.TestCase):
    """Links of the site into the explorer."""

    @unittest.skipUnless((SITE / "explorer-page.html").exists(), "the site was made without the explorer")
    def test_every_state_is_one_that_it_shows(self):
        states: dict[str, str] = {}
        for page in SITE.rglob("*.html"):
            if SITE / "api" not in page.parents and page.name != "explorer-page.html":
                for state in re.findall(r'href="(?:\.\./)*explorer-page\.html(#[^"]*)"', page.read_text()):
                    states.setdefault(state.replace("&amp;", "&").replace("&#x27;", "'").replace("&lt;", "<").replace("&gt;", ">"), str(page.relative_to(SITE)))
        self.assertGreater(len(states), 60)
        look(SIZES[0], "light")
        open_page(SITE / "explorer-page.html")
        until("document.body.dataset.ready === 'true'")
        wrong = []
        for state, page in states.items():
            before = driver.execute_script("const n = document.body.dataset.answers; location.hash = arguments[0]; return n", state)
            until(f"document.body.dataset.answers !== '{before}' || explorer.page.hash === decodeURI(location.hash)")
            said = driver.execute_script("return [...document.querySelectorAll('.error, [id$=-error]')].filter((e) => e.checkVisibility()).map((e) => e.textContent)")
            if said:
                wrong.append(f"{page}: {state}: {said[0][:200]}")
        self.assertEqual(wrong, [])


class Search(unittest.TestCase):
    def found(self, words: str) -> list[str]:
        look(SIZES[0], "light")
        open_page(SITE / "functions/raked_product.html")
        until("Boolean(window.jQuery && jQuery.fn.modal)")
        driver.find_element(By.PARTIAL_LINK_TEXT, "Search").click()
        until("document.getElementById('mkdocs-search-query').checkVisibility()")
        driver.find_element(By.ID, "mkdocs-search-query").send_keys(words)
        until("globalThis.cosmati_search && document.querySelector('#mkdocs-search-results').childNodes.length")
        return [a.get_attribute("href") for a in driver.find_elements(By.CSS_SELECTOR, "#mkdocs-search-results a")]

    def test_from_a_file(self):
        self.assertTrue(self.found("make_tiled_copy")[0].endswith("/functions/make_tiled_copy.html"))
        self.assertTrue(any("swizzles.html" in to for to in self.found("bank conflicts swizzle")[:8]))
        for to in self.found("missing_barrier")[:5]:
            self.assertTrue(pathlib.Path(to.removeprefix("file://").partition("#")[0]).is_file(), to)
        self.assertEqual(self.found("qqzzxx"), [])
        self.assertIn("qqzzxx", driver.find_element(By.ID, "mkdocs-search-results").text)
        self.assertEqual([e["message"] for e in driver.get_log("browser") if e["level"] == "SEVERE"], [])


if __name__ == "__main__":
    unittest.main()
