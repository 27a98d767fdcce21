/** What is known of a cluster that has no infrastructure cluster yet: its Infrastructure, and its control plane machines. */
import { goQuote, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { getAt } from '../engine/path.js';
import type { Path } from '../engine/path.js';

/** A machine of the control plane in Machine API. */
export interface MasterFacts {
  readonly name: string;
  readonly providerID?: string | undefined;
  readonly providerSpec: JsonObject;
  /** The spec of its infrastructure machine in Cluster API; or why it has none. */
  readonly converted: { readonly spec: JsonObject } | { readonly message: string };
}

/** An infrastructure cluster that is to be created for machines that are there. */
export interface NewInfrastructureCluster {
  readonly spec: JsonObject;
  /** Set where the controllers of the platform have to fill its status, and create nothing in the cloud by this spec. */
  readonly isManaged?: true;
  /** What has to be there besides and is not created: a sentence each. */
  readonly needs?: readonly string[];
}

interface KnownFacts {
  readonly clusterName: string;
  /** Of the infrastructure cluster. */
  readonly namespace: string;
  /** The Infrastructure, whole. */
  readonly infrastructure: JsonObject;
  readonly endpoint: { readonly host: string; readonly port: number };
  /** At least one. */
  readonly masters: readonly MasterFacts[];
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Reads facts, and notes which are missing or disagree: a cluster is created when there are none of those. */
export class ClusterFacts {
  readonly clusterName: string;
  readonly namespace: string;
  readonly endpoint: KnownFacts['endpoint'];
  readonly #known: KnownFacts;
  readonly #problems = new Set<string>();

  constructor(known: KnownFacts) {
    this.clusterName = known.clusterName;
    this.namespace = known.namespace;
    this.endpoint = known.endpoint;
    this.#known = known;
  }

  /** What is missing, or disagrees. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  /** Notes something that rules a new cluster out. */
  refuse(message: string): undefined {
    this.#problems.add(message);
    return undefined;
  }

  /** A value of the Infrastructure. */
  infrastructure(...path: Path): unknown {
    return getAt(this.#known.infrastructure, path);
  }

  /** A value that the provider specs of all masters have; undefined when none has it. */
  ofMasters(...path: Path): unknown {
    return this.#agreed(path.join('.'), ({ providerSpec }) => getAt(providerSpec, path));
  }

  /** Text that the provider specs of all masters have. */
  text(...path: Path): string | undefined {
    const found = this.ofMasters(...path);
    if (typeof found === 'string') return found;
    return found === undefined ? undefined : this.refuse(`${path.join('.')} of the Machines is not a string`);
  }

  /** The same, without which no cluster is created. */
  requiredText(...path: Path): string | undefined {
    return this.text(...path) ?? this.refuse(`no Machine of the control plane has ${path.join('.')}`);
  }

  /** A value that the infrastructure machines of all masters will have. */
  ofConverted(...path: Path): unknown {
    return this.#agreed(path.join('.'), ({ converted, name }) =>
      'spec' in converted ? getAt(converted.spec, path) : this.refuse(`Machine ${name}: ${converted.message}`),
    );
  }

  /** What the provider IDs of all masters have in common. */
  ofProviderIds(what: string, read: (providerID: string) => string | undefined): string | undefined {
    const found = this.#agreed(what, ({ providerID }) => (providerID === undefined ? undefined : read(providerID)));
    return found === undefined
      ? this.refuse(`no Machine of the control plane has ${what} in spec.providerID`)
      : (found as string);
  }

  #agreed(what: string, read: (master: MasterFacts) => unknown): unknown {
    const [first, ...others] = this.#known.masters.map((master) => ({ name: master.name, value: read(master) }));
    if (first === undefined) return undefined;
    const of = (value: unknown): string => (isNothing(value) ? 'nothing' : stringifyJson(value));
    const other = others.find(({ value }) => of(value) !== of(first.value));
    if (other === undefined) return isNothing(first.value) ? undefined : first.value;
    return this.refuse(
      `${what} of Machine ${goQuote(first.name)} is ${of(first.value)}, of Machine ${goQuote(other.name)} ${of(other.value)}: one cluster has one`,
    );
  }
}
