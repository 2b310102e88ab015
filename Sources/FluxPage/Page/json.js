// JSON without loss. `JSON.parse` rounds numbers, moves a member named "2" to the front, and treats
// `__proto__` as special, so the page reads with a tokenizer of its own. Null, booleans, strings
// and arrays are JavaScript's; numbers keep their source text; objects are ordered pairs.

/** A number as it is written. */
export class NumberText {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }

  valueOf() {
    return Number(this.text);
  }
}

/** The members of an object in their order. A value is never changed after it was made. */
export class Members {
  constructor(names = [], values = []) {
    this.names = names;
    this.values = values;
    this.places = null;
  }

  get size() {
    return this.names.length;
  }

  /** Returns the place of a member, or -1; of members with one name, the last one counts. */
  place(name) {
    if (this.names.length < 12) return this.names.lastIndexOf(name);
    if (!this.places) {
      this.places = new Map();
      for (let place = 0; place < this.names.length; place++) this.places.set(this.names[place], place);
    }
    return this.places.get(name) ?? -1;
  }

  has(name) {
    return this.place(name) >= 0;
  }

  /** Returns a member's value; undefined if there is no such member. */
  get(name) {
    const place = this.place(name);
    return place < 0 ? undefined : this.values[place];
  }
}

export const DEPTH_LIMIT = 512;

/** An error in a JSON text, with the place where it was found. */
export class JSONFault extends Error {
  constructor(message, place) {
    super(`${message} at character ${place}`);
    this.place = place;
  }
}

/** Reads one JSON value. */
export function parseJSON(text) {
  const reader = new JSONReader(text);
  const value = reader.value(1);
  reader.space();
  if (reader.place < text.length) reader.fail('Text after the value');
  return value;
}

const ESCAPES = { 34: '"', 92: '\\', 47: '/', 98: '\b', 102: '\f', 110: '\n', 114: '\r', 116: '\t' };
const WORD = /[^,:\]} \n\r\t]+/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

export class JSONReader {
  constructor(text, place = 0) {
    this.source = text;
    this.place = place;
  }

  fail(message) {
    throw new JSONFault(message, this.place);
  }

  space() {
    const source = this.source;
    for (;;) {
      const code = source.charCodeAt(this.place);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
      this.place++;
    }
  }

  value(depth) {
    const code = this.space();
    switch (code) {
    case 123: return this.object(depth);
    case 91: return this.array(depth);
    case 34: return this.string();
    case 116: return this.word('true', true);
    case 102: return this.word('false', false);
    case 110: return this.word('null', null);
    default: return this.numberText();
    }
  }

  word(word, value) {
    if (!this.source.startsWith(word, this.place)) this.fail('Expected a value');
    this.place += word.length;
    return value;
  }

  numberText() {
    NUMBER.lastIndex = this.place;
    const found = NUMBER.exec(this.source);
    if (!found) this.fail('Expected a value');
    this.place = NUMBER.lastIndex;
    return new NumberText(found[0]);
  }

  string() {
    const source = this.source;
    let start = ++this.place;
    let text = '';
    for (;;) {
      const code = source.charCodeAt(this.place);
      if (code === 34) return text + source.slice(start, this.place++);
      if (code !== 92) {
        if (!(code >= 32)) this.fail('A string that does not end');
        this.place++;
        continue;
      }
      text += source.slice(start, this.place) + this.escape();
      start = this.place;
    }
  }

  escape() {
    const code = this.source.charCodeAt(++this.place);
    this.place++;
    if (code !== 117) return ESCAPES[code] ?? this.fail('Unknown escape');
    const digits = this.source.slice(this.place, this.place + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('Expected four hexadecimal digits');
    this.place += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }

  array(depth) {
    this.enter(depth);
    const elements = [];
    if (this.space() === 93) return this.leave(elements);
    for (;;) {
      elements.push(this.value(depth + 1));
      if (this.space() === 93) return this.leave(elements);
      this.comma();
    }
  }

  object(depth) {
    const names = [];
    const values = [];
    this.eachMember(depth, (name) => {
      names.push(name);
      values.push(this.value(depth + 1));
    });
    return withoutRepeats(names, values);
  }

  /** Calls `body` with the name of each member of an object; `body` reads the value, or passes over it. */
  eachMember(depth, body) {
    this.space();
    this.enter(depth);
    if (this.space() === 125) return this.leave();
    for (;;) {
      body(this.name());
      if (this.space() === 125) return this.leave();
      this.comma();
    }
  }

  /** Reads a member's name and the colon after it. */
  name() {
    if (this.space() !== 34) this.fail('Expected a name');
    const name = this.string();
    if (this.space() !== 58) this.fail('Expected a colon');
    this.place++;
    return name;
  }

  comma() {
    if (this.space() !== 44) this.fail('Expected a comma');
    this.place++;
  }

  enter(depth) {
    if (depth > DEPTH_LIMIT) this.fail(`Nested deeper than ${DEPTH_LIMIT}`);
    this.place++;
  }

  leave(value) {
    this.place++;
    return value;
  }

  /** Passes over a value without reading it; returns its text. */
  skip() {
    const { source } = this;
    let code = this.space();
    const start = this.place;
    let depth = 0;
    for (;;) {
      if (code === 34) {
        this.skipString();
        if (depth === 0) break;
      } else if (code === 123 || code === 91) {
        depth++;
        this.place++;
      } else if (code === 125 || code === 93) {
        depth--;
        this.place++;
        if (depth === 0) break;
      } else if (depth === 0) {
        this.skipWord();
        break;
      } else {
        if (this.place >= source.length) this.fail('A value that does not end');
        this.place++;
      }
      code = source.charCodeAt(this.place);
    }
    return source.slice(start, this.place);
  }

  skipString() {
    let end = this.place;
    do {
      end = this.source.indexOf('"', end + 1);
      if (end < 0) this.fail('A string that does not end');
    } while (isEscaped(this.source, end));
    this.place = end + 1;
  }

  /** Passes over a number or a word, up to the sign or the blank after it. */
  skipWord() {
    WORD.lastIndex = this.place;
    if (!WORD.test(this.source)) this.fail('Expected a value');
    this.place = WORD.lastIndex;
  }
}

function isEscaped(source, place) {
  let start = place;
  while (source.charCodeAt(start - 1) === 92) start--;
  return (place - start) % 2 === 1;
}

function withoutRepeats(names, values) {
  const made = new Members(names, values);
  if (names.length < 2 || new Set(names).size === names.length) return made;
  const last = names.map((name, place) => names.lastIndexOf(name) === place);
  return new Members(names.filter((_, place) => last[place]), values.filter((_, place) => last[place]));
}
