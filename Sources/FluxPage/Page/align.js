import { partition } from './values.js';

// Pairs the elements of two arrays, by the same rules as the program: by identity, else by a longest
// common subsequence (Myers 1986), else by the elements that occur once on both sides.

const DIFFERENCE_LIMIT = 256;

/** Returns the pairs `[old, new]` of equal keys, ascending on both sides; null beyond the limit. */
export function commonSubsequence(old, now) {
  const limit = Math.min(old.length + now.length, DIFFERENCE_LIMIT);
  const reach = new Int32Array(2 * limit + 3);
  const history = [];
  for (let differences = 0; differences <= limit; differences++) {
    history.push(reach.slice(limit + 1 - differences, limit + 2 + differences));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const place = diagonal + limit + 1;
      const goesDown = diagonal === -differences
        || (diagonal !== differences && reach[place - 1] < reach[place + 1]);
      let i = goesDown ? reach[place + 1] : reach[place - 1] + 1;
      let j = i - diagonal;
      while (i < old.length && j < now.length && old[i] === now[j]) {
        i++;
        j++;
      }
      reach[place] = i;
      if (i >= old.length && j >= now.length) return walkBack(history, old.length, now.length);
    }
  }
  return null;
}

function walkBack(history, oldCount, newCount) {
  const matches = [];
  let [i, j] = [oldCount, newCount];
  for (let differences = history.length - 1; differences >= 0; differences--) {
    const reach = history[differences];
    let [formerI, formerJ] = [0, 0];
    if (differences > 0) {
      const place = i - j + differences;
      const goesDown = place === 0 || (place !== 2 * differences && reach[place - 1] < reach[place + 1]);
      formerI = goesDown ? reach[place + 1] : reach[place - 1];
      formerJ = formerI - (i - j) + (goesDown ? -1 : 1);
    }
    while (i > formerI && j > formerJ) matches.push([--i, --j]);
    [i, j] = [formerI, formerJ];
  }
  return matches.reverse();
}

/** Returns as many pairs as possible of the keys that occur once on both sides. */
export function uniqueMatches(old, now) {
  const newPlaces = uniquePlaces(now);
  const oldPlaces = uniquePlaces(old);
  const pairs = [];
  old.forEach((key, place) => {
    if (oldPlaces.get(key) === place && newPlaces.get(key) >= 0) pairs.push([place, newPlaces.get(key)]);
  });
  return longestAscending(pairs);
}

function uniquePlaces(keys) {
  const places = new Map();
  keys.forEach((key, place) => places.set(key, places.has(key) ? -1 : place));
  return places;
}

/** Patience sorting: keeps the last pair of the best selection of each length. */
function longestAscending(pairs) {
  const lasts = [];
  const previous = [];
  pairs.forEach((pair, place) => {
    const count = partition(lasts.length, (last) => pairs[lasts[last]][1] >= pair[1]);
    previous[place] = count > 0 ? lasts[count - 1] : -1;
    lasts[count] = place;
  });
  const selection = [];
  for (let next = lasts.at(-1) ?? -1; next >= 0; next = previous[next]) selection.push(pairs[next]);
  return selection.reverse();
}
