import { describe, expect, it } from 'vitest';
import { countOf } from './checked.js';
import type { Checked } from './checked.js';
import { markdownReport } from './markdown.js';
import { sarifLog } from './sarif.js';

const CHECKED: readonly Checked[] = [
  {
    requirement: 'ours',
    definition: 'ships.example.com',
    source: 'crds/ships.yaml',
    line: 7,
    report: {
      verdict: 'Incompatible',
      findings: [
        {
          rule: 'field-removed',
          severity: 'error',
          version: 'v1',
          path: 'spec.a',
          message: 'a | b\nc',
          required: { type: 'string' },
        },
        { rule: 'type-widened', severity: 'warning', path: 'spec.scope', message: 'wide' },
      ],
    },
  },
  {
    requirement: 'theirs',
    definition: 'ports.example.com',
    source: 'the cluster',
    report: { verdict: 'Compatible', findings: [] },
  },
];

describe('a result', () => {
  it('is counted', () => {
    expect(countOf(CHECKED)).toEqual({ errors: 1, warnings: 1 });
  });

  it('is a page of Markdown whose cells stay cells', () => {
    expect(markdownReport(CHECKED)).toBe(
      [
        '# Compatibility of CRDs',
        '',
        '1 error, 1 warning.',
        '',
        '## ships.example.com (crds/ships.yaml) for ours: Incompatible',
        '',
        '| severity | where | what | rule | required | live |',
        '|---|---|---|---|---|---|',
        '| error | v1 spec.a | a \\| b<br>c | field-removed | {"type":"string"} |  |',
        '| warning | spec.scope | wide | type-widened |  |  |',
        '',
        '## ports.example.com (the cluster) for theirs: Compatible',
        '',
      ].join('\n'),
    );
  });

  it('is a SARIF log that describes each rule it names, once', () => {
    const log = sarifLog(CHECKED, { name: 'capstan', version: '1' });
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'capstan', rules: [{ id: 'field-removed' }, { id: 'type-widened' }] } },
          results: [
            {
              ruleId: 'field-removed',
              ruleIndex: 0,
              level: 'error',
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: 'crds/ships.yaml' }, region: { startLine: 7 } },
                  logicalLocations: [{ fullyQualifiedName: 'ships.example.com.v1.spec.a' }],
                },
              ],
            },
            { ruleId: 'type-widened', ruleIndex: 1, level: 'warning' },
          ],
        },
      ],
    });
  });
});
