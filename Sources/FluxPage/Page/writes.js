import { element, quoted, button, byId, fill } from './dom.js';
import { Turn, isAbandoned } from './answers.js';
import { pointerTokens, queryText } from './paths.js';
import { errorNotice, hasSlot, slot, skeleton, stepLink } from './pieces.js';

const LIMIT = 50;

/** The steps that wrote a value: newest first as "who wrote this", oldest first as "values over time". */
export class WritesPanel {
  constructor(page) {
    this.page = page;
    this.turn = new Turn();
    this.node = byId('writes');
    page.on('writes', (request) => this.open(request));
  }

  async open({ path, direction }) {
    const signal = this.turn.begin();
    const isBlame = direction === 'backwards';
    this.list = element('ol', { class: 'links' });
    this.status = element('div', { class: 'status' }, skeleton(3));
    const query = queryText(pointerTokens(path));
    fill(this.node, element('header', {}, element('h3', {}, isBlame ? 'Who wrote ' : 'Values of ', quoted(query, 'path')),
      button(isBlame ? 'over time' : 'blame', isBlame ? 'Values over time' : 'Who wrote this',
        () => this.open({ path, direction: isBlame ? 'forwards' : 'backwards' }), { class: 'plain' }),
      button('pin', 'Pin chart', () => this.page.togglePin(path), { class: 'plain' }),
      button('×', 'Close', () => this.close(), { class: 'plain' })), this.list, this.status);
    this.node.hidden = false;
    this.request = { path, direction, row: this.page.row, limit: LIMIT };
    await this.load(signal);
  }

  close() {
    this.turn.end();
    this.node.hidden = true;
    byId('panel').focus();
  }

  /** Loads until there is a page of writes; then a button asks for more. */
  async load(signal, next) {
    let count = 0;
    try {
      do {
        const part = await this.page.ask('writes', { ...this.request, next }, signal);
        if (signal.aborted) return;
        for (const write of part.writes) this.list.append(this.line(write));
        if (!count && part.writes.length && !document.activeElement?.matches('input')) this.list.querySelector('a').focus({ preventScroll: true });
        count += part.writes.length;
        next = part.next;
        if (next !== undefined) this.status.textContent = 'Searching';
      } while (next !== undefined && count < LIMIT);
      fill(this.status, next === undefined ? this.endText() : button('Show more', 'Show more writes', () => this.load(signal, next), { class: 'plain' }));
    } catch (error) {
      if (!isAbandoned(error)) fill(this.status, errorNotice(error, 'Nobody wrote it'));
    }
  }

  endText() {
    return this.list.childElementCount ? '' : 'No step wrote this value.';
  }

  line(write) {
    const value = hasSlot(write, 'value') ? slot(write, 'value', 120) : element('span', { class: 'none', text: 'removed' });
    return element('li', { class: write.row === this.page.row ? 'here' : '' },
      write.type === undefined ? stepLink(this.page, write.row, 'start') : stepLink(this.page, write.row, write.n, write.type),
      ' ', value, write.afterGap ? element('span', { class: 'soft', text: ' (steps before it are missing)' }) : null);
  }
}
