import type { JsonSchema } from '@capstan/api/model';

import type { Addition } from './sources.js';

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });
const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
const members = ['machines_v1beta1_machine_openshift_io', 'machines_v1beta2_cluster_x_k8s_io'];
const reason = 'control plane machines may be of Cluster API: an infrastructure template and names of failure domains';

const taint: JsonSchema = {
  type: 'object',
  required: ['effect', 'key', 'propagation'],
  properties: {
    effect: { type: 'string', enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
    key: text(317),
    propagation: { type: 'string', enum: ['Always', 'OnInitialization'] },
    value: { type: 'string', maxLength: 63 },
  },
};

/** The spec that machines of Cluster API have, as far as one template serves them all. */
const spec: JsonSchema = {
  type: 'object',
  required: ['clusterName', 'infrastructureRef'],
  properties: {
    bootstrap: { type: 'object', properties: { dataSecretName: text(253) } },
    clusterName: text(63),
    deletion: {
      type: 'object',
      properties: { nodeDeletionTimeoutSeconds: { type: 'integer', format: 'int32', minimum: 0 } },
    },
    failureDomain: text(256),
    infrastructureRef: {
      type: 'object',
      required: ['apiGroup', 'kind', 'name'],
      properties: { apiGroup: text(253), kind: text(63), name: text(253) },
    },
    taints: { type: 'array', maxItems: 64, items: taint, 'x-kubernetes-list-type': 'atomic' },
  },
};

/** What is ours in sets of control plane machines. */
export const controlPlaneAdditions: readonly Addition[] = [
  {
    path: 'v1.spec.template.machineType',
    schema: { type: 'string', enum: members },
    required: true,
    replaces: true,
    reason,
  },
  {
    path: 'v1.spec.template.machines_v1beta2_cluster_x_k8s_io',
    schema: {
      type: 'object',
      required: ['metadata', 'spec'],
      properties: {
        failureDomains: { type: 'array', maxItems: 100, items: text(256), 'x-kubernetes-list-type': 'atomic' },
        metadata: { type: 'object', required: ['labels'], properties: { annotations: texts, labels: texts } },
        spec,
      },
    },
    reason,
  },
];
