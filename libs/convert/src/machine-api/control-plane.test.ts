import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../engine/path.js';
import { controlPlaneSide } from './control-plane.js';
import { controlPlaneStatus } from './control-plane-status.js';
import { MachineConverter } from './converter.js';
import type { FailureDomainConversion, MachineContext } from './platform.js';
import { StatusConverter } from './status.js';
import { context, controlPlane, harbour } from './testing/harbour.js';

const converter = new MachineConverter(harbour);
const MEMBER = ['spec', 'template', 'machines_v1beta1_machine_openshift_io'];

function thereAndBack(
  object: JsonObject,
  {
    there = context,
    back = there,
    by = converter,
  }: { there?: MachineContext; back?: MachineContext; by?: MachineConverter } = {},
): JsonObject {
  const { errors, objects } = by.toClusterApi(object, there);
  expect(errors).toEqual([]);
  const [template = {}, set = {}] = cloneJson(objects) as JsonObject[];
  const returned = by.toMachineApi({ set, template }, back);
  expect(returned.errors).toEqual([]);
  return returned.objects[0] ?? {};
}

const issueLines = (issues: readonly { path: string; message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path}: ${message}`);

describe('a set of control plane machines', () => {
  it('names its failure domains and its template in Cluster API, and stays what it is', () => {
    const { errors, objects } = converter.toClusterApi(controlPlane(), context);
    expect(errors).toEqual([]);
    expect(objects).toMatchInlineSnapshot(`
      [
        {
          "apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1",
          "kind": "HarbourMachineTemplate",
          "metadata": {
            "labels": {
              "machine.openshift.io/cluster-api-machineset": "cluster",
            },
            "name": "cluster-f323aa2a",
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
          "apiVersion": "machine.openshift.io/v1",
          "kind": "ControlPlaneMachineSet",
          "metadata": {
            "labels": {
              "cluster.x-k8s.io/cluster-name": "fleet",
            },
            "name": "cluster",
            "namespace": "openshift-machine-api",
          },
          "spec": {
            "replicas": 3,
            "selector": {
              "matchLabels": {
                "machine.openshift.io/cluster-api-cluster": "fleet",
                "machine.openshift.io/cluster-api-machine-role": "master",
                "machine.openshift.io/cluster-api-machine-type": "master",
                "machine.openshift.io/cluster-api-machineset": "worker-a",
              },
            },
            "state": "Active",
            "strategy": {
              "type": "RollingUpdate",
            },
            "template": {
              "machineType": "machines_v1beta2_cluster_x_k8s_io",
              "machines_v1beta2_cluster_x_k8s_io": {
                "failureDomains": [
                  "q1",
                  "q2",
                ],
                "metadata": {
                  "labels": {
                    "cluster.x-k8s.io/cluster-name": "fleet",
                    "cluster.x-k8s.io/control-plane": "",
                    "machine.openshift.io/cluster-api-cluster": "fleet",
                    "machine.openshift.io/cluster-api-machine-role": "master",
                    "machine.openshift.io/cluster-api-machine-type": "master",
                    "machine.openshift.io/cluster-api-machineset": "worker-a",
                    "node-role.kubernetes.io/master": "",
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
                    "name": "cluster-f323aa2a",
                  },
                },
              },
            },
          },
        },
      ]
    `);
  });

  it.each([
    ['an empty platform', { platform: '' }],
    ['nothing', {}],
  ])('is not spread where failureDomains holds %s, as the installer writes it', (_name, failureDomains) => {
    const object = cloneJson(controlPlane()) as JsonObject;
    setAt(object, ['spec', 'template', 'machines_v1beta1_machine_openshift_io', 'failureDomains'], failureDomains);
    for (const platform of [harbour, { ...harbour, failureDomains: undefined }]) {
      const { errors, objects } = new MachineConverter(platform).toClusterApi(object, context);
      expect(errors).toEqual([]);
      expect(JSON.stringify(objects)).not.toContain('failureDomains');
    }
  });

  it('comes back', () => {
    const object = cloneJson(controlPlane()) as JsonObject;
    expect(thereAndBack(object)).toEqual(object);
  });

  it.each<[string, (template: JsonObject) => void, string]>([
    [
      'two domains of one name',
      (template) => setAt(template, ['failureDomains', 'harbour'], [{ quay: 'q1' }, { quay: 'q1' }]),
      'failureDomains.harbour[1]: is a second one of the name "q1": Cluster API distinguishes them by name only',
    ],
    [
      'a domain without a name',
      (template) => setAt(template, ['failureDomains', 'harbour'], [{}]),
      'failureDomains.harbour[0].quay: must be a string',
    ],
    [
      'domains of another platform',
      (template) => setAt(template, ['failureDomains', 'platform'], 'AWS'),
      'failureDomains.platform: must be "Harbour", as the provider spec is',
    ],
    [
      'machines that are too small',
      (template) => setAt(template, ['spec', 'providerSpec', 'value', 'size'], 'tiny'),
      'spec.providerSpec.value.size: is too small for a control plane',
    ],
  ])('is refused with %s', (_, change, expected) => {
    const object = cloneJson(controlPlane()) as JsonObject;
    change(getAt(object, ['spec', 'template', 'machines_v1beta1_machine_openshift_io']) as JsonObject);
    const { errors } = converter.toClusterApi(object, context);
    expect(issueLines(errors)).toEqual([`spec.template.machines_v1beta1_machine_openshift_io.${expected}`]);
  });
});

/** Quays with a depth that the infrastructure cluster has: its name alone gives a domain in another form. */
const deep: FailureDomainConversion = {
  key: 'harbour',
  platform: 'Harbour',
  readsCluster: true,
  toName: ({ depth, quay }, { infrastructureCluster }) => {
    const known = getAt(infrastructureCluster, ['spec', 'depth']);
    if (depth !== undefined && depth !== 'as the cluster' && depth !== known)
      return { code: 'ClusterMismatch', path: 'depth', message: 'is another' };
    return { name: String(quay) };
  },
  toDomain: (quay, { infrastructureCluster }) => {
    const depth = getAt(infrastructureCluster, ['spec', 'depth']);
    return { domain: depth === undefined ? { quay } : { quay, depth } };
  },
};

describe('failure domains that have another form when they are made from their names', () => {
  const by = new MachineConverter({ ...harbour, failureDomains: deep });
  const at = (depth?: number): MachineContext => ({
    ...context,
    infrastructureCluster: { spec: { port: 'hamburg', ...(depth === undefined ? {} : { depth }) } },
  });
  const domains = [...MEMBER, 'failureDomains', 'harbour'];
  const spread = (list: JsonObject[]): JsonObject =>
    controlPlane((template) => setAt(template, ['failureDomains', 'harbour'], list));

  it.each<[string, JsonObject[]]>([
    ['as the cluster has it', [{ quay: 'q1', depth: 7 }, { quay: 'q2' }]],
    ['in words', [{ quay: 'q1', depth: 'as the cluster' }]],
    ['not at all', [{ quay: 'q1' }]],
  ])('come back as they were, or every machine would be replaced: %s', (_, list) => {
    const object = spread(list);
    expect(thereAndBack(object, { there: at(7), by })).toEqual(object);
  });

  it('come back as they were where the cluster has nothing, too', () => {
    const lax: FailureDomainConversion = {
      key: 'harbour',
      platform: 'Harbour',
      toName: ({ quay }) => ({ name: String(quay).toLowerCase() }),
      toDomain: (quay) => ({ domain: { quay } }),
    };
    const object = spread([{ quay: 'q1' }, { quay: 'Q2' }]);
    expect(thereAndBack(object, { by: new MachineConverter({ ...harbour, failureDomains: lax }) })).toEqual(object);
  });

  it('come back as they were when the infrastructure cluster lists more than before', () => {
    const object = spread([{ quay: 'q1' }, { quay: 'q2' }]);
    expect(thereAndBack(object, { there: at(), back: at(7), by })).toEqual(object);
  });

  it('follow the infrastructure cluster where they would not be those of the name any more', () => {
    const returned = thereAndBack(spread([{ quay: 'q1', depth: 7 }]), { there: at(7), back: at(9), by });
    expect(getAt(returned, domains)).toEqual([{ quay: 'q1', depth: 9 }]);
  });

  it('are those that were named in Cluster API since, and the others as they were', () => {
    const { objects } = by.toClusterApi(spread([{ quay: 'q1' }, { quay: 'q2' }]), at(7));
    const [template = {}, set = {}] = cloneJson(objects) as JsonObject[];
    setAt(set, ['spec', 'template', 'machines_v1beta2_cluster_x_k8s_io', 'failureDomains'], ['q3', 'q1']);
    const [returned] = by.toMachineApi({ set, template }, at(7)).objects;
    expect(getAt(returned, domains)).toEqual([{ quay: 'q3', depth: 7 }, { quay: 'q1' }]);
  });
});

describe('the namespace of a set for Cluster API', () => {
  const namespaceOf = (there: MachineContext): unknown =>
    getAt(converter.toClusterApi(controlPlane(), there).objects[1], ['metadata', 'namespace']);

  it('is that of Machine API, where it takes the place of the other one', () => {
    expect(namespaceOf(context)).toBe('openshift-machine-api');
  });

  it('is the one that is asked for, where both are kept, and the way back leads to Machine API', () => {
    const namespaces = { ...context.namespaces, controlPlane: 'openshift-cluster-api' };
    expect(namespaceOf({ ...context, namespaces })).toBe('openshift-cluster-api');
    expect(thereAndBack(controlPlane(), { there: { ...context, namespaces } })).toEqual(controlPlane());
  });
});

it('A set has machines of the API that its template names', () => {
  const [, there = {}] = converter.toClusterApi(controlPlane(), context).objects;
  expect([controlPlane(), there, { spec: { template: {} } }].map(controlPlaneSide)).toEqual([
    'machine-api',
    'cluster-api',
    undefined,
  ]);
});

describe('the status of a set of control plane machines', () => {
  const [before, now] = ['2026-01-02T03:04:05Z', '2026-02-02T03:04:05Z'];
  const condition = (type: string, status: string, more: JsonObject = {}): JsonObject => ({
    type,
    status,
    reason: 'AsExpected',
    message: '',
    lastTransitionTime: before,
    ...more,
  });
  const source = (status: JsonObject): JsonObject => ({ ...controlPlane(), status });
  const counts = { replicas: 4, readyReplicas: 3, updatedReplicas: 2, unavailableReplicas: 1 };

  it('has counts and conditions of the set, and nothing that is about one of the copies', () => {
    const own = {
      observedGeneration: 4,
      authoritativeAPI: 'ClusterAPI',
      synchronizedAPI: 'MachineAPI',
      synchronizedGeneration: 4,
    };
    const conditions = [
      condition('Available', 'True', { observedGeneration: 4 }),
      condition('Paused', 'True'),
      condition('Synchronized', 'True'),
    ];
    expect(controlPlaneStatus(source({ ...counts, ...own, conditions }))).toEqual({
      ...counts,
      conditions: [condition('Available', 'True')],
    });
    expect(controlPlaneStatus(controlPlane())).toEqual({});
    expect(controlPlaneStatus(source({ replicas: null, conditions: 'none' }))).toEqual({});
  });

  it('is merged into that of the other copy: counts that are no longer there go, all else stays', () => {
    const own = { observedGeneration: 2, synchronizedGeneration: 7 };
    const existing = source({
      ...counts,
      ...own,
      conditions: [condition('Paused', 'True'), condition('Degraded', 'False')],
    });
    const statuses = new StatusConverter(harbour);
    const converted = controlPlaneStatus(
      source({ replicas: 3, conditions: [condition('Degraded', 'True', { lastTransitionTime: 'x' })] }),
    );
    expect(statuses.mergeInto(existing, converted, now)).toEqual({
      ...own,
      replicas: 3,
      conditions: [condition('Paused', 'True'), condition('Degraded', 'True', { lastTransitionTime: now })],
    });
    const same = controlPlaneStatus(source({ ...counts, conditions: [condition('Degraded', 'False')] }));
    expect(statuses.mergeInto(existing, same, now)).toBe(existing['status']);
  });
});
