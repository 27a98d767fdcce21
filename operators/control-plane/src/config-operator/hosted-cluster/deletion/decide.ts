import type { KubeObject } from '@capstan/meta';

/** What of the hosted cluster has something in a cloud. */
export interface CloudThings {
  readonly services: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
  readonly volumes: readonly KubeObject[];
}

/** What is still to go, and what of it has to be asked to. */
export interface CleanupDecision {
  readonly remaining: readonly string[];
  readonly services: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
}

/** Decides what has to go: load balancers, and volumes that go with their claims. Others' volumes are theirs. */
export function decideCleanup({ claims, services, volumes }: CloudThings): CleanupDecision {
  const balanced = services.filter(
    (service) => (service['spec'] as { type?: string } | undefined)?.type === 'LoadBalancer',
  );
  const own = volumes.filter((volume) => {
    const { persistentVolumeReclaimPolicy } = (volume['spec'] ?? {}) as { persistentVolumeReclaimPolicy?: string };
    return persistentVolumeReclaimPolicy === 'Delete';
  });
  const names = new Set(own.map(({ metadata }) => metadata.name ?? ''));
  const claimed = claims.filter((claim) =>
    names.has((claim['spec'] as { volumeName?: string } | undefined)?.volumeName ?? ''),
  );
  const named = (what: string, objects: readonly KubeObject[]): string[] =>
    objects.map(
      ({ metadata: { name = '', namespace } }) => `${what} ${namespace === undefined ? name : `${namespace}/${name}`}`,
    );
  const isThere = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp == null;
  return {
    remaining: [...named('service', balanced), ...named('persistent volume', own)].toSorted(),
    services: balanced.filter(isThere),
    claims: claimed.filter(isThere),
  };
}
