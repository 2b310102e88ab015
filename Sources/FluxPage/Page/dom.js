import { clipped, shown } from './text.js';

// A message repeats what somebody wrote, however long.
const LONGEST_LINE = 300;

// Browsers show and read out these attributes as text.
const SPOKEN = new Set(['title', 'aria-label', 'aria-valuetext', 'placeholder']);

/**
 * Makes an element. Attributes whose names begin with `on` are listeners, `class` may be a list
 * with gaps, and children are elements or the page's own words. Nothing is ever parsed as markup.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) setAttribute(made, key, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

function setAttribute(made, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith('on')) {
    made.addEventListener(key.slice(2), value);
  } else if (key === 'class') {
    made.className = Array.isArray(value) ? value.filter(Boolean).join(' ') : value;
  } else if (key === 'text') {
    made.textContent = value;
  } else {
    made.setAttribute(key, value === true ? '' : SPOKEN.has(key) ? shown(String(value)) : value);
  }
}

/** Makes an element with text from a log: isolated, and with every character shown. */
export function quoted(text, className) {
  return element('bdi', { class: className, text: shown(text) });
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const STRINGS = /("(?:[^"\\]|\\.)*"?)/;

/** Makes an element with JSON text from a log, from left to right: text in another direction stays inside its string. */
export function quotedJSON(text, className) {
  const parts = RIGHT_TO_LEFT.test(text) ? shown(text).split(STRINGS) : [shown(text)];
  return element('bdi', { class: className, dir: 'ltr' },
    parts.map((part, place) => (place % 2 ? element('bdi', { text: part }) : part)));
}

/** Makes an element with a name from a log, from left to right as all names; an empty one is shown as `""`. */
export function named(name, className) {
  return element('bdi', { class: className, dir: 'ltr', text: name === '' ? '""' : shown(name) });
}

/** Names a control whose face is a sign. */
export function setLabel(node, text) {
  for (const key of ['title', 'aria-label']) setAttribute(node, key, text);
}

/** Makes a button; `label` is its name if its face is a sign. */
export function button(face, label, action, attributes = {}) {
  return element('button',
    { type: 'button', title: label, 'aria-label': label, onclick: action, ...attributes }, face);
}

/**
 * Lets the person move a separator with the pointer or with keys, and returns what moves it. A property of the style says where
 * it is: at `start`, where `placeOf` finds the pointer, or moved on by the distance of a key in `moves`.
 */
export function makeMovable(node, { property, unit, start, limit, placeOf, moves, moved }) {
  let here;
  const move = (place) => {
    here = limit(place);
    document.documentElement.style.setProperty(property, `${here}${unit}`);
    node.setAttribute('aria-valuenow', String(Math.round(here)));
    moved?.(here);
  };
  node.addEventListener('pointerdown', (event) => node.setPointerCapture(event.pointerId));
  node.addEventListener('pointermove', (event) => {
    if (node.hasPointerCapture(event.pointerId)) move(placeOf(event));
  });
  node.addEventListener('keydown', (event) => {
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    move(here + moves[event.key]);
  });
  move(start);
  return move;
}

/** Finds an element of the page's skeleton. */
export function byId(id) {
  return document.getElementById(id);
}

/** Replaces the children of an element. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

/** Tells people who listen to the page instead of looking at it. */
export function announce(text) {
  byId('announcer').textContent = shown(text);
}

/** Shows a short message for a few seconds, in place of the same one if that is the last. */
export function toast(...lines) {
  const note = element('div', { class: 'toast' }, lines.map((text) => element('div', { text: shown(clipped(text, LONGEST_LINE)) })));
  const last = byId('toasts').lastElementChild;
  if (last?.textContent === note.textContent) last.remove();
  byId('toasts').append(note);
  setTimeout(() => note.remove(), 2400);
}

/** Puts text on the clipboard, also in a page from disk, which may lack the clipboard's interface. */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element('textarea', { class: 'offscreen', 'aria-hidden': 'true' });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  toast(`Copied ${what}`);
}
