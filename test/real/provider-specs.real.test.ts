import { spawnSync } from 'node:child_process';
import { compareProviderSpecs, providerListNames } from '@capstan/tools';
import type { ProviderListPair } from '@capstan/tools';
import { beforeAll, describe, expect, it } from 'vitest';

/*
 * The field lists that conversions of machines are checked against, compared with the Go structs their authors publish. No
 * CustomResourceDefinition shows these fields, so no other check would find that one is missing.
 */

const hasGo = spawnSync('go', ['version']).status === 0;
const DOWNLOAD_LIMIT_MS = 300_000;
/** The newest state that Go can be asked for: the module has no releases that say so. */
const NEWEST = 'master';

describe.skipIf(!hasGo)('the fields of provider specs', () => {
  let pairs: readonly ProviderListPair[] = [];
  let newest: readonly ProviderListPair[] = [];

  beforeAll(async () => {
    [pairs, newest] = [await compareProviderSpecs(), await compareProviderSpecs(NEWEST)];
  }, DOWNLOAD_LIMIT_MS);

  it.for(providerListNames())('are all in ours, and no others: %s', (name, { skip }) => {
    const pair = pairs.find((each) => each.name === name);
    // Counted as skipped: a module proxy that lacks a module proves nothing about our list.
    if (pair?.missing !== undefined) skip(pair.missing);
    expect(pair).toEqual({ name, lacking: [], gone: [] });
  });

  it('are still the same in the newest release, or the differences are listed', ({ skip }) => {
    expect(newest.map((pair) => pair.name)).toEqual(providerListNames());
    // Listed without a failure: new fields are taken over with their version.
    const changes = newest.flatMap(({ name, lacking, gone, missing }) => [
      ...(missing === undefined ? [] : [`${name}: ${missing}`]),
      ...lacking.map((field) => `${name}: new: ${field}`),
      ...gone.map((field) => `${name}: gone: ${field}`),
    ]);
    if (changes.length > 0) skip(changes.join('\n'));
  });
});
