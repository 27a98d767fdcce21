import { describe, expect, it } from 'vitest';
import { missedRequeue } from '../testing/planted.js';
import { failureText } from './report.js';
import { runOnce } from './run.js';
import { sweep } from './sweep.js';
import { optionsOf, parseTrace, traceOf } from './trace.js';

describe('a trace', () => {
  it('kept as JSON gives the very same run again', { timeout: 60_000 }, async () => {
    const scenario = missedRequeue(false);
    const { failure } = await sweep(scenario, { firstSeed: 1, seeds: 200, repeatEvery: 1000 });
    if (failure === undefined) throw new Error('the planted bug was not found');
    const trace = parseTrace(JSON.stringify(traceOf(failure, 'abc')));
    expect(trace).toMatchObject({ commit: 'abc', scenario: 'missed-requeue', seed: failure.options.seed });
    expect(trace.violations.map(({ oracle }) => oracle)).toContain('eventually-quiet');
    const again = await runOnce(scenario, optionsOf(trace));
    expect([again.hash, again.violations.map(({ message }) => message)]).toEqual([
      trace.hash,
      trace.violations.map(({ message }) => message),
    ]);
    const [firstLine] = failureText(failure, undefined, 'abc').split('\n');
    expect(firstLine).toBe(`commit abc, seed ${trace.seed}, scenario missed-requeue, hash ${trace.hash}`);
  });

  it.each([
    ['nonsense', 'not a trace: '],
    ['{"format":2}', 'not a trace of this format'],
    ['{"format":1,"scenario":"x","seed":1,"hash":"h","faults":[],"withoutSteps":[]}', 'not a trace of this format'],
  ])('that is %s is refused', (text, message) => {
    expect(() => parseTrace(text)).toThrow(message);
  });
});
