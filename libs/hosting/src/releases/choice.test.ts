import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { ReleaseError } from '@capstan/release';
import type { ReleasePayload } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { checkReleases, isRunning, payloadArch, runningVersion, upgradeProblem } from './choice.js';
import type { ReleaseLookup } from './lookup.js';

const IMAGE = 'registry.example.com/release:4.22.0';

function cluster(
  changes: { readonly spec?: object; readonly status?: object; readonly annotations?: object } = {},
): HostedCluster {
  const { annotations = {}, spec, status } = changes;
  const object: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { namespace: 'clusters', name: 'example', annotations },
    spec: { release: { image: IMAGE }, ...spec },
    status,
  };
  return object as HostedCluster;
}

function controlPlaneOf(spec: object, conditions: readonly object[] = []): HostedControlPlane {
  const object: unknown = { metadata: {}, spec, status: { conditions } };
  return object as HostedControlPlane;
}

function payload(version: string, changes: Partial<ReleasePayload> = {}): ReleasePayload {
  return {
    reference: `registry.example.com/release:${version}`,
    pullSpec: `registry.example.com/release@sha256:${version}`,
    version,
    kubernetesVersion: '',
    architectures: ['amd64'],
    components: [],
    image: () => undefined,
    ...changes,
  };
}

const running = { version: { desired: { image: IMAGE }, history: [{ state: 'Completed', version: '4.22.0' }] } };
const unreachable: ReleaseLookup = { error: new ReleaseError('Unreachable', 'no answer') };
const notFound: ReleaseLookup = { error: new ReleaseError('NotFound', 'no such image') };

describe('a release image', () => {
  const good = ['True', 'AsExpected', 'Release image is valid', undefined];

  it.each<[string, HostedCluster, readonly ReleaseLookup[], HostedControlPlane | undefined, readonly unknown[]]>([
    ['is valid when its version is supported', cluster(), [{ payload: payload('4.22.0') }], undefined, good],
    [
      'stays valid while the registry does not answer, when it runs already',
      cluster(),
      [unreachable],
      controlPlaneOf({ releaseImage: IMAGE }),
      [
        'True',
        'AsExpected',
        'Release image was valid when it was last read, and is kept while it cannot be read: no answer',
        30_000,
      ],
    ],
    [
      'is invalid while the registry does not answer, before it runs',
      cluster(),
      [unreachable],
      undefined,
      ['False', 'InvalidImage', 'no answer', 30_000],
    ],
    [
      'is invalid while the registry does not answer, when another image runs',
      cluster(),
      [unreachable],
      controlPlaneOf({ releaseImage: 'another' }),
      ['False', 'InvalidImage', 'no answer', 30_000],
    ],
    [
      'is invalid when the registry has no such image, also when it runs',
      cluster(),
      [notFound],
      controlPlaneOf({ releaseImage: IMAGE }),
      ['False', 'InvalidImage', 'no such image', 300_000],
    ],
    [
      'is invalid when either of two images is',
      cluster(),
      [{ payload: payload('4.22.0') }, notFound],
      undefined,
      ['False', 'InvalidImage', 'no such image', 300_000],
    ],
    [
      'is invalid when it is an earlier minor than the one that runs',
      cluster({ status: running }),
      [{ payload: payload('4.21.0') }],
      undefined,
      [
        'False',
        'InvalidImage',
        'The release image registry.example.com/release:4.21.0 cannot be run: version 4.21.0 is a minor version older than 4.22.0, which runs: going back is not supported',
        undefined,
      ],
    ],
    [
      'is valid at an earlier minor when validation is skipped',
      cluster({ status: running, annotations: { 'hypershift.openshift.io/skip-release-image-validation': '' } }),
      [{ payload: payload('4.21.0') }],
      undefined,
      good,
    ],
  ])('%s', (...[, of, releases, controlPlane, expected]) => {
    const { condition, retryAfterMs } = checkReleases(of, releases, controlPlane);
    expect([condition.status, condition.reason, condition.message, retryAfterMs]).toEqual(expected);
  });

  it.each<[object, object, boolean]>([
    [{}, { releaseImage: IMAGE }, true],
    [{}, { releaseImage: 'another' }, false],
    [{ controlPlaneRelease: { image: 'cp' } }, { releaseImage: IMAGE }, false],
    [{ controlPlaneRelease: { image: 'cp' } }, { releaseImage: IMAGE, controlPlaneReleaseImage: 'cp' }, true],
    [{}, { releaseImage: IMAGE, controlPlaneReleaseImage: 'cp' }, false],
  ])('of a HostedCluster with %j runs in a control plane with %j: %s', (spec, runs, is) => {
    expect(isRunning(cluster({ spec }), controlPlaneOf(runs))).toBe(is);
  });

  it.each<[readonly object[], string | undefined]>([
    [[], undefined],
    [[{ state: 'Partial', version: '4.22.0' }], '4.22.0'],
    [[{ state: 'Partial', version: '' }], undefined],
    [
      [
        { state: 'Partial', version: '4.22.0' },
        { state: 'Completed', version: '4.21.0' },
      ],
      '4.21.0',
    ],
  ])('history %j means that version %s runs', (history, version) => {
    expect(runningVersion(cluster({ status: { version: { history } } }))).toBe(version);
  });

  it.each<[readonly string[], string | undefined]>([
    [['amd64'], 'AMD64'],
    [['s390x'], 'S390X'],
    [['amd64', 'arm64'], 'Multi'],
    [['riscv64'], undefined],
    [[], undefined],
  ])('of architectures %j is a payload of %s', (architectures, arch) => {
    expect(payloadArch(payload('4.22.0', { architectures }))).toBe(arch);
  });
});

describe('an upgrade', () => {
  const unready = [{ type: 'ClusterVersionUpgradeable', status: 'False', message: 'a pool is behind' }];
  const next = payload('5.0.0');
  const waits =
    'The cluster reports that it cannot be upgraded from 4.22.0 to 5.0.0: a pool is behind; fix that, or set the annotation hypershift.openshift.io/force-upgrade-to to registry.example.com/release:5.0.0';

  it.each<[string, HostedCluster, ReleasePayload, readonly object[], string | undefined]>([
    ['waits until the cluster is upgradeable', cluster({ status: running }), next, unready, waits],
    [
      'is allowed when it is forced',
      cluster({ status: running, annotations: { 'hypershift.openshift.io/force-upgrade-to': next.reference } }),
      next,
      unready,
      undefined,
    ],
    ['of a patch does not wait', cluster({ status: running }), payload('4.22.9'), unready, undefined],
    ['is allowed when upgradeability is not reported', cluster({ status: running }), next, [], undefined],
    ['is allowed when no version runs', cluster(), next, unready, undefined],
  ])('%s', (...[, of, to, conditions, problem]) => {
    expect(upgradeProblem(of, to, controlPlaneOf({ releaseImage: 'another' }, conditions))).toBe(problem);
  });
});
