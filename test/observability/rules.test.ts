import { OBSERVED } from '@capstan/cli/observability';
import { alertsOf } from '@capstan/observability';
import { describe, expect, it } from 'vitest';
import { firingOf, runCase } from './alert-case.js';
import { ALERT_CASES } from './cases/index.js';

describe('alerts', () => {
  it.each(ALERT_CASES.map((each) => [`${each.alert} ${each.name}`, each] as const))('%s', (_title, each) => {
    expect(firingOf(runCase(each))).toEqual(each.firing);
  });

  it('all have cases in which they must fire and cases in which they must not', () => {
    const namesOf = (fires: boolean): Set<string> =>
      new Set(ALERT_CASES.filter(({ firing }) => firing.length > 0 === fires).map(({ alert }) => alert));
    const names = new Set(alertsOf(OBSERVED).map(({ alert }) => alert));
    expect(names.size).toBeGreaterThan(1);
    expect([namesOf(true), namesOf(false)]).toEqual([names, names]);
  });
});
