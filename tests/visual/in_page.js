// SPDX-License-Identifier: Apache-2.0
// What tests/visual/visual.py asks of a page that is shown.
(() => {
  const parse = (text) => {
    const n = (text.match(/[\d.]+/g) ?? ['0', '0', '0', '0']).map(Number);
    return [n[0], n[1], n[2], n[3] ?? 1];
  };
  const channel = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const luminance = (c) => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3]));
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (e) => (e ? over(parse(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [255, 255, 255]);
  const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
  const named = (e) => `${e.tagName.toLowerCase()}.${String(e.className.baseVal ?? e.className).trim().replace(/\s+/g, '.')} "${e.textContent.trim().slice(0, 40)}"`;
  const visible = (e) => e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && e.getClientRects().length > 0;
  const says = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const texts = (root) => [...root.querySelectorAll('*')].filter((e) => !e.closest('svg, script, style, noscript') && says(e) && visible(e));
  const scrolls = (e) => {
    for (let p = e.parentElement; p; p = p.parentElement) if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true;
    return false;
  };

  globalThis.visual = {
    /** What is wider than the window and cannot be scrolled to, and what is cut off. */
    overflow() {
      const found = [];
      const wide = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth > wide + 1) found.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
      for (const e of document.querySelectorAll('body *')) {
        if (e.closest('svg') && e.tagName !== 'svg') continue;
        if (!visible(e) || scrolls(e)) continue;
        const r = e.getBoundingClientRect();
        if (r.width > 1 && r.height > 1 && (r.right > wide + 1 || r.left < -1)) found.push(`${named(e)} reaches from ${r.left.toFixed(0)} to ${r.right.toFixed(0)}`);
        if (says(e) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 2 && getComputedStyle(e).overflowX === 'hidden' && parseFloat(getComputedStyle(e).textIndent) < e.clientWidth) found.push(`${named(e)} is cut off`);
      }
      return found;
    },
    /** Text whose letters are below `least` pixels as they are shown; pictures in files are read by the test. */
    small(least) {
      const found = [];
      for (const e of texts(document.body)) {
        const size = parseFloat(getComputedStyle(e).fontSize);
        if (size < least) found.push(`${named(e)}: ${size}`);
      }
      for (const e of document.querySelectorAll('svg text')) {
        if (!visible(e)) continue;
        const m = e.getScreenCTM();
        const size = parseFloat(getComputedStyle(e).fontSize) * Math.hypot(m.c, m.d);
        if (size < least - 0.05) found.push(`${named(e)}: ${size.toFixed(1)}`);
      }
      for (const [size, text] of globalThis.visualCanvasTexts ?? []) if (size < least - 0.05) found.push(`canvas "${text}": ${size.toFixed(1)}`);
      return found;
    },
    /** [source, width as shown] of pictures in files. */
    pictures() {
      return [...document.images].filter(visible).map((e) => [decodeURI(e.src), e.getBoundingClientRect().width]);
    },
    /** Text whose contrast is below what WCAG 2 asks at AA. */
    weak() {
      const found = [];
      for (const e of texts(document.body)) {
        if (e.closest(':disabled, .disabled, .stale, [aria-disabled=true]')) continue;
        const style = getComputedStyle(e);
        const under = behind(e);
        const c = parse(style.color);
        const has = ratio(over([c[0], c[1], c[2], c[3] * opacity(e)], under), under);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (has < (large ? 3 : 4.5)) found.push(`${named(e)}: ${has.toFixed(2)}`);
      }
      return found;
    },
    /** The same of an SVG, whose text stands on the last shape that was painted below it. */
    weakIn(svg) {
      const holder = document.createElement('div');
      holder.innerHTML = svg;
      document.body.replaceChildren(holder);
      const found = [];
      const painted = [];
      for (const e of holder.querySelectorAll('rect, path, circle, text')) {
        if (e.closest('defs')) continue;
        const style = getComputedStyle(e);
        if (e.tagName !== 'text') {
          const fill = parse(style.fill);
          if (style.fill !== 'none' && fill[3] > 0) painted.push([e, [fill[0], fill[1], fill[2], fill[3] * Number(style.fillOpacity)]]);
          continue;
        }
        if (!e.textContent.trim()) continue;
        const r = e.getBoundingClientRect();
        const [x, y] = [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
        let under = [255, 255, 255];
        for (const [shape, fill] of painted) {
          if (shape.isPointInFill(new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse()))) under = over(fill, under);
        }
        const has = ratio(over(parse(style.fill), under), under);
        if (has < 4.5) found.push(`"${e.textContent.trim().slice(0, 40)}": ${has.toFixed(2)}`);
      }
      return found;
    },
  };
})();
