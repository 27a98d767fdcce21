import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { HostedCluster } from '@capstan/api/hypershift';
import { builtinResources } from '@capstan/api/kubernetes';
import { controlPlaneNamespace, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { errorText } from '@capstan/kube';
import { gvkOf, parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { crdSpec } from '@capstan/simulation';
import type { CopiedObject, CopiedResource } from '@capstan/simulation';
import { filesOf, parsed } from '../../crds/read.js';
import { NoVerdictError } from '../../errors.js';
import { isPoolOf, SKIPPED, withoutSecrets } from './model.js';
import type { ClusterFilter, SourceFleet } from './model.js';

/** Files of a dump that are about the hosted cluster itself, or about no objects. */
const OTHERS = /(?:^|\/)(?:guest|logs|hostedcluster-[^/]*)\//;

/** Reads hosted clusters from a folder that `capstan dump cluster` or must-gather has written. */
export async function readFolder(folder: string, filter: ClusterFilter): Promise<SourceFleet> {
  const { objects, problems } = await readObjects(folder);
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  if (crds.length === 0)
    throw new NoVerdictError(
      `${folder} has no CustomResourceDefinitions`,
      'write it with `capstan dump cluster`, which includes them',
    );
  const resources = resourcesOf(crds);
  const hosted = objects.filter(({ kind }) => kind === HOSTED_CLUSTERS.kind) as HostedCluster[];
  const clusters = hosted.filter(filter).map((hostedCluster) => {
    const { name = '', namespace = '' } = hostedCluster.metadata;
    const control = controlPlaneNamespace(namespace, name);
    const unknown = new Set<string>();
    const own = objects.flatMap((object): readonly CopiedObject[] => {
      if (!isOf(object, { control, namespace, name })) return [];
      const resource = resources.get(keyOf(object));
      if (resource === undefined) unknown.add(object.kind);
      else if (!SKIPPED.has(`${resource.group}/${resource.plural}`))
        return [{ resource, object: withoutSecrets(object) }];
      return [];
    });
    const kinds = [...unknown].toSorted().map((kind) => `${kind}: no CRD of that kind`);
    return { hostedCluster, objects: own, leftOut: [...problems, ...kinds] };
  });
  return { clusters, crds };
}

/** Objects of the control plane, NodePools, and what all clusters share of Cluster API. */
function isOf(
  object: KubeObject,
  { control, name, namespace }: { readonly control: string; readonly namespace: string; readonly name: string },
): boolean {
  const { apiVersion, kind, metadata } = object;
  if (metadata.namespace === control) return true;
  if (metadata.namespace !== undefined)
    return metadata.namespace === namespace && kind === NODE_POOLS.kind && isPoolOf(object, name);
  return /(?:^|\.)cluster\.(?:x-k8s\.io|hypershift\.openshift\.io)$/.test(parseApiVersion(apiVersion).group);
}

/** Every object of the folder once. */
async function readObjects(
  folder: string,
): Promise<{ readonly objects: readonly KubeObject[]; readonly problems: readonly string[] }> {
  const found = new Map<string, KubeObject>();
  const problems: string[] = [];
  for (const file of await filesIn(folder)) {
    const name = relative(folder, file);
    if (OTHERS.test(name)) continue;
    try {
      for (const { object } of await parsed(await readFile(file, 'utf8'), name))
        for (const each of flattened(object))
          found.set(`${keyOf(each)} ${each.metadata.namespace ?? ''}/${each.metadata.name ?? ''}`, each);
    } catch (error) {
      problems.push(`${name} cannot be read: ${errorText(error)}`);
    }
  }
  return { objects: [...found.values()], problems };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return await filesOf(folder, true);
  } catch (error) {
    throw new NoVerdictError(errorText(error), 'name a folder of capstan dump cluster or must-gather with --from', {
      cause: error,
    });
  }
}

/** A document may be an object or a sequence of them. */
function flattened(value: unknown): readonly KubeObject[] {
  if (Array.isArray(value)) return value.flatMap(flattened);
  const { apiVersion, kind, metadata } = Object(value) as Partial<KubeObject>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string'
    ? [value as KubeObject]
    : [];
}

function keyOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return `${group}/${kind}`;
}

/** Which resource holds the objects of a kind: built in, or of a CRD. */
function resourcesOf(crds: readonly KubeObject[]): ReadonlyMap<string, CopiedResource> {
  const resources = new Map<string, CopiedResource>();
  for (const { group, kind, namespaced, plural, verbs } of builtinResources)
    if (verbs.includes('list')) resources.set(`${group}/${kind}`, { group, plural, namespaced });
  for (const crd of crds) {
    const { group, names, scope } = crdSpec(crd);
    resources.set(`${group}/${names.kind}`, { group, plural: names.plural, namespaced: scope === 'Namespaced' });
  }
  return resources;
}
