import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { infrastructureKinds, storedAlone } from '@capstan/cli/infrastructure-kinds';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { admittingPlatform, harbourDefinitions } from '@capstan/provider/testing';

/** Every CRD that hosting clusters on these platforms takes. */
export async function hostingDefinitions(platforms: Iterable<HostingPlatform>): Promise<KubeObject[]> {
  const all = [...platforms];
  const infrastructure = await infrastructureKinds(all.map(({ key }) => key));
  const made = all.some(({ key }) => key === 'harbour') ? harbourDefinitions() : [];
  return [
    ...clusterApiKinds.map((kind) => crd(kind, { conversion: 'none' })),
    ...hypershiftKinds.map((kind) => {
      const definition: object = crd(storedAlone(kind), { conversion: 'none', gates: ['TechPreviewNoUpgrade'] });
      return all.reduce<object>((so, platform) => admittingPlatform(so, platform), definition) as KubeObject;
    }),
    ...infrastructure.map((kind) => crd(kind, { conversion: 'none' })),
    ...made,
  ];
}
