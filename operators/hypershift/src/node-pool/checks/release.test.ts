import type { Machine } from '@capstan/api/cluster-api';
import { ReleaseError } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { ConditionSet } from '../conditions.js';
import type { Snapshot } from '../snapshot.js';
import { snapshot, hosted, owned, payload, pool } from '../testing/snapshots.js';
import type { Changes } from '../testing/snapshots.js';
import { releaseImage, versionSkew } from './release.js';

const history = (...entries: readonly (readonly [state: string, version: string])[]) =>
  hosted(
    {},
    { version: { desired: { version: '4.22.7' }, history: entries.map(([state, version]) => ({ state, version })) } },
  );
const withVersion = (version: string) => ({ ...pool(), status: { version } }) as Snapshot['nodePool'];
const machine = (version: string) => owned<Machine>('Machine', version, { spec: { version } });
const gone = { error: new ReleaseError('NotFound', 'there is no such image: push it') };

describe('the release of a pool', () => {
  const skipping = {
    ...hosted(),
    metadata: { ...hosted().metadata, annotations: { 'hypershift.openshift.io/skip-release-image-validation': '' } },
  };
  const image = 'registry.example.com/release:4.22.0';
  it.each<[string, Changes, string | undefined]>([
    ['as that of the cluster', {}, undefined],
    ['of a cluster nobody knows the version of', { clusterRelease: gone }, undefined],
    ['that cannot be read', { release: gone }, 'Failed to get release image: there is no such image: push it'],
    [
      'newer than what the cluster has completed',
      {
        release: { payload: payload('4.23.0') },
        hostedCluster: history(['Partial', '4.23.0'], ['Completed', '4.22.0']),
      },
      `release image ${image}: release 4.23.0 is not supported, the latest is 4.22: choose an earlier release, or upgrade the HostedCluster first`,
    ],
    [
      'of before',
      { release: { payload: payload('4.21.0') }, existing: { machines: [machine('v4.22.0')] } },
      `release image ${image}: a NodePool cannot go back from 4.22.0 to 4.21.0: choose a release of 4.22 or later, or create a new NodePool`,
    ],
    ['after a version that a client wrote and no machine has', { nodePool: withVersion('99.0.0') }, undefined],
    [
      'after one that is none',
      { nodePool: withVersion('1.2.3'), existing: { machines: [machine('4.22.0')] } },
      undefined,
    ],
    ['nobody looks at', { release: { payload: payload('3.0.0') }, hostedCluster: skipping }, undefined],
    [
      'without a version',
      { release: { payload: payload('latest') } },
      `release image ${image}: "latest" is not a version`,
    ],
  ])('%s', (_, changes, problem) => {
    const conditions = new ConditionSet();
    expect(releaseImage(snapshot(changes), conditions)).toBe(problem === undefined);
    const good = { status: 'True', reason: 'AsExpected', message: `Using release image: ${image}` };
    const bad = { status: 'False', reason: 'ValidationFailed', message: problem, isFault: true };
    expect(conditions.get('ValidReleaseImage')).toEqual(problem === undefined ? good : bad);
  });
});

describe('the skew between nodes and control plane is reported, and stops nothing', () => {
  type Entries = readonly (readonly [state: string, version: string])[];
  const list = (entries: Entries) => entries.map(([state, version]) => ({ state, version }));
  const alone = (entries: Entries, whole: Entries = []) =>
    hosted(
      {},
      {
        controlPlaneVersion: { desired: { version: entries[0]?.[1] ?? '4.22.7' }, history: list(entries) },
        version: { desired: { version: '4.22.7' }, history: list(whole) },
      },
    );
  const WELL = ['True', 'AsExpected', 'Release image version is valid'];
  const newer = (ceiling: string, floor: string): readonly string[] => [
    'False',
    'UnsupportedSkew',
    `NodePool version 4.22.0 is newer than ${ceiling}, the oldest version its control plane may be running; choose one from ${floor} to ${ceiling}`,
  ];
  const older = (ceiling: string, floor: string): readonly string[] => [
    'False',
    'UnsupportedSkew',
    `NodePool version 4.22.0 is older than ${floor}, the oldest its control plane supports; choose one from ${floor} to ${ceiling}`,
  ];
  it.each<[string, Partial<Snapshot>, readonly unknown[]]>([
    ['no version yet', {}, ['Unknown', 'ValidationFailed', 'HostedCluster version is not available yet']],
    ['nothing rolled out yet', { hostedCluster: history() }, WELL],
    ['the control plane is there', { hostedCluster: alone([['Completed', '4.22.0']]) }, WELL],
    [
      'the control plane is there, whatever its nodes do',
      {
        hostedCluster: alone(
          [['Completed', '4.22.0']],
          [
            ['Partial', '4.22.0'],
            ['Completed', '4.21.9'],
          ],
        ),
      },
      WELL,
    ],
    [
      'part of the control plane may be older',
      {
        hostedCluster: alone([
          ['Partial', '4.22.0'],
          ['Completed', '4.21.9'],
        ]),
      },
      newer('4.21.9', '4.20'),
    ],
    [
      'a failed upgrade followed by another: what was completed last counts as well',
      {
        hostedCluster: alone([
          ['Partial', '4.22.1'],
          ['Partial', '4.21.19'],
          ['Completed', '4.21.6'],
        ]),
      },
      newer('4.21.6', '4.20'),
    ],
    [
      'a control plane that reports no version: that of the cluster',
      { hostedCluster: history(['Partial', '4.23.0'], ['Completed', '4.22.3']) },
      WELL,
    ],
    ['too far behind', { hostedCluster: alone([['Completed', '5.1.0']]) }, older('5.1.0', '5.0')],
    ['as far behind as may be', { hostedCluster: alone([['Completed', '5.1.0']]), skewWidth: 2 }, WELL],
    [
      'no version at all',
      { hostedCluster: alone([['Partial', 'x']]) },
      ['Unknown', 'ValidationFailed', 'HostedCluster version is not available yet'],
    ],
    [
      'no release',
      { release: gone },
      ['Unknown', 'ValidationFailed', 'Failed to get release image: there is no such image: push it'],
    ],
  ])('%s', (_, changes, expected) => {
    const conditions = new ConditionSet();
    expect(versionSkew(snapshot(changes), conditions)).toBe(true);
    const { message, reason, status } = conditions.get('SupportedVersionSkew') ?? {};
    expect([status, reason, message]).toEqual(expected);
  });
});
