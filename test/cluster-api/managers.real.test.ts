import { describe, expect, it } from 'vitest';
import { hasOriginal } from '@capstan/tools';
import { differences, onEmbedded, onReal } from './places.js';
import { tellStory } from './tell-story.js';

/*
 * One life of a cluster, told with our core manager of Cluster API and with the original one, on a real server and on
 * ours: what there is at each moment must be the same whoever did the work.
 */

it.skipIf(hasOriginal())('our core of Cluster API alone does it all', { timeout: 900_000 }, async () => {
  const told = await onReal((access) => tellStory(access, 'ours'));
  expect(Object.keys(told)).toEqual(['grown', 'rolled', 'healed']);
});

describe.skipIf(!hasOriginal()).concurrent('the core of Cluster API, ours and the original', () => {
  it('does the same on a real kube-apiserver', { timeout: 900_000 }, async () => {
    const [ours, theirs] = await Promise.all([
      onReal((access) => tellStory(access, 'ours')),
      onReal((access) => tellStory(access, 'original')),
    ]);
    expect(differences(ours, theirs)).toEqual([]);
  });

  it('does the same on the embedded server', { timeout: 900_000 }, async () => {
    const [ours, theirs] = await Promise.all([
      onEmbedded((access) => tellStory(access, 'ours')),
      onEmbedded((access) => tellStory(access, 'original')),
    ]);
    expect(differences(ours, theirs)).toEqual([]);
  });
});
