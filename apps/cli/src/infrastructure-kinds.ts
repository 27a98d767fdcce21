import { versionOf } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';

type Kinds = Promise<{ readonly kinds: readonly Kind[] }>;

/** Where the kinds of infrastructure are defined, by the key of their platform. Each is large: loaded when needed. */
const INFRASTRUCTURE: Readonly<Record<string, readonly (() => Kinds)[]>> = {
  agent: [() => import('@capstan/api/infrastructure/agent')],
  aws: [() => import('@capstan/api/infrastructure/aws')],
  azure: [() => import('@capstan/api/infrastructure/azure')],
  gcp: [() => import('@capstan/api/infrastructure/gcp')],
  kubevirt: [() => import('@capstan/api/infrastructure/kubevirt')],
  // Its program works with kinds that another one brings.
  openstack: [
    () => import('@capstan/api/infrastructure/openstack'),
    () => import('@capstan/api/infrastructure/openstack-resources'),
  ],
  powervs: [() => import('@capstan/api/infrastructure/powervs')],
};
/** Of the kinds of a provider those that the contract of Cluster API speaks of, identities, and what machines boot from. */
const NEEDED = /(?:Cluster|ClusterIdentity|Machine|MachineTemplate|Image|OpenStackServer|FloatingIPPool)$/;

/** The platforms that have kinds of their own. */
export const infrastructurePlatforms: readonly string[] = Object.keys(INFRASTRUCTURE);

/** The kinds that machines on these platforms take, each in the version it is stored in. */
export async function infrastructureKinds(platforms: Iterable<string>): Promise<readonly Kind[]> {
  const sources = [...new Set(platforms)].flatMap((platform) => INFRASTRUCTURE[platform] ?? []);
  const loaded = await Promise.all(sources.map((load) => load()));
  return loaded.flatMap(({ kinds }) => kinds.filter(({ kind }) => NEEDED.test(kind)).map(storedAlone));
}

/** A kind in the version it is stored in, where nobody converts the others. */
export function storedAlone(kind: Kind): Kind {
  const { conversion: _, ...rest } = kind;
  return { ...rest, versions: [versionOf(kind)] };
}
