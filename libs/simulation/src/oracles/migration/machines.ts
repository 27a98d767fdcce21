import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import type { Cloud, CloudEvent } from '@capstan/upstream';
import type { GroupMapping, Side } from '@capstan/translate';
import type { SimulationState } from '../../scenario.js';
import type { Finding, MigrationCheck, MigrationCheckKind } from './check.js';
import type { MigrationOracleOptions, Moment } from './locked.js';

/** At every revision, each instance that a Machine has ever named is named by one Machine of one group, or is being terminated. */
export const instancesAreNamed: MigrationCheckKind = {
  name: 'instances-are-named',
  begin: (options, initial) => new InstanceNames(options, initial),
};

class InstanceNames implements MigrationCheck {
  readonly #lives: Lives;
  readonly #machines: NamedInstances;
  readonly #seen = new Set<string>();
  /** Instances that are reported already, or that had no single Machine to begin with. */
  readonly #known = new Set<string>();

  constructor({ cloud, mapping, namespace }: MigrationOracleOptions, initial: SimulationState) {
    this.#lives = new Lives(cloud);
    this.#machines = new NamedInstances(mapping);
    for (const object of objectsIn(initial, namespace)) this.#machines.apply(object, false);
    for (const id of this.#machines.ids()) {
      this.#seen.add(id);
      if (problemOf(this.#machines.groupsOf(id)) !== undefined) this.#known.add(id);
    }
  }

  onMoment({ event: { at, change, object, revision } }: Moment): readonly Finding[] {
    if (object.kind !== 'Machine') return [];
    this.#lives.advance(at);
    const named = this.#machines.apply(object, change === 'delete');
    if (named !== undefined) this.#seen.add(named);
    const findings: Finding[] = [];
    for (const id of this.#lives.living) {
      if (!this.#seen.has(id) || this.#known.has(id)) continue;
      const problem = problemOf(this.#machines.groupsOf(id));
      if (problem === undefined) continue;
      this.#known.add(id);
      findings.push({ message: `instance ${id} ${problem} at revision ${revision}` });
    }
    return findings;
  }
}

function problemOf(groups: readonly Side[]): string | undefined {
  if (groups.length === 0) return 'belongs to no Machine';
  return new Set(groups).size < groups.length ? `belongs to ${groups.length} Machines` : undefined;
}

/** Which Machines name an instance, by its provider ID. */
class NamedInstances {
  readonly #mapping: GroupMapping;
  readonly #byUid = new Map<string, string>();
  readonly #byId = new Map<string, Map<string, Side>>();

  constructor(mapping: GroupMapping) {
    this.#mapping = mapping;
  }

  /** Takes a Machine as it now is; gives the instance that it names. */
  apply(object: KubeObject, isGone: boolean): string | undefined {
    const { uid = '' } = object.metadata;
    const side = this.#mapping.side(parseApiVersion(object.apiVersion).group);
    if (object.kind !== 'Machine' || side === undefined) return undefined;
    this.#byId.get(this.#byUid.get(uid) ?? '')?.delete(uid);
    this.#byUid.delete(uid);
    const id = isGone ? undefined : providerIdOf(object);
    if (id === undefined) return undefined;
    this.#byUid.set(uid, id);
    const users = this.#byId.get(id) ?? new Map<string, Side>();
    this.#byId.set(id, users.set(uid, side));
    return id;
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  groupsOf(id: string): readonly Side[] {
    return [...(this.#byId.get(id)?.values() ?? [])];
  }
}

function providerIdOf({ spec }: KubeObject): string | undefined {
  return (spec as { readonly providerID?: string } | undefined)?.providerID;
}

/** Instances that live and that nobody has terminated, as time goes on. */
class Lives {
  readonly living: Set<string>;
  readonly #log: readonly CloudEvent[];
  #at = 0;

  constructor({ instances, log }: Pick<Cloud, 'instances' | 'log'>) {
    this.#log = log;
    // Those of which no creation is recorded were there before the run.
    const created = new Set(log.flatMap(({ id, operation }) => (operation === 'create' ? [id] : [])));
    const before = instances.filter(({ id }) => !created.has(id));
    const changed = new Set(log.flatMap(({ id, operation }) => (operation === 'change' ? [id] : [])));
    this.living = new Set(
      before.filter((each) => isLiving(each) || changed.has(each.id)).map(({ providerId }) => providerId),
    );
  }

  advance(to: number): void {
    for (; this.#at < this.#log.length; this.#at += 1) {
      const event = this.#log[this.#at];
      if (event === undefined || event.at > to) return;
      const { instance, operation, outcome } = event;
      if (instance === undefined) continue;
      if (!isLiving(instance) || (operation === 'terminate' && outcome === 'ok'))
        this.living.delete(instance.providerId);
      else if (operation === 'create' && outcome === 'ok') this.living.add(instance.providerId);
    }
  }
}

/** At the end, the Machines of one group name the living instances, each one; of the other group nothing is left. */
export const oneGroupAtTheEnd: MigrationCheckKind = {
  name: 'one-group-at-the-end',
  begin: ({ cloud, mapping, namespace }) => ({
    atEnd: (final) => {
      const found = objectsIn(final, namespace);
      const sideOf = ({ apiVersion }: KubeObject): Side | undefined => mapping.side(parseApiVersion(apiVersion).group);
      const groups = new Set(found.flatMap((object) => sideOf(object) ?? []));
      const machines = found.filter(({ kind }) => kind === 'Machine');
      const named = machines.flatMap((machine) => providerIdOf(machine) ?? []).toSorted();
      const living = cloud.instances
        .filter(isLiving)
        .map(({ providerId }) => providerId)
        .toSorted();
      const problems = groups.size > 1 ? [`objects are left in both groups`] : [];
      if (named.join() !== living.join())
        problems.push(`Machines name ${named.join(', ')}; there are the instances ${living.join(', ')}`);
      return problems.map((message) => ({ message }));
    },
  }),
};

function objectsIn(state: SimulationState, namespace: string): KubeObject[] {
  return [...state.entries()].flatMap(([, objects]) =>
    objects.filter(({ metadata }) => metadata.namespace === namespace),
  );
}
