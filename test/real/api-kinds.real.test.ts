import { spawnSync } from 'node:child_process';
import { comparePublished, publishedTitles } from '@capstan/tools';
import type { PublishedPair } from '@capstan/tools';
import { beforeAll, describe, expect, it } from 'vitest';

/*
 * Our definitions of kinds that others own, compared with those their authors publish: the same fields, the same bounds,
 * the same defaults. Only the descriptions are ours.
 */

const hasGo = spawnSync('go', ['version']).status === 0;
const DOWNLOAD_LIMIT_MS = 300_000;

describe.skipIf(!hasGo)('a kind that others own', () => {
  let pairs: readonly PublishedPair[] = [];

  beforeAll(async () => {
    pairs = await comparePublished();
  }, DOWNLOAD_LIMIT_MS);

  it.for(publishedTitles())('is defined as its authors publish it: %s', (title, { skip }) => {
    const pair = pairs.find((each) => each.title === title);
    // Counted as skipped: a module proxy that lacks a module proves nothing about our CRD.
    if (pair?.missing !== undefined) skip(pair.missing);
    expect(pair?.differences).toEqual([]);
  });
});
