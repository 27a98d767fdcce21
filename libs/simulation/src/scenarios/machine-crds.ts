import type { KubeObject } from '@capstan/meta';

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const AUTHORITY = { type: 'string', enum: ['MachineAPI', 'ClusterAPI', 'Migrating'] };

function definition(kind: string, version: string, scale: boolean, hasAuthority: boolean): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const known = hasAuthority ? { properties: { authoritativeAPI: AUTHORITY } } : {};
  const schema = { type: 'object', properties: { spec: { ...OPEN, ...known }, status: { ...OPEN, ...known } } };
  const scaled = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.machine.openshift.io` },
    spec: {
      group: 'machine.openshift.io',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {}, ...(scale ? { scale: scaled } : {}) },
        },
      ],
    },
  };
}

/** Definitions that let everything through; with or without who acts on machines. */
export function machineCrds(hasAuthority: boolean): readonly KubeObject[] {
  return [
    definition('Machine', 'v1beta1', false, hasAuthority),
    definition('MachineSet', 'v1beta1', true, hasAuthority),
    definition('MachineHealthCheck', 'v1beta1', false, false),
    definition('ControlPlaneMachineSet', 'v1', true, false),
  ];
}
