import { Members, NumberText, parseJSON } from './json.js';

// Both sources of data give answers of one form: objects of this page with plain numbers for rows and
// counts, text for step numbers and times, and values of the log as the tokenizer read them.

const VALUES = new Set(['value', 'old', 'new', 'recorded', 'replayed', 'action', 'x', 'effects',
  'asked', 'circumstances', 'states', 'payload']);
const TEXTS = new Set(['n', 't', 'cause', 'step', 'missing', 'times', 'numbers', 'before', 'after', 'repeats']);

/** The functions that open a report, which a served page does not have. */
export const openers = {};

/** An answer that says why there is no other: the codes are those of the program. */
export class Refusal extends Error {
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Reads an answer; throws a `Refusal` if it is an error. */
export function readAnswer(text) {
  const answer = plainAnswer(parseJSON(text));
  const { error } = answer;
  if (error && typeof error === 'object' && answer.job === undefined) {
    throw new Refusal(error.code, error.message, error.hint);
  }
  return answer;
}

/** Turns the members of an answer into a plain object; values of the log stay as they are. */
export function plainAnswer(value, name = '') {
  if (VALUES.has(name)) return value;
  if (value instanceof NumberText) {
    if (TEXTS.has(name)) return value.text;
    return /^-?\d{1,15}(\.\d+)?$/.test(value.text) ? Number(value.text) : value.text;
  }
  if (Array.isArray(value)) return value.map((item) => plainAnswer(item, TEXTS.has(name) ? name : ''));
  if (!(value instanceof Members)) return value;
  const plain = Object.create(null);
  value.names.forEach((key, place) => { plain[key] = plainAnswer(value.values[place], key); });
  return plain;
}

/**
 * Asks until the answer is complete, and calls `each` with every part. `each` returns false to stop.
 * Abandoning the signal ends the work of the other side, too: it only works while it is asked.
 */
export async function askOn(source, name, request, signal, each) {
  let next;
  do {
    const part = await source.ask(name, next === undefined ? request : { ...request, next }, signal);
    if (signal?.aborted || each(part) === false) return;
    next = part.next;
  } while (next !== undefined);
}

/** Asks until there are `limit` rows, or no more; returns them, and the place to go on at. */
export async function askForRows(source, name, request, signal) {
  const found = { rows: [] };
  await askOn(source, name, request, signal, (part) => {
    found.rows.push(...part.rows ?? part.writes);
    found.next = part.next;
    return found.rows.length < request.limit;
  });
  return found;
}

/** Gives out signals of which only the newest is alive, so a late answer never replaces a newer one. */
export class Turn {
  begin() {
    this.controller?.abort();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  end() {
    this.controller?.abort();
  }
}

/** True for the error of a request that nobody waits for any more. */
export function isAbandoned(error) {
  return error?.name === 'AbortError';
}
