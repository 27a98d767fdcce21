import { invalidRows } from '@capstan/crd-compat/testing';
import { expect } from 'vitest';
import { CRDS } from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('invalid-definitions');

/** Statuses of a body that cannot be decoded, and of one that is not valid. */
const UNREADABLE = 400;
const INVALID = 422;

for (const { crd, field, reason, what } of invalidRows) {
  it(
    `the compatibility checker and the server refuse ${what} alike`,
    async (s) => {
      const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd };
      const answer = await s.quiet('POST', `${CRDS}?dryRun=All`, { body });
      const { details, message } = answer.object() as unknown as {
        readonly message: string;
        readonly details?: { readonly causes?: readonly { readonly field: string }[] };
      };
      if (answer.status === UNREADABLE) {
        expect(reason).toBeUndefined();
        return;
      }
      expect([answer.status, message]).toEqual([INVALID, expect.stringContaining(reason ?? '')]);
      expect(details?.causes?.map((cause) => cause.field)).toContain(field);
    },
    { recordsNothing: true },
  );
}
