/** Returns a test for action types: `*` matches any characters, `/` too, and `?` any one. */
export function globTest(pattern) {
  const parts = pattern.replace(/[\\^$.+()[\]{}|/]/g, '\\$&').replaceAll('?', '.').split(/\*+/);
  const last = parts.length - 1;
  // A group that is captured ahead never gives up its first match, so no glob takes long on any type.
  const source = parts.map((part, place) => (place === 0 ? part : place === last ? `.*?${part}` : `(?=(.*?${part}))\\${place}`));
  const test = new RegExp(`^${source.join('')}$`, 'su');
  return (type) => test.test(type);
}

/** Says if the terminal would read a filter as an expression instead of a glob. */
export function isExpression(filter) {
  return /[()[\]=<>!&|@$'"\s]/.test(filter);
}
