import { describe, expect, test } from 'vitest';
import { invalidRows } from './invalid-definitions.table.js';
import { prepareRequirement } from './requirement.js';
import { check, widget, widgets } from './testing.js';
import { definitionErrors } from './validity/invalid-definition.js';

const valid = widget({ a: { type: 'string' } });

describe('a CRD with', () => {
  test.each(invalidRows.map((row) => [row.what, row] as const))(
    '%s is refused, live or required',
    (_, { crd, field, reason }) => {
      const { findings, verdict } = check(valid, crd);
      expect(verdict).toBe('Incompatible');
      expect(new Set(findings.map(({ rule, severity }) => `${severity} ${rule}`))).toEqual(
        new Set(['error invalid-definition']),
      );
      const found = findings.find(({ path }) => path === field);
      expect(findings.map(({ path }) => path)).toContain(field);
      expect(found?.message).toContain(reason ?? '');
      expect(found?.proof).toMatchObject({ outcome: { kind: 'rejected' } });
      const prepared = prepareRequirement(crd, { versions: ['v1'] });
      expect('errors' in prepared && prepared.errors.map((error) => error.field)).toContain(field);
    },
  );

  test('something that a server has taken before is not held against it', () => {
    for (const { crd } of invalidRows) expect(definitionErrors(crd, { minor: 36, stored: crd })).toEqual([]);
    const legacy = widget({ a: { type: 'string' } }, {}, { preserveUnknownFields: true });
    expect(definitionErrors(structuredClone(legacy), { minor: 36, stored: legacy })).toEqual([]);
  });

  test('nothing wrong has no error', () => {
    expect(definitionErrors(valid, { minor: 36 })).toEqual([]);
  });

  test('a schema that was valid without a status subresource is validated again with one', () => {
    const schema = { openAPIV3Schema: { type: 'object', maxProperties: 5 } };
    const version = { name: 'v1', served: true, storage: true, schema };
    const crd = widgets([version]);
    const withStatus = widgets([{ ...version, subresources: { status: {} } }]);
    expect(definitionErrors(crd, { minor: 36 })).toEqual([]);
    expect(definitionErrors(withStatus, { minor: 36 })).toHaveLength(1);
    expect(definitionErrors(crd, {})).toEqual([]);
  });

  test('values beyond what numbers hold exactly is read', () => {
    const wide = { type: 'integer', format: 'int64', maximum: 2n ** 63n - 1n, minimum: -(2n ** 63n) };
    expect(definitionErrors(widget({ a: wide }), { minor: 36 })).toEqual([]);
  });
});
