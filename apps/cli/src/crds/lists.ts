import type { Client, ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { CliError } from '../errors.js';
import type { SourceObject } from './read.js';

export const DEFINITIONS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};
export const REQUIREMENTS: ResourceKind = {
  group: 'apiextensions.openshift.io',
  version: 'v1alpha1',
  plural: 'compatibilityrequirements',
  namespaced: false,
  kind: 'CompatibilityRequirement',
};

/** All objects of a kind that the cluster has, as if they stood in a file. */
export async function listed(client: Client | undefined, kind: ResourceKind): Promise<SourceObject[]> {
  const list = await client?.list(kind).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new CliError(`the cluster does not serve ${kind.plural}.${kind.group}`, 'install the checker first', {
      cause: error,
    });
  });
  const apiVersion = `${kind.group}/${kind.version}`;
  // Servers omit apiVersion and kind from the items of a list.
  return (list?.items ?? []).map((object) => ({
    object: { ...object, apiVersion, kind: kind.kind },
    where: 'the cluster',
  }));
}
