import { element, quoted, button, byId, fill, setLabel } from './dom.js';
import { counted, grouped } from './text.js';
import { isExpression } from './glob.js';
import { queryText } from './paths.js';

const TYPING_PAUSE = 120;

/** The one search box: plain text, a glob of types, or an expression. What is wrong with a query stands below it. */
export class SearchBox {
  constructor(page, { focusList, goToMatch }) {
    Object.assign(this, { page, focusList, goToMatch });
    this.field = byId('filter');
    this.problem = byId('filter-problem');
    this.empty = byId('no-match');
    byId('filter-bar').addEventListener('submit', (event) => {
      event.preventDefault();
      this.apply();
      goToMatch();
      focusList();
    });
    this.field.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.apply(), TYPING_PAUSE);
    });
    this.field.addEventListener('keydown', (event) => this.key(event));
    page.on('filter', (filter) => {
      if (this.field.value.trim() !== filter) this.field.value = filter;
    });
  }

  apply() {
    clearTimeout(this.typing);
    this.page.setFilter(this.field.value.trim());
  }

  key(event) {
    if (event.key === 'Escape') {
      if (this.field.value) this.page.setFilter(this.field.value = '');
      this.focusList();
    } else if (event.key === 'ArrowDown') {
      this.apply();
      this.focusList();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Says why a query finds nothing yet; null if nothing is wrong with it. */
  explain(error) {
    this.problem.hidden = !error;
    this.field.setAttribute('aria-invalid', String(Boolean(error)));
    // An error of an expression points into it, in lines below each other.
    if (error) fill(this.problem, [...error.message.split('\n'), error.hint ?? ''].filter((line) => line.trim()).map((line) => element('span', {}, quoted(line))));
  }

  /** Shows how many steps match, and how far a long search has come. */
  showMatches(matches, isSearch) {
    const field = byId('matches');
    if (!matches) {
      field.textContent = isSearch ? 'searching' : '';
      return;
    }
    const unknown = matches.unknown ? `, ${counted(matches.unknown, 'unknown step')}` : '';
    const progress = matches.isDone ? '' : `+, ${Math.floor(matches.share * 100)} %`;
    field.textContent = `${grouped(matches.matches)}${progress}${unknown}`;
    setLabel(field, `${counted(matches.matches, 'step')} match${progress ? ' so far' : ''}`);
  }

  /** Shows that nothing matches, with examples of each kind of query that find something here. */
  showEmpty(query) {
    this.empty.hidden = query === null;
    if (query === null) return;
    fill(this.empty, element('strong', {}, 'No step matches ', quoted(query)),
      element('p', { text: 'Searches look like this:' }),
      element('ul', { class: 'examples' }, examples(this.page.info).map(([text, meaning]) => element('li', {},
        button(quoted(text), `Search for ${text}`, () => {
          this.page.setFilter(text);
          this.field.focus();
        }, { class: 'plain example' }), ' ', element('span', { class: 'soft', text: meaning })))),
      this.page.filter ? button('Show all steps', 'Show all steps', () => this.page.setFilter(''), { class: 'plain' }) : null);
  }
}

/** Returns a text, a glob and an expression that match steps of this recording; a report has no expressions. */
function examples(info) {
  const types = info.types?.map(({ type }) => type).filter(Boolean) ?? [];
  const type = types.find((type) => !isExpression(type)) ?? types[0] ?? 'cart/add';
  const [, group, mark, name] = /^(.*?)([/.: _-])(.*)$/.exec(type) ?? [null, type, '', type];
  // A glob has neither blanks nor marks of an expression, so `?` stands for them; a text is the first of its words without.
  const glob = Array.from(`${group}${mark}*`, (letter) => (isExpression(letter) ? '?' : letter)).join('');
  const [word = name] = name.match(/[\p{L}\p{N}]+/u) ?? [];
  const text = isExpression(name) ? word : name;
  const list = [[text.toLowerCase().slice(0, 20), 'text in the type or the payload'], [glob, 'types of actions']];
  if (!info.capabilities?.expressions) return [...list, [type, 'one type']];
  const store = queryText([info.stores?.[0]?.name ?? 'cart']);
  return [...list, info.rejections ? ['$.rejected', 'steps that were rejected'] : [`changed(${store})`, `steps that changed ${store}`]];
}
