import type { MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { groupOf, kindOf, nameOf, placeText, textAt } from './model.js';
import type { Source } from './model.js';
import { CLUSTER_API_GROUP } from './sort.js';
import type { Sorted } from './sort.js';

const CLUSTER_LABEL = 'machine.openshift.io/cluster-api-cluster';

/** Options of the command line that apply to all objects. */
export interface Given {
  readonly clusterName?: string | undefined;
  readonly namespaces: MachineContext['namespaces'];
  readonly nodePropagation?: MachineContext['nodePropagation'];
}

/** What surrounds each object: of one cluster and platform it is the same. */
export class Surroundings {
  readonly #given: Given;
  readonly #clusters: readonly Source[];
  readonly #infrastructure: JsonObject | undefined;
  readonly #contexts = new Map<string, MachineContext>();

  constructor({ clusters, infrastructures }: Pick<Sorted, 'clusters' | 'infrastructures'>, given: Given) {
    this.#given = given;
    this.#clusters = clusters;
    this.#infrastructure = onlyOne(infrastructures);
  }

  /** For an object; undefined if the name of its cluster is unknown. */
  of(object: JsonObject, platform: MachinePlatform | undefined): MachineContext | undefined {
    const clusterName = this.#clusterName(object, platform);
    if (clusterName === '') return undefined;
    const key = `${platform?.type ?? ''}/${clusterName}`;
    const known = this.#contexts.get(key);
    if (known !== undefined) return known;
    const made: MachineContext = {
      clusterName,
      namespaces: this.#given.namespaces,
      nodePropagation: this.#given.nodePropagation,
      infrastructure: this.#infrastructure,
      infrastructureCluster: this.#clusterOf(platform, clusterName),
    };
    this.#contexts.set(key, made);
    return made;
  }

  #clusterName(object: JsonObject, platform: MachinePlatform | undefined): string {
    if (this.#given.clusterName !== undefined) return this.#given.clusterName;
    if (groupOf(object) === CLUSTER_API_GROUP) return textAt(object, 'spec', 'clusterName');
    const infrastructureName = textAt(this.#infrastructure, 'status', 'infrastructureName');
    if (infrastructureName !== '') return infrastructureName;
    const [first, second] = this.#ofPlatform(platform);
    if (first !== undefined && second === undefined) return nameOf(first.object);
    const own = textAt(object, 'metadata', 'labels', CLUSTER_LABEL);
    return own === '' ? textAt(object, 'spec', 'template', 'metadata', 'labels', CLUSTER_LABEL) : own;
  }

  #ofPlatform(platform: MachinePlatform | undefined): Source[] {
    if (platform === undefined) return [];
    const { kind } = platform.cluster;
    return this.#clusters.filter(({ object }) => groupOf(object) === kind.group && kindOf(object) === kind.kind);
  }

  /** The infrastructure cluster of the name, which is the cluster's own; or the only one there is. */
  #clusterOf(platform: MachinePlatform | undefined, clusterName: string): JsonObject | undefined {
    const clusters = this.#ofPlatform(platform);
    const named = clusters.find(({ object }) => nameOf(object) === clusterName);
    return (named ?? (clusters.length === 1 ? clusters[0] : undefined))?.object;
  }
}

function isSameCluster(a: JsonObject, b: JsonObject | undefined): boolean {
  return ['spec', 'status'].every((field) => deepEqual(a[field], b?.[field]));
}

function onlyOne(infrastructures: readonly Source[]): JsonObject | undefined {
  const [first] = infrastructures;
  // A must-gather holds the Infrastructure in several files.
  const second = infrastructures.find(({ object }) => !isSameCluster(object, first?.object));
  if (first !== undefined && second !== undefined)
    throw new CliError(
      `there are two Infrastructures: in ${placeText(first.place)} and ${placeText(second.place)}`,
      'they differ: convert one cluster at a time',
    );
  return first?.object;
}
