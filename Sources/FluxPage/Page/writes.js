import { element, quoted, button, byId, fill } from './dom.js';
import { Turn, askForRows, askOn, isAbandoned } from './answers.js';
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
    this.earlier = element('div', { class: 'status' });
    const query = queryText(pointerTokens(path));
    fill(this.node, element('header', {}, element('h3', {}, isBlame ? 'Who wrote ' : 'Values of ', quoted(query, 'path'), isBlame ? '' : ' from here on'),
      button(isBlame ? 'over time' : 'blame', isBlame ? 'Values over time' : 'Who wrote this',
        () => this.open({ path, direction: isBlame ? 'forwards' : 'backwards' }), { class: 'plain' }),
      button('pin', 'Pin chart', () => this.page.togglePin(path), { class: 'plain' }),
      button('×', 'Close', () => this.close(), { class: 'plain' })), this.earlier, this.list, this.status);
    this.node.hidden = false;
    this.request = { path, direction, row: this.page.row, limit: LIMIT };
    this.lines = [];
    if (!isBlame) await this.loadEarlier(signal, 1);
    await this.load(signal);
  }

  close() {
    this.turn.end();
    this.node.hidden = true;
    byId('panel').focus();
  }

  /** Puts earlier values above; the first of them is the value here. */
  async loadEarlier(signal, limit) {
    const row = this.lines.length ? this.lines[0].row - 1 : this.page.row;
    fill(this.earlier);
    if (row < this.page.firstRow) return;
    try {
      const request = { ...this.request, direction: 'backwards', row, limit: limit + 1 };
      const { rows: found } = await askForRows(this.page, 'writes', request, signal);
      if (signal.aborted) return;
      // One more than is shown tells the old value of the first.
      this.oldest = found[limit];
      this.lines.unshift(...found.slice(0, limit).reverse());
      if (this.oldest) fill(this.earlier, button('Earlier values', 'Show earlier values', () => this.loadEarlier(signal, LIMIT), { class: 'plain' }));
      this.draw();
    } catch (error) {
      if (!isAbandoned(error)) fill(this.status, errorNotice(error, 'Nobody wrote it'));
    }
  }

  /** Loads until there is a page of writes; then a button asks for more. */
  async load(signal, next) {
    let count = 0;
    try {
      await askOn(this.page, 'writes', { ...this.request, next }, signal, (part) => {
        this.lines.push(...part.writes);
        this.draw();
        if (!count && this.lines.length && !document.activeElement?.matches('input')) {
          (this.list.querySelector('.here a') ?? this.list.querySelector('a')).focus({ preventScroll: true });
        }
        count += part.writes.length;
        next = part.next;
        if (next !== undefined) this.status.textContent = 'Searching';
        return count < LIMIT;
      });
      if (signal.aborted) return;
      fill(this.status, next !== undefined ? button('Show more', 'Show more writes', () => this.load(signal, next), { class: 'plain' })
        : this.lines.length ? '' : 'No step wrote this value.');
    } catch (error) {
      if (!isAbandoned(error)) fill(this.status, errorNotice(error, 'Nobody wrote it'));
    }
  }

  draw() {
    const isBlame = this.request.direction === 'backwards';
    fill(this.list, this.lines.map((write, place) => this.line(write, isBlame ? undefined : this.lines[place - 1] ?? this.oldest)));
  }

  /** One write; over time with the value before it. */
  line(write, before) {
    const value = hasSlot(write, 'value') ? slot(write, 'value', 120) : element('span', { class: 'none', text: 'removed' });
    const old = before && hasSlot(before, 'value') ? [element('del', {}, slot(before, 'value', 60)), element('span', { class: 'arrow', text: ' → ' })] : null;
    return element('li', { class: write.row === this.page.row ? 'here' : '' },
      write.type === undefined ? stepLink(this.page, write.row, 'start') : stepLink(this.page, write.row, write.n, write.type),
      ' ', old, value, write.afterGap ? element('span', { class: 'soft', text: ' (steps before it are missing)' }) : null);
  }
}
