import { button, byId, makeMovable, setLabel } from './dom.js';

const THEMES = ['auto', 'light', 'dark'];

/** Reads or writes a setting of this browser; a page from disk may have no storage. */
function setting(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    // Without storage, the setting lasts as long as the page.
  }
  return value ?? null;
}

/** Adds the buttons for the theme and for help; returns what chooses the next theme. */
export function mountTheme(page) {
  let theme = setting('flux-theme') ?? 'auto';
  const faces = { auto: '◐', light: '○', dark: '●' };
  const face = button('', '', () => cycle(), { id: 'theme' });
  const apply = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    face.textContent = faces[theme];
    setLabel(face, `Theme: ${theme}`);
    page.emit('theme');
  };
  const cycle = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setting('flux-theme', theme);
    apply();
  };
  byId('tools').append(face, button('?', 'Keys', () => byId('help').showModal(), { 'aria-keyshortcuts': '?' }));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => page.emit('theme'));
  apply();
  return cycle;
}

/** Lets the person choose the width of the list, with the pointer or the arrow keys. */
export function mountSplitter() {
  const splitter = byId('splitter');
  const move = makeMovable(splitter, {
    property: '--split', unit: '%', start: Number(setting('flux-split')) || 34, moves: { ArrowLeft: -2, ArrowRight: 2 },
    limit: (share) => Math.max(18, Math.min(70, share)), placeOf: (event) => event.clientX / innerWidth * 100,
    moved: (share) => setting('flux-split', share),
  });
  splitter.addEventListener('dblclick', () => move(34));
}
