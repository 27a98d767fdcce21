import { spawnSync } from 'node:child_process';
import { comparePublished, publishedTitles } from '@capstan/tools';
import type { PublishedPair } from '@capstan/tools';
import { beforeAll, describe, expect, it } from 'vitest';

/*
 * Our definitions of kinds that others own, beside those their authors publish: the same fields, the same bounds,
 * the same defaults. Only the sentences are ours.
 */

const hasGo = spawnSync('go', ['version']).status === 0;
const DOWNLOAD_LIMIT_MS = 300_000;

describe.skipIf(!hasGo)('a kind that others own', () => {
  let pairs: readonly PublishedPair[] = [];

  beforeAll(async () => {
    pairs = await comparePublished();
  }, DOWNLOAD_LIMIT_MS);

  it.each(publishedTitles())('is defined as its authors publish it: %s', (title) => {
    expect(pairs.find((each) => each.title === title)?.differences).toEqual([]);
  });
});
