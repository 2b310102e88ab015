import { element, named, quoted, quotedJSON } from './dom.js';
import { clipped } from './text.js';
import { jsonText, kindOf } from './values.js';

// Small pieces that several panes show.

/** A link to a step. */
export function stepLink(page, row, number, type) {
  const link = element('a', { class: 'step-link', href: `#/${number}`, onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    page.go(row, { jump: true });
  } }, String(number));
  if (type !== undefined) link.append(' ', named(type));
  return link;
}

/** A value in the space of a line: its text, coloured by its kind. */
export function valueText(value, limit = 160) {
  if (value === undefined) return element('span', { class: 'none', text: 'nothing' });
  return quotedJSON(clipped(jsonText(value, { limit }), limit), `value ${kindOf(value)}`);
}

/** A value of an answer, which may be cut there. */
export function slot(answer, name, limit = 160) {
  const cut = answer[name + 'Cut'];
  if (!cut) return valueText(answer[name], limit);
  const unit = cut.kind === 'array' ? 'elements' : cut.kind === 'object' ? 'members' : 'characters';
  return element('span', {}, quotedJSON(clipped(cut.preview, limit), `value ${cut.kind}`),
    element('span', { class: 'soft', text: ` ${cut.count} ${unit}` }));
}

/** True if an answer has a value, whole or cut. */
export function hasSlot(answer, name) {
  return answer[name] !== undefined || answer[name + 'Cut'] !== undefined;
}

/** A state of a pane that shows no data: what is so, and what to do. */
export function notice(title, text, extra) {
  return element('div', { class: 'notice' }, element('strong', { text: title }), text ? element('p', {}, quoted(text)) : null, extra);
}

/** The notice for an error. */
export function errorNotice(error, title = 'This cannot be shown') {
  return notice(title, error.message, error.hint ? element('code', {}, quoted(error.hint)) : null);
}

/** Grey bars in the place of text that is on its way. */
export function skeleton(lines = 4) {
  return element('div', { class: 'skeleton', 'aria-label': 'Loading' },
    Array.from({ length: lines }, () => element('i')));
}
