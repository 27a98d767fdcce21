import { describe, expect, it } from 'vitest';
import { cloneOf, kindOfClone, referenceOf } from './clone.js';
import {
  contractOf,
  controlPlaneReplicas,
  definitionName,
  endpointOf,
  failureDomainsOf,
  isContractChange,
  isProvisioned,
} from './contract.js';

const object = (status: object, spec: object = {}): Parameters<typeof isProvisioned>[0] => ({
  apiVersion: 'x/v1',
  kind: 'X',
  metadata: {},
  spec,
  status,
});

describe('the contract of a kind', () => {
  it.each<[Record<string, string> | undefined, unknown]>([
    [undefined, undefined],
    [{ 'cluster.x-k8s.io/v1beta1': '' }, undefined],
    [{ 'cluster.x-k8s.io/v1beta1': 'v1beta1_v1beta2' }, { contract: 'v1beta1', version: 'v1beta2' }],
    [
      { 'cluster.x-k8s.io/v1beta1': 'v1beta2', 'cluster.x-k8s.io/v1beta2': 'v1alpha1_v1_v1beta3' },
      { contract: 'v1beta2', version: 'v1' },
    ],
  ])('by the labels %j', (labels, wanted) => {
    expect(contractOf(labels)).toEqual(wanted);
  });

  it.each([
    ['AWSMachineTemplate', 'awsmachinetemplates.g'],
    ['OpenStackServer', 'openstackservers.g'],
    ['IPPolicy', 'ippolicies.g'],
    ['Box', 'boxes.g'],
  ])('%s is defined by %s', (kind, name) => {
    expect(definitionName('g', kind)).toBe(name);
  });

  it('returns where to look', () => {
    expect(isProvisioned(object({ ready: true }), 'v1beta1')).toBe(true);
    expect(isProvisioned(object({ ready: true }), 'v1beta2')).toBe(false);
    expect(isProvisioned(object({ initialization: { provisioned: true } }), 'v1beta2')).toBe(true);
    expect(endpointOf(object({}, { controlPlaneEndpoint: { host: '', port: 0 } }))).toEqual({});
    const domains = [
      { name: 'a', controlPlane: true },
      { name: 'b', controlPlane: false },
    ];
    expect(failureDomainsOf(object({ failureDomains: { b: {}, a: { controlPlane: true } } }), 'v1beta1')).toEqual(
      domains,
    );
    expect(
      failureDomainsOf(object({ failureDomains: [{ name: 'b' }, { name: 'a', controlPlane: true }] }), 'v1beta2'),
    ).toEqual(domains);
  });

  it.each<[string, ReturnType<typeof object>, boolean]>([
    ['a status of its own', object({ ready: true, nodeCount: 3 }), false],
    ['its own status', object({ ready: false }), true],
    ['a condition', object({ ready: true, conditions: [{ type: 'Ready', status: 'True' }] }), true],
    ['what is asked of it', object({ ready: true }, { providerID: 'x' }), true],
    ['whose it is', { ...object({ ready: true }), metadata: { labels: { a: 'b' } } }, true],
  ])('decides whether a change of %s concerns core', (_, now, expected) => {
    expect(isContractChange(object({ ready: true }), now)).toBe(expected);
  });

  it('counts control planes by either', () => {
    const old = object({ replicas: 3, updatedReplicas: 2, unavailableReplicas: 5 }, { replicas: 3 });
    expect(controlPlaneReplicas(old, 'v1beta1')).toMatchObject({
      desiredReplicas: 3,
      availableReplicas: 0,
      upToDateReplicas: 2,
    });
    const now = object({ availableReplicas: 1, upToDateReplicas: 2 }, { replicas: 3 });
    expect(controlPlaneReplicas(now, 'v1beta2')).toMatchObject({ availableReplicas: 1, upToDateReplicas: 2 });
  });
});

describe('what is made from a template', () => {
  it('carries where it comes from, whose it is, and what its machine carries', () => {
    const template = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachineTemplate',
      metadata: { name: 't', resourceVersion: '7' },
      spec: { template: { metadata: { labels: { a: '1' }, finalizers: ['no'] }, spec: { size: 'x' } } },
    };
    const made = cloneOf({
      template,
      namespace: 'n',
      name: 'm',
      clusterName: 'one',
      labels: { b: '2' },
      annotations: { c: '3' },
    });
    expect(made).toEqual({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      metadata: {
        name: 'm',
        namespace: 'n',
        labels: { a: '1', b: '2', 'cluster.x-k8s.io/cluster-name': 'one' },
        annotations: {
          c: '3',
          'cluster.x-k8s.io/cloned-from-name': 't',
          'cluster.x-k8s.io/cloned-from-groupkind': 'AWSMachineTemplate.infrastructure.cluster.x-k8s.io',
        },
      },
      spec: { size: 'x' },
    });
    expect(referenceOf(made)).toEqual({ apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm' });
    expect(kindOfClone('Fixed')).toBe('Fixed');
  });
});
