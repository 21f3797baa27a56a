// SPDX-License-Identifier: Apache-2.0
// Making elements, and the clipboard.

/** An element with attributes (functions become listeners) and children; null children are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Replaces the children only when their markup would differ: what is focused stays so. */
export function fill(parent, ...children) {
  const next = element('div', {}, ...children);
  if (parent.innerHTML === next.innerHTML) return;
  parent.replaceChildren(...next.childNodes);
}

/** With a capital letter in front. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** To the clipboard; the older way where the page has no permission. */
export async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', {'aria-hidden': 'true', class: 'off-screen'});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button?.focus();
  }
  document.body.dataset.copied = text;
  if (!button) return;
  const words = button.dataset.words ?? button.textContent;
  button.dataset.words = words;
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = words), 1200);
}

/** A button that copies what `text()` gives. */
export function copyButton(words, text, label = words) {
  return element('button', {type: 'button', 'aria-label': label, click: (e) => copyText(text(), e.currentTarget)}, words);
}

/** Saves a text as a file. */
export function saveText(name, text, type) {
  const link = element('a', {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
