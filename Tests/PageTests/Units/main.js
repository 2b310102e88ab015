import './json.test.js';
import './text.test.js';
import './patch.test.js';
import './difference.test.js';
import './view.test.js';
import './ahead.test.js';
import './list.test.js';
import './steprow.test.js';
import './overview.test.js';
import './report.test.js';
import { runAll } from './harness.js';

runAll();
