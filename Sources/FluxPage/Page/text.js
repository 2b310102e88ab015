// Text of a log is text and nothing else. Every character that could reorder or hide its
// neighbours is written as an escape before it reaches the document.

const INVISIBLE = new RegExp(
  '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}\\p{Cs}]', 'gu');

/** Returns text that shows each of its characters in their order. */
export function shown(text) {
  return text.replace(INVISIBLE, (found) => {
    if (found === '\n') return '\\n';
    if (found === '\t') return '\\t';
    if (found === '\r') return '\\r';
    const code = found.codePointAt(0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : '\\u' + code.padStart(4, '0');
  });
}

/** Cuts a text to a number of UTF-16 units, but never inside a character. */
export function clipped(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit) + '…';
}

/** Returns the name of the row before the first step: of the recording, of a fork, or of a report of a part. */
export function startName({ fork, isPart, n }) {
  return fork ? `Start of fork ${fork}` : isPart ? `After step ${n}` : 'Start';
}

/** Returns the short form of a count and its noun. */
export function counted(count, noun) {
  return `${grouped(count)} ${noun}${String(count) === '1' ? '' : 's'}`;
}

/** Puts thin spaces between the thousands of a whole number; a copied number has none. */
export function grouped(number) {
  const text = String(number);
  return text.length < 5 ? text : text.replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** Returns a byte count with its unit. */
export function bytesText(count) {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} KB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

/** Returns `+1.25 s`, the distance between two times in seconds, which are decimal text. */
export function deltaText(from, to) {
  const delta = microseconds(to) - microseconds(from);
  return `${delta < 0 ? '−' : '+'}${secondsText(Math.abs(delta))}`;
}

/** Returns a duration in the unit that needs the fewest digits. */
export function secondsText(microseconds) {
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 999_995) return `${trimmed((microseconds / 1e3).toFixed(2))} ms`;
  if (microseconds < 6e7) return `${trimmed((microseconds / 1e6).toFixed(2))} s`;
  const minutes = Math.floor(microseconds / 6e7);
  const seconds = Math.floor(microseconds / 1e6) % 60;
  if (minutes < 60) return `${minutes} min ${seconds} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns the microseconds of a time, which is decimal text. */
export function microseconds(seconds) {
  return Math.round(Number(seconds) * 1e6);
}

/** Returns the instant of a step, from the instant that the recording began. */
export function instantText(created, seconds) {
  const start = /^(.*?)(?:\.(\d+))?Z$/.exec(created ?? '');
  const base = start ? Date.parse(start[1] + 'Z') : NaN;
  if (Number.isNaN(base)) return '';
  const fraction = Number((start[2] ?? '').padEnd(6, '0').slice(0, 6));
  const total = fraction + microseconds(seconds);
  const date = new Date(base + Math.floor(total / 1e6) * 1000);
  // A log may contain any number of seconds; a date cannot.
  if (Number.isNaN(date.getTime())) return '';
  const whole = date.toISOString().slice(0, 19);
  return `${whole.replace('T', ' ')}.${String(total % 1e6).padStart(6, '0')} UTC`;
}

function trimmed(number) {
  return number.replace(/\.?0+$/, '');
}
