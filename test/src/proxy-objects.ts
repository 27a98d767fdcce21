import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

export const NETWORK_POLICIES: ResourceKind = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  namespaced: true,
  kind: 'NetworkPolicy',
};
export const POD_MONITORS: ResourceKind = {
  group: 'monitoring.coreos.com',
  version: 'v1',
  plural: 'podmonitors',
  namespaced: true,
  kind: 'PodMonitor',
};
/** As much of the kind as a server needs to store it. */
export const POD_MONITOR_CRD: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'podmonitors.monitoring.coreos.com' },
  spec: {
    group: POD_MONITORS.group,
    names: { kind: POD_MONITORS.kind, plural: POD_MONITORS.plural, singular: 'podmonitor' },
    scope: 'Namespaced',
    versions: [
      {
        name: POD_MONITORS.version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};
