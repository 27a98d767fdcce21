import type { HostedCluster } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { testRelease, hostedClusterOn, testPlatform, clusterInputs } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { newInfraID, identified } from '../steps/identity.js';
import { mustApply } from '../steps/control-plane.js';
import { systemRandom } from '@capstan/kube';
import { canonicalHash } from '@capstan/meta';
import { componentFindings, componentStatus } from './components.js';
import { hostedControlPlane } from './control-plane.js';
import { imageOf, imagePlaceText } from './images.js';
import { capiProvider, clusterApi } from './own-components.js';
import { clusterApiGroups } from './rules.js';
import { deployment } from './workloads.js';

const platform = testPlatform();

function cluster(annotations: Record<string, string> = {}, spec: object = {}): HostedCluster {
  const made = hostedClusterOn(platform);
  return {
    ...made,
    metadata: { ...made.metadata, annotations },
    spec: { ...made.spec, ...spec },
  } as unknown as HostedCluster;
}

describe('an image', () => {
  const source = { payload: 'p', env: 'E', annotation: 'a', fallback: 'f' };

  it.each<[Record<string, string>, Record<string, string>, boolean, string | undefined]>([
    [{ a: 'annotated' }, { E: 'env' }, true, 'annotated'],
    [{}, { E: 'env' }, true, 'env'],
    [{ a: '' }, { E: '' }, true, 'p-image'],
    [{}, {}, false, 'f'],
  ])('%j, %j, in the payload %s: %s', (annotations, env, isThere, image) => {
    const release = { version: '4.22.0', image: (name: string) => (isThere ? `${name}-image` : undefined) };
    expect(imageOf(source, { hostedCluster: cluster(annotations), env, release })).toBe(image);
  });

  it('that is nowhere is asked for by name', () => {
    expect(imagePlaceText(source)).toBe('p in the release payload, the variable E of the operator, the annotation a');
  });
});

describe('the manager of Cluster API', () => {
  it.each([
    ['4.18.9', 0],
    ['4.19.0', 1],
    ['4.20.0', 3],
    ['5.0.0', 3],
  ])('of %s gets %i more arguments', (version, more) => {
    const { containers } = clusterApi({ hostedCluster: cluster(), env: {}, release: testRelease(version) });
    const { args } = containers[0] as { args: string[] };
    expect(args.filter((arg) => /feature-gates|skip-crd/.test(arg))).toHaveLength(more);
  });
});

it('the program of a platform has its folders and Secrets, each once', () => {
  const container = {
    image: { payload: 'p' },
    args: [],
    sharedFolders: ['/var/run/token'],
    secrets: { '/etc/a': 's' },
  };
  const program = {
    containers: [
      { name: 'manager', ...container, healthPort: 9440 },
      { name: 'side', ...container },
    ],
    rules: [],
  };
  const made = capiProvider(program as never, { hostedCluster: cluster(), env: {}, release: testRelease() });
  expect(made.volumes).toEqual([
    { name: 's', secret: { secretName: 's' } },
    { name: 'shared-var-run-token', emptyDir: {} },
  ]);
  expect(made.containers).toMatchObject([
    { name: 'manager', readinessProbe: { httpGet: { port: 9440 } } },
    { name: 'side', volumeMounts: [{ mountPath: '/etc/a' }, { mountPath: '/var/run/token' }] },
  ]);
  expect(made.containers[1]).not.toHaveProperty('readinessProbe');
});

it('a component that is to be debugged has no pods', () => {
  const annotations = { 'hypershift.openshift.io/debug-deployments': 'etcd, cluster-api' };
  const place = { hostedCluster: cluster(annotations), namespace: 'n', release: 'r' };
  const workload = clusterApi({ hostedCluster: cluster(), env: {}, release: testRelease() });
  expect(deployment(workload, place)['spec']).toHaveProperty('replicas', 0);
  expect(deployment({ ...workload, name: 'other' }, place)['spec']).toHaveProperty('replicas', 1);
});

it('programs may do what the kinds of the platform need, in whatever group they are', () => {
  const kind = { group: 'harbour.example.com', version: 'v1', plural: 'x', namespaced: true, kind: 'X' };
  const { cluster: own } = platform;
  const groups = clusterApiGroups(testPlatform({ cluster: own && { ...own, kind } }));
  expect(groups).toContain('harbour.example.com');
  expect(new Set(groups).size).toBe(groups.length);
});

describe('how a component does', () => {
  const of = (spec: object, status: object): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', generation: 2 },
    spec,
    status,
  });
  const serving = { type: 'Available', status: 'True', reason: 'Why', message: 'so' };
  const counts = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  const done = { ...counts, conditions: [serving] };
  const refused = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'pods are forbidden' };
  const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'it timed out' };
  const isAvailable = 'Deployment d is available';
  const isRolledOut = 'Deployment d successfully rolled out';

  it.each<[string, KubeObject, string, string]>([
    ['well', of({ replicas: 1 }, done), isAvailable, isRolledOut],
    [
      'well, and not snapshot yet by its controller',
      of({ replicas: 1 }, { ...done, observedGeneration: 1 }),
      isAvailable,
      'Waiting for deployment d rollout to finish: 1 out of 1 new replicas have been updated',
    ],
    [
      'well, while it is being replaced',
      of({ replicas: 1 }, { ...done, replicas: 2 }),
      isAvailable,
      'Waiting for deployment d rollout to finish: 1 out of 1 new replicas have been updated',
    ],
    [
      'not, without pods',
      of({ replicas: 1 }, { observedGeneration: 2 }),
      'd Deployment Available condition not found',
      'Waiting for deployment d rollout to finish: 0 out of 1 new replicas have been updated',
    ],
    [
      'stuck, when its pods are refused, though it serves',
      of({ replicas: 1 }, { ...done, updatedReplicas: 0, conditions: [serving, refused] }),
      'Deployment d is available, rollout is stuck: pods are forbidden',
      'Deployment d does not roll out: pods are forbidden',
    ],
    [
      'stuck, when it makes no progress',
      of({ replicas: 1 }, { ...counts, availableReplicas: 0, conditions: [{ ...serving, status: 'False' }, late] }),
      'Deployment d is not available, rollout is stuck: it timed out',
      'Deployment d does not roll out: it timed out',
    ],
  ])('%s', (_, object, available, complete) => {
    expect(componentFindings(object).map(({ message }) => message)).toEqual([available, complete]);
  });

  it('reports its version only when that is rolled out', () => {
    const about = { controlPlane: undefined, now: '2026-01-01T00:00:00Z', version: '4.22.0' };
    expect(componentStatus(of({ replicas: 1 }, done), undefined, about)).toHaveProperty('version', '4.22.0');
    expect(componentStatus(of({ replicas: 1 }, {}), undefined, about)).not.toHaveProperty('version');
  });
});

describe('who a cluster is', () => {
  it.each([
    ['example', /^example-[b-z2-9]{5}$/],
    ['a.b', /^a-b-[b-z2-9]{5}$/],
    [`${'x'.repeat(20)}-${'y'.repeat(40)}`, /^x{20}-[b-z2-9]{5}$/],
  ])('%s is known in clouds by a short name', (name, pattern) => {
    const made = newInfraID(name, systemRandom(1));
    expect(made).toMatch(pattern);
    expect(made.length).toBeLessThanOrEqual(27);
  });

  it('is made up once', () => {
    const made = hostedClusterOn(platform);
    const { clusterID: _, infraID: __, ...spec } = made.spec ?? {};
    const first = identified({ ...made, spec } as unknown as HostedCluster, systemRandom(1));
    expect(first.spec?.clusterID).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first.metadata.finalizers).toEqual(['hypershift.openshift.io/finalizer']);
    expect(identified(first, systemRandom(2))).toEqual(first);
  });
});

describe('the settings of a platform', () => {
  it.each<[string, object, object, string | undefined, boolean]>([
    ['are applied when they are absent', {}, { a: 1 }, undefined, true],
    ['are applied when they differ', { a: 2 }, { a: 1 }, canonicalHash({ a: 1 }), true],
    ['are not applied when they are equal', { a: 1 }, { a: 1 }, undefined, false],
    ['are applied once when there are other fields', { a: 1, b: 2 }, { a: 1 }, undefined, true],
    ['are not applied again when the same were applied last', { a: 1, b: 2 }, { a: 1 }, canonicalHash({ a: 1 }), false],
  ])('%s', (...[, there, wanted, lastAppliedHash, is]) => {
    expect(mustApply(there as never, wanted as never, lastAppliedHash)).toBe(is);
  });
});

describe('a control plane', () => {
  const view = {
    namespace: 'n',
    existing: undefined,
    platformType: 'Harbour',
    platformAnnotations: [],
    isAutoscaled: true,
  };

  it('gets the fields of the cluster under their own names, and of the platform only its type', () => {
    const { hostedCluster } = clusterInputs(platform, { port: 'p' });
    const { spec } = hostedControlPlane({ ...view, hostedCluster }) as unknown as { spec: Record<string, unknown> };
    expect([spec['pullSecret'], spec['sshKey'], spec['platform']]).toEqual([
      { name: 'pull-secret' },
      { name: 'ssh-key' },
      { type: 'Harbour' },
    ]);
  });

  it('need not have a key for ssh, nor a domain', () => {
    const hostedCluster = cluster({}, { sshKey: undefined, dns: undefined });
    const { spec } = hostedControlPlane({ ...view, hostedCluster }) as unknown as { spec: Record<string, unknown> };
    expect([spec['sshKey'], spec['dns']]).toEqual([{ name: '' }, { value: { baseDomain: '' } }]);
  });

  it('gets the annotations of its platform', () => {
    const hostedCluster = cluster({ 'harbour.example.com/x': '1', 'harbour.example.com/y': '2' });
    const { metadata } = hostedControlPlane({ ...view, hostedCluster, platformAnnotations: ['harbour.example.com/x'] });
    expect(metadata.annotations?.['harbour.example.com/x']).toBe('1');
    expect(metadata.annotations).not.toHaveProperty(['harbour.example.com/y']);
  });
});
