import { element, quoted, button, byId, fill } from './dom.js';
import { counted, grouped, instantText, shown, bytesText } from './text.js';
import { HTTPSource, takeToken } from './http.js';
import { Refusal, isAbandoned, openers } from './answers.js';
import { Page } from './page.js';
import { readView } from './view.js';
import { errorNotice } from './pieces.js';
import { StepsPane } from './steps.js';
import { DetailPane } from './detail.js';
import { Overview } from './overview.js';
import { ConsolePane } from './console.js';
import { Keyboard } from './keys.js';
import { mountSplitter, mountTheme } from './chrome.js';
import { PlacesBar } from './places.js';
import { Player } from './play.js';
import { conditionText, durationText } from './summary.js';
import { RunningApp } from './app.js';
import { showLogs } from './logs.js';

// What the page says of a log as a whole; an event does not tell it.
const FACTS = ['first', 'stores', 'types', 'rejections', 'gaps', 'inflight', 'torn', 'continued', 'landing', 'reflected', 'warnings'];

const block = byId('flux-data');
// The modules of a report may come after this one in the script.
Promise.resolve().then(() => (block ? openers.report(block) : new HTTPSource(takeToken()))).then(start).catch(fail);

async function start(source) {
  const page = new Page(source);
  // An error that no view shows is shown here; others are faults, which the browser's console names too.
  addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof Refusal || isAbandoned(event.reason)) event.preventDefault();
    page.explain(event.reason);
  });
  const view = readView(location.hash);
  if (view.log) source.log = view.log;
  const cycleTheme = mountTheme(page);
  page.info = await source.ask('info', {});
  source.opening = page.info.opening;
  if (page.info.logs?.length > 1 && !view.log && !view.position) {
    await openFolder(source);
    return;
  }
  const steps = new StepsPane(page);
  const detail = new DetailPane(page);
  const overview = new Overview(page);
  const terminal = new ConsolePane(page);
  new PlacesBar(page);
  const player = new Player(page);
  new Keyboard(page, { steps, terminal, player, cycleTheme });
  mountSplitter();
  for (const event of ['info', 'facts']) page.on(event, () => drawHeader(page));
  page.on('row', () => drawLive(page));
  page.on('verified', () => {
    steps.list.paint();
    overview.paint();
    detail.showTab();
  });
  page.row = page.firstRow;
  page.setForks(page.info.forks ?? []);
  page.emit('info');
  if (page.info.capabilities?.running) new RunningApp(page);
  document.body.classList.remove('loading');
  page.on('facts', () => {
    if (page.isOpening) land(page, detail);
  });
  await openView(page, view, detail);
  if (!page.step) await page.loadStep();
  if (view.tab === undefined) detail.showTab();
  byId('list').focus({ preventScroll: true });
  addEventListener('popstate', () => {
    // A person has written another address, or has gone back.
    page.isOpening = false;
    page.apply(readView(location.hash));
  });
  if (source.isLive) follow(page);
  // For tests and for people who look under the bonnet.
  window.fluxPage = page;
  document.body.dataset.ready = 'true';
  overview.load();
}

/** Shows the logs of a folder; a log opens in the same tab. */
async function openFolder(source) {
  document.body.classList.remove('loading');
  document.body.classList.add('folder');
  await showLogs(source, openLog);
  document.body.dataset.ready = 'true';
}

function openLog(name) {
  location.hash = `#/?log=${encodeURIComponent(name)}`;
  location.reload();
}

/** Opens the view of the fragment; without one, the end of a running app's log, or where something went wrong. */
async function openView(page, view, detail) {
  const { landing, capabilities } = page.info;
  const isLanding = !view.position && view.fork === undefined && landing !== undefined && !capabilities?.running;
  if (isLanding && landing.reason === 'divergence') view.tab ??= 'compare';
  await page.apply(view);
  if (view.position || view.fork !== undefined) return;
  if (isLanding) await land(page, detail);
  else if (page.endRow > page.firstRow) await openRow(page, page.endRow - 1);
}

/** Goes to where something went wrong, below a summary; to the last known step of a log that is still being read. */
async function land(page, detail) {
  const { landing, complete } = page.info;
  page.isOpening = complete === false;
  detail.showsSummary = !page.isOpening;
  await openRow(page, landing.row);
  detail.drawSummary();
}

async function openRow(page, row) {
  await page.go(row, { byUser: false });
  page.follows = page.canFollow && page.row === page.endRow - 1;
  drawLive(page);
}

function drawHeader(page) {
  const { info } = page;
  document.title = `${shown(info.title)} - flux-inspect`;
  fill(byId('title'), button(element('bdi', { text: shown(info.title) }), 'Summary of the recording', () => page.emit('summary'), { id: 'open-summary' }),
    info.file && info.file !== info.title ? element('span', { class: 'file' }, quoted(info.file)) : null);
  fill(byId('facts'), counted(info.steps, 'step'), durationText(info), `, ${bytesText(info.bytes)}, ${conditionText(info)}`,
    info.created ? element('time', { title: instantText(info.created, '0'), text: `, ${info.created.slice(0, 10)}` }) : null,
    info.complete === false ? element('span', { class: 'soft', text: `, reading ${grouped(Math.floor(info.indexed / Math.max(1, info.bytes) * 100))} %` }) : null);
  drawTools(page);
  drawBanner(info);
  drawLive(page);
}

/** Says if the page follows a log that can grow. Nobody writes a log whose app crashed, and that is not live. */
function drawLive(page) {
  const { info } = page;
  const isOpen = page.canFollow && (info.capabilities.running !== undefined || !info.inflight?.length);
  byId('follow')?.remove();
  if (!isOpen) return;
  const isLost = byId('banner').dataset.lost === 'true';
  const face = isLost ? '○ not connected' : page.follows ? '● following' : '○ follow';
  const label = isLost ? 'The server does not answer' : page.follows ? 'New steps are shown as they come' : 'Go to the newest step, and follow new ones';
  byId('live').prepend(button(face, label, () => page.goToPlace(null, page.info.rows - 1), { id: 'follow', class: page.follows && !isLost ? 'follows' : '' }));
}

function drawTools(page) {
  if (byId('logs') || !(page.info.logs?.length > 1)) return;
  const choice = element('select', { id: 'logs', 'aria-label': 'Log', onchange: () => openLog(choice.value) }, page.info.logs.map((name) => element('option', { value: name, selected: name === (page.source.log ?? page.info.logs[0]) }, shown(name))));
  byId('tools').prepend(button('☰', 'All logs of the folder', () => {
    location.hash = '#/';
    location.reload();
  }, { id: 'all-logs' }), choice);
}

function drawBanner(info) {
  const lines = [...(info.warnings ?? []), ...(info.reflected ? [`${info.reflected.join(', ')}: recorded by reflection, cannot be replayed`] : []), ...(info.report?.left ? [info.report.left] : [])];
  const banner = byId('banner');
  banner.hidden = lines.length === 0;
  const rest = lines.length > 2 ? [element('details', {}, element('summary', { text: `${lines.length - 1} more` }), lines.slice(1).map((line) => element('p', {}, quoted(line))))]
    : lines.slice(1).map((line) => element('p', {}, quoted(line)));
  fill(banner, element('p', {}, quoted(lines[0] ?? '')), rest, info.report?.left ? element('code', {}, quoted(info.report.shell)) : null);
}

/** Shows what is appended to the log, and moves with it unless the person moved elsewhere. */
function follow(page) {
  const ending = new AbortController();
  // The log may have been read to its end since the page asked, without another row.
  page.source.follow(() => (page.info.complete === false ? 0 : page.info.rows), ending.signal, (event) => {
    if (event.event === 'app') page.emit('app', event);
    if (event.event === 'rows') grow(page, event);
    else if (event.event === 'lost' || event.event === 'gone') warn(page, event);
    else if (byId('banner').dataset.lost) drawBanner(page.info);
    if (event.event !== 'lost' && event.event !== 'gone') delete byId('banner').dataset.lost;
    drawLive(page);
  });
  addEventListener('pagehide', () => ending.abort());
}

function grow(page, event) {
  const { rows, steps, last, bytes, indexed, complete, closed, from } = event;
  const isNew = rows !== page.info.rows || complete !== page.info.complete;
  Object.assign(page.info, { rows, steps, last, bytes, indexed, complete, closed });
  if (isNew && complete !== false) refresh(page);
  if (from !== undefined) page.emit('replaced', from);
  page.emit('info');
  if (page.fork !== null) return;
  if (page.follows && page.row !== page.endRow - 1) page.go(page.endRow - 1, { byUser: false });
  else if (from !== undefined && page.row >= from) page.loadStep();
}

/** Takes over what a growing log changes besides the numbers in an event, at most once a second. */
function refresh(page) {
  page.refreshing ??= setTimeout(async () => {
    page.refreshing = undefined;
    const info = await page.source.ask('info', {});
    for (const name of FACTS) page.info[name] = info[name];
    page.emit('facts');
  }, page.isOpening ? 0 : 1000);
}

/** Says that the log is not followed. A page that showed the newest step shows the newest one of another recording, too. */
function warn(page, { message, reload }) {
  const banner = byId('banner');
  banner.dataset.lost = 'true';
  banner.hidden = false;
  fill(banner, element('p', {}, quoted(message ?? 'The server does not answer')), reload ? button('Reload', 'Reload the page', () => {
    if (page.follows) history.replaceState(null, '', location.hash.replace(/^#\/[^?]*/, '#/'));
    location.reload();
  }, { id: 'reload', class: 'link' }) : null);
}

function fail(error) {
  document.body.classList.remove('loading');
  document.body.classList.add('failed');
  fill(byId('panes'), errorNotice(error, 'The recording cannot be opened'));
  document.body.dataset.ready = 'failed';
}
