/** Returns a test for action types: `*` matches any characters, `/` too, and `?` any one. */
export function globTest(pattern) {
  const glob = Array.from(pattern);
  return (type) => {
    const text = Array.from(type);
    let [place, position] = [0, 0];
    // The place behind the latest star, and the character that it tries next.
    let retry = null;
    while (position < text.length) {
      if (glob[place] === '*') {
        retry = [++place, position];
      } else if (place < glob.length && (glob[place] === '?' || glob[place] === text[position])) {
        place++;
        position++;
      } else if (retry) {
        [place, position] = [retry[0], ++retry[1]];
      } else {
        return false;
      }
    }
    while (glob[place] === '*') place++;
    return place === glob.length;
  };
}

/** Says if the terminal would read a filter as an expression instead of a glob. */
export function isExpression(filter) {
  return /[()[\]=<>!&|@$'"\s]/.test(filter);
}
