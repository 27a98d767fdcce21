import type { KubeObject } from '@capstan/meta';

/** Registrations of CRDs have 1000: groups with less come after them. */
const GROUP_PRIORITY = 900;
const VERSION_PRIORITY = 100;

/**
 * Registers the private groups behind the standard ones, for clients that read `/apis`. Servers register every version of a
 * CRD themselves, and leave alone what has another value of their label. Aggregated discovery ignores the order, so
 * {@link NAMES_NOTICE} is for every user of kubectl.
 */
export function privateApiServices(definitions: readonly KubeObject[]): readonly KubeObject[] {
  const names = definitions.flatMap(({ spec }) => {
    const { group, versions } = spec as {
      readonly group: string;
      readonly versions: readonly { readonly name: string; readonly served: boolean }[];
    };
    return versions.filter(({ served }) => served).map(({ name }) => `${name}.${group}`);
  });
  return [...new Set(names)].toSorted().map((name) => {
    const [version, ...group] = name.split('.');
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name, labels: { 'kube-aggregator.kubernetes.io/automanaged': 'false' } },
      spec: {
        group: group.join('.'),
        version,
        groupPriorityMinimum: GROUP_PRIORITY,
        versionPriority: VERSION_PRIORITY,
      },
    };
  });
}

/** What changes for users where private CRDs are installed next to those of the platform. */
export const NAMES_NOTICE =
  'kubectl get machines now lists machines.cluster.hypershift.openshift.io: write machines.cluster.x-k8s.io for those of the platform, and likewise for every kind of Cluster API; kubectl before 1.30 may go on listing those of the platform';
