import { element, quoted, byId, fill } from './dom.js';
import { bytesText, grouped } from './text.js';

const CONDITIONS = {
  diverged: ['◆', 'diverged'], crashed: ['✕', 'crashed'], passed: ['✓', 'passed'], closed: ['', 'closed'], open: ['○', 'not closed'], unknown: ['', 'compressed or unreadable'],
};
const ORDER = Object.keys(CONDITIONS);

/** A folder of logs as a table, the ones that need a look first. */
export async function showLogs(source, open) {
  const { logs } = await source.ask('logs', {});
  const sorted = [...logs].sort((left, right) => ORDER.indexOf(left.condition) - ORDER.indexOf(right.condition)
    || (left.age ?? Infinity) - (right.age ?? Infinity));
  const heads = ['Log', 'Outcome', 'Steps', 'Size', 'Written'];
  const node = byId('folder');
  node.hidden = false;
  document.title = `${logs.length} logs - flux-inspect`;
  fill(byId('title'), `${logs.length} logs`);
  fill(node, element('table', {}, element('caption', { class: 'offscreen', text: 'The logs of the folder' }),
    element('thead', {}, element('tr', {}, heads.map((head, place) => element('th', { scope: 'col', class: place > 1 ? 'amount' : '', text: head })))),
    element('tbody', {}, sorted.map((log) => row(log, open)))));
  node.querySelector('a')?.focus();
}

function row(log, open) {
  const { name, condition, divergence, steps, bytes, age } = log;
  const [sign, word] = CONDITIONS[condition] ?? CONDITIONS.unknown;
  const at = divergence === undefined ? '' : ` at ${divergence}`;
  return element('tr', {},
    element('td', {}, element('a', { href: `#/?log=${encodeURIComponent(name)}`, onclick: (event) => {
      event.preventDefault();
      open(name);
    } }, quoted(name))),
    element('td', { class: `outcome ${condition}` }, sign ? `${sign} ` : '', `${word}${at}`),
    element('td', { class: 'amount' }, steps === undefined ? '–' : grouped(steps)),
    element('td', { class: 'amount' }, bytes === undefined ? '–' : bytesText(bytes)),
    element('td', { class: 'amount' }, age === undefined ? '–' : ageText(age)));
}

/** Returns `3 min ago`. */
function ageText(seconds) {
  if (seconds < 60) return 'just now';
  const [unit, size] = [['d', 86400], ['h', 3600], ['min', 60]].find(([, length]) => seconds >= length);
  return `${grouped(Math.floor(seconds / size))} ${unit} ago`;
}
