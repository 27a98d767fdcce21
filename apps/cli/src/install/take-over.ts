import type { KubeObject } from '@capstan/meta';

interface Named {
  readonly name: string;
}

interface Container extends Named {
  readonly env?: readonly Named[];
  readonly envFrom?: readonly object[];
  readonly volumeMounts?: readonly { readonly mountPath: string }[];
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly Named[];
  readonly [field: string]: unknown;
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: { readonly metadata?: KubeObject['metadata']; readonly spec: PodSpec };
    readonly [field: string]: unknown;
  };
}

/** Where pods run and from where they are pulled: decided by the administrator of the cluster. */
const PLACEMENT = ['affinity', 'imagePullSecrets', 'nodeSelector', 'tolerations', 'topologySpreadConstraints'] as const;

/** Points a container at an earlier proxy, or at one that is not there any more. */
const OURS: ReadonlySet<string> = new Set(['KUBECONFIG']);

/**
 * An object of another installer as it is to be; undefined where applying suffices. Server-side apply cannot remove what
 * another manager or a default has set: a rolling update next to `Recreate`, a second port of the same name, an init
 * container of the program that was there. What the administrator may have set stays: environment, volumes, placement.
 */
export function takenOver(there: KubeObject, wanted: KubeObject, fieldOwner: string): KubeObject | undefined {
  const isOurs = there.metadata.managedFields?.some(
    ({ manager, operation }) => manager === fieldOwner && operation === 'Apply',
  );
  if (isOurs === true) return undefined;
  switch (wanted.kind) {
    case 'Deployment':
      return merged(there, wanted, deploymentSpec(there as Deployment, wanted as Deployment));
    case 'Service':
      return merged(there, wanted, { ...(there['spec'] as object), ...(wanted['spec'] as object) });
    default:
      return undefined;
  }
}

function merged(there: KubeObject, { metadata }: KubeObject, spec: object): KubeObject {
  const { annotations, labels, managedFields: _, ...rest } = there.metadata;
  return {
    ...there,
    metadata: {
      ...rest,
      labels: { ...labels, ...metadata.labels },
      annotations: { ...annotations, ...metadata.annotations },
    },
    spec,
  };
}

function deploymentSpec({ spec: there }: Deployment, { spec: wanted }: Deployment): object {
  const [before, after] = [there.template.spec, wanted.template.spec];
  const placement = PLACEMENT.flatMap((field) =>
    before[field] === undefined ? [] : [[field, before[field]] as const],
  );
  return {
    ...wanted,
    ...(there['revisionHistoryLimit'] === undefined ? {} : { revisionHistoryLimit: there['revisionHistoryLimit'] }),
    template: {
      ...wanted.template,
      spec: {
        ...Object.fromEntries(placement),
        ...after,
        containers: after.containers.map((container) =>
          kept(
            container,
            before.containers.find(({ name }) => name === container.name),
          ),
        ),
        volumes: union(after.volumes, before.volumes, ({ name }) => name),
      },
    },
  };
}

function kept(container: Container, there: Container | undefined): Container {
  if (there === undefined) return container;
  const env = there.env?.filter(({ name }) => !OURS.has(name));
  return {
    ...container,
    env: union(container.env, env, ({ name }) => name),
    ...(there.envFrom === undefined ? {} : { envFrom: there.envFrom }),
    volumeMounts: union(container.volumeMounts, there.volumeMounts, ({ mountPath }) => mountPath),
  };
}

/** All of the first, and of the second what the first has not. */
function union<T>(wanted: readonly T[] = [], there: readonly T[] = [], keyOf: (item: T) => string): readonly T[] {
  const keys = new Set(wanted.map(keyOf));
  return [...wanted, ...there.filter((item) => !keys.has(keyOf(item)))];
}
