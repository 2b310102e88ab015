// The smallest harness that does the job: a test is a claim and a body; the results are one array.

const tests = [];

export function test(claim, body) {
  tests.push({ claim, body });
}

/** Fails unless two values have the same JSON text. */
export function same(actual, expected) {
  const [left, right] = [text(actual), text(expected)];
  if (left !== right) throw new Error(`expected ${right}, got ${left}`);
}

/** Fails unless the body throws an error whose message contains the text. */
export function refuses(body, message = '') {
  try {
    body();
  } catch (error) {
    if (!error.message.includes(message)) throw new Error(`expected "${message}" in "${error.message}"`);
    return;
  }
  throw new Error('expected an error');
}

function text(value) {
  return JSON.stringify(value, (_, inner) => (inner === undefined ? 'undefined' : inner));
}

export async function runAll() {
  const results = [];
  for (const { claim, body } of tests) {
    try {
      await body();
      results.push({ claim, ok: true });
    } catch (error) {
      results.push({ claim, ok: false, message: error.message, stack: error.stack });
    }
  }
  window.results = results;
}
