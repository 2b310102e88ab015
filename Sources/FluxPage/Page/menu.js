import { element, byId, fill, copyText } from './dom.js';
import { INDEX, pointerText, pointerTokens, queryText } from './paths.js';

/** Shows what can be done with a value: copy it, pin it, and ask who wrote it. */
export function openPathMenu(page, row, rect, opener, { place, of, canReveal = false }) {
  const items = [
    ['Copy path', () => copyPath(page, { place, of, path: row.path })],
    ['Copy JSON', () => copyValue(page, { place, of, path: row.path })],
  ];
  if (of === 'state') {
    if (canReveal) items.push(['Show in the state', () => page.emit('reveal', row.path)]);
    items.push(['Who wrote this', () => page.emit('writes', { path: row.path, direction: 'backwards' })]);
    items.push(['Values over time', () => page.emit('writes', { path: row.path, direction: 'forwards' })]);
    if (row.kind === 'number' || page.pins.includes(row.path)) {
      items.push([page.pins.includes(row.path) ? 'Unpin chart' : 'Pin chart', () => page.togglePin(row.path)]);
    }
  }
  openMenu(items, rect, opener);
}

/** Copies a path. Only the values on the way tell a member whose name is a number from an element. */
async function copyPath(page, { path, ...request }) {
  const start = request.of === 'payload' ? ['action', 'payload'] : [];
  const tokens = [...start, ...pointerTokens(path) ?? []];
  const names = [];
  for (const [place, token] of tokens.entries()) {
    if (!place || !INDEX.test(token)) continue;
    try {
      const around = await page.ask('value', { ...request, path: pointerText(tokens.slice(start.length, place)) });
      if (around.text.startsWith('{')) names.push(place);
    } catch {
      // What was removed, or is unknown here, is taken for an element.
    }
  }
  await copyText((start.length ? '$.' : '') + queryText(tokens, names), 'the path');
}

async function copyValue(page, request) {
  const answer = await page.ask('value', request);
  await copyText(answer.text, answer.cut ? 'the first part of the value' : 'the value');
}

function openMenu(items, rect, opener) {
  const menu = byId('menu');
  const close = () => {
    menu.hidden = true;
    document.removeEventListener('pointerdown', outside, true);
    opener?.focus();
  };
  const outside = (event) => {
    if (!menu.contains(event.target)) close();
  };
  fill(menu, items.map(([label, action]) => element('button',
    { type: 'button', role: 'menuitem', onclick: () => { close(); action(); } }, label)));
  menu.onkeydown = (event) => menuKey(event, menu, close);
  menu.hidden = false;
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(rect.right - width, innerWidth - width - 4))}px`;
  menu.style.top = `${rect.bottom + height > innerHeight ? Math.max(4, rect.top - height) : rect.bottom}px`;
  document.addEventListener('pointerdown', outside, true);
  menu.firstElementChild.focus();
}

function menuKey(event, menu, close) {
  const items = [...menu.children];
  const place = items.indexOf(document.activeElement);
  const moves = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in moves) items[(place + moves[event.key] + items.length) % items.length].focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
