import { prepareRequirement, selectVersions } from '@capstan/crd-compat';
import { cachedDefinitions } from '@capstan/tools';
import { readObjects } from '@capstan/translate/mirror';
import { describe, expect, it } from 'vitest';

const MODULE = 'sigs.k8s.io/cluster-api';
/** What is required, and what is there; the last is what a downgrade would break. */
const PAIRS = [
  ['v1.11.0', 'v1.12.0'],
  ['v1.12.0', 'v1.13.6'],
  ['v1.13.6', 'v1.11.0'],
] as const;

/** The CRDs of a release of Cluster API by their names. */
type Release = ReadonlyMap<string, object>;

function releaseOf(version: string): Release | undefined {
  const [cached] = cachedDefinitions(process.env, [`${MODULE}@${version}`]);
  if (cached?.definitions === undefined) return undefined;
  const found = new Map<string, object>();
  for (const [file, text] of cached.definitions) {
    // Providers for tests are in the module as well; no user relies on those.
    if (/^(?:test|internal)\//.test(file)) continue;
    for (const { object } of readObjects(text, file)) {
      const definition = object as { readonly metadata: { readonly name: string } };
      found.set(definition.metadata.name, definition);
    }
  }
  return found;
}

/** What the newer release makes of what a user of the older one requires: all its served versions. */
function verdict(name: string, older: object, newer: object | undefined): readonly string[] {
  if (newer === undefined) return [`${name}: gone`];
  const versions = selectVersions(older, { defaultSelection: 'AllServed' });
  const prepared = 'ok' in versions ? prepareRequirement(older, { versions: versions.ok }) : versions;
  if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors));
  const report = prepared.ok.check(newer);
  return [
    `${name}: ${report.verdict}`,
    ...report.findings.map(({ path, proof, rule, severity, version }) => {
      const doubt = proof === 'cannot be proved' ? ' (cannot be proved)' : '';
      return `  ${severity} ${version ?? '-'} ${path} ${rule}${doubt}`;
    }),
  ];
}

describe('releases of Cluster API', () => {
  for (const [from, to] of PAIRS) {
    const older = releaseOf(from);
    const newer = releaseOf(to);
    const missing = older === undefined || newer === undefined;
    const title = `${to} for a user who requires ${from}`;
    it.skipIf(missing)(missing ? `${title}: not in Go's module cache` : title, async () => {
      if (older === undefined || newer === undefined) return;
      const names = [...older.keys()].toSorted();
      const lines = names.flatMap((name) => verdict(name, older.get(name) ?? {}, newer.get(name)));
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`./capi-releases/${from}-to-${to}.txt`);
      const errors = lines.filter((line) => line.startsWith('  error'));
      const unproved = errors.filter((line) => line.endsWith('(cannot be proved)'));
      expect(unproved.length).toBeLessThanOrEqual(errors.length / 20);
    });
  }
});
