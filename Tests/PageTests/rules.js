// Rules for what is on the screen; each returns the findings in words. Run by test_layout.py.
const findings = [];
const isSmall = matchMedia('(max-width: 899px), (max-height: 559px)').matches;
const visible = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !node.closest('.offscreen, noscript, script, [hidden]');
const named = (node) => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ''}.${[...node.classList].join('.')} "${(node.textContent || node.getAttribute('aria-label') || '').trim().slice(0, 30)}"`;
const scrollerOf = (node) => {
  for (let at = node.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflow)) return at;
  return document.scrollingElement;
};
const texts = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  if (walker.currentNode.data.trim() && visible(node)) texts.add(node);
}
const controls = [...document.querySelectorAll('button, input, select, a[href], [role=tab]')].filter(visible);

// Nothing lies outside the window, or sideways outside what scrolls.
if (document.documentElement.scrollWidth > innerWidth + 1) findings.push(`the page is ${document.documentElement.scrollWidth} px wide`);
if (!isSmall && document.documentElement.scrollHeight > innerHeight + 1) findings.push(`the page is ${document.documentElement.scrollHeight} px tall`);
for (const node of [...texts, ...controls]) {
  const box = node.getBoundingClientRect();
  if (!box.width || !box.height || node.closest('bdi bdi')) continue;
  const scroller = scrollerOf(node);
  const frame = scroller === document.scrollingElement ? { left: 0, right: innerWidth } : scroller.getBoundingClientRect();
  const clips = [...(function* up(at) { for (; at && at !== scroller; at = at.parentElement) yield at; })(node)].some((at) => getComputedStyle(at).textOverflow === 'ellipsis');
  if (!clips && scroller.scrollWidth <= scroller.clientWidth + 1 && (box.left < frame.left - 1 || box.right > frame.right + 1)) findings.push(`outside: ${named(node)}`);
}

// No text is cut without an ellipsis.
for (const node of texts) {
  const style = getComputedStyle(node);
  if (style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis' && node.scrollWidth > node.clientWidth + 1) findings.push(`cut: ${named(node)}`);
  if (style.overflowY === 'hidden' && node.clientHeight && node.scrollHeight > node.clientHeight + 4) findings.push(`cut below: ${named(node)}`);
}

// No text or control is under another one. What sticks to an edge may cover what scrolls below it.
const sticky = (node) => {
  for (let at = node; at; at = at.parentElement) if (/sticky|fixed/.test(getComputedStyle(at).position)) return at;
  return null;
};
const inWindow = ({ left, right, top, bottom }) => left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
for (const node of [...texts, ...controls]) {
  const box = node.getBoundingClientRect();
  if (box.width < 2 || box.height < 2 || !inWindow(box)) continue;
  const [x, y] = [box.left + Math.min(box.width / 2, 40), box.top + box.height / 2];
  const scroller = scrollerOf(node).getBoundingClientRect();
  if (scrollerOf(node) !== document.scrollingElement && (y < scroller.top + 12 || y > scroller.bottom - 12 || x > scroller.right || x < scroller.left)) continue;
  const found = document.elementFromPoint(x, y);
  if (!found || found.contains(node) || node.contains(found) || found.closest('label, button, a, .row, #overview') === node.closest('label, button, a, .row, #overview') && node.closest('label, button, a, .row, #overview')) continue;
  const cover = sticky(found);
  if (cover && cover !== sticky(node)) continue;
  findings.push(`covered: ${named(node)} by ${named(found)}`);
}

// Targets are large enough for fingers; links in sentences and the parts of a row are not targets of their own.
for (const node of controls) {
  const { width, height } = node.getBoundingClientRect();
  if (!width || node.matches('a, .link') || node.closest('.virtual .row, .bands-head, .change')) continue;
  if (height < 31.5 || width < 31.5) findings.push(`small target ${Math.round(width)}x${Math.round(height)}: ${named(node)}`);
}
for (const row of document.querySelectorAll('.virtual .row:not([hidden])')) {
  const { height } = row.getBoundingClientRect();
  if (height && height < (isSmall ? 31.5 : 23.5)) findings.push(`a row of ${height} px: ${named(row)}`);
}

// The rules for assistive technology.
const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) findings.push(`the id ${id} is there twice`);
for (const name of ['aria-controls', 'aria-labelledby', 'aria-describedby']) {
  for (const node of document.querySelectorAll(`[${name}]`)) {
    if (!visible(node)) continue;
    for (const id of node.getAttribute(name).split(' ')) if (!document.getElementById(id)) findings.push(`${name} of ${named(node)} names ${id}, which is not there`);
  }
}
for (const node of document.querySelectorAll('button, input, select, textarea, [role=listbox], [role=tree], [role=slider], [role=separator], [role=tabpanel], [role=toolbar], section, nav, dialog')) {
  const name = node.textContent.trim() || node.getAttribute('aria-label') || node.getAttribute('aria-labelledby') || node.labels?.length || node.getAttribute('title');
  if (!name && visible(node)) findings.push(`no name: ${named(node)}`);
}
for (const node of document.querySelectorAll('section, nav')) {
  if (visible(node) && node.parentElement.closest('main, body') && node.id && !node.getAttribute('aria-label')) findings.push(`no label: ${named(node)}`);
}
for (const node of document.querySelectorAll('[tabindex]')) if (node.tabIndex > 0) findings.push(`tabindex ${node.tabIndex}: ${named(node)}`);
for (const node of document.querySelectorAll('[role=option]')) if (!node.closest('[role=listbox]')) findings.push(`an option outside a list: ${named(node)}`);
for (const node of document.querySelectorAll('canvas')) if (node.getAttribute('aria-hidden') !== 'true') findings.push('a canvas without a name');
for (const node of document.querySelectorAll('[aria-selected=true][role=tab]')) if (!node.closest('[role=tablist]')) findings.push(`a tab outside tabs: ${named(node)}`);
for (const node of document.querySelectorAll('[role=separator][tabindex]')) {
  if (visible(node) && !node.hasAttribute('aria-valuenow')) findings.push(`no value: ${named(node)}`);
}
return [...new Set(findings)].slice(0, 20);
