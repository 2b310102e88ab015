import { Refusal } from './answers.js';
import { jsonText } from './values.js';
import { pathTokens, pointerText, pointerTokens, queryText, valueAt } from './paths.js';
import { clipped, counted, secondsText, microseconds } from './text.js';
import { ABSENT, isState } from './report-states.js';

// The commands that a report answers by itself. Each returns the lines to print, and the row where
// the session stands afterwards, if it moves.

const COMMANDS = {
  step: { hint: 'Go forward by steps', run: (source, row, text) => moveBy(source, row, text, 1) },
  back: { hint: 'Go back by steps', run: (source, row, text) => moveBy(source, row, text, -1) },
  next: { hint: 'Go to the next root action', run: (source, row) => moveToRoot(source, row, 'forwards') },
  prev: { hint: 'Go to the previous root action', run: (source, row) => moveToRoot(source, row, 'backwards') },
  goto: { hint: 'Go to a position', run: (source, row, text) => moveTo(source, row, text) },
  start: { hint: 'Go to the start', run: (source, row) => moveTo(source, row, 'start') },
  end: { hint: 'Go to the last step', run: (source, row) => moveTo(source, row, 'end') },
  find: { hint: 'Find actions by a glob', run: (source, row, text) => findSteps(source, text) },
  state: { hint: 'Print the state', run: (source, row, text) => printState(source, row, text) },
  print: { hint: 'Print the value at a path', run: (source, row, text) => printValue(source, row, text) },
  diff: { hint: 'Print what a step changed, or the difference of two', run: (source, row, text) => printDifference(source, row, text) },
  list: { hint: 'List the steps around here', run: (source, row) => listSteps(source, row) },
  where: { hint: 'Print the chain of causes', run: (source, row) => printChain(source, row) },
  action: { hint: 'Print the action', run: (source, row) => printAction(source, row) },
  blame: { hint: 'Find the step that wrote a value', run: (source, row, text) => printWrites(source, row, text, 'backwards') },
  history: { hint: 'Print the values that a path took', run: (source, row, text) => printWrites(source, row, text, 'forwards') },
  info: { hint: 'Describe the recording', run: (source) => printInfo(source) },
  help: { hint: 'List the commands of a report', run: () => printHelp() },
};
const ALIASES = { s: 'step', rs: 'back', n: 'next', rn: 'prev', g: 'goto', f: 'find', st: 'state', p: 'print', d: 'diff', l: 'list',
  bt: 'where', a: 'action', why: 'blame', i: 'info', h: 'help', '?': 'help' };

/** Runs a line of the console in a report. */
export function runReportLine(source, { line, row }) {
  const answer = { job: 0, done: true, line, ok: true, row, lines: [], notes: [] };
  try {
    const [word, rest] = splitLine(line);
    const command = COMMANDS[ALIASES[word] ?? word] ?? prefixed(word);
    const result = command ? command.run(source, row, rest) : bare(source, row, line);
    return { ...answer, ...result };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...answer, ok: false, error: { code: error.code, message: error.message, hint: error.hint } };
  }
}

/** Completes the name of a command, an action type or a path. */
export function completeReportLine(source, { line, cursor }) {
  const text = Array.from(line).slice(0, cursor).join('');
  const [word, rest] = splitLine(text);
  if (!/\s/.test(text)) {
    const names = Object.keys(COMMANDS).filter((name) => name.startsWith(word));
    return { from: 0, to: cursor, candidates: names.map((name) => ({ text: name + ' ', hint: COMMANDS[name].hint })) };
  }
  const name = ALIASES[word] ?? word;
  const words = name === 'find' || name === 'goto' ? source.rows.info.types?.map((type) => type.type) ?? []
    : source.states.stores;
  return { from: cursor - Array.from(rest).length, to: cursor,
    candidates: words.filter((candidate) => candidate.startsWith(rest)).slice(0, 50).map((text) => ({ text })) };
}

function splitLine(line) {
  const found = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line);
  return [found[1], found[2]];
}

function prefixed(word) {
  const names = Object.keys(COMMANDS).filter((name) => name.startsWith(word));
  return names.length === 1 ? COMMANDS[names[0]] : undefined;
}

/** A line that is no command may be a position; anything else needs the program. */
function bare(source, row, line) {
  if (/^([+-]?\d+%?|@[\d.:]+|\S+#\d+)$/.test(line.trim())) return moveTo(source, row, line.trim());
  throw new Refusal('usage', 'A report does not answer this command. Open the log with:', source.rows.info.report?.shell ?? 'flux-inspect LOG');
}

// Moves

function moveTo(source, row, position) {
  const found = source.locate({ position: position || 'end', row });
  return { row: found.row, lines: [stepLine(source, found.row)], notes: found.note ? [found.note] : [] };
}

function moveBy(source, row, text, direction) {
  if (text && !/^\d+$/.test(text)) throw new Refusal('usage', `${text} is not a number of steps.`);
  return moveTo(source, row, `${direction > 0 ? '+' : '-'}${text || 1}`);
}

function moveToRoot(source, row, direction) {
  const from = direction === 'forwards' ? row + 1 : row - 1;
  const found = source.find({ filter: '', roots: true, direction, from: Math.max(1, from), limit: 1 }).rows[0];
  if (from > source.rows.first && found) return { row: found.row, lines: [stepLine(source, found.row)] };
  return moveTo(source, row, direction === 'forwards' ? 'end' : 'start');
}

function stepLine(source, row) {
  const step = source.summary(row);
  if (step.kind === 'start') return [['start', 'dim']];
  if (step.kind !== 'step') return [[step.text ?? step.kind, 'dim']];
  return [[step.n.padStart(5), 'number'], [` ${'  '.repeat(Math.min(8, step.depth))}`], [step.type, 'action'],
    step.payload === undefined ? [''] : [` ${clipped(step.payload, 80)}`, 'dim'],
    step.rejected ? [`  rejected: ${step.rejected.message}`, 'removed'] : [changedText(step), 'dim']];
}

function changedText({ changed, notRecorded = [] }) {
  if (!changed.length) return notRecorded.length ? '  not recorded' : '';
  return `  ${[...changed, ...notRecorded.map((store) => `${store} (not recorded)`)].join(', ')}`;
}

// Looks

function findSteps(source, glob) {
  if (!glob) throw new Refusal('usage', 'find needs a glob: find cart/*');
  const found = source.find({ filter: glob, from: source.rows.first + 1, limit: 500 });
  const end = found.next === undefined ? [] : [[['and more', 'dim']]];
  return { lines: found.rows.length ? [...found.rows.map((step) => stepLine(source, step.row)), ...end] : [[['no match', 'dim']]] };
}

function valueLines(value) {
  return jsonText(value, { indent: 2, limit: 20000 }).split('\n').slice(0, 400).map((line) => [[line]]);
}

function tokensOfPath(text) {
  const tokens = pathTokens(text);
  if (!tokens) throw new Refusal('usage', `${text} does not select one value.`, 'In a report, a path is like cart.lines[0].count or /cart/total.');
  return tokens;
}

function printState(source, row, text) {
  const model = source.visible(source.modelAt(row));
  if (!text) return { lines: valueLines(model) };
  return printValue(source, row, text);
}

function printValue(source, row, text) {
  const tokens = tokensOfPath(text);
  const value = valueAt(source.modelAt(row), tokens);
  if (value === undefined || value === ABSENT) throw new Refusal('no-path', `There is no ${queryText(tokens)} at step ${source.rows.numberAt(row)}.`);
  if (!isState(value)) source.requireKnown(tokens[0], value);
  return { lines: valueLines(value) };
}

function printDifference(source, row, text) {
  const places = text.split(/\s+|\.\./).filter(Boolean).map((position) => source.locate({ position, row }).row);
  const [a, b] = places.length === 0 ? [null, row] : places.length === 1 ? [places[0], row] : places;
  const { changes, notRecorded = [] } = source.difference({ a, b, count: 500 });
  const lines = changes.map(({ path, op, old, new: now }) => {
    const sign = { add: '+', remove: '-', replace: '~' }[op];
    const style = { add: 'added', remove: 'removed', replace: 'changed' }[op];
    const short = (value) => (value === undefined ? '' : clipped(jsonText(value, { limit: 120 }), 120));
    return [[`${sign} `, style], [queryText(pointerTokens(path)), 'path'], [` ${short(old)}${op === 'replace' ? ' → ' : ''}${short(now)}`]];
  });
  for (const store of notRecorded) lines.push([['? ', 'dim'], [queryText([store]), 'path'], [' not recorded', 'dim']]);
  return { lines: lines.length ? lines : [[['no difference', 'dim']]] };
}

function listSteps(source, row) {
  const from = Math.max(source.rows.first, row - 8);
  const { rows } = source.steps({ from, count: 17 });
  return { lines: rows.map((step) => [[step.row === row ? '> ' : '  ', 'heading'], ...stepLine(source, step.row)]) };
}

function printChain(source, row) {
  const { chain, missing } = source.chain({ row });
  const lines = chain.map((link) => stepLine(source, link.row));
  return { lines: missing === undefined ? lines : [...lines, [[`step ${missing} is not in this report`, 'dim']]] };
}

function printAction(source, row) {
  if (source.summary(row).kind !== 'step') throw new Refusal('bad-position', 'There is no step here.');
  const line = source.rows.line(row);
  const lines = valueLines(line.get('action'));
  for (const name of ['cause', 'effect', 'at']) if (line.has(name)) lines.push([[`${name} `, 'dim'], [line.text(name) ?? '']]);
  return { lines };
}

function printWrites(source, row, text, direction) {
  const tokens = tokensOfPath(text);
  const lines = [];
  let next;
  do {
    const part = source.writes({ path: pointerText(tokens), row, direction, limit: 200, next });
    for (const write of part.writes) {
      const value = write.value === undefined ? 'removed' : clipped(jsonText(write.value, { limit: 120 }), 120);
      lines.push([[write.n.padStart(5), 'number'], [` ${write.type ?? 'start'}`, 'action'], [` ${value}`]]);
    }
    next = part.next;
  } while (next !== undefined && lines.length < 200 && (direction === 'forwards' || lines.length === 0));
  if (!lines.length) throw new Refusal('no-path', `No step wrote ${queryText(tokens)}.`);
  return { lines: direction === 'backwards' ? lines.slice(0, 1) : lines };
}

function printInfo({ rows: { info }, states }) {
  const lines = [['Recording', info.title], ['File', info.file], ['Steps', counted(info.steps, 'step')], ['Format', info.format],
    ['Created', info.created ?? 'unknown'], ['Stores', states.stores.join(', ')],
    ['Last step', info.last ? `${info.last.n}, ${secondsText(microseconds(info.last.t))}` : 'none']];
  if (info.report?.left) lines.push(['Left out', info.report.left]);
  return { lines: lines.map(([name, text]) => [[`${name.padEnd(10)} `, 'dim'], [String(text)]]) };
}

function printHelp() {
  return { lines: Object.entries(COMMANDS).map(([name, { hint }]) => [[name.padEnd(9), 'heading'], [hint, 'dim']]) };
}
