import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd, versionOf } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { admittingPlatform, harbourDefinitions } from '@capstan/provider/testing';

/** Where the infrastructure kinds of platforms are defined, by their keys; a made-up one brings its own. */
const INFRASTRUCTURE: Readonly<Record<string, () => Promise<{ readonly kinds: readonly Kind[] }>>> = {
  agent: () => import('@capstan/api/infrastructure/agent'),
  aws: () => import('@capstan/api/infrastructure/aws'),
  azure: () => import('@capstan/api/infrastructure/azure'),
  gcp: () => import('@capstan/api/infrastructure/gcp'),
  kubevirt: () => import('@capstan/api/infrastructure/kubevirt'),
  openstack: openStack,
  powervs: () => import('@capstan/api/infrastructure/powervs'),
};
/** Its program works with kinds that another one brings. */
async function openStack(): Promise<{ readonly kinds: readonly Kind[] }> {
  const [own, resources] = await Promise.all([
    import('@capstan/api/infrastructure/openstack'),
    import('@capstan/api/infrastructure/openstack-resources'),
  ]);
  return { kinds: [...own.kinds, ...resources.kinds] };
}
/** Of the kinds of a provider those that the contract of Cluster API speaks of, and identities. */
const NEEDED = /(?:Cluster|ClusterIdentity|Machine|MachineTemplate|Image|OpenStackServer|FloatingIPPool)$/;

/** Every definition that hosting clusters on these platforms takes. */
export async function hostingDefinitions(platforms: Iterable<HostingPlatform>): Promise<KubeObject[]> {
  const all = [...platforms];
  const loaded = await Promise.all(all.flatMap(({ key }) => INFRASTRUCTURE[key]?.() ?? []));
  const infrastructure = loaded.flatMap(({ kinds }) => kinds).filter(({ kind }) => NEEDED.test(kind));
  const made = all.some(({ key }) => key === 'harbour') ? harbourDefinitions() : [];
  return [
    ...clusterApiKinds.map((kind) => crd(kind, { conversion: 'none' })),
    ...hypershiftKinds.map((kind) => {
      const definition: object = crd(storedAlone(kind), { conversion: 'none', gates: ['TechPreviewNoUpgrade'] });
      return all.reduce<object>((so, platform) => admittingPlatform(so, platform), definition) as KubeObject;
    }),
    ...infrastructure.map((kind) => crd(storedAlone(kind), { conversion: 'none' })),
    ...made,
  ];
}

/** A kind in the version it is stored in: nobody here converts the others. */
function storedAlone(kind: Kind): Kind {
  const { conversion: _, ...rest } = kind;
  return { ...rest, versions: [versionOf(kind)] };
}
