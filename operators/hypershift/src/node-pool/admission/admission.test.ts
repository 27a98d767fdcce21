import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { ReleaseLookups, SKIP_RELEASE_VALIDATION_ANNOTATION } from '@capstan/hosting';
import { AdmissionDenied } from '@capstan/kube';
import type { AdmissionContext, Reader } from '@capstan/kube';
import { apiErrors } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { fakeReleases } from '../../testing/fake-releases.js';
import { hosted, ownSecret, payload, pool } from '../testing/snapshots.js';
import { imageToCheck, checkRelease } from './decide.js';
import type { Verdict, WantedPool } from './decide.js';
import { nodePoolWebhookConfiguration } from './manifests.js';
import { nodePoolWebhook } from './webhook.js';

const of = (image: string, changes: object = {}): NodePool => {
  const existing = pool({ release: { image } });
  return { ...existing, metadata: { ...existing.metadata, ...changes } };
};

describe('the release of a pool is looked at', () => {
  it.each<[string, WantedPool, string | undefined]>([
    ['when it is made', { object: of('a'), old: undefined }, 'a'],
    ['when it becomes another', { object: of('b'), old: of('a') }, 'b'],
    ['not when it stays', { object: of('a', { labels: { x: 'y' } }), old: of('a') }, undefined],
    ['not when the pool goes', { object: of('b', { deletionTimestamp: 'now' }), old: of('a') }, undefined],
    ['not where there is no spec', { object: { metadata: {} } as NodePool, old: undefined }, undefined],
  ])('%s', (_, pools, image) => {
    expect(imageToCheck(pools)).toBe(image);
  });
});

const clusterWith = (...entries: readonly (readonly [state: string, version: string])[]): HostedCluster => {
  const history = entries.map(([state, version]) => ({ state, version }));
  return hosted({}, { controlPlaneVersion: { desired: { version: '4.22.1' }, history } });
};
const RANGE = 'choose one from 4.21 to 4.22.0';

describe('a release for nodes', () => {
  const open = clusterWith(['Partial', '4.22.1'], ['Completed', '4.22.0']);
  const skipping = {
    ...open,
    metadata: { ...open.metadata, annotations: { [SKIP_RELEASE_VALIDATION_ANNOTATION]: '' } },
  };
  const away = { error: new ReleaseError('Unreachable', 'nobody answers') };
  it.each<[string, Parameters<typeof checkRelease>[0]['release'], HostedCluster, Verdict]>([
    ['that the whole control plane has', { payload: payload('4.22.0') }, open, undefined],
    ['of the minor before', { payload: payload('4.21.40') }, open, undefined],
    [
      'that only part of the control plane may have',
      { payload: payload('4.22.1') },
      open,
      {
        denied: `spec.release.image x: version 4.22.1 is newer than 4.22.0, the oldest version its control plane may be running; ${RANGE}`,
      },
    ],
    [
      'too far behind',
      { payload: payload('4.20.9') },
      open,
      {
        denied: `spec.release.image x: version 4.20.9 is older than 4.21, the oldest its control plane supports; ${RANGE}`,
      },
    ],
    ['of a cluster nothing is known of yet', { payload: payload('4.9.0') }, hosted(), undefined],
    ['where the cluster takes any', { payload: payload('4.9.0') }, skipping, undefined],
    [
      'that cannot be read',
      away,
      open,
      { warning: 'spec.release.image: cannot check whether nodes may run it: nobody answers' },
    ],
    [
      'without a pull secret',
      undefined,
      open,
      { warning: 'spec.release.image: cannot check whether nodes may run it: the cluster has no pull secret' },
    ],
  ])('%s', (_, release, cluster, verdict) => {
    expect(checkRelease({ image: 'x', release }, cluster, 1)).toEqual(verdict);
  });
});

describe('the webhook', () => {
  const releases = fakeReleases();
  const [old, next] = [releases.add('4.22.0'), releases.add('4.22.1')];
  const cluster = clusterWith(['Partial', '4.22.1'], ['Completed', '4.22.0']);
  const reader = (there: HostedCluster | undefined): Reader => ({
    get: (ref) => {
      const found: unknown = ref.plural === 'secrets' ? ownSecret('pull-secret', { '.dockerconfigjson': '{}' }) : there;
      return found === undefined
        ? Promise.reject(apiErrors.notFound({ group: ref.group, resource: ref.plural }, 'example'))
        : (Promise.resolve(found) as Promise<never>);
    },
    list: () => Promise.reject(new Error('nobody lists here')),
  });
  const ask = async (object: NodePool, there: HostedCluster | undefined, isInScope = true): Promise<string[]> => {
    const warnings: string[] = [];
    const request: unknown = { namespace: 'clusters' };
    const hook = nodePoolWebhook({
      cache: reader(there),
      releases: new ReleaseLookups(releases),
      skewWidth: 1,
      isInScope: () => isInScope,
    });
    const context = { request, signal: new AbortController().signal, warn: (text: string) => warnings.push(text) };
    await hook.validate({ object, old: undefined }, context as unknown as AdmissionContext);
    return warnings;
  };

  it('lets through what goes with the control plane, and refuses with the range that does', async () => {
    expect(await ask(of(old), cluster)).toEqual([]);
    await expect(ask(of(next), cluster)).rejects.toThrow(AdmissionDenied);
    await expect(ask(of(next), cluster)).rejects.toThrow(RANGE);
  });

  it('warns of what it cannot problemOf', async () => {
    expect(await ask(of('registry.example.com/none:1'), cluster)).toHaveLength(1);
  });

  it('allows NodePools of clusters that another operator reconciles, or that do not exist yet', async () => {
    expect(await ask(of(next), cluster, false)).toEqual([]);
    expect(await ask(of(next), undefined)).toEqual([]);
  });
});

it('is asked at its path, wherever it is', () => {
  const configured = (place: Parameters<typeof nodePoolWebhookConfiguration>[0]): unknown =>
    nodePoolWebhookConfiguration(place)['webhooks'];
  const path = '/validate-hypershift-openshift-io-v1beta1-nodepool';
  expect(configured({ clientConfig: { url: 'https://127.0.0.1:9443' } })).toMatchObject([
    { clientConfig: { url: `https://127.0.0.1:9443${path}` }, failurePolicy: 'Ignore' },
  ]);
  expect(
    configured({ clientConfig: { service: { namespace: 'n', name: 's' } }, namespaceLabels: { a: 'b' } }),
  ).toMatchObject([
    { clientConfig: { service: { namespace: 'n', name: 's', path } }, namespaceSelector: { matchLabels: { a: 'b' } } },
  ]);
});
