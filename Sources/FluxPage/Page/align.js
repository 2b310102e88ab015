import { partition } from './values.js';

// Pairs the equal elements of two arrays, by the same rules as the program: by a longest common
// subsequence (Myers 1986), else by the elements that occur once on both sides.

const DIFFERENCE_LIMIT = 256;

/** Returns the pairs `[old, new]` of equal keys, ascending on both sides; null beyond the limit. */
function commonSubsequence(old, now) {
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

/** Returns the stretches without equal keys: `{old, now}`, each a list `[start, end]`, in order. */
export function unequalStretches(old, now) {
  const pairs = alignedPairs(old, now, [0, old.length], [0, now.length]);
  const stretches = [];
  let [from, to] = [0, 0];
  for (const [i, j] of [...pairs, [old.length, now.length]]) {
    if (i > from || j > to) stretches.push({ old: [from, i], now: [to, j] });
    [from, to] = [i + 1, j + 1];
  }
  return stretches;
}

function alignedPairs(old, now, [start, oldEnd], [newStart, newEnd]) {
  const [head, tail] = [[], []];
  while (start < oldEnd && newStart < newEnd && old[start] === now[newStart]) head.push([start++, newStart++]);
  while (start < oldEnd && newStart < newEnd && old[oldEnd - 1] === now[newEnd - 1]) tail.push([--oldEnd, --newEnd]);
  tail.reverse();
  if (start === oldEnd || newStart === newEnd) return [...head, ...tail];
  const [left, right] = [old.slice(start, oldEnd), now.slice(newStart, newEnd)];
  const shifted = ([i, j]) => [start + i, newStart + j];
  const common = commonSubsequence(left, right);
  if (common) return [...head, ...common.map(shifted), ...tail];
  const anchors = uniqueMatches(left, right).map(shifted);
  if (!anchors.length) return [...head, ...tail];
  const between = [];
  let [from, to] = [start, newStart];
  for (const anchor of [...anchors, [oldEnd, newEnd]]) {
    between.push(...alignedPairs(old, now, [from, anchor[0]], [to, anchor[1]]));
    if (anchor[0] < oldEnd) between.push(anchor);
    [from, to] = [anchor[0] + 1, anchor[1] + 1];
  }
  return [...head, ...between, ...tail];
}

/** Returns as many pairs as possible of the keys that occur once on both sides. */
function uniqueMatches(old, now) {
  const newPlaces = uniquePlaces(now);
  const oldPlaces = uniquePlaces(old);
  const pairs = [];
  old.forEach((key, place) => {
    if (oldPlaces.get(key) === place && newPlaces.get(key) >= 0) pairs.push([place, newPlaces.get(key)]);
  });
  return longestAscending(pairs.map(([, place]) => place)).map((place) => pairs[place]);
}

function uniquePlaces(keys) {
  const places = new Map();
  keys.forEach((key, place) => places.set(key, places.has(key) ? -1 : place));
  return places;
}

/** Returns the places of a longest ascending selection of the numbers, by patience sorting. */
export function longestAscending(numbers) {
  const lasts = [];
  const previous = [];
  numbers.forEach((number, place) => {
    const count = partition(lasts.length, (last) => numbers[lasts[last]] >= number);
    previous[place] = count > 0 ? lasts[count - 1] : -1;
    lasts[count] = place;
  });
  const selection = [];
  for (let next = lasts.at(-1) ?? -1; next >= 0; next = previous[next]) selection.push(next);
  return selection.reverse();
}
