import { describe, expect, test } from 'vitest';
import { rules } from './catalogue.js';
import { readDefinition } from './definition.js';
import { compareAnswers } from './proof/definition-server.js';
import type { CompatibilityReport } from './report.js';
import { type Row, acceptanceRows as rows } from './testing-rows.js';
import { check } from './testing.js';

function checkRow({ live, options, required, stored }: Row): CompatibilityReport {
  return check(required, live, { ...options, ...(stored === true && { stored: live }) });
}

describe('the acceptance table', () => {
  test.each(rows.map((row): [number, string, Row] => [row.row, row.change, row]))('%i: %s', (_number, _change, row) => {
    const report = checkRow(row);
    expect(report.findings.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`)).toEqual(row.found);
    const errors = report.findings.filter(({ severity }) => severity === 'error');
    expect(errors.filter(({ proof }) => proof === undefined)).toEqual([]);
    expect(errors.filter(({ proof }) => proof === 'cannot be proved')).toHaveLength(row.unproved ?? 0);
    expect(check(row.required, structuredClone(row.required), row.options).findings).toEqual([]);
  });

  test.each(rows.map((row): [number, string, Row] => [row.row, row.change, row]))(
    '%i: %s: requests of its witnesses have the reported outcome when sent to both',
    (_number, _change, row) => {
      const { live, options, required } = row;
      const minor = options?.server?.minor ?? 36;
      const sides = [readDefinition(required, minor), readDefinition(live, minor)] as const;
      for (const { proof } of checkRow(row).findings) {
        if (typeof proof !== 'object') continue;
        expect(compareAnswers(...sides, proof, () => undefined)).toEqual(proof.outcome);
        expect(compareAnswers(sides[0], sides[0], proof, () => undefined)).toBeUndefined();
      }
    },
  );

  test('has every change from 1 to 73 that is not about updates of a CRD or about deleting it', () => {
    expect([...new Set(rows.map(({ row }) => row))].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 73 }, (_, at) => at + 1),
    );
  });

  test('meets every rule of the catalogue', () => {
    const met = new Set(rows.flatMap(({ found }) => found.map((line) => line.split(' ')[1])));
    // One that is refused has a table of its own.
    expect([...rules.keys()].filter((id) => !met.has(id))).toEqual(['invalid-definition', 'crd-removed']);
  });
});
