import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import type { CloudEvent } from '@capstan/upstream';
import type { Oracle, RunRecord } from '../../scenario.js';
import { eachMoment } from './locked.js';
import type { MigrationOracleOptions, Moment } from './locked.js';

type Group = 'private' | 'standard';

/** At every revision, each instance that a Machine has ever named is named by one Machine of one group, or is being terminated. */
export function instancesAreNamed(options: MigrationOracleOptions): Oracle {
  const name = 'instances-are-named';
  return {
    name,
    check: (record) => {
      const lives = new Lives(options.cloud.log);
      const seen = new Set<string>();
      const problems = new Map<string, string>();
      eachMoment(record, options, (moment) => {
        if (moment.event.object.kind !== 'Machine') return;
        lives.advance(moment.event.at);
        for (const id of namesIn(moment, options).keys()) seen.add(id);
        for (const id of lives.living) {
          if (!seen.has(id) || problems.has(id)) continue;
          const problem = problemOf(namesIn(moment, options).get(id) ?? []);
          if (problem !== undefined) problems.set(id, `instance ${id} ${problem} at revision ${moment.event.revision}`);
        }
      });
      return [...problems.values()].map((message) => ({ oracle: name, message }));
    },
  };
}

function problemOf(groups: readonly Group[]): string | undefined {
  if (groups.length === 0) return 'belongs to no Machine';
  return new Set(groups).size < groups.length ? `belongs to ${groups.length} Machines` : undefined;
}

/** The groups of Machines that name an instance, by its provider ID. */
function namesIn({ objects }: Moment, { mapping }: MigrationOracleOptions): ReadonlyMap<string, Group[]> {
  const names = new Map<string, Group[]>();
  for (const object of objects.values()) {
    const group = mapping.side(parseApiVersion(object.apiVersion).group);
    const id = providerIdOf(object);
    if (object.kind === 'Machine' && group !== undefined && id !== undefined)
      names.set(id, [...(names.get(id) ?? []), group]);
  }
  return names;
}

function providerIdOf({ spec }: KubeObject): string | undefined {
  return (spec as { readonly providerID?: string } | undefined)?.providerID;
}

/** Instances that live and that nobody has terminated, as time goes on. */
class Lives {
  readonly living = new Set<string>();
  readonly #log: readonly CloudEvent[];
  #at = 0;

  constructor(log: readonly CloudEvent[]) {
    this.#log = log;
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
export function oneGroupAtTheEnd(options: MigrationOracleOptions): Oracle {
  const name = 'one-group-at-the-end';
  return {
    name,
    check: (record) => {
      const found = objectsAtTheEnd(record, options);
      const sideOf = ({ apiVersion }: KubeObject): Group | undefined =>
        options.mapping.side(parseApiVersion(apiVersion).group);
      const groups = new Set(found.flatMap((object) => sideOf(object) ?? []));
      const machines = found.filter(({ kind }) => kind === 'Machine');
      const named = machines.flatMap((machine) => providerIdOf(machine) ?? []).toSorted();
      const living = options.cloud.instances
        .filter(isLiving)
        .map(({ providerId }) => providerId)
        .toSorted();
      const problems = groups.size > 1 ? [`objects are left in both groups`] : [];
      if (named.join() !== living.join())
        problems.push(`Machines name ${named.join(', ')}; there are the instances ${living.join(', ')}`);
      return problems.map((message) => ({ oracle: name, message }));
    },
  };
}

function objectsAtTheEnd({ final }: Pick<RunRecord, 'final'>, { namespace }: MigrationOracleOptions): KubeObject[] {
  return [...final.entries()].flatMap(([, objects]) =>
    objects.filter(({ metadata }) => metadata.namespace === namespace),
  );
}
