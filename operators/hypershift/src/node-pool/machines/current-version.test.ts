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

const told = (version: string | undefined, annotations: Record<string, string> = ROLLED_OUT) => ({
  ...pool({}, annotations),
  ...(version === undefined ? {} : { status: { version } }),
});

const inPlace = { ...pool({ management: { upgradeType: 'InPlace' } }, ROLLED_OUT), status: { version: '1.2.3' } };

describe('the version of a pool', () => {
  const wanted = { payload: payload('4.22.1') };
  it.each<[string, Changes, string | undefined]>([
    [
      'is none before the first rollout, whoever wrote one',
      { nodePool: told('4.22.1', {}), made: { machines: [machine('4.22.1')] } },
      undefined,
    ],
    ['is that of its machines', { nodePool: told('99.0.0'), made: { machines: [machine('v4.22.1')] } }, '4.22.1'],
    [
      'is that of its machines where nothing is said',
      { nodePool: told(undefined), made: { machines: [machine('4.22.1')] } },
      '4.22.1',
    ],
    [
      'is what they leave while they go to another',
      { nodePool: told('1.2.3'), made: { machines: [machine('4.22.1'), machine('4.22.0')] } },
      '4.22.0',
    ],
    [
      'is the oldest of several that they leave',
      { nodePool: told('1.2.3'), made: { machines: [machine('4.22.0'), machine('4.21.9')] } },
      '4.21.9',
    ],
    [
      'is the one of these that is said',
      { nodePool: told('4.22.0'), made: { machines: [machine('4.22.0'), machine('4.21.9')] } },
      '4.22.0',
    ],
    [
      'is what a machine was upgraded to in place',
      { nodePool: inPlace, made: { machines: [machine('4.21.0', '4.22.1')] } },
      '4.22.1',
    ],
    [
      'is what a machine was made with, not what the next will have',
      { nodePool: told('1.2.3'), made: { machines: [machine('4.21.0', '4.22.1')] } },
      '4.21.0',
    ],
    [
      'is that of the next machine where there are none',
      { nodePool: told('1.2.3'), made: { machineDeployment: deployment('4.22.0') } },
      '4.22.0',
    ],
    [
      'is that of its tokens where there are no machines at all',
      { nodePool: told('1.2.3'), made: { secrets: [ownSecret('token-workers-1', { 'release-version': '4.22.0' })] } },
      '4.22.0',
    ],
    ['is not known where nothing is seen', { nodePool: told('4.22.0') }, undefined],
  ])('%s', (_, changes, version) => {
    expect(reportedVersion(snapshot({ release: wanted, ...changes }))).toBe(version);
  });

  it('is none of what is no version', () => {
    expect(releaseVersionOf(machine('latest'), false)).toBeUndefined();
  });
});
