import { Members, JSONReader } from './json.js';

// A path is a list of tokens. Its text is a JSON Pointer from the model: `/cart/lines/0/count`.

/** Returns the JSON Pointer of a list of tokens. */
export function pointerText(tokens) {
  return tokens.map((token) => '/' + token.replaceAll('~', '~0').replaceAll('/', '~1')).join('');
}

/** Returns the tokens of a JSON Pointer; null if the text is none. */
export function pointerTokens(pointer) {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer.slice(1).split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Returns the tokens of a path into the state that selects one value: a JSON Pointer, or a singular
 * query such as `cart.lines[0].count` or `$.state.cart['a b']`. Null if it is neither.
 */
export function pathTokens(text) {
  const path = text.trim();
  if (path.startsWith('/')) return pointerTokens(path);
  const isRooted = path.startsWith('$');
  const tokens = queryTokens(isRooted ? path.slice(1) : '.' + path);
  if (!tokens || !isRooted) return tokens?.length ? tokens : null;
  return tokens[0] === 'state' ? tokens.slice(1) : null;
}

function queryTokens(query) {
  const tokens = [];
  let rest = query;
  while (rest) {
    const found = /^\s*\.\s*([\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_\u0080-\u{10ffff}]*)|^\s*\[\s*(-?\d+)\s*\]/u.exec(rest);
    if (found) {
      tokens.push(found[1] ?? found[2]);
      rest = rest.slice(found[0].length);
      continue;
    }
    const name = /^\s*\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]/.exec(rest);
    if (!name) return rest.trim() ? null : tokens;
    tokens.push(nameInQuotes(name[1]));
    rest = rest.slice(name[0].length);
  }
  return tokens;
}

function nameInQuotes(text) {
  if (text[0] === '"') return new JSONReader(text).string();
  const inner = text.slice(1, -1).replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
  return new JSONReader(`"${inner}"`).string();
}

/** Returns the query that people type for a list of tokens: `cart.lines[0].count`. */
export function queryText(tokens) {
  let text = '';
  for (const token of tokens) {
    if (text && /^(0|[1-9]\d*)$/.test(token)) text += `[${token}]`;
    else if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(token)) text += (text ? '.' : '') + token;
    else text += `${text || '$.state'}[${JSON.stringify(token)}]`.slice(text.length);
  }
  return text;
}

/** Returns the value at a list of tokens; undefined if there is none. */
export function valueAt(root, tokens) {
  let value = root;
  for (const token of tokens) {
    value = childAt(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Returns the element or member of a value; undefined if there is none. */
export function childAt(value, token) {
  if (value instanceof Members) return value.get(token);
  if (!Array.isArray(value)) return undefined;
  if (/^-[1-9]\d*$/.test(token)) return value[value.length + Number(token)];
  return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
}
