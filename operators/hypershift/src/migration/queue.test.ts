import type { HostedCluster } from '@capstan/api/hypershift';
import { LEGACY_SCOPE, MIGRATION_FAILED_ANNOTATION, SCOPE_ANNOTATION } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { eligibleClusters } from './queue.js';

const NOW = Date.parse('2026-02-01T00:00:00Z');

function cluster(name: string, day: string, annotations: Record<string, string> = {}): HostedCluster {
  const creationTimestamp = `2026-01-${day}T00:00:00Z`;
  const scope = { [SCOPE_ANNOTATION]: LEGACY_SCOPE };
  return {
    metadata: { name, namespace: 'clusters', creationTimestamp, annotations: { ...scope, ...annotations } },
    spec: {},
  } as unknown as HostedCluster;
}

describe('The clusters that are migrated next', () => {
  const [old, young, sameAge] = [cluster('old', '01'), cluster('young', '02'), cluster('also-young', '02')];
  const failed = cluster('failed', '01', { [MIGRATION_FAILED_ANNOTATION]: 'copy-timeout' });

  it.each<[string, readonly HostedCluster[], ((of: HostedCluster) => boolean) | undefined, readonly string[]]>([
    ['are the oldest first', [young, old], undefined, ['old', 'young']],
    ['are in the order of their names at the same age', [young, sameAge], undefined, ['also-young', 'young']],
    ['are those first that users prefer', [old, young], (of) => of === young, ['young', 'old']],
    ['are not those whose migration failed, preferred or not', [failed, old], (of) => of === failed, ['old']],
    ['are none where none is eligible', [failed], undefined, []],
  ])('%s', (_, clusters, isPreferred, expected) => {
    const options = isPreferred === undefined ? { nowMs: NOW } : { nowMs: NOW, isPreferred };
    expect(eligibleClusters(clusters, options).map(({ metadata }) => metadata.name)).toEqual(expected);
  });
});
