import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../engine/path.js';
import { MachineConverter, healthCheckToClusterApi, healthCheckToMachineApi } from './converter.js';
import { boat, context, harbour, nameless } from './testing/harbour.js';

const converter = new MachineConverter(harbour);
const issueLines = (issues: readonly { path: string; message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path}: ${message}`);

const labels = {
  'machine.openshift.io/cluster-api-cluster': 'fleet',
  'machine.openshift.io/cluster-api-machineset': 'worker-a',
};

function fleetOf(change: (set: JsonObject) => void = () => undefined): JsonObject {
  const providerSpec = getAt(boat(), ['spec', 'providerSpec']);
  const set: JsonObject = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: {
      name: 'worker-a',
      namespace: 'openshift-machine-api',
      annotations: {
        'machine.openshift.io/cluster-api-autoscaler-node-group-max-size': '6',
        'machine.openshift.io/cluster-api-autoscaler-node-group-min-size': '1',
        'machine.openshift.io/GPU': '2',
        'machine.openshift.io/memoryMb': '16384',
        'machine.openshift.io/vCPU': '4',
      },
    },
    spec: {
      replicas: 3,
      deletePolicy: 'Oldest',
      minReadySeconds: 30,
      selector: { matchLabels: { ...labels } },
      template: { metadata: { labels: { ...labels } }, spec: { providerSpec } },
    },
  };
  change(set);
  return set;
}

function thereAndBack(object: JsonObject): JsonObject {
  const { errors, objects } = converter.toClusterApi(object, context);
  expect(errors).toEqual([]);
  const [template = {}, machineSet = {}] = cloneJson(objects) as JsonObject[];
  const back = converter.toMachineApi({ machineSet, template }, context);
  expect(back.errors).toEqual([]);
  return back.objects[0] ?? {};
}

describe('a set of machines', () => {
  it('becomes a MachineSet and a template that is named after its content', () => {
    const { errors, objects, warnings } = converter.toClusterApi(fleetOf(), context);
    expect([errors, warnings]).toEqual([[], []]);
    expect(objects).toMatchInlineSnapshot(`
      [
        {
          "apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1",
          "kind": "HarbourMachineTemplate",
          "metadata": {
            "labels": {
              "machine.openshift.io/cluster-api-machineset": "worker-a",
            },
            "name": "worker-a-f323aa2a",
            "namespace": "openshift-cluster-api",
          },
          "spec": {
            "template": {
              "spec": {
                "berth": "b-4",
                "size": "large",
              },
            },
          },
        },
        {
          "apiVersion": "cluster.x-k8s.io/v1beta2",
          "kind": "MachineSet",
          "metadata": {
            "annotations": {
              "capacity.cluster-autoscaler.kubernetes.io/cpu": "4",
              "capacity.cluster-autoscaler.kubernetes.io/gpu-count": "2",
              "capacity.cluster-autoscaler.kubernetes.io/gpu-type": "nvidia.com/gpu",
              "capacity.cluster-autoscaler.kubernetes.io/memory": "16384Mi",
              "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "6",
              "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1",
            },
            "labels": {
              "cluster.x-k8s.io/cluster-name": "fleet",
            },
            "name": "worker-a",
            "namespace": "openshift-cluster-api",
          },
          "spec": {
            "clusterName": "fleet",
            "deletion": {
              "order": "Oldest",
            },
            "replicas": 3,
            "selector": {
              "matchLabels": {
                "machine.openshift.io/cluster-api-cluster": "fleet",
                "machine.openshift.io/cluster-api-machineset": "worker-a",
              },
            },
            "template": {
              "metadata": {
                "labels": {
                  "cluster.x-k8s.io/cluster-name": "fleet",
                  "machine.openshift.io/cluster-api-cluster": "fleet",
                  "machine.openshift.io/cluster-api-machineset": "worker-a",
                },
              },
              "spec": {
                "bootstrap": {
                  "dataSecretName": "worker-user-data",
                },
                "clusterName": "fleet",
                "deletion": {
                  "nodeDeletionTimeoutSeconds": 10,
                },
                "failureDomain": "q1",
                "infrastructureRef": {
                  "apiGroup": "infrastructure.cluster.x-k8s.io",
                  "kind": "HarbourMachineTemplate",
                  "name": "worker-a-f323aa2a",
                },
                "minReadySeconds": 30,
              },
            },
          },
        },
      ]
    `);
  });

  it.each<[string, (set: JsonObject) => void]>([
    ['as it is', () => undefined],
    [
      'with empty fields left out',
      (set) => setAt(set, ['spec'], { selector: {}, template: getAt(set, ['spec', 'template']) }),
    ],
    ['with labels for nodes', (set) => setAt(set, ['spec', 'template', 'spec', 'metadata', 'labels', 'env'], 'prod')],
    [
      'with memory that is no number',
      (set) => setAt(set, ['metadata', 'annotations', 'machine.openshift.io/memoryMb'], '16Gi'),
    ],
    [
      'with a role in its selector',
      (set) => {
        for (const key of ['role', 'type'])
          setAt(
            set,
            ['spec', 'template', 'metadata', 'labels', `machine.openshift.io/cluster-api-machine-${key}`],
            'infra',
          );
        setAt(set, ['spec', 'selector', 'matchLabels', 'machine.openshift.io/cluster-api-machine-role'], 'infra');
      },
    ],
  ])('comes back %s', (_, change) => {
    const object = cloneJson(fleetOf((set) => change(set))) as JsonObject;
    expect(thereAndBack(object)).toEqual(object);
  });

  it('selects by the labels that its machines have', () => {
    const object = cloneJson(fleetOf()) as JsonObject;
    setAt(object, ['spec', 'template', 'metadata', 'labels', 'machine.openshift.io/cluster-api-machine-role'], 'infra');
    setAt(
      object,
      ['spec', 'template', 'metadata', 'labels', 'machine.openshift.io/cluster-api-machine-type'],
      'worker',
    );
    setAt(object, ['spec', 'selector', 'matchLabels', 'machine.openshift.io/cluster-api-machine-role'], 'infra');
    const [, set = {}] = converter.toClusterApi(object, context).objects;
    const selector = getAt(set, ['spec', 'selector', 'matchLabels']) as JsonObject;
    expect(getAt(set, ['spec', 'template', 'metadata', 'labels'])).toMatchObject(selector);
  });

  it.each<[string, string[], unknown, string]>([
    [
      'a provider ID',
      ['spec', 'template', 'spec', 'providerID'],
      'harbour://boat-7',
      'spec.template.spec.providerID: names one instance, and a template has many',
    ],
    [
      'names of its machines',
      ['spec', 'template', 'metadata', 'generateName'],
      'm-',
      'spec.template.metadata.generateName: is not kept: machines of a set get their names from it',
    ],
  ])('is refused with %s', (_, path, value, expected) => {
    const { errors, objects } = converter.toClusterApi(
      fleetOf((set) => setAt(set, path, value)),
      context,
    );
    expect(issueLines(errors)).toEqual([expected]);
    expect(objects).toEqual([]);
  });

  it.each<[string, ['machineSet' | 'template', ...string[]], unknown, string]>([
    [
      'that names its machines',
      ['machineSet', 'spec', 'machineNaming', 'template'],
      'x',
      'MachineSet spec.machineNaming: Machine API names machines of a set itself: remove it',
    ],
    [
      'of a MachineDeployment',
      ['machineSet', 'metadata', 'labels', 'cluster.x-k8s.io/deployment-name'],
      'd',
      'MachineSet metadata.labels[cluster.x-k8s.io/deployment-name]: belongs to a MachineDeployment, which Machine API does not have',
    ],
    [
      'of one boat',
      ['template', 'spec', 'template', 'spec', 'boatID'],
      'b',
      'HarbourMachineTemplate spec.template.spec.boatID: names one instance, and a template has many',
    ],
    [
      'of another cluster',
      ['machineSet', 'spec', 'clusterName'],
      'other',
      'MachineSet spec.clusterName: is "other", which cannot be kept: it will be "fleet"',
    ],
  ])('of Cluster API is refused, one %s', (_, [part, ...path], value, expected) => {
    const [template = {}, machineSet = {}] = cloneJson(
      converter.toClusterApi(fleetOf(), context).objects,
    ) as JsonObject[];
    setAt(part === 'template' ? template : machineSet, path, value);
    const { errors } = converter.toMachineApi({ machineSet, template }, context);
    expect(errors.map(({ message, object, path: at }) => `${object.kind} ${at}: ${message}`)).toEqual([expected]);
  });
});

describe('the name of a template', () => {
  const nameOf = (change: (value: JsonObject) => void): string => {
    const object = cloneJson(fleetOf()) as JsonObject;
    change(getAt(object, ['spec', 'template', 'spec', 'providerSpec', 'value']) as JsonObject);
    const [template = {}] = converter.toClusterApi(object, context).objects;
    return String(getAt(template, ['metadata', 'name']));
  };
  const usual = nameOf(() => undefined);

  it('does not depend on the order of keys', () => {
    const turned = nameOf((value) => {
      const { size } = value;
      delete value['size'];
      value['size'] = size;
    });
    expect(turned).toBe(usual);
  });

  it('does not depend on whether a default is written', () => {
    expect(nameOf((value) => (value['size'] = 'small'))).toBe(nameOf((value) => delete value['size']));
  });

  it('changes with the content, and is the old one when the content is', () => {
    expect(nameOf((value) => (value['berth'] = 'b-5'))).not.toBe(usual);
    expect(nameOf((value) => (value['berth'] = 'b-4'))).toBe(usual);
  });

  it('does not change with what is no part of the template', () => {
    expect(nameOf((value) => (value['userDataSecret'] = { name: 'other' }))).toBe(usual);
  });

  it('fits, whatever the name of the set', () => {
    const object = fleetOf((set) => setAt(set, ['metadata', 'name'], 'a'.repeat(253)));
    const [template = {}] = converter.toClusterApi(object, context).objects;
    expect(String(getAt(template, ['metadata', 'name']))).toMatch(/^a{244}-[0-9a-f]{8}$/);
  });
});

describe('a zone that only a label has', () => {
  it('is the failure domain, and comes back as the label', () => {
    const places = new MachineConverter(nameless);
    const object = boat(({ spec }) => {
      const value = getAt(spec, ['providerSpec', 'value']) as JsonObject;
      delete value['quay'];
      delete value['userDataSecret'];
    });
    const [infrastructure = {}, machine = {}] = cloneJson(places.toClusterApi(object, context).objects) as JsonObject[];
    expect(getAt(machine, ['spec', 'failureDomain'])).toBe('q1');
    setAt(machine, ['spec', 'failureDomain'], 'q2');
    const [back = {}] = places.toMachineApi({ machine, infrastructure }, context).objects;
    expect(getAt(back, ['metadata', 'labels', 'machine.openshift.io/zone'])).toBe('q2');
  });
});

describe('a health check', () => {
  const check: JsonObject = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineHealthCheck',
    metadata: { name: 'workers', namespace: 'openshift-machine-api' },
    spec: {
      selector: { matchLabels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
      maxUnhealthy: '40%',
      nodeStartupTimeout: '20m',
      unhealthyConditions: [
        { type: 'Ready', status: 'False', timeout: '300s' },
        { type: 'Ready', status: 'Unknown', timeout: '5m0s' },
      ],
      remediationTemplate: { apiVersion: 'r/v1', kind: 'T', name: 't', namespace: 'openshift-machine-api' },
    },
  };

  it('is written in seconds, and comes back as it was written', () => {
    const { errors, objects, warnings } = healthCheckToClusterApi(check, context);
    expect([errors, warnings]).toEqual([[], []]);
    expect(objects[0]?.['spec']).toEqual({
      clusterName: 'fleet',
      selector: { matchLabels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
      checks: {
        nodeStartupTimeoutSeconds: 1200,
        unhealthyNodeConditions: [
          { type: 'Ready', status: 'False', timeoutSeconds: 300 },
          { type: 'Ready', status: 'Unknown', timeoutSeconds: 300 },
        ],
      },
      remediation: {
        triggerIf: { unhealthyLessThanOrEqualTo: '40%' },
        templateRef: { apiVersion: 'r/v1', kind: 'T', name: 't' },
      },
    });
    expect(healthCheckToMachineApi(objects[0] ?? {}, context).objects).toEqual([check]);
  });

  it.each<[string, unknown, string[], string[]]>([
    [
      'parts of seconds',
      '1500ms',
      [],
      ['spec.nodeStartupTimeout: is 1500ms, and becomes 1s: Cluster API takes whole seconds'],
    ],
    ['a time that is none', 'soon', ['spec.nodeStartupTimeout: time: invalid duration "soon"'], []],
    ['a number', 5, ['spec.nodeStartupTimeout: must be a duration, such as 300s or 5m'], []],
    ['a century', '876000h', ['spec.nodeStartupTimeout: is 876000h: Cluster API takes 0 to 2147483647 seconds'], []],
  ])('reports what is wrong with %s', (_, value, errors, warnings) => {
    const object = cloneJson(check) as JsonObject;
    setAt(object, ['spec', 'nodeStartupTimeout'], value);
    const found = healthCheckToClusterApi(object, context);
    expect([issueLines(found.errors), issueLines(found.warnings)]).toEqual([errors, warnings]);
  });

  it('warns of what only Cluster API can', () => {
    const [converted = {}] = cloneJson(healthCheckToClusterApi(check, context).objects) as JsonObject[];
    setAt(converted, ['spec', 'checks', 'unhealthyMachineConditions'], [{ type: 'A', status: 'B', timeoutSeconds: 1 }]);
    setAt(converted, ['spec', 'remediation', 'triggerIf', 'unhealthyInRange'], '[1-2]');
    const { errors, objects, warnings } = healthCheckToMachineApi(converted, context);
    expect([errors, objects]).toEqual([[], [check]]);
    expect(issueLines(warnings)).toEqual([
      'spec.checks.unhealthyMachineConditions: is dropped: Machine API checks nodes only',
      'spec.remediation.triggerIf.unhealthyInRange: is dropped: Machine API has maxUnhealthy only',
    ]);
  });
});
