// A view is the position, the filter, the open paths and the pins. It lives in the fragment, so a
// link is a view: `#/17?filter=cart/*&open=/cart`.

const LISTS = ['open', 'closed', 'pin'];
// The kinds of bands; the views of a step know their own names.
const BANDS = ['store', 'type'];
const TEXTS_OF_VIEW = ['fork', 'filter', 'tab', 'a', 'b', 'steps', 'log', 'search', 'by'];

/** Writes a place: `17` for a row, `fork1:3` for a fork after three steps. */
export function placeText(place) {
  if (typeof place === 'number') return String(place);
  return place.recorded === undefined ? `fork${place.fork}:${place.index}` : `recorded${place.recorded}`;
}

/** Reads a place; null if the text is none. */
export function readPlace(text) {
  const found = /^(?:fork(\d+):|(recorded))?(\d+)$/.exec(text ?? '');
  if (!found) return null;
  if (found[2]) return { recorded: Number(found[3]) };
  return found[1] === undefined ? Number(found[3]) : { fork: Number(found[1]), index: Number(found[3]) };
}

/** Reads a range of rows before the end; null if the text is none, or if there is no row in it. */
export function readRange(text, end) {
  const found = /^(\d+)-(\d+)$/.exec(text ?? '');
  const [from, to] = found ? [Number(found[1]), Math.min(Number(found[2]), end - 1)] : [1, 0];
  return from <= to ? { from, to } : null;
}

/** Reads a fragment; a member that is missing is absent in the view. */
export function readView(fragment) {
  const view = { position: null, open: [], closed: [], pin: [] };
  const found = /^#?\/([^?]*)(?:\?(.*))?$/.exec(fragment);
  if (!found) return view;
  view.position = decoded(found[1]) || null;
  for (const part of (found[2] ?? '').split('&')) {
    const place = part.indexOf('=');
    if (place < 0) continue;
    const [name, value] = [part.slice(0, place), decoded(part.slice(place + 1))];
    if (LISTS.includes(name)) view[name].push(value);
    else if (TEXTS_OF_VIEW.includes(name) && (name !== 'by' || BANDS.includes(value))) view[name] = value;
  }
  return view;
}

/** Writes a view as a fragment that people can read. */
export function writeView(view) {
  const parts = [];
  for (const name of TEXTS_OF_VIEW) if (view[name]) parts.push(`${name}=${encoded(view[name])}`);
  for (const name of LISTS) for (const item of view[name] ?? []) parts.push(`${name}=${encoded(item)}`);
  return `#/${encoded(view.position ?? '')}${parts.length ? '?' + parts.join('&') : ''}`;
}

function encoded(text) {
  return encodeURIComponent(String(text).toWellFormed?.() ?? text).replace(/%(2F|2A|3A|2C|40|24|7E|3B)/gi, decodeURIComponent);
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', '%2B'));
  } catch {
    return text;
  }
}
