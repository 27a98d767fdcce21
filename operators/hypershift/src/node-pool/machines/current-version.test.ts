import type { Machine, MachineDeployment } from '@capstan/api/cluster-api';
import { CURRENT_CONFIG_ANNOTATION } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { snapshot, owned, ownSecret, payload, pool } from '../testing/snapshots.js';
import type { Changes } from '../testing/snapshots.js';
import { releaseVersionOf, reportedVersion } from './current-version.js';

const ANNOTATION = 'hypershift.openshift.io/release-version';
const ROLLED_OUT = { [CURRENT_CONFIG_ANNOTATION]: 'abc' };

function machine(version: string, upgradedTo?: string): Machine {
  const metadata = upgradedTo === undefined ? {} : { metadata: { annotations: { [ANNOTATION]: upgradedTo } } };
  return owned('Machine', `${version} ${upgradedTo ?? ''}`, { spec: { version }, ...metadata });
}

function deployment(version: string): MachineDeployment {
  return owned('MachineDeployment', 'workers', { spec: { template: { spec: { version } } } });
}

const withVersion = (version: string | undefined, annotations: Record<string, string> = ROLLED_OUT) => ({
  ...pool({}, annotations),
  ...(version === undefined ? {} : { status: { version } }),
});

const inPlace = { ...pool({ management: { upgradeType: 'InPlace' } }, ROLLED_OUT), status: { version: '1.2.3' } };

describe('the version of a pool', () => {
  const wanted = { payload: payload('4.22.1') };
  it.each<[string, Changes, string | undefined]>([
    [
      'is none before the first rollout, also when a client wrote one',
      { nodePool: withVersion('4.22.1', {}), existing: { machines: [machine('4.22.1')] } },
      undefined,
    ],
    [
      'is that of its machines',
      { nodePool: withVersion('99.0.0'), existing: { machines: [machine('v4.22.1')] } },
      '4.22.1',
    ],
    [
      'is that of its machines where the status has none',
      { nodePool: withVersion(undefined), existing: { machines: [machine('4.22.1')] } },
      '4.22.1',
    ],
    [
      'is what they leave while they go to another',
      { nodePool: withVersion('1.2.3'), existing: { machines: [machine('4.22.1'), machine('4.22.0')] } },
      '4.22.0',
    ],
    [
      'is the oldest of several that they leave',
      { nodePool: withVersion('1.2.3'), existing: { machines: [machine('4.22.0'), machine('4.21.9')] } },
      '4.21.9',
    ],
    [
      'is the one of these that the status has',
      { nodePool: withVersion('4.22.0'), existing: { machines: [machine('4.22.0'), machine('4.21.9')] } },
      '4.22.0',
    ],
    [
      'is what a machine was upgraded to in place',
      { nodePool: inPlace, existing: { machines: [machine('4.21.0', '4.22.1')] } },
      '4.22.1',
    ],
    [
      'is what a machine was made with, not what the next will have',
      { nodePool: withVersion('1.2.3'), existing: { machines: [machine('4.21.0', '4.22.1')] } },
      '4.21.0',
    ],
    [
      'is that of the next machine where there are none',
      { nodePool: withVersion('1.2.3'), existing: { machineDeployment: deployment('4.22.0') } },
      '4.22.0',
    ],
    [
      'is that of its tokens where there are no machines at all',
      {
        nodePool: withVersion('1.2.3'),
        existing: { secrets: [ownSecret('token-workers-1', { 'release-version': '4.22.0' })] },
      },
      '4.22.0',
    ],
    ['is not known where nothing is seen', { nodePool: withVersion('4.22.0') }, undefined],
  ])('%s', (_, changes, version) => {
    expect(reportedVersion(snapshot({ release: wanted, ...changes }))).toBe(version);
  });

  it('is none of what is no version', () => {
    expect(releaseVersionOf(machine('latest'), false)).toBeUndefined();
  });
});
