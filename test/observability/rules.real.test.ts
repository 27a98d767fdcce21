import { describe, expect, it } from 'vitest';
import { firingOf, runCase } from './alert-case.js';
import { ALERT_CASES } from './cases/index.js';
import { hasPromtool, promtool, promtoolTest, RULES_FILE } from './promtool.js';

/*
 * The same table before the real Prometheus: its promtool evaluates our rules over the same series. It is built by
 * `npm run real-kube:build`; where it is missing these are skipped.
 */

if (!hasPromtool()) console.log('our rules are not given to promtool, which is not built');

/** The tests of a file, and the rules they are about. */
function testFile(tests: readonly unknown[]): Readonly<Record<string, unknown>> {
  return { ...RULES_FILE, 'tests.yaml': { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests } };
}

describe.skipIf(!hasPromtool())('promtool', () => {
  it('finds nothing wrong with the rules', async () => {
    const output = await promtool(['check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml'], RULES_FILE);
    expect(output).toMatch(/SUCCESS: [1-9]\d* rules found/);
  });

  // In one call: to start the tool takes longer than all the cases. It names those whose results differ.
  it(`agrees with all ${ALERT_CASES.length} cases`, { timeout: 180_000 }, async () => {
    const tests = ALERT_CASES.map((each) => {
      const result = runCase(each);
      expect(firingOf(result), `${each.alert} ${each.name}`).toEqual(each.firing);
      return promtoolTest(each, result);
    });
    expect(await promtool(['test', 'rules', 'tests.yaml'], testFile(tests))).toContain('SUCCESS');
  });

  it('would fail if an alert fired at another minute or had another text', { timeout: 180_000 }, async () => {
    const [each] = ALERT_CASES.filter(({ firing }) => firing.length > 0);
    if (each === undefined) throw new Error('no case in which an alert fires');
    const result = runCase(each);
    const late = { ...result, firing: [[], ...result.firing.slice(0, -1)] };
    const other = result.firing.map((alerts) =>
      alerts.map((alert) => ({ ...alert, annotations: { summary: 'other' } })),
    );
    for (const wrong of [late, { ...result, firing: other }])
      await expect(promtool(['test', 'rules', 'tests.yaml'], testFile([promtoolTest(each, wrong)]))).rejects.toThrow(
        'FAILED',
      );
  });
});
