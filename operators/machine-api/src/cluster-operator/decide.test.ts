import { describe, expect, it } from 'vitest';
import type { Authored } from '../shared/model.js';
import { operatorCondition, PENDING_MS, UNSYNCHRONIZED_MS } from './decide.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const before = (ms: number): string => new Date(NOW - ms).toISOString();

interface At {
  readonly isSynchronized?: boolean;
  readonly reason?: string;
  readonly sinceMs?: number;
  readonly authority?: string;
  readonly wanted?: string;
  readonly waitsMs?: number;
}

function machine(
  name: string,
  { authority = 'MachineAPI', reason = 'ConversionFailed', ...at }: At,
): [string, Authored] {
  const { isSynchronized = true, sinceMs = UNSYNCHRONIZED_MS, waitsMs, wanted = authority } = at;
  const synchronized = { type: 'Synchronized', status: isSynchronized ? 'True' : 'False', reason };
  const handover = { type: 'AuthorityHandover', status: 'False', reason: 'WaitingForMachineAPI' };
  const conditions = [
    { ...synchronized, lastTransitionTime: before(sinceMs) },
    ...(waitsMs === undefined ? [] : [{ ...handover, lastTransitionTime: before(waitsMs) }]),
  ];
  const object = {
    metadata: { name },
    spec: { authoritativeAPI: wanted },
    status: { authoritativeAPI: authority, conditions },
  };
  return ['Machine', { apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', ...object } as Authored];
}

describe('ClusterOperator machine-api reports', () => {
  const failed = { isSynchronized: false };
  const waiting = { authority: 'Migrating', wanted: 'ClusterAPI', waitsMs: PENDING_MS };

  it.each<[string, readonly [string, Authored][], readonly [status: string, reason: string, message: string]]>([
    ['that all is as it should be', [machine('a', {})], ['False', 'AsExpected', 'All resources are synchronized']],
    [
      'nothing of what has only just begun',
      [
        machine('a', { ...failed, sinceMs: UNSYNCHRONIZED_MS - 1 }),
        machine('b', { ...waiting, waitsMs: PENDING_MS - 1 }),
      ],
      ['False', 'AsExpected', 'All resources are synchronized'],
    ],
    [
      'nothing of a handover that nobody asks for any more',
      [machine('a', { ...waiting, authority: 'ClusterAPI' })],
      ['False', 'AsExpected', 'All resources are synchronized'],
    ],
    [
      'how many do not agree, by reason, and a few of their names',
      [
        ...['d', 'c', 'b', 'a'].map((name) => machine(name, failed)),
        machine('e', { ...failed, reason: 'ClusterNotFound' }),
      ],
      [
        'True',
        'ResourcesNotSynchronized',
        '1 Machine not synchronized: ClusterNotFound (e)\n4 Machine not synchronized: ConversionFailed (a, b, c and 1 more)',
      ],
    ],
    [
      'what does not move, and what it waits for',
      [machine('a', waiting)],
      ['True', 'AuthorityNotChanged', '1 Machine not moved to ClusterAPI: WaitingForMachineAPI (a)'],
    ],
  ])('%s', (_, resources, [status, reason, message]) => {
    expect(operatorCondition(resources, NOW)).toEqual({ type: 'MachineAPIMigrationDegraded', status, reason, message });
  });

  it('the same while time passes', () => {
    const resources = [machine('a', failed), machine('b', waiting)];
    expect(operatorCondition(resources, NOW + 86_400_000)).toEqual(operatorCondition(resources, NOW));
  });
});
