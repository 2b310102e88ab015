import { element, quoted, button, byId, fill } from './dom.js';
import { counted, grouped, secondsText, microseconds, instantText, shown, bytesText } from './text.js';
import { HTTPSource, takeToken } from './http.js';
import { openers } from './answers.js';
import { Page } from './page.js';
import { readView } from './view.js';
import { StepsPane } from './steps.js';
import { DetailPane } from './detail.js';
import { Overview } from './overview.js';
import { ConsolePane } from './console.js';
import { Keyboard } from './keys.js';
import { mountSplitter, mountTheme } from './chrome.js';
import { RunningApp } from './app.js';

openers.served = () => new HTTPSource(takeToken());

const block = byId('flux-data');
// The modules of a report may come after this one in the script.
Promise.resolve().then(() => (block ? openers.report(block) : openers.served())).then(start).catch(fail);

async function start(source) {
  const page = new Page(source);
  const view = readView(location.hash);
  if (view.log) source.log = view.log;
  const steps = new StepsPane(page);
  const detail = new DetailPane(page);
  const overview = new Overview(page);
  const terminal = new ConsolePane(page);
  const cycleTheme = mountTheme(page);
  new Keyboard(page, { steps, terminal, cycleTheme });
  mountSplitter();
  page.info = await source.ask('info', {});
  page.on('info', () => drawHeader(page));
  page.on('verified', () => {
    steps.showDivergences();
    overview.paint();
    detail.showTab();
  });
  steps.showDivergences();
  if (page.info.capabilities?.running) new RunningApp(page);
  page.row = page.firstRow;
  page.emit('info');
  document.body.classList.remove('loading');
  await openView(page, view, source);
  if (!page.step) await page.loadStep();
  if (String(view.tab) === 'undefined') detail.showTab();
  byId('list').focus({ preventScroll: true });
  addEventListener('popstate', () => page.applyFragment());
  if (source.isLive) follow(page);
  // For tests and for people who look under the bonnet.
  window.fluxPage = page;
  document.body.dataset.ready = 'true';
  overview.load();
}

/** Opens the view of the fragment; without one, the end of a live log, or what a report is about. */
async function openView(page, view, source) {
  const opening = source.opening === undefined ? null : Number(source.opening);
  if (!view.position && opening !== null) {
    if (page.info.divergences?.length) view.tab ??= 'compare';
    view.position = `row:${opening}`;
  }
  await page.apply(view);
  if (view.position) return;
  if (page.info.capabilities?.live && !page.info.closed) await page.go(page.endRow - 1);
  else if (page.endRow > page.firstRow + 1) await page.go(page.firstRow + 1, { byUser: false });
}

function drawHeader(page) {
  const { info } = page;
  document.title = `${shown(info.title)} - flux-inspect`;
  fill(byId('title'), quoted(info.title), info.file && info.file !== info.title ? element('span', { class: 'file' }, quoted(info.file)) : null);
  const first = info.first?.t === undefined ? 0 : microseconds(info.first.t);
  const duration = info.last?.t === undefined ? null : secondsText(microseconds(info.last.t) - first);
  const state = info.torn ? 'torn at the end' : info.closed ? (info.continued ? 'continued' : 'closed') : 'not closed';
  fill(byId('facts'), counted(info.steps, 'step'), duration ? `, ${duration}` : '', `, ${bytesText(info.bytes)}, ${state}`,
    info.created ? element('time', { title: instantText(info.created, '0'), text: `, ${info.created.slice(0, 10)}` }) : null,
    info.complete === false ? element('span', { class: 'soft', text: `, reading ${grouped(Math.floor(info.indexed / Math.max(1, info.bytes) * 100))} %` }) : null);
  drawTools(page);
  drawBanner(info);
  const live = byId('live');
  live.hidden = !info.capabilities?.live || info.closed;
  live.className = page.follows ? 'follows' : '';
  fill(live, button(page.follows ? '● Live' : '○ Live', page.follows ? 'New steps are shown as they come' : 'Follow new steps', () => {
    page.follows = true;
    page.go(page.endRow - 1);
    drawHeader(page);
  }));
}

function drawTools(page) {
  if (byId('logs') || !(page.info.logs?.length > 1)) return;
  const choice = element('select', { id: 'logs', 'aria-label': 'Log', onchange: () => {
    location.hash = `#/?log=${encodeURIComponent(choice.value)}`;
    location.reload();
  } }, page.info.logs.map((name) => element('option', { value: name, selected: name === (page.source.log ?? page.info.logs[0]) }, shown(name))));
  byId('tools').prepend(choice);
}

function drawBanner(info) {
  const lines = [...(info.warnings ?? []), ...(info.inflight ?? []).map((action) => action.text), ...(info.report?.left ? [info.report.left] : [])];
  const banner = byId('banner');
  banner.hidden = lines.length === 0;
  const rest = lines.length > 2 ? [element('details', {}, element('summary', { text: `${lines.length - 1} more` }), lines.slice(1).map((line) => element('p', {}, quoted(line))))]
    : lines.slice(1).map((line) => element('p', {}, quoted(line)));
  fill(banner, element('p', {}, quoted(lines[0] ?? '')), rest, info.report?.left ? element('code', {}, quoted(info.report.shell)) : null);
}

/** Shows what is appended to the log, and moves with it unless the person moved elsewhere. */
function follow(page) {
  const ending = new AbortController();
  page.source.follow(() => page.info.rows, ending.signal, (event) => {
    if (event.event === 'rows') grow(page, event);
    else if (event.event === 'lost' || event.event === 'gone') warn(event.message ?? 'The server does not answer');
    else if (byId('banner').dataset.lost) drawBanner(page.info);
    if (event.event !== 'lost') delete byId('banner').dataset.lost;
  });
  addEventListener('pagehide', () => ending.abort());
}

function grow(page, event) {
  const { rows, steps, last, bytes, indexed, complete, closed, from } = event;
  Object.assign(page.info, { rows, steps, last, bytes, indexed, complete, closed });
  if (from !== undefined) page.emit('replaced', from);
  page.emit('info');
  if (page.follows && page.row !== page.endRow - 1) page.go(page.endRow - 1, { byUser: false });
  else if (from !== undefined && page.row >= from) page.loadStep();
}

function warn(message) {
  const banner = byId('banner');
  banner.dataset.lost = 'true';
  banner.hidden = false;
  fill(banner, element('p', {}, quoted(message)));
}

function fail(error) {
  document.body.classList.remove('loading');
  document.body.classList.add('failed');
  fill(byId('panes'), element('div', { class: 'notice' }, element('strong', { text: 'The recording cannot be opened' }),
    element('p', {}, quoted(error.message)), error.hint ? element('code', {}, quoted(error.hint)) : null));
  document.body.dataset.ready = 'failed';
}
