import type { ControlPlaneComponent, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { availabilityOf, isRolledOut, rolloutOf } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { COMPONENTS } from './catalogue/components.js';
import type { ComponentDefinition, ComponentInputs } from './definition.js';
import { dependenciesOf, unmetDependencies } from './dependencies.js';
import { objectsOf, resourcesOf } from './objects.js';
import { componentsFor, platformComponent, releaseImages } from './selection.js';
import { operandsMissing } from './operands.js';
import { available, componentStatus, rolloutComplete } from './status.js';
import type { ComponentFindings } from './status.js';

function inputs(spec: object = {}, more: Partial<ComponentInputs> = {}): ComponentInputs {
  return {
    namespace: 'clusters-one',
    name: 'one',
    infraID: 'one-x',
    annotations: {},
    version: '4.22.0',
    releaseImage: 'r:4.22.0',
    image: (name) => `q/${name}`,
    endpoint: { host: 'api', port: 6443 },
    templateGroup: undefined,
    proxy: undefined,
    spec: {
      controllerAvailabilityPolicy: 'SingleReplica',
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      infraID: 'one-x',
      issuerURL: 'https://i',
      releaseImage: 'r:4.22.0',
      services: [],
      ...spec,
    } as unknown as HostedControlPlaneSpec,
    ...more,
  };
}

const named = (name: string): ComponentDefinition => {
  const found = COMPONENTS.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`there is no component ${name}`);
  return found;
};

describe('the components of a control plane', () => {
  it('have names of their own, and depend on those there are', () => {
    const names = COMPONENTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { dependencies = [] } of COMPONENTS) for (const each of dependencies) expect(names).toContain(each);
  });

  it('mount nothing that nobody makes', () => {
    const made =
      /^(?:root-ca|etcd-(?:signer|client-tls|server-tls|peer-tls)|kas-.+|sa-signing-key|pull-secret|service-network-admin-kubeconfig|bootstrap-kubeconfig|one-x-kubeconfig|ignition-server-serving-cert)$/;
    const certificates = COMPONENTS.flatMap(({ servingCertificate }) => servingCertificate ?? []);
    for (const { containers } of COMPONENTS)
      for (const { mounts = {} } of containers)
        for (const volume of Object.values(mounts)) {
          if (!('secret' in volume)) continue;
          const name = typeof volume.secret === 'string' ? volume.secret : volume.secret(inputs());
          expect(certificates.includes(name) || made.test(name) ? 'made' : name).toBe('made');
        }
  });

  it.each<[string, [spec: object, annotations: Record<string, string>], string, boolean]>([
    ['etcd of its own', [{}, {}], 'etcd', true],
    ['etcd of others', [{ etcd: { managementType: 'Unmanaged' } }, {}], 'etcd', false],
    ['an autoscaler', [{}, {}], 'cluster-autoscaler', true],
    ['no autoscaler', [{}, { 'hypershift.openshift.io/disable-cluster-autoscaler': '' }], 'cluster-autoscaler', false],
    ['no machines', [{}, { 'hypershift.openshift.io/disable-machine-management': '' }], 'machine-approver', false],
    ['no ingress', [{ capabilities: { disabled: ['Ingress'] } }, {}], 'ingress-operator', false],
    ['a login of others', [{ configuration: { authentication: { type: 'OIDC' } } }, {}], 'oauth-openshift', false],
    ['catalogs inside', [{ olmCatalogPlacement: 'guest' }, {}], 'redhat-operators-catalog', false],
    ['metrics forwarded', [{ monitoring: { metricsForwarding: { mode: 'Forward' } } }, {}], 'metrics-proxy', true],
    ['metrics kept', [{}, {}], 'metrics-proxy', false],
  ])('%s', (_, [spec, annotations], name, isThere) => {
    const parts = componentsFor(inputs(spec, { annotations }), []).map((part) => part.name);
    expect(parts.includes(name)).toBe(isThere);
  });

  it('are left out where a release does not have them, unless nothing goes without', () => {
    const without = inputs(
      {},
      { image: (name) => (name === 'oauth-server' || name === 'etcd' ? undefined : `q/${name}`) },
    );
    const parts = componentsFor(without, []).map(({ name }) => name);
    expect(parts).not.toContain('oauth-openshift');
    expect(parts).toContain('etcd');
    expect(() => objectsOf(named('etcd'), without)).toThrow(
      'release 4.22.0 (r:4.22.0) has no image etcd: choose a release that has it',
    );
  });

  it('list the same objects whether or not they can be made', () => {
    for (const part of componentsFor(inputs(), [])) {
      const made = objectsOf(part, inputs()).map(([kind, { metadata }]) => `${kind.plural}/${metadata.name ?? ''}`);
      expect(resourcesOf(part, inputs()).map(({ kind, name }) => `${kind.plural}/${name}`)).toEqual(made);
    }
  });

  it('come from images whose names are known', () => {
    expect(releaseImages()).toEqual(expect.arrayContaining(['cluster-autoscaler', 'etcd', 'hyperkube', 'hypershift']));
  });

  it('of a platform know the way into the cluster, and have their files', () => {
    const part = platformComponent({
      name: 'ccm',
      image: 'ccm',
      command: ['/ccm'],
      args: [],
      files: { '/etc/cloud/cloud.conf': 'x=1' },
      secrets: { '/etc/creds': 'creds' },
    });
    const objects = objectsOf(part, inputs());
    expect(objects.map(([, { kind }]) => kind)).toEqual(['ConfigMap', 'Deployment']);
    expect(objects[0]?.[1]).toMatchObject({ data: { 'cloud.conf': 'x=1' } });
    expect(objects[1]?.[1]).toMatchObject({
      spec: {
        template: {
          spec: {
            automountServiceAccountToken: false,
            containers: [
              {
                volumeMounts: [
                  { mountPath: '/etc/kubernetes/kubeconfig', name: 'secret-service-network-admin-kubeconfig' },
                  { mountPath: '/etc/creds', name: 'secret-creds' },
                  { mountPath: '/etc/cloud', name: 'config-ccm' },
                ],
              },
            ],
          },
        },
      },
    });
  });
});

describe('a workload', () => {
  it('sets labels, node selector, affinity and tolerations on its pods', () => {
    const annotations = {
      'hypershift.openshift.io/restart-date': 'now',
      'hypershift.openshift.io/etcd-priority-class': 'mine',
    };
    const spec = { nodeSelector: { a: 'b' }, tolerations: [{ key: 'x', operator: 'Exists' }], labels: { team: 't' } };
    const [, etcd] = objectsOf(named('etcd'), inputs(spec, { annotations })).at(-1) ?? [];
    expect(etcd).toMatchObject({
      kind: 'StatefulSet',
      spec: {
        replicas: 1,
        serviceName: 'etcd-discovery',
        template: {
          metadata: {
            labels: {
              team: 't',
              app: 'etcd',
              'hypershift.openshift.io/control-plane-component': 'etcd',
              'hypershift.openshift.io/hosted-control-plane': 'clusters-one',
            },
            annotations: {
              'hypershift.openshift.io/release-image': 'r:4.22.0',
              'hypershift.openshift.io/restart-date': 'now',
            },
          },
          spec: {
            priorityClassName: 'mine',
            nodeSelector: { a: 'b' },
            tolerations: [{}, { value: 'clusters-one' }, { key: 'x' }],
          },
        },
      },
    });
  });

  it.each<[string, object, Record<string, string>, number]>([
    ['kube-apiserver', {}, {}, 1],
    ['kube-apiserver', { controllerAvailabilityPolicy: 'HighlyAvailable' }, {}, 3],
    ['cluster-version-operator', { controllerAvailabilityPolicy: 'HighlyAvailable' }, {}, 1],
    ['kube-apiserver', {}, { 'hypershift.openshift.io/debug-deployments': 'a,kube-apiserver' }, 0],
  ])('%s with %j and %j has %i pods', (name, spec, annotations, replicas) => {
    const [, object] = objectsOf(named(name), inputs(spec, { annotations })).at(-1) ?? [];
    expect(object).toMatchObject({ spec: { replicas } });
  });
});

const deployment = (status: Workload['status'], generation = 1): Workload => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', generation, namespace: 'n' },
  spec: { replicas: 2 },
  ...(status === undefined ? {} : { status }),
});
const DONE = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
const AVAILABLE = { conditions: [{ type: 'Available', status: 'True' as const, message: '' }] };

describe('a rollout', () => {
  it.each<[Workload, boolean]>([
    [deployment(DONE), true],
    [deployment(DONE, 2), false],
    [deployment({ ...DONE, updatedReplicas: 1 }), false],
    [deployment({ ...DONE, replicas: 3 }), false],
    [deployment(undefined), false],
    [{ ...deployment({ ...DONE, currentRevision: 'a', updateRevision: 'b' }), kind: 'StatefulSet' }, false],
    [{ ...deployment({ ...DONE, currentRevision: 'a', updateRevision: 'a' }), kind: 'StatefulSet' }, true],
  ])('%#', (workload, isDone) => {
    expect(isRolledOut(workload)).toBe(isDone);
  });

  it('has the reasons and messages of HyperShift', () => {
    expect(rolloutOf(deployment({ ...DONE, updatedReplicas: 1 })).message).toBe(
      'Waiting for deployment d rollout to finish: 1 out of 2 new replicas have been updated',
    );
    expect(availabilityOf(deployment(DONE))).toEqual({
      status: 'False',
      reason: 'NotFound',
      message: 'd Deployment Available condition not found',
    });
    expect(availabilityOf({ ...deployment({ availableReplicas: 0 }), kind: 'StatefulSet' }).message).toBe(
      'StatefulSet d is not available: 0/2 replicas ready',
    );
    const other = {
      ...deployment(DONE),
      metadata: { name: 'o', namespace: 'n', annotations: { 'release.openshift.io/version': '4.21.0' } },
    };
    expect(operandsMissing([deployment(DONE), other], '4.22.0')).toBe(
      "deployment n/d does not have the required annotation 'release.openshift.io/version'\ndeployment n/o has version 4.21.0, expected 4.22.0",
    );
    expect(operandsMissing([other], '4.21.0')).toBeUndefined();
  });
});

describe('the conditions of a component', () => {
  const base: ComponentFindings = {
    name: 'd',
    hasWorkload: true,
    workload: deployment({ ...DONE, ...AVAILABLE }),
    isStuck: false,
    progressDueMs: undefined,
    unmet: [],
    problem: undefined,
    operandsMissing: undefined,
    resources: [],
    version: '4.22.1',
    observedGeneration: 3,
  };

  it.each<[string, Partial<ComponentFindings>, string, string]>([
    ['all is well', {}, 'AsExpected', 'AsExpected'],
    ['it waits', { unmet: ['etcd'] }, 'AsExpected', 'WaitingForDependencies'],
    [
      'it waits and is not there',
      { unmet: ['etcd'], workload: undefined },
      'WaitingForDependencies',
      'WaitingForDependencies',
    ],
    ['it cannot be made', { problem: 'no', workload: undefined }, 'NotFound', 'ReconciliationError'],
    ['it cannot be changed', { problem: 'no' }, 'AsExpected', 'ReconciliationError'],
    ['its operands are late', { operandsMissing: 'late' }, 'AsExpected', 'WaitingForOperands'],
    ['it is files only', { hasWorkload: false, workload: undefined }, 'AsExpected', 'AsExpected'],
  ])('%s', (_, findings, isAvailable, isComplete) => {
    const all = { ...base, ...findings };
    expect([available(all).reason, rolloutComplete(all).reason]).toEqual([isAvailable, isComplete]);
  });

  it('names the version only when it is there', () => {
    const before = componentStatus(undefined, { ...base, version: '4.22.0' }, 't0');
    expect(before).toMatchObject({ version: '4.22.0', observedGeneration: 3 });
    const during = componentStatus(before, { ...base, unmet: ['etcd'] }, 't1');
    expect(during.version).toBe('4.22.0');
    expect(componentStatus(during, base, 't2').version).toBe('4.22.1');
  });
});

describe('a component waits', () => {
  const parts = new Set(['etcd', 'kube-apiserver', 'openshift-apiserver', 'featuregate-generator']);

  it.each<[string, readonly string[]]>([
    ['etcd', []],
    ['kube-apiserver', ['etcd', 'featuregate-generator']],
    ['openshift-controller-manager', ['kube-apiserver', 'openshift-apiserver']],
    ['ignition-server', []],
  ])('%s for %j', (name, expected) => {
    expect(dependenciesOf(named(name), parts)).toEqual(expected);
  });

  it('not for what this control plane does not have', () => {
    expect(dependenciesOf(named('kube-apiserver'), new Set(['featuregate-generator']))).toEqual([
      'featuregate-generator',
    ]);
  });

  it('until a dependency is available, complete and at the version', () => {
    const of = (isAvailable: string, isComplete: string, version: string): ControlPlaneComponent =>
      ({
        status: {
          version,
          conditions: [
            { type: 'Available', status: isAvailable },
            { type: 'RolloutComplete', status: isComplete },
          ],
        },
      }) as unknown as ControlPlaneComponent;
    const unmet = (component: ControlPlaneComponent | undefined): readonly string[] =>
      unmetDependencies(['etcd'], () => component, '4.22.0');
    expect(unmet(of('True', 'True', '4.22.0'))).toEqual([]);
    for (const each of [
      undefined,
      of('False', 'True', '4.22.0'),
      of('True', 'False', '4.22.0'),
      of('True', 'True', '4.21.0'),
    ])
      expect(unmet(each)).toEqual(['etcd']);
  });
});
