import type { HostedCluster } from '@capstan/api/hypershift';
import { HostingPlatforms } from '@capstan/provider';
import { hostedClusterOn, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import type { DecisionInputs } from './decide.js';
import { copiesOf } from './references.js';

const PLATFORM = testPlatform();
const CLUSTER: HostedCluster = hostedClusterOn(PLATFORM);
const NAMESPACE = 'clusters-example';

function namespace(owner: string | undefined, deletionTimestamp?: string): object {
  const annotations = owner === undefined ? {} : { 'hypershift.openshift.io/cluster': owner };
  return { metadata: { name: NAMESPACE, annotations, deletionTimestamp } };
}

const SOURCES = new Map(
  copiesOf(CLUSTER).map(({ kind, name }) => [
    `${kind} ${name}`,
    { apiVersion: 'v1', kind, metadata: { name }, data: { '.dockerconfigjson': 'e30=' } },
  ]),
);

function inputs(changes: Partial<DecisionInputs> = {}, snapshot: object = {}): DecisionInputs {
  const seen = { nodePools: [], components: [], sources: SOURCES, platformSecrets: new Map(), absentNamespaces: [] };
  return {
    controlPlane: undefined,
    credentials: [],
    hostedCluster: CLUSTER,
    missing: [],
    namespace: NAMESPACE,
    owner: 'clusters/example',
    platform: PLATFORM,
    platformProblems: [],
    platforms: new HostingPlatforms([PLATFORM]),
    release: undefined,
    releaseImage: undefined,
    snapshot: { ...seen, ...snapshot } as DecisionInputs['snapshot'],
    ...changes,
  };
}

describe('a HostedCluster is blocked', () => {
  it.each<[string, DecisionInputs, string | undefined]>([
    ['not when all it needs exists', inputs(), undefined],
    [
      'when the platform is not installed',
      inputs({ platform: undefined, credentials: undefined }),
      'SupportedHostedCluster is false: spec.platform.type',
    ],
    [
      'when a CRD of the platform is missing',
      inputs({ missing: ['harbours.example.com'] }),
      'SupportedHostedCluster is false: spec.platform.type: the management cluster has no',
    ],
    [
      'when something that its spec names does not exist',
      inputs({}, { sources: new Map() }),
      'ValidConfiguration is false: spec.pullSecret: Secret',
    ],
    [
      'when the platform refuses its settings',
      inputs({ platformProblems: [{ path: 'spec.platform.harbour', message: 'no' }] }),
      'ValidConfiguration is false: spec.platform.harbour: no',
    ],
    [
      'when its control plane namespace belongs to another cluster',
      inputs({}, { namespace: namespace('clusters/other') }),
      'ValidConfiguration is false: metadata.name: the control plane namespace clusters-example exists',
    ],
    ['not when that namespace is its own', inputs({}, { namespace: namespace('clusters/example') }), undefined],
    [
      'when a Secret of the platform does not exist',
      inputs({ credentials: ['cloud'] }),
      'PlatformCredentialsFound is false: spec.platform: Secret cloud is not in namespace',
    ],
    [
      'when its release image is invalid',
      inputs({ releaseImage: { type: 'ValidReleaseImage', status: 'False', reason: 'InvalidImage', message: 'no' } }),
      'ValidReleaseImage is false: no',
    ],
    [
      'while its control plane namespace is deleted',
      inputs({}, { namespace: namespace('clusters/example', '2026-01-01T00:00:00Z'), holders: [] }),
      'Namespace clusters-example is being deleted since 2026-01-01T00:00:00Z',
    ],
  ])('%s', (...[, given, expected]) => {
    const { blocked } = decide(given);
    expect(blocked?.slice(0, expected?.length)).toBe(expected);
  });

  it('by the first gate that is false, in their order', () => {
    const { blocked, findings } = decide(inputs({ missing: ['a'], credentials: ['cloud'] }, { sources: new Map() }));
    expect(findings.map(({ status, type }) => `${type} ${status}`)).toEqual([
      'SupportedHostedCluster False',
      'PlatformCredentialsFound False',
      'ValidConfiguration False',
    ]);
    expect(blocked).toContain('SupportedHostedCluster is false');
  });
});
