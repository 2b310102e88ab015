import { JSONReader, Members, parseJSON } from './json.js';
import { plainAnswer } from './answers.js';
import { jsonText } from './values.js';
import { clipped } from './text.js';

/** Reads the block of data in a report: base64 of gzip of lines. */
export async function readReport(block) {
  const source = block.textContent.replace(/\s+/g, '');
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(source)
    : Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const text = await new Response(stream).text();
  const end = text.indexOf('\n');
  return { head: parseJSON(text.slice(0, end < 0 ? text.length : end)), text, start: end + 1 };
}

/**
 * The rows of a report. Opening reads only the outline of each line: number, time, type, cause, and
 * the stores that it writes. Everything else is read when somebody looks at the row.
 */
export class ReportRows {
  constructor({ head, text, start }) {
    this.text = text;
    this.info = plainAnswer(head.get('info'));
    this.baseline = head.get('baseline');
    this.first = this.info.report?.from ?? 0;
    this.outlines = [];
    this.byNumber = new Map();
    this.parsed = new Map();
    this.read(start);
  }

  /** The number of rows of the whole log that lie before the end of the report. */
  get end() {
    return this.first + this.outlines.length + 1;
  }

  has(row) {
    return row >= this.first && row < this.end;
  }

  read(start) {
    let place = start;
    while (place < this.text.length) {
      let end = this.text.indexOf('\n', place);
      if (end < 0) end = this.text.length;
      if (end > place) this.add(place, end);
      place = end + 1;
    }
  }

  add(start, end) {
    const outline = readOutline(this.text, start, end);
    outline.row = this.first + this.outlines.length + 1;
    if (outline.kind === 'step') {
      if (outline.cause !== undefined) {
        const cause = this.byNumber.get(outline.cause);
        outline.causeRow = cause?.row;
        outline.depth = Math.min(16, (cause?.depth ?? 0) + 1);
      }
      this.byNumber.set(outline.n, outline);
    }
    this.outlines.push(outline);
  }

  /** Returns the outline of a row; undefined for the first row and for rows that are not here. */
  outline(row) {
    return this.outlines[row - this.first - 1];
  }

  /** Returns the short text of a step's payload; undefined if it has none. */
  payload(outline) {
    const { payloadText } = outline;
    if (payloadText === undefined) return undefined;
    outline.payload ??= clipped(payloadText.length > 100000 ? payloadText : jsonText(parseJSON(payloadText), { limit: 400 }), 200);
    return outline.payload;
  }

  /** Returns the whole line of a row. */
  line(row) {
    let line = this.parsed.get(row);
    if (!line) {
      const { start, end } = this.outline(row);
      line = parseJSON(this.text.slice(start, end));
      if (this.parsed.size > 64) this.parsed.clear();
      this.parsed.set(row, line);
    }
    return line;
  }

  /** Returns one member of a row's line, without reading the others. */
  member(row, name) {
    const { start, end } = this.outline(row);
    if (this.parsed.has(row)) return this.parsed.get(row).get(name);
    const reader = new JSONReader(this.text.slice(start, end));
    let found;
    forEachMember(reader, (key) => {
      if (key === name) found = reader.value(2);
      else reader.skip();
    });
    return found;
  }

  /** Returns the number of the last step at or before a row. */
  numberAt(row) {
    for (let place = row; place > this.first; place--) {
      const outline = this.outline(place);
      if (outline?.kind === 'step') return outline.n;
    }
    return this.startNumber;
  }

  /** The number before the first step of the report. */
  get startNumber() {
    const known = this.info.report?.n;
    if (known !== undefined) return String(known);
    const first = this.outlines.find((outline) => outline.kind === 'step');
    return first ? String(BigInt(first.n) - 1n) : '0';
  }
}

function forEachMember(reader, body) {
  reader.space();
  reader.place++;
  while (reader.space() === 34) {
    body(reader.name());
    if (reader.space() !== 44) return;
    reader.place++;
  }
}

function readOutline(text, start, end) {
  const outline = { kind: 'step', start, end, depth: 0, writes: [], type: '' };
  const reader = new JSONReader(text.slice(start, end));
  try {
    forEachMember(reader, (name) => readMember(reader, name, outline));
  } catch (error) {
    return { kind: 'damage', start, end, writes: [], text: error.message };
  }
  if (outline.kind === 'step' && outline.n === undefined) outline.kind = 'other';
  return outline;
}

/** Returns the payload of an action, or all members beside its type if it has others; undefined if it has none. */
export function actionContent(action) {
  const names = action.names.filter((name) => name !== 'type');
  if (names.length === 1 && names[0] === 'payload') return action.get('payload');
  return names.length ? new Members(names, names.map((name) => action.get(name))) : undefined;
}

function readMember(reader, name, outline) {
  switch (name) {
  case 'n': outline.n = reader.skip(); break;
  case 't': outline.t = reader.skip().replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''); break;
  case 'cause': outline.cause = reader.skip(); break;
  case 'effect': outline.effect = reader.value(2); break;
  case 'action': readAction(reader, outline); break;
  case 'rejected': outline.rejected = plainAnswer(reader.value(2)); break;
  case 'states': readStores(reader, 'whole', outline); break;
  case 'patches': readStores(reader, 'patch', outline); break;
  case 'removed': outline.removed = readNames(reader, 'removed', outline); break;
  case 'unwritten': outline.unwritten = readNames(reader, 'unwritten', outline); break;
  case 'mark': [outline.kind, outline.text] = ['mark', reader.value(2)]; break;
  case 'gap': readGap(reader, outline); break;
  case 'damage': readDamage(reader, outline); break;
  default: reader.skip();
  }
}

function readAction(reader, outline) {
  const rest = [];
  forEachMember(reader, (name) => {
    if (name === 'type') outline.type = reader.value(3);
    else rest.push([name, reader.skip()]);
  });
  if (rest.length === 1 && rest[0][0] === 'payload') outline.payloadText = rest[0][1];
  else if (rest.length) outline.payloadText = `{${rest.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
  reader.space();
  reader.place++;
}

function readStores(reader, kind, outline) {
  if (outline.kind !== 'step' && kind === 'whole') outline.hasStates = true;
  forEachMember(reader, (store) => {
    reader.skip();
    outline.writes.push({ store, kind });
  });
  reader.space();
  reader.place++;
}

function readNames(reader, kind, outline) {
  const names = reader.value(2);
  for (const store of names) outline.writes.push({ store, kind });
  return names;
}

function readGap(reader, outline) {
  const gap = reader.value(2);
  outline.kind = 'gap';
  [outline.from, outline.to] = [gap.number('from'), gap.number('to')];
  outline.why = gap.get('why');
  outline.step = gap.text('step');
  outline.text = gap.get('text');
}

function readDamage(reader, outline) {
  const damage = reader.value(2);
  outline.kind = 'damage';
  if (!(damage instanceof Members)) return;
  outline.lines = damage.list('lines').map(Number);
  outline.text = damage.get('text');
  outline.n = damage.text('n');
}
