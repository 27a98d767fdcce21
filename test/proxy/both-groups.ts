import { kinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import type { Client, ResourceRef } from '@capstan/kube';
import { Discovery } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { eventuallySees } from '../src/wait.js';

/** The group that clients of the proxy speak of, and to others the platform's own. */
export const STANDARD = 'cluster.x-k8s.io';
/** The group behind the proxy. */
export const PRIVATE = 'cluster.hypershift.openshift.io';

export const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const GROUPS = [STANDARD, PRIVATE] as const;
const PLURALS = ['clusters', 'machines', 'machinedeployments'] as const;
const KINDS: ReadonlySet<string> = new Set(['Cluster', 'Machine', 'MachineDeployment']);

/** What the platform has: published kinds, of which here no version is converted to another. */
export function platformDefinitions(): KubeObject[] {
  return kinds
    .filter(({ kind }) => KINDS.has(kind))
    .map((kind) => {
      const { spec, ...rest } = crd(kind);
      return { ...rest, spec: { ...spec, conversion: { strategy: 'None' } } };
    });
}

/** Their private copies, as `capstan crds mirror` derives them. */
export function privateCrds(definitions: readonly KubeObject[]): KubeObject[] {
  const mapping = new GroupMapping(CLUSTER_API_RULES);
  const shim = { namespace: 'capstan', name: 'conversion-shim' };
  return definitions.map((each) => mirrorDefinition(each, { mapping, shim }).definition);
}

/** A resource of one of the groups. */
export function resourceOf(group: string, plural: string, version = 'v1beta2'): ResourceRef {
  return { group, version, plural, namespaced: true };
}

/** Installs the platform's CRDs and the private ones; resolves once all are served and discovered. */
export async function installBoth(client: Client): Promise<void> {
  const standard = platformDefinitions();
  for (const definition of [...standard, ...privateCrds(standard)]) await client.create(DEFINITIONS, definition);
  const discovery = new Discovery(client);
  await eventuallySees(
    'discovery knows both groups',
    async () => {
      const { resources } = await discovery.refresh();
      return GROUPS.filter((of) => resources.filter(({ group }) => group === of).length < 2 * PLURALS.length);
    },
    (missing) => missing.length === 0,
  );
  for (const group of GROUPS) for (const plural of PLURALS) await served(client, group, plural);
}

/** A server opens the storage of a new resource when it is first asked for it. */
async function served(client: Client, group: string, plural: string): Promise<void> {
  for (const version of ['v1beta1', 'v1beta2'])
    await eventuallySees(
      `${plural} of ${group} are served`,
      () =>
        client.list(resourceOf(group, plural, version)).then(
          () => true,
          () => false,
        ),
      Boolean,
    );
}

/** Removes them again, and waits until nothing of them is left. */
export async function removeBoth(client: Client): Promise<void> {
  const standard = platformDefinitions();
  const names = [...standard, ...privateCrds(standard)].map(({ metadata }) => metadata.name ?? '');
  for (const name of names) await client.delete(DEFINITIONS, name);
  for (const name of names)
    await eventuallySees(`${name} is gone`, () => client.get(DEFINITIONS, name).then(() => false, isNotFound), Boolean);
}
