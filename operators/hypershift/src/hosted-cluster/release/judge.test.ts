import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { hostedClusterOn, testPlatform } from '@capstan/provider/testing';
import { ReleaseError } from '@capstan/release';
import type { ReleasePayload } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { isRunning, judgeRelease, payloadArch, runningVersion, upgradeProblem } from './judge.js';
import type { Looked } from './lookups.js';

const IMAGE = 'registry.example.com/release:4.22.0';

function cluster(
  changes: { readonly spec?: object; readonly status?: object; readonly annotations?: object } = {},
): HostedCluster {
  const { metadata, spec, ...rest } = hostedClusterOn(testPlatform());
  const { annotations = {} } = changes;
  const made: unknown = {
    ...rest,
    metadata: { ...metadata, annotations },
    spec: { ...spec, release: { image: IMAGE }, ...changes.spec },
    status: changes.status,
  };
  return made as HostedCluster;
}

function told(spec: object, conditions: readonly object[] = []): HostedControlPlane {
  const made: unknown = { metadata: {}, spec, status: { conditions } };
  return made as HostedControlPlane;
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
const away: Looked = { error: new ReleaseError('Unreachable', 'nobody answers') };
const none: Looked = { error: new ReleaseError('NotFound', 'there is none') };

describe('a release image', () => {
  const good = ['True', 'AsExpected', 'Release image is valid', undefined];

  it.each<[string, HostedCluster, readonly Looked[], HostedControlPlane | undefined, readonly unknown[]]>([
    ['is good', cluster(), [{ payload: payload('4.22.0') }], undefined, good],
    ['may be away while it runs', cluster(), [away], told({ releaseImage: IMAGE }), [...good.slice(0, 3), 30_000]],
    ['may not be away before', cluster(), [away], undefined, ['False', 'InvalidImage', 'nobody answers', 30_000]],
    [
      'may not be away when it is another',
      cluster(),
      [away],
      told({ releaseImage: 'another' }),
      ['False', 'InvalidImage', 'nobody answers', 30_000],
    ],
    [
      'may not be gone',
      cluster(),
      [none],
      told({ releaseImage: IMAGE }),
      ['False', 'InvalidImage', 'there is none', 300_000],
    ],
    [
      'counts with that of the control plane',
      cluster(),
      [{ payload: payload('4.22.0') }, none],
      undefined,
      ['False', 'InvalidImage', 'there is none', 300_000],
    ],
    [
      'may not go back',
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
      'may go back when nobody is to look',
      cluster({ status: running, annotations: { 'hypershift.openshift.io/skip-release-image-validation': '' } }),
      [{ payload: payload('4.21.0') }],
      undefined,
      good,
    ],
  ])('%s', (...[, of, looked, controlPlane, expected]) => {
    const { askAgainMs, finding } = judgeRelease(of, looked, controlPlane);
    expect([finding.status, finding.reason, finding.message, askAgainMs]).toEqual(expected);
  });

  it.each<[object, object, boolean]>([
    [{}, { releaseImage: IMAGE }, true],
    [{}, { releaseImage: 'another' }, false],
    [{ controlPlaneRelease: { image: 'cp' } }, { releaseImage: IMAGE }, false],
    [{ controlPlaneRelease: { image: 'cp' } }, { releaseImage: IMAGE, controlPlaneReleaseImage: 'cp' }, true],
    [{}, { releaseImage: IMAGE, controlPlaneReleaseImage: 'cp' }, false],
  ])('%j runs with %j: %s', (spec, runs, is) => {
    expect(isRunning(cluster({ spec }), told(runs))).toBe(is);
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
  ])('of %j the version %s runs', (history, version) => {
    expect(runningVersion(cluster({ status: { version: { history } } }))).toBe(version);
  });

  it.each<[readonly string[], string | undefined]>([
    [['amd64'], 'AMD64'],
    [['s390x'], 'S390X'],
    [['amd64', 'arm64'], 'Multi'],
    [['riscv64'], undefined],
    [[], undefined],
  ])('for %j is %s', (architectures, arch) => {
    expect(payloadArch(payload('4.22.0', { architectures }))).toBe(arch);
  });
});

describe('an upgrade', () => {
  const unready = [{ type: 'ClusterVersionUpgradeable', status: 'False', message: 'a pool is behind' }];
  const next = payload('5.0.0');
  const waits =
    'The cluster says that it cannot be upgraded from 4.22.0 to 5.0.0: a pool is behind; mend that, or set the annotation hypershift.openshift.io/force-upgrade-to to registry.example.com/release:5.0.0';

  it.each<[string, HostedCluster, ReleasePayload, readonly object[], string | undefined]>([
    ['waits until the cluster is ready', cluster({ status: running }), next, unready, waits],
    [
      'may be forced',
      cluster({ status: running, annotations: { 'hypershift.openshift.io/force-upgrade-to': next.reference } }),
      next,
      unready,
      undefined,
    ],
    ['of a patch need not wait', cluster({ status: running }), payload('4.22.9'), unready, undefined],
    ['goes where nothing is said', cluster({ status: running }), next, [], undefined],
    ['goes where nothing runs', cluster(), next, unready, undefined],
  ])('%s', (...[, of, to, conditions, problem]) => {
    expect(upgradeProblem(of, to, told({ releaseImage: 'another' }, conditions))).toBe(problem);
  });
});
