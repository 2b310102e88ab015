import { element, quoted, quotedJSON, button, byId, fill, announce, makeMovable, setLabel } from './dom.js';
import { shown } from './text.js';
import { isAbandoned } from './answers.js';

const KEPT_LINES = 5000;

/** The terminal's commands in the page. Step numbers in the output are links. */
export class ConsolePane {
  constructor(page) {
    this.page = page;
    this.field = byId('command');
    this.output = byId('output');
    this.candidates = byId('candidates');
    this.history = [];
    // The line of the history that the field shows, and the fork that the output is about.
    this.line = 0;
    this.place = null;
    byId('prompt').addEventListener('submit', (event) => this.submitted(event));
    byId('console-fold').addEventListener('click', () => this.setOpen(this.output.hidden));
    this.mountSizer();
    this.field.addEventListener('keydown', (event) => this.key(event));
    this.field.addEventListener('input', () => this.closeCandidates());
    this.field.addEventListener('blur', () => setTimeout(() => this.closeCandidates(), 150));
    page.on('run', (line) => this.run(line));
  }

  focus() {
    this.field.focus();
    this.field.select();
  }

  setOpen(isOpen) {
    this.output.hidden = byId('console-sizer').hidden = !isOpen;
    const fold = byId('console-fold');
    fold.setAttribute('aria-expanded', String(isOpen));
    setLabel(fold, isOpen ? "Hide the console's output" : "Show the console's output");
    if (isOpen) this.output.scrollTop = this.output.scrollHeight;
  }

  /** Lets the person choose how much of the window the output takes, with the pointer or the arrow keys. */
  mountSizer() {
    makeMovable(byId('console-sizer'), {
      property: '--console', unit: 'px', start: innerHeight * 0.28, moves: { ArrowUp: 24, ArrowDown: -24 },
      limit: (height) => Math.round(Math.max(64, Math.min(innerHeight * 0.7, height))),
      placeOf: (event) => this.output.getBoundingClientRect().bottom - event.clientY,
    });
  }

  submitted(event) {
    event.preventDefault();
    const line = this.field.value.trim();
    this.field.value = '';
    if (!line) return;
    this.run(line);
  }

  /** Runs a line, and shows its output as it comes. */
  async run(line) {
    this.history.push(line);
    this.line = this.history.length;
    this.setOpen(true);
    this.print([[['> ', 'dim'], [line, 'heading']]]);
    this.field.setAttribute('aria-busy', 'true');
    const moves = this.page.moves;
    this.place = this.page.fork;
    let printed = 0;
    try {
      let answer = await this.page.ask('run', { line, row: this.page.row });
      for (;;) {
        this.print(answer.lines ?? []);
        printed += answer.lines?.length ?? 0;
        if (answer.done) break;
        this.job = answer.job;
        this.showProgress(answer.progress);
        answer = await this.page.ask('run', { job: answer.job });
      }
      this.finish(answer, printed, moves);
    } catch (error) {
      if (!isAbandoned(error)) this.printError(error);
    }
    this.job = undefined;
    this.progress?.remove();
    this.field.removeAttribute('aria-busy');
  }

  finish(answer, printed, moves) {
    for (const note of answer.notes ?? []) this.print([[[note, 'dim']]]);
    if (answer.error) this.printError(answer.error);
    else if (!printed) this.print([[['no output', 'dim']]]);
    const made = this.showForks(answer.forks ?? []);
    if (answer.verified) this.page.loadVerdict();
    if (answer.row !== undefined && answer.row !== null && moves === this.page.moves) this.follow(answer, made);
    announce(this.output.lastElementChild?.textContent ?? '');
  }

  /** Moves the page to where the command led: to a new fork at its first difference, beside the recording. */
  follow({ fork = null, row }, made) {
    const { page } = this;
    const isNew = made !== undefined && made.fork === fork;
    page.goToPlace(fork, isNew ? made.first ?? row : row, { jump: true });
    if (isNew && made.first !== undefined) page.set('tab', 'compare');
  }

  /** Takes over the forks of the console, and returns one that is new. */
  showForks(forks) {
    const known = this.page.forks;
    const made = forks.filter(({ fork, steps }) => !known.some((other) => other.fork === fork && other.steps === steps));
    this.page.setForks(forks);
    for (const { fork, end, steps } of made) {
      const text = `Compare fork ${fork} with the recording`;
      this.output.append(element('div', { class: 'line' },
        button(text, text, () => this.page.compare({ recorded: end }, { fork, index: steps }), { class: 'plain' })));
    }
    return made.findLast(({ fork }) => !known.some((other) => other.fork === fork));
  }

  cancel() {
    if (this.job === undefined) return;
    this.page.ask('run', { job: this.job, cancel: true }).catch((error) => this.page.explain(error));
  }

  // Output

  print(lines) {
    const isAtEnd = this.output.scrollTop + this.output.clientHeight > this.output.scrollHeight - 40;
    for (const line of lines) {
      // A step of a fork has a number of its own; the step of the recording is the one that it repeats.
      const isForked = line.some(([text]) => /^\s*repeats \d+/.test(text));
      this.output.append(element('div', { class: 'line' }, line.length ? line.map(([text, style]) => this.span(text, style, isForked)) : '\u200b'));
    }
    while (this.output.childElementCount > KEPT_LINES) this.output.firstElementChild.remove();
    if (isAtEnd) this.output.scrollTop = this.output.scrollHeight;
  }

  span(text, style, isForked) {
    const isNumber = style === 'number' && !isForked;
    const found = (isNumber ? /^(\s*)(\d+)(\s*)$/ : /^(\s*(?:repeats|caused by|step) )(\d+)()$/).exec(text);
    if (!found || (isForked && !found[1].includes('repeats'))) return quotedJSON(text, roleClass(style));
    const [, before, number, after] = found;
    // A fork repeats steps of the recording.
    const fork = isForked ? null : this.place;
    return element('span', { class: roleClass(style) }, before,
      element('a', { href: `#/${number}`, class: 'role-number', onclick: (event) => {
        event.preventDefault();
        this.open(fork, number);
      } }, number), after);
  }

  /** Opens a step by its number, on the fork that the output was about. */
  async open(fork, number) {
    const { page } = this;
    if (fork !== page.fork) await page.goToPlace(fork, page.step?.recordedRow ?? page.row);
    await page.goTo(number);
  }

  printError({ message, hint }) {
    // The message about an expression marks the place of the mistake in lines of its own.
    const lines = (text, role) => (text ? text.split('\n').map((line) => [[line, role]]) : []);
    this.print([...lines(message, 'error'), ...lines(hint, 'dim')]);
  }

  showProgress(progress) {
    this.progress ??= element('div', { class: 'line role-dim' });
    if (progress) this.progress.textContent = `${shown(progress.activity)} ${progress.done} of ${progress.total}. Ctrl-C cancels.`;
    this.output.append(this.progress);
  }

  // Keys and completion

  key(event) {
    if (event.key === 'Tab' && !event.shiftKey && this.field.value) this.complete();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') this.walk(event.key === 'ArrowUp' ? -1 : 1);
    else if (event.key === 'Escape') this.escape();
    else if (event.key === 'c' && event.ctrlKey && this.job !== undefined) this.cancel();
    else if (event.key === 'Enter' && !this.candidates.hidden && this.chosen >= 0) this.accept(this.chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  escape() {
    if (!this.candidates.hidden) this.closeCandidates();
    else if (this.field.value) this.field.value = '';
    else byId('list').focus();
  }

  walk(distance) {
    if (!this.candidates.hidden) return this.choose((this.chosen + distance + this.found.candidates.length) % this.found.candidates.length);
    this.line = Math.max(0, Math.min(this.history.length, this.line + distance));
    this.field.value = this.history[this.line] ?? '';
    return undefined;
  }

  async complete() {
    if (!this.candidates.hidden) return this.walk(1);
    const line = this.field.value;
    const cursor = Array.from(line.slice(0, this.field.selectionStart)).length;
    try {
      this.found = await this.page.ask('complete', { line, cursor });
    } catch (error) {
      return this.page.explain(error);
    }
    const { candidates } = this.found;
    if (candidates.length === 1) return this.accept(0);
    if (!candidates.length) return announce('No completion');
    fill(this.candidates, candidates.map(({ text }, place) => element('div',
      { role: 'option', id: `candidate-${place}`, onpointerdown: (event) => { event.preventDefault(); this.accept(place); } },
      quoted(text))));
    this.candidates.hidden = false;
    this.field.setAttribute('aria-expanded', 'true');
    return this.choose(0);
  }

  choose(place) {
    this.chosen = place;
    [...this.candidates.children].forEach((node, other) => node.setAttribute('aria-selected', String(other === place)));
    this.candidates.children[place]?.scrollIntoView({ block: 'nearest' });
    this.field.setAttribute('aria-activedescendant', `candidate-${place}`);
  }

  accept(place) {
    const { from, to, candidates } = this.found;
    const letters = Array.from(this.field.value);
    const start = letters.slice(0, from).join('') + candidates[place].text;
    this.field.value = start + letters.slice(to).join('');
    this.field.setSelectionRange(start.length, start.length);
    this.closeCandidates();
  }

  closeCandidates() {
    this.candidates.hidden = true;
    this.chosen = -1;
    this.field.setAttribute('aria-expanded', 'false');
    this.field.removeAttribute('aria-activedescendant');
  }
}

/** Returns the class of a role of a command's text; the console's names are no others of the page. */
function roleClass(role) {
  return role ? `role-${role}` : '';
}
