// SPDX-License-Identifier: Apache-2.0
// Pages of the documents' site on functions. web/build puts the list of them in the place of `pages`.

/** The functions that have a page. */
const pages = new Set([/* pages of functions */]);

/** Where the site is, seen from this page; null where this page was copied elsewhere. */
function site() {
  const path = location.pathname;
  if (path.endsWith('/explorer-page.html')) return './';  // a page of the site
  if (path.endsWith('/build/web/index.html')) return '../site/';  // a checkout: ./test docs builds the site
  return null;
}

/** The address of the page on a function; null where there is none. */
export function pageOf(name) {
  const root = site();
  return root !== null && pages.has(name) ? `${root}functions/${name}.html` : null;
}
