import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AdmittedReason, CompatibleReason, ProgressingReason } from './requirement/conditions.js';
import { FINALIZER, PATHS, STATIC_CONFIGURATION } from './names.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Every reason there is; a new one does not compile before it is here. */
const REASONS = {
  Progressing: { UpToDate: 0, ConfigurationError: 0, OwnershipConflict: 0, TransientError: 0 } satisfies Record<
    ProgressingReason,
    0
  >,
  Admitted: { Admitted: 0, NotAdmitted: 0 } satisfies Record<AdmittedReason, 0>,
  Compatible: {
    Compatible: 0,
    CompatibleWithWarnings: 0,
    RequirementsNotMet: 0,
    CRDNotFound: 0,
    TransientError: 0,
  } satisfies Record<CompatibleReason, 0>,
};

describe('the README', () => {
  it('lists every condition with its reasons, and no other', () => {
    const rows = [...README.matchAll(/^\| (\w+) \| (?:True|False|Unknown) \| `(\w+)` \|/gm)];
    const documented = rows.map(([, type = '', reason = '']) => `${type} ${reason}`);
    expect(documented).toEqual(
      Object.entries(REASONS).flatMap(([type, reasons]) => Object.keys(reasons).map((reason) => `${type} ${reason}`)),
    );
  });

  it('names the paths, the configuration and the finalizer', () => {
    for (const text of [...Object.values(PATHS), STATIC_CONFIGURATION, FINALIZER]) expect(README).toContain(text);
  });
});
