import { nodePropagationOfManager } from '@capstan/convert/machine-api';
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
}

/** What values of objects are compared with. */
export interface Compared {
  readonly with: readonly Source[];
  /** What else they would be compared with: `AWSCluster fleet`. */
  readonly notGiven: readonly string[];
}

/** What surrounds each object: of one cluster and platform it is the same. */
export class Surroundings {
  readonly #given: Given;
  readonly #clusters: readonly Source[];
  readonly #infrastructure: Source | undefined;
  readonly #manager: Source | undefined;
  readonly #contexts = new Map<string, MachineContext>();
  readonly #compared = new Map<string, Source | undefined>();

  constructor(
    { clusters, infrastructures, managers }: Pick<Sorted, 'clusters' | 'infrastructures' | 'managers'>,
    given: Given,
  ) {
    this.#given = given;
    this.#clusters = clusters;
    this.#infrastructure = onlyOne(infrastructures);
    this.#manager = onlyOne(
      managers.filter(({ object }) => textAt(object, 'metadata', 'namespace') === given.namespaces.clusterApi),
    );
  }

  /** For an object; undefined if the name of its cluster is unknown. */
  of(object: JsonObject, platform: MachinePlatform | undefined): MachineContext | undefined {
    const clusterName = this.#clusterName(object, platform);
    if (clusterName === '') return undefined;
    const key = `${platform?.type ?? ''}/${clusterName}`;
    const known = this.#contexts.get(key);
    if (known !== undefined) return known;
    const cluster = this.#clusterOf(platform, clusterName);
    if (platform !== undefined) {
      this.#compared.set(`${platform.cluster.kind.kind} ${clusterName}`, cluster);
      this.#compared.set('Infrastructure cluster', this.#infrastructure);
      if (this.#manager !== undefined) this.#compared.set('Deployment', this.#manager);
    }
    const made: MachineContext = {
      clusterName,
      namespaces: this.#given.namespaces,
      nodePropagation: this.#manager && nodePropagationOfManager(this.#manager.object),
      infrastructure: this.#infrastructure?.object,
      infrastructureCluster: cluster?.object,
    };
    this.#contexts.set(key, made);
    return made;
  }

  /** For all objects that were asked for, whose platform is known. */
  get compared(): Compared {
    const all = [...this.#compared];
    return {
      with: all.flatMap(([, source]) => source ?? []),
      notGiven: all.filter(([, source]) => source === undefined).map(([title]) => title),
    };
  }

  #clusterName(object: JsonObject, platform: MachinePlatform | undefined): string {
    if (this.#given.clusterName !== undefined) return this.#given.clusterName;
    if (groupOf(object) === CLUSTER_API_GROUP) return textAt(object, 'spec', 'clusterName');
    const infrastructureName = textAt(this.#infrastructure?.object, 'status', 'infrastructureName');
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
  #clusterOf(platform: MachinePlatform | undefined, clusterName: string): Source | undefined {
    const clusters = this.#ofPlatform(platform);
    const named = onlyOne(clusters.filter(({ object }) => nameOf(object) === clusterName));
    return named ?? (clusters.length === 1 ? clusters[0] : undefined);
  }
}

function isSame(a: JsonObject, b: JsonObject | undefined): boolean {
  return deepEqual(a['spec'], b?.['spec']) && (kindOf(a) !== 'Infrastructure' || deepEqual(a['status'], b?.['status']));
}

/** A must-gather holds some objects in several files. */
function onlyOne(sources: readonly Source[]): Source | undefined {
  const [first] = sources;
  const second = sources.find(({ object }) => !isSame(object, first?.object));
  if (first !== undefined && second !== undefined)
    throw new CliError(
      `there are two ${kindOf(first.object)}s ${nameOf(first.object)}: in ${placeText(first.place)} and ${placeText(second.place)}`,
      'they differ: convert one cluster at a time',
    );
  return first;
}
