import { PRIVATE_CAPI_TYPES_ENV, PROXY_IMAGE_ENV } from '@capstan/hosting';
import { addMigrationController, DEFAULT_MIGRATION_SETTINGS } from '@capstan/hypershift';
import type { MigrationSettings, SidecarInjection } from '@capstan/hypershift';
import { Discovery, EventRecorder, Manager } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { OPERATOR_NAMESPACE } from '@capstan/simulation';
import type { ProcessDefinition } from '@capstan/simulation';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { COMPONENTS, SIDECAR_NAME, withoutSidecar, withSidecar } from '@capstan/translate/sidecar';
import type { ComponentName } from '@capstan/translate/sidecar';

export const MAPPING = new GroupMapping(CLUSTER_API_RULES);
export const MIGRATION_PROCESS = 'migration';
const CONTROL_PLANE_OPERATOR = 'control-plane-operator';
const IMAGE = 'registry.capstan.internal/capstan:latest';

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Container {
  readonly name: string;
  readonly env?: readonly Variable[];
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
    };
  };
}

/** By these the control plane operator gives its own components their sidecars. */
const VARIABLES: readonly Variable[] = [
  { name: PRIVATE_CAPI_TYPES_ENV, value: 'true' },
  { name: PROXY_IMAGE_ENV, value: IMAGE },
];

/** The real sidecar, and the environment of the control plane operator. */
export const SIDECAR: SidecarInjection = {
  has: (deployment) =>
    ((deployment as Deployment).spec.template.spec.initContainers ?? []).some(({ name }) => name === SIDECAR_NAME),
  add: (deployment) => {
    const name = deployment.metadata.name ?? '';
    const component = Object.hasOwn(COMPONENTS, name) ? (name as ComponentName) : undefined;
    const added = withSidecar(deployment, { image: IMAGE, native: true, component });
    return name === CONTROL_PLANE_OPERATOR ? withVariables(added as Deployment, VARIABLES) : added;
  },
  remove: (deployment) => {
    const removed = withoutSidecar(deployment);
    return deployment.metadata.name === CONTROL_PLANE_OPERATOR ? withVariables(removed as Deployment, []) : removed;
  },
};

function withVariables(deployment: Deployment, variables: readonly Variable[]): Deployment {
  const { template } = deployment.spec;
  const containers = template.spec.containers.map(({ env = [], ...container }) => {
    const kept = env.filter(({ name }) => !VARIABLES.some((each) => each.name === name));
    const all = [...kept, ...(container.name === CONTROL_PLANE_OPERATOR ? variables : [])];
    return all.length === 0 ? container : { ...container, env: all };
  });
  const spec = { ...deployment.spec, template: { ...template, spec: { ...template.spec, containers } } };
  return { ...deployment, spec };
}

/** The migration as a process of its own, directly on the server. */
export function migrationProcess(settings: Partial<MigrationSettings> = {}): ProcessDefinition {
  return {
    name: MIGRATION_PROCESS,
    start: async ({ client, clock, logger, random, signal, transport }) => {
      const manager = new Manager({ transport, clock, random, logger });
      const component = 'hypershift-migration';
      addMigrationController(manager, {
        namespace: OPERATOR_NAMESPACE,
        client,
        discovery: new Discovery(client, { clock }),
        mapping: MAPPING,
        clock,
        random,
        logger,
        recorder: new EventRecorder({ client, clock, random: random.split('events'), logger, component }),
        settings: { ...DEFAULT_MIGRATION_SETTINGS, ...settings },
        sidecar: SIDECAR,
        operatorImages: { isSupported: () => Promise.resolve(true), overrides: new Map() },
        mayAct: () => Promise.resolve(true),
        probeTranslation: () => Promise.resolve(undefined),
        ignoresClusterPause: () => false,
        isPodless: true,
      });
      await manager.run(signal);
    },
  };
}
