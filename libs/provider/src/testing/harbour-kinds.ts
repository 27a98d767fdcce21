import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const VERSION = 'v1beta1';

function harbour(kind: string, plural: string): ResourceKind {
  return { group: GROUP, version: VERSION, plural, namespaced: true, kind };
}

export const HARBOUR_CLUSTERS: ResourceKind = harbour('HarbourCluster', 'harbourclusters');
export const HARBOUR_MACHINES: ResourceKind = harbour('HarbourMachine', 'harbourmachines');
export const HARBOUR_MACHINE_TEMPLATES: ResourceKind = harbour('HarbourMachineTemplate', 'harbourmachinetemplates');

const KINDS: readonly ResourceKind[] = [HARBOUR_CLUSTERS, HARBOUR_MACHINES, HARBOUR_MACHINE_TEMPLATES];
const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** CRDs of the infrastructure kinds of the made-up platform; they take any spec and any status. */
export function harbourDefinitions(): KubeObject[] {
  return KINDS.map(({ group, kind, plural }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'cluster.x-k8s.io/v1beta1': VERSION } },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: OPEN, status: OPEN } } },
          subresources: { status: {} },
        },
      ],
    },
  }));
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  enum?: unknown[];
  [keyword: string]: unknown;
}

interface Definition extends KubeObject {
  spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
}

/**
 * A CRD of HostedCluster, HostedControlPlane or NodePool that also takes the made-up platform, whose settings
 * may be anything. The one given stays as it is.
 */
export function admittingPlatform(
  definition: object,
  { key, type }: { readonly key: string; readonly type: string },
): KubeObject {
  const copy = structuredClone(definition) as Definition;
  for (const { schema } of copy.spec.versions) admit(schema.openAPIV3Schema, key, type);
  return copy;
}

function admit(schema: Schema, key: string, type: string): void {
  const { properties = {} } = schema;
  const types = properties['platform']?.properties?.['type']?.enum;
  if (types !== undefined) {
    if (!types.includes(type)) types.push(type);
    const settings = properties['platform']?.properties ?? {};
    settings[key] ??= { ...OPEN } as Schema;
  }
  for (const each of Object.values(properties)) admit(each, key, type);
}

/** What the settings of a cluster and of a pool on the made-up platform say. */
export interface HarbourSettings extends JsonObject {
  readonly port?: string;
  readonly credentials?: { readonly name: string };
  readonly berth?: string;
  readonly size?: string;
  readonly cranes?: number;
}
