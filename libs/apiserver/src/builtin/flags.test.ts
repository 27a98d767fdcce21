import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { strategyOf } from './index.js';

const RBAC = 'rbac.authorization.k8s.io';
const names = (list: string): [string, string][] =>
  list.split(' ').map((entry) => entry.split('|') as [string, string]);

describe('flags of the strategies', () => {
  it.each(
    names(
      `coordination.k8s.io|leases |endpoints |events |services |limitranges ${RBAC}|roles ${RBAC}|clusterroles ${RBAC}|rolebindings ${RBAC}|clusterrolebindings node.k8s.io|runtimeclasses events.k8s.io|events`,
    ),
  )('a PUT creates %s/%s', (group, resource) => {
    expect(strategyOf(group, resource).allowCreateOnUpdate).toBe(true);
  });

  it.each(
    names('|pods |configmaps |secrets |namespaces |nodes apps|deployments batch|jobs discovery.k8s.io|endpointslices'),
  )('a PUT does not create %s/%s', (group, resource) => {
    expect(strategyOf(group, resource).allowCreateOnUpdate).toBe(false);
  });

  it.each(
    names(
      'coordination.k8s.io|leases policy|poddisruptionbudgets storage.k8s.io|volumeattachments storage.k8s.io|csidrivers storage.k8s.io|csinodes node.k8s.io|runtimeclasses apiextensions.k8s.io|customresourcedefinitions admissionregistration.k8s.io|validatingadmissionpolicies admissionregistration.k8s.io|mutatingwebhookconfigurations',
    ),
  )('%s/%s cannot be replaced without a resource version', (group, resource) => {
    expect(strategyOf(group, resource).allowUnconditionalUpdate).toBe(false);
  });

  it.each(
    names(
      '|pods |services |serviceaccounts |namespaces |persistentvolumes |persistentvolumeclaims |resourcequotas |podtemplates storage.k8s.io|storageclasses storage.k8s.io|csidrivers',
    ),
  )('deleting %s/%s answers with the object', (group, resource) => {
    expect(strategyOf(group, resource).returnsDeletedObject).toBe(true);
  });

  it.each([
    ['', 'replicationcontrollers', 'Orphan'],
    ['batch', 'jobs', 'Orphan'],
    ['batch', 'cronjobs', 'Background'],
    ['', 'events', 'Unsupported'],
    ['apps', 'deployments', 'Background'],
  ])('dependents of %s/%s are treated as %s by default', (group, resource, policy) => {
    expect(strategyOf(group, resource).defaultGarbageCollection).toBe(policy);
  });

  it('treats a resource nobody listed as one with spec, status and generation', () => {
    const strategy = strategyOf('example.com', 'widgets');
    const object: KubeObject = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {},
      spec: { a: 1 },
      status: { b: 2 },
    };
    strategy.prepareForCreate?.(object, { now: 'NOW' });
    expect(object).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { generation: 1 },
      spec: { a: 1 },
      status: {},
    });
  });
});

describe('grace of pods', () => {
  const pod = (spec: object, status: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    spec: { ...spec },
    status: { ...status },
  });
  const cases: [string, KubeObject, number | undefined, number][] = [
    ['its own period on a node', pod({ nodeName: 'n', terminationGracePeriodSeconds: 30 }), undefined, 30],
    ['the requested period', pod({ nodeName: 'n', terminationGracePeriodSeconds: 30 }), 5, 5],
    ['one second when the request is negative', pod({ nodeName: 'n' }), -3, 1],
    ['nothing before it is scheduled', pod({ terminationGracePeriodSeconds: 30 }), 20, 0],
    [
      'nothing once it has failed',
      pod({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, { phase: 'Failed' }),
      undefined,
      0,
    ],
  ];
  it.each(cases)('is %s', (_title, object, requested, expected) => {
    expect(strategyOf('', 'pods').gracePeriodSeconds?.(object, requested)).toBe(expected);
  });
});

describe('selectable fields', () => {
  const cases: [string, string, string, object, string][] = [
    ['', 'pods', 'spec.nodeName', { spec: { nodeName: 'n' } }, 'n'],
    ['', 'pods', 'spec.hostNetwork', { spec: {} }, 'false'],
    ['', 'pods', 'status.podIP', { status: { podIPs: [{ ip: '1.2.3.4' }] } }, '1.2.3.4'],
    ['', 'nodes', 'spec.unschedulable', { spec: { unschedulable: true } }, 'true'],
    ['', 'secrets', 'type', { type: 'Opaque' }, 'Opaque'],
    ['', 'namespaces', 'status.phase', { status: { phase: 'Active' } }, 'Active'],
    ['', 'events', 'source', { source: {}, reportingComponent: 'c' }, 'c'],
    ['events.k8s.io', 'events', 'regarding.name', { apiVersion: 'events.k8s.io/v1', regarding: { name: 'x' } }, 'x'],
    ['batch', 'jobs', 'status.successful', { status: { succeeded: 2 } }, '2'],
    ['', 'services', 'spec.type', { spec: { type: 'NodePort' } }, 'NodePort'],
    ['certificates.k8s.io', 'certificatesigningrequests', 'spec.signerName', { spec: { signerName: 'a/b' } }, 'a/b'],
  ];
  it.each(cases)('of %s/%s include %s', (group, resource, label, fields, expected) => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: {}, ...fields } as KubeObject;
    expect(strategyOf(group, resource).fieldLabels[label]?.(object)).toBe(expected);
  });
});

describe('scale', () => {
  it('reads and writes replicas and shows the selector as text', () => {
    const { scale } = strategyOf('apps', 'deployments');
    const spec = {
      replicas: 3,
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [{ key: 'c', operator: 'In', values: ['y', 'x'] }],
      },
    };
    const object: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {},
      spec,
      status: { replicas: 2 },
    };
    expect([scale?.specReplicas(object), scale?.statusReplicas(object), scale?.selector(object)]).toEqual([
      3,
      2,
      'a=1,b=2,c in (x,y)',
    ]);
    scale?.setReplicas(object, 7);
    expect(object['spec']).toMatchObject({ replicas: 7 });
  });
});
