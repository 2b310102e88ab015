import { JSONReader, Members, parseJSON } from './json.js';
import { plainAnswer } from './answers.js';

/** Reads the block of data in a report: base64 of gzip of lines. */
export async function readReport(block) {
  const source = block.textContent.replace(/\s+/g, '');
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(source)
    : Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const text = await new Response(stream).text();
  // A log without rows has no line after the header.
  const end = text.includes('\n') ? text.indexOf('\n') : text.length;
  return { head: parseJSON(text.slice(0, end)), text, start: end + 1 };
}

/**
 * The rows of a report, as the program answers them, and the lines of the log that led to them.
 *
 * Opening reads of each line of the log only the stores that it writes. Everything else is read when somebody looks at
 * the row.
 */
export class ReportRows {
  constructor({ head, text, start }) {
    this.text = text;
    this.info = plainAnswer(head.get('info'));
    this.baseline = head.get('baseline');
    this.first = this.info.report?.from ?? 0;
    this.answers = [];
    this.places = [];
    this.byNumber = new Map();
    this.parsed = new Map();
    this.read(start);
  }

  /** The number of rows of the whole log that lie before the end of the report. */
  get end() {
    return this.first + this.answers.length + 1;
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
    const reader = new JSONReader(this.text.slice(start, end));
    const place = { start, end, writes: [] };
    let answer;
    reader.eachMember(1, (name) => {
      if (name === 'row') {
        answer = plainAnswer(reader.value(2));
      } else if (name === 'line') {
        reader.space();
        place.start = start + reader.place;
        readWrites(reader, place, start);
        place.end = start + reader.place;
      } else {
        reader.skip();
      }
    });
    // A cause outside the report cannot be opened.
    if (!this.has(answer.causeRow)) delete answer.causeRow;
    if (answer.kind === 'step') this.byNumber.set(answer.n, answer);
    this.answers.push(answer);
    this.places.push(place);
  }

  /** Returns the program's answer for a row; undefined for the first row and for rows that are not here. */
  answer(row) {
    return this.answers[row - this.first - 1];
  }

  place(row) {
    return this.places[row - this.first - 1];
  }

  /** Returns the stores that the line of a row writes, and how. */
  writes(row) {
    return this.place(row).writes;
  }

  /** Returns the whole line of a row. */
  line(row) {
    let line = this.parsed.get(row);
    if (!line) {
      const { start, end } = this.place(row);
      line = parseJSON(this.text.slice(start, end));
      if (this.parsed.size > 64) this.parsed.clear();
      this.parsed.set(row, line);
    }
    return line;
  }

  /** Returns one member of a row's line, without reading the others. */
  member(row, name) {
    const { start, end } = this.place(row);
    if (this.parsed.has(row)) return this.parsed.get(row).get(name);
    const reader = new JSONReader(this.text.slice(start, end));
    let found;
    reader.eachMember(1, (key) => {
      if (key === name) found = reader.value(2);
      else reader.skip();
    });
    return found;
  }

  /** True unless the line of a row shows that it has no text in lower case; escapes may stand for any. */
  mayContain(row, wanted) {
    const { start, end } = this.place(row);
    const line = this.text.slice(start, end);
    return line.includes('\\') || line.toLowerCase().includes(wanted);
  }

  /**
   * False if the patches in the line of a row only replace values beside the one at a pointer into a state.
   *
   * The patches are not parsed. If their text does not decide, as with escapes or other operations, the answer is true.
   */
  mayWrite(row, pointer) {
    const { patchesStart, patchesEnd } = this.place(row);
    if (patchesStart === undefined) return true;
    const patches = this.text.slice(patchesStart, patchesEnd);
    if (/\\|"(op|path)"([^:]|:[^"])/.test(patches)) return true;
    for (let op = patches.indexOf('"op":"'); op >= 0; op = patches.indexOf('"op":"', op + 1)) {
      if (!patches.startsWith('replace"', op + 6)) return true;
    }
    if (patches.includes(`"${pointer}/`)) return true;
    for (let end = pointer.length; end >= 0; end = end > 0 ? pointer.lastIndexOf('/', end - 1) : -1) {
      if (patches.includes(`"path":"${pointer.slice(0, end)}"`)) return true;
    }
    return false;
  }

  /** Returns the row of the first step behind a row; the end if there is none. */
  nextStepRow(row) {
    for (let place = row + 1; place < this.end; place++) if (this.answer(place).kind === 'step') return place;
    return this.end;
  }

  /** Returns the last step at or before a row; undefined if there is none. */
  stepAt(row) {
    for (let place = row; place > this.first; place--) {
      const answer = this.answer(place);
      if (answer?.kind === 'step') return answer;
    }
    return undefined;
  }

  /** Returns the row of the step with a number, or of the number before the first step; undefined if it is not here. */
  rowOf(number) {
    return this.byNumber.get(number)?.row ?? (number === this.startNumber ? this.first : undefined);
  }

  /** Returns the number of the last step at or before a row. */
  numberAt(row) {
    return this.stepAt(row)?.n ?? this.startNumber;
  }

  /** The number before the first step of the report. */
  get startNumber() {
    const known = this.info.report?.n;
    if (known !== undefined) return String(known);
    const first = this.answers.find(({ kind }) => kind === 'step');
    return first ? String(BigInt(first.n) - 1n) : '0';
  }
}

/**
 * Reads the stores that a line of the log writes: whole, by a patch, not at all, or that it removes. Notes where its patches
 * are; `start` is where the text of the reader begins.
 */
function readWrites(reader, place, start) {
  const { writes } = place;
  reader.eachMember(1, (name) => {
    if (name === 'states' || name === 'patches') {
      if (name === 'patches') place.patchesStart ??= start + reader.place;
      reader.eachMember(1, (store) => {
        reader.skip();
        writes.push({ store, kind: name === 'states' ? 'whole' : 'patch' });
      });
      if (name === 'patches') place.patchesEnd = start + reader.place;
    } else if (name === 'removed' || name === 'unwritten') {
      for (const store of reader.value(2)) writes.push({ store, kind: name });
    } else {
      reader.skip();
    }
  });
}

/** Returns the payload of an action, or all members beside its type if it has others; undefined if it has none. */
export function actionContent(action) {
  const names = action.names.filter((name) => name !== 'type');
  if (names.length === 1 && names[0] === 'payload') return action.get('payload');
  return names.length ? new Members(names, names.map((name) => action.get(name))) : undefined;
}
