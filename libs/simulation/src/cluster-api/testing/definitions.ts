import { kinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '@capstan/upstream/cluster-api';

/** A provider's kinds that exist for tests only: every field is let through. */
interface TestKind {
  readonly group: string;
  readonly kind: string;
}

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io';
const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io';

const TEST_KINDS: readonly TestKind[] = [
  { group: INFRASTRUCTURE, kind: 'TestCluster' },
  { group: INFRASTRUCTURE, kind: 'TestMachine' },
  { group: INFRASTRUCTURE, kind: 'TestMachineTemplate' },
  { group: BOOTSTRAP, kind: 'TestConfig' },
  { group: BOOTSTRAP, kind: 'TestConfigTemplate' },
  { group: CONTROL_PLANE, kind: 'TestControlPlane' },
];

const ref = (group: string, plural: string): ResourceRef => ({ group, version: 'v1beta2', plural, namespaced: true });

export const TEST_CLUSTERS = ref(INFRASTRUCTURE, 'testclusters');
export const TEST_MACHINES = ref(INFRASTRUCTURE, 'testmachines');
export const TEST_CONFIGS = ref(BOOTSTRAP, 'testconfigs');
export const TEST_CONTROL_PLANES = ref(CONTROL_PLANE, 'testcontrolplanes');

/** The CRD of a kind of the tests, which keeps the contract of today. */
function definitionOf({ group, kind }: TestKind): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta2' } },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1beta2',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** Every CRD the core and the provider of the tests need, the core in all its versions or in one alone. */
export function testDefinitions(coreVersion?: string): KubeObject[] {
  const core = kinds.map((kind) => {
    const definition = crd(kind, { conversion: 'none' });
    if (coreVersion === undefined) return definition;
    const versions = definition.spec.versions
      .filter(({ name }) => name === coreVersion)
      .map((version) => ({ ...version, served: true, storage: true }));
    return { ...definition, spec: { ...definition.spec, versions } };
  });
  return [...core.map((each) => each as unknown as KubeObject), ...TEST_KINDS.map(definitionOf)];
}

/** Writes every CRD to a server. */
export async function installDefinitions(client: Client, coreVersion?: string): Promise<void> {
  for (const definition of testDefinitions(coreVersion)) await client.create(DEFINITIONS, definition);
}
