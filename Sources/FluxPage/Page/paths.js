import { Members } from './json.js';

// A path is a list of tokens. Its text is a JSON Pointer from the model: `/cart/lines/0/count`.

export const INDEX = /^(0|[1-9]\d*)$/;

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

/** Returns the query that people type for a list of tokens: `cart.lines[0].count`. Numbers at the places in `names` are names. */
export function queryText(tokens, names = []) {
  let text = '';
  for (const [place, token] of tokens.entries()) {
    if (text && INDEX.test(token) && !names.includes(place)) text += `[${token}]`;
    else if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(token)) text += (text ? '.' : '') + token;
    else text += `${text || '$.state'}[${JSON.stringify(token)}]`.slice(text.length);
  }
  return text;
}

/** Returns the value at a list of tokens; undefined if there is none. */
export function valueAt(root, tokens) {
  return tokens.reduce((value, token) => childAt(value, token), root);
}

/** Returns the element or member of a value; undefined if there is none. */
export function childAt(value, token) {
  if (value instanceof Members) return value.get(token);
  if (!Array.isArray(value)) return undefined;
  return INDEX.test(token) ? value[Number(token)] : undefined;
}
