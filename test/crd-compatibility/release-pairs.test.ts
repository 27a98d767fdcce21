import { prepareRequirement, selectVersions } from '@capstan/crd-compat';
import { expect, it } from 'vitest';
import { releasePairs } from './release-pairs.js';
import type { ReleasePair } from './release-pairs.js';

/** Of so many pairs one is proved, each day others; in the long run all. */
const EVERY = process.env['CAPSTAN_PROOFS'] === '1' ? 1 : 12;
const DAY_MS = 86_400_000;
const SLICE = Number(process.env['CAPSTAN_SEED'] ?? Math.floor(Date.now() / DAY_MS)) % EVERY;
const LIMIT_MS = 3_600_000;

const { missing, pairs } = releasePairs(process.env);
const chosen = pairs.filter((_, at) => at % EVERY === SLICE);

function errorsOf({ live, name, required }: ReleasePair): { readonly line: string; readonly isProved: boolean }[] {
  const versions = selectVersions(required, { defaultSelection: 'AllServed' });
  const prepared = 'ok' in versions ? prepareRequirement(required, { versions: versions.ok }) : versions;
  if ('errors' in prepared) throw new TypeError(`${name}: ${JSON.stringify(prepared.errors)}`);
  return prepared.ok
    .check(live)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ path, proof, rule, version }) => ({
      line: `${name}: ${version ?? '-'} ${path} ${rule}`,
      isProved: proof !== 'cannot be proved',
    }));
}

// Releases are in Go's module cache or not; nothing of them is in the repository, and nothing is downloaded here.
const fetch = `go mod download ${missing.join(' ')}`;
const title = `errors of ${chosen.length} pairs of releases (slice ${SLICE} of ${EVERY}) can be proved`;
it.skipIf(pairs.length === 0)(
  pairs.length === 0 ? `releases of CRDs are not in Go's module cache: ${fetch}` : title,
  () => {
    const errors = chosen.flatMap(errorsOf);
    const unproved = errors.filter(({ isProved }) => !isProved);
    const share = ((100 * unproved.length) / errors.length).toFixed(1);
    process.stdout.write(
      `${chosen.length} pairs of releases: ${unproved.length} of ${errors.length} errors (${share} %) cannot be proved; ${missing.length} releases are not in Go's module cache\n`,
    );
    expect(errors.length).toBeGreaterThan(0);
    // A slice is too small to hold to the share of the whole.
    const most = EVERY === 1 ? 0.05 : 0.15;
    const tooMany = unproved.length > most * errors.length ? unproved.map(({ line }) => line) : [];
    expect(tooMany).toEqual([]);
  },
  LIMIT_MS,
);
