import { test, same } from './harness.js';
import { StepRowView } from '/steprow.js';

test('a row that is used again is not called by the step that it showed', () => {
  const page = { row: 1, divergentRows: [] };
  const rows = new StepRowView({ page, model: { row: (index) => index }, list: {}, lit: null });
  const node = rows.build();
  rows.draw(node, { row: 1, kind: 'mark', text: 'paid' }, 1);
  same(node.getAttribute('aria-label'), 'mark: paid');
  rows.draw(node, undefined, 2);
  same(node.getAttribute('aria-label'), 'Loading');
  same(node.id, 'row-2');
});
