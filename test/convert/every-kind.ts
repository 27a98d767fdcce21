import type { JsonObject, KubeObject } from '@capstan/meta';

/** A valid object of v1beta1 for each kind, by the plural of the kind. */
export function everyKind(namespace: string, infraGroup: string): Readonly<Record<string, KubeObject>> {
  const reference = { apiVersion: `${infraGroup}/v1beta7`, kind: 'Box', name: 'b', namespace };
  const object = (kind: string, spec: JsonObject): KubeObject => {
    return { apiVersion: 'cluster.x-k8s.io/v1beta1', kind, metadata: { name: 'every', namespace }, spec };
  };
  const template = {
    metadata: { labels: { app: 'x' } },
    spec: {
      clusterName: 'c',
      bootstrap: { configRef: reference },
      infrastructureRef: reference,
      version: 'v1.33.1',
      nodeDrainTimeout: '5m0s',
    },
  };
  const check = { unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '5m0s' }], maxUnhealthy: '40%' };
  const selector = { matchLabels: { app: 'x' } };
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, deletePolicy: 'Oldest' } };
  return {
    clusters: object('Cluster', {
      paused: true,
      clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/16'] }, apiServerPort: 6443 },
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      controlPlaneRef: reference,
      infrastructureRef: reference,
      topology: {
        class: 'k',
        version: 'v1.33.1',
        controlPlane: { replicas: 3, metadata: {}, machineHealthCheck: { enable: true, ...check } },
        workers: { machineDeployments: [{ class: 'w', name: 'w', replicas: 2, metadata: {}, strategy }] },
        variables: [{ name: 'size', value: { big: true } }],
      },
    }),
    clusterclasses: object('ClusterClass', classSpec(reference, check)),
    machines: object('Machine', template.spec),
    machinesets: object('MachineSet', { clusterName: 'c', replicas: 2, selector, template, deletePolicy: 'Newest' }),
    machinedeployments: object('MachineDeployment', {
      clusterName: 'c',
      replicas: 2,
      selector,
      template,
      strategy,
      minReadySeconds: 3,
    }),
    machinepools: object('MachinePool', { clusterName: 'c', replicas: 2, template, failureDomains: ['a'] }),
    machinehealthchecks: object('MachineHealthCheck', {
      clusterName: 'c',
      selector,
      nodeStartupTimeout: '10m0s',
      ...check,
    }),
    machinedrainrules: object('MachineDrainRule', {
      drain: { behavior: 'Drain', order: 3 },
      machines: [{ selector }],
      pods: [{ selector }],
    }),
  };
}

function classSpec(reference: JsonObject & { readonly apiVersion: string }, check: JsonObject): JsonObject {
  return {
    infrastructure: { ref: reference },
    controlPlane: { metadata: {}, ref: reference, machineInfrastructure: { ref: reference } },
    workers: {
      machineDeployments: [
        {
          class: 'w',
          template: { metadata: {}, bootstrap: { ref: reference }, infrastructure: { ref: reference } },
          machineHealthCheck: check,
        },
      ],
    },
    variables: [
      {
        name: 'size',
        required: true,
        metadata: {},
        schema: { openAPIV3Schema: { type: 'object', properties: { big: { type: 'boolean', default: false } } } },
      },
    ],
    patches: [
      {
        name: 'p',
        definitions: [
          {
            selector: { apiVersion: reference.apiVersion, kind: 'Box', matchResources: { controlPlane: true } },
            jsonPatches: [{ op: 'add', path: '/spec/x', valueFrom: { variable: 'size' } }],
          },
        ],
      },
    ],
  };
}
