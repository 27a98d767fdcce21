/** Which version of a kind its references name, by the contract labels of its CustomResourceDefinition. */
import { compareVersionPriority, formatApiVersion } from '@capstan/meta';
import type { ClusterApiContext } from './common.js';

/** The labels of a CustomResourceDefinition by its name; absent when there is none. */
export type DefinitionLabels = (name: string) => Readonly<Record<string, string>> | undefined;

/** Contracts of which a version may be referred to, the best one first. */
const contracts = ['v1beta2', 'v1beta1'];

/** The names that the CRD of a kind may have. A label distinguishes them, so the English plural may be wrong. */
export function definitionNames(group: string, kind: string): string[] {
  const single = kind.toLowerCase();
  const plurals = [`${single}s`, `${single}es`, single];
  if (single.endsWith('y')) plurals.push(`${single.slice(0, -1)}ies`);
  return plurals.map((plural) => `${plural}.${group}`);
}

/** The newest of `v1beta1_v1beta2`. */
function newest(versions: string): string | undefined {
  return versions.split('_').toSorted(compareVersionPriority)[0];
}

/** What the conversion must know of the cluster, from the definitions in it. */
export function contractContext(labelsOf: DefinitionLabels): ClusterApiContext {
  const apiVersionOf = (group: string, kind: string): string | undefined => {
    for (const name of definitionNames(group, kind)) {
      const labels = labelsOf(name);
      if (labels === undefined) continue;
      const supported = contracts.map((contract) => labels[`cluster.x-k8s.io/${contract}`]).find(Boolean);
      const version = supported === undefined ? undefined : newest(supported);
      if (version !== undefined) return formatApiVersion({ group, version });
    }
    return undefined;
  };
  return { apiVersionOf };
}
