// A view is the position, the filter, the open paths and the pins. It lives in the fragment, so a
// link is a view: `#/17?filter=cart/*&open=/cart`.

const LISTS = ['open', 'closed', 'pin'];
const TEXTS_OF_VIEW = ['fork', 'filter', 'tab', 'a', 'b', 'steps', 'log', 'search', 'by'];

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
    else if (TEXTS_OF_VIEW.includes(name)) view[name] = value;
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
