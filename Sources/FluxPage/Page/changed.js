import { element, named, quoted, button, fill } from './dom.js';
import { Turn, isAbandoned } from './answers.js';
import { openPathMenu } from './menu.js';
import { kindOf } from './values.js';
import { pointerTokens, queryText } from './paths.js';
import { counted } from './text.js';
import { slot, hasSlot, notice, errorNotice, skeleton, stepLink } from './pieces.js';

const SIGNS_OF_CHANGES = { add: ['+', 'added'], remove: ['−', 'removed'], replace: ['~', 'changed'],
  move: ['>', 'moved'], swap: ['>', 'swapped'], moves: ['>', 'moved'] };
const SHOWN_CHANGES = 300;
// An answer has so many characters around an edit.
const CONTEXT_SHOWN = 40;

/** The differences between two models, as a tree of the places that differ. */
export class ChangesView {
  constructor(page, { labels = ['before', 'after'], showsBlame = false } = {}) {
    Object.assign(this, { page, labels, showsBlame });
    this.node = element('div', { class: 'changes', tabindex: '0' });
    this.turn = new Turn();
  }

  /** Loads and shows the differences of a request. */
  async show(request, { empty } = {}) {
    const signal = this.await();
    try {
      const answer = await this.page.ask('difference', { ...request, from: 0, count: SHOWN_CHANGES }, signal);
      if (signal.aborted) return;
      this.take(answer, { empty, request });
    } catch (error) {
      clearTimeout(this.waiting);
      if (!isAbandoned(error) && !signal.aborted) fill(this.node, errorNotice(error, 'Unknown here'));
    }
  }

  /** Shows that differences are on their way, if they take long; returns the signal of their request. */
  await() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => fill(this.node, skeleton()), 120);
    return this.turn.begin();
  }

  /** Shows the differences of an answer, and the steps that wrote the values before if it tells them. */
  take(answer, { empty, request, written }) {
    clearTimeout(this.waiting);
    this.request = request;
    if (answer.error) {
      fill(this.node, errorNotice(answer.error, 'Unknown here'));
      return;
    }
    this.answer = answer;
    this.draw(empty);
    this.blame(written ?? []);
  }

  say(message) {
    clearTimeout(this.waiting);
    this.turn.begin();
    fill(this.node, message);
  }

  draw(empty) {
    const { answer } = this;
    const remarks = [...(answer.notes ?? [])];
    if (answer.restored) remarks.push('The app went back to another model right before this step, and the changes are compared with that one.');
    else if (answer.afterGap) remarks.push('Steps are missing before this one: they may have made some of these changes.');
    if (answer.unwritten) remarks.push(`Not written, because the recorder was behind: ${answer.unwritten.join(', ')}`);
    if (answer.notRecorded) remarks.push(`Not recorded, so they may have changed: ${answer.notRecorded.join(', ')}`);
    const tree = groupedChanges(answer.changes);
    const more = answer.total > answer.changes.length
      ? button(`Show more of ${counted(answer.total, 'change')}`, 'Show more changes', () => this.more(), { class: 'plain' }) : null;
    fill(this.node,
      remarks.map((remark) => element('p', { class: 'remark' }, quoted(remark))),
      answer.changes.length ? this.items(tree, 0)
        : answer.notRecorded ? null : empty ?? notice('No difference', 'The two models are equal.'), more);
  }

  async more() {
    const part = await this.page.ask('difference', { ...this.request, from: this.answer.changes.length, count: 500 });
    this.answer.changes.push(...part.changes);
    this.draw();
  }

  // Lines

  items(group, depth) {
    return group.items.map((item) => (item.change ? this.line(item, depth) : this.group(item, depth)));
  }

  group(group, depth) {
    const name = element(depth ? 'span' : 'h3', { class: 'group-name' }, depth ? null : this.page.storeDot(group.key), named(group.key));
    return element('section', { class: depth ? 'group' : 'group store' }, name, this.items(group, depth + 1));
  }

  line(item, depth) {
    const { change, key } = item;
    const { path, identity } = change;
    const [sign, word] = SIGNS_OF_CHANGES[change.op];
    const name = element('span', { class: 'key' }, named(key));
    const line = element('div', { class: `change ${change.op}${depth ? '' : ' store'}`, 'data-path': path },
      element('span', { class: 'sign', role: 'img', title: word, 'aria-label': word, text: sign }), name,
      identity === undefined ? null : element('span', { class: 'soft' }, quoted(identity)),
      element('span', { class: 'content' }, this.content(change)));
    if (this.showsBlame) line.append(element('span', { class: 'by' }), this.tools(change));
    return line;
  }

  content(change) {
    const { op, splice } = change;
    if (op === 'move') return [`moved from ${change.from}`];
    if (op === 'swap') return [`swapped with ${change.with} `, element('span', { class: 'soft' }, quoted(change.withIdentity))];
    if (op === 'moves') return [`${counted(change.count, 'element')} ${change.reversed ? 'in reverse order' : 'moved'}`];
    if (splice && (splice.before || splice.after)) return [spliceText(splice)];
    const old = hasSlot(change, 'old') ? element('del', { title: this.labels[0] }, slot(change, 'old')) : null;
    const now = hasSlot(change, 'new') ? element('ins', { title: this.labels[1] }, slot(change, 'new')) : null;
    return [old, old && now ? element('span', { class: 'arrow', role: 'img', 'aria-label': 'becomes', text: ' → ' }) : null, now];
  }

  /** Opens what can be done with a value. */
  tools({ path, new: value }) {
    const query = queryText(pointerTokens(path));
    const opener = button('⋯', `More about ${query}`, () => {
      openPathMenu(this.page, { path, kind: value === undefined ? undefined : kindOf(value) }, opener.getBoundingClientRect(), opener,
        { place: this.page.row, of: 'state', canReveal: true });
    });
    return element('span', { class: 'tools' }, opener);
  }

  /** Adds the steps that wrote each of the first values before. */
  blame(written) {
    for (const { path, writes, more } of written) {
      const line = [...this.node.querySelectorAll('.change')].find((node) => node.dataset.path === path);
      if (!line || !writes.length) continue;
      fill(line.querySelector('.by'), 'written by ',
        writes.map((write, place) => [place ? ', ' : '', write.type === undefined ? 'the start' : stepLink(this.page, write.row, write.n)]).flat(),
        more ? ' …' : '');
    }
  }
}

/** A text with what was deleted from it and inserted into it. */
function spliceText({ at, before, del, ins, after, cut }) {
  const [starts, ends] = [at <= Array.from(before).length, Array.from(after).length < CONTEXT_SHOWN];
  return element('span', { class: 'splice' }, element('span', { class: 'soft', text: starts ? '"' : '…' }), quoted(before),
    del ? element('del', {}, quoted(del)) : null, ins ? element('ins', {}, quoted(ins)) : null, quoted(after),
    element('span', { class: 'soft', text: cut ? '… (cut)' : ends ? '"' : '…' }));
}

/** Groups changes by the containers that they are in, in their order. */
export function groupedChanges(changes) {
  const root = { items: [], groups: new Map() };
  for (const change of changes) {
    const tokens = pointerTokens(change.path) ?? [change.path];
    let group = root;
    for (const token of tokens.slice(0, -1)) {
      if (!group.groups.has(token)) {
        const made = { key: token, items: [], groups: new Map() };
        group.groups.set(token, made);
        group.items.push(made);
      }
      group = group.groups.get(token);
    }
    group.items.push({ change, key: tokens.at(-1) });
  }
  return root;
}
