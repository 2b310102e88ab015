import { element, named, quoted, button } from './dom.js';
import { bytesText, clipped, counted, microseconds, secondsText } from './text.js';

const OPENED_BECAUSE = {
  divergence: 'replay first led to another state at this step', crash: 'the app ended while it handled this action',
  inflight: 'this action had no line in the log yet when the recording ended',
  rejection: 'this is the first step that was rejected', end: 'this is the last step',
  chosen: 'the report was made for this step', part: 'this is the last step of the report, which is a part of the recording',
};

/** What a person wants to know of a recording before anything else, and why the page opened where it did. */
export function summaryCard(page, close) {
  const { info } = page;
  const fact = (name, ...content) => [element('dt', { text: name }), element('dd', {}, content)];
  return element('section', { class: 'summary', 'aria-label': 'Summary of the recording' },
    element('p', { class: 'opened' }, landingText(page),
    button('×', 'Close the summary', close, { class: 'close' })),
    element('dl', {},
      fact('App', quoted(clipped(info.title, 120))),
      fact('Steps', counted(info.steps, 'step'), durationText(info)),
      fact('Busiest', busiest(info)),
      info.rejections ? fact('Rejected', counted(info.rejections, 'step')) : null,
      info.gaps ? fact('Gaps', `${counted(info.gaps, 'gap')} in the recording`) : null,
      unfinished(info) ? fact('Crash', quoted(clipped(unfinished(info).text, 240)))
        : info.inflight?.length ? fact('In flight', quoted(clipped(info.inflight[0].text, 240))) : null,
      fact('Verdict', verdictText(info)),
      fact('File', `${bytesText(info.bytes)}, ${conditionText(info)}`)));
}

/** Says why the page opened here, or what is worth a look elsewhere; the last step alone is not. */
function landingText(page) {
  const { row, reason } = page.info.landing ?? {};
  const text = because(page.info);
  if (row === page.row && page.fork === null) return ['Opened here because ', element('strong', { text }), '.'];
  return reason === 'end' ? null : ['Worth a look: ', button(text, 'Go there', () => page.go(row, { jump: true }), { class: 'link' })];
}

function because({ landing, steps, warnings, complete, verdict }) {
  if (!steps) return 'the recording has no steps';
  const isSound = landing?.reason === 'end' && complete !== false && !warnings?.length;
  const finding = verdict === 'passed' ? ', and nothing went wrong' : ', and no step was rejected';
  return (OPENED_BECAUSE[landing?.reason] ?? 'it was asked for') + (isSound ? finding : '');
}

function busiest({ types, stores }) {
  if (!types?.length) return counted(stores.length, 'store');
  return types.slice(0, 3).map(({ type, count }, place) => [place ? ', ' : '', named(clipped(type, 60)), ` ×${count}`]).flat();
}

/** Returns `, 12 s`; nothing for a recording without times. */
export function durationText({ first, last }) {
  if (last?.t === undefined) return '';
  return `, ${secondsText(microseconds(last.t) - (first?.t === undefined ? 0 : microseconds(first.t)))}`;
}

/** Returns the action that was running when the app ended; undefined if there is none. */
function unfinished({ inflight }) {
  return inflight?.findLast(({ committed, dropped }) => !committed && !dropped);
}

/** Says how a recording ended. */
export function conditionText(info) {
  if (info.torn) return 'torn at the end';
  if (info.closed) return info.continued ? 'continued' : 'closed';
  return unfinished(info) ? 'not closed: the app crashed' : 'not closed';
}

function verdictText({ verdict, divergences, capabilities }) {
  if (verdict === 'passed') return 'replay led to every recorded state';
  if (divergences?.length) return `◆ diverged at step ${divergences[0].step}`;
  if (verdict) return verdict;
  return capabilities?.app ? 'not verified yet; type verify in the console' : 'not verified';
}
