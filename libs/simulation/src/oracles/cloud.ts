import { pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isLiving, OWNER_TAG } from '@capstan/upstream';
import type { Cloud, CloudEvent } from '@capstan/upstream';
import type { Oracle, RunRecord, Violation } from '../scenario.js';
import type { SimulationEvent } from '../engine/event-log.js';

/** A machine in an API server, as far as clouds are concerned. */
interface MachineObject extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

export interface CloudOracleOptions {
  readonly cloud: Cloud;
  /** The resources whose objects stand for instances, each instance for exactly one: `group/plural`. */
  readonly machines: readonly string[];
}

function oracle(name: string, find: (record: RunRecord) => readonly string[]): Oracle {
  return { name, check: (record) => find(record).map((message): Violation => ({ oracle: name, message })) };
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** What must hold between a cloud and the machines of a cluster, whatever goes wrong. */
export function cloudOracles(options: CloudOracleOptions): readonly Oracle[] {
  return [
    oracle('instance-owner', (record) => ownersAtTheEnd(options, record)),
    oracle('one-instance-per-token', () => severalAtOnce(options.cloud)),
    oracle('terminated-in-use', (record) => terminatedInUse(options, record)),
  ];
}

/** At the end every living instance is named by exactly one machine. */
function ownersAtTheEnd({ cloud, machines }: CloudOracleOptions, { final }: RunRecord): string[] {
  const owners = new Map<string, string[]>();
  for (const machine of machines.flatMap((resource) => final.of<MachineObject>(resource))) {
    const id = machine.spec?.providerID ?? '';
    owners.set(id, [...(owners.get(id) ?? []), nameOf(machine)]);
  }
  return cloud.instances.filter(isLiving).flatMap(({ name, providerId }) => {
    const named = owners.get(providerId) ?? [];
    if (named.length === 1) return [];
    const whose = named.length === 0 ? 'belongs to no machine' : `belongs to ${named.join(' and ')}`;
    return [`instance ${name} (${providerId}) ${whose}`];
  });
}

/** Never two instances for what was asked for once. */
function severalAtOnce({ log }: Cloud): string[] {
  const living = new Map<string, Set<string>>();
  const problems: string[] = [];
  for (const { instance, operation } of log) {
    if (instance === undefined || (operation !== 'create' && operation !== 'change')) continue;
    const of = instance.tags[OWNER_TAG] ?? instance.token;
    const ids = living.get(of) ?? new Set<string>();
    living.set(of, ids);
    if (isLiving(instance)) ids.add(instance.id);
    else ids.delete(instance.id);
    if (ids.size > 1) problems.push(`there are ${ids.size} instances at once for ${of}: ${[...ids].join(', ')}`);
  }
  return problems;
}

/** No caller terminates an instance named by a machine that is not itself being deleted. */
function terminatedInUse({ cloud, machines }: CloudOracleOptions, { events }: RunRecord): string[] {
  const users = new Map<string, MachineObject>();
  const problems: string[] = [];
  for (const event of inOrder(events, cloud.log)) {
    if ('operation' in event) {
      if (event.operation === 'terminate' && event.outcome === 'ok')
        pushAll(
          problems,
          usersOf(event, users.values()).map((user) => `${event.caller} terminated ${event.id}, which ${user} names`),
        );
    } else if (event.type === 'commit' && machines.includes(event.resource)) {
      const { uid = '' } = event.object.metadata;
      if (event.change === 'delete') users.delete(uid);
      else users.set(uid, event.object);
    }
  }
  return problems;
}

/** Who still needs an instance. */
function usersOf({ instance }: CloudEvent, machines: Iterable<MachineObject>): string[] {
  return [...machines]
    .filter(({ metadata, spec }) => spec?.providerID === instance?.providerId && metadata.deletionTimestamp == null)
    .map(nameOf);
}

function inOrder(events: readonly SimulationEvent[], log: readonly CloudEvent[]): (CloudEvent | SimulationEvent)[] {
  // Stable, and both in order: what happens at the same moment happens in the server first.
  return [...events, ...log].sort((a, b) => a.at - b.at);
}

/** From one step on, until another or the end, instances and the machines that name them stay who they are. */
export interface StillPeriod {
  readonly from: string;
  readonly until?: string | undefined;
}

/** No instance comes or goes, and the same ones are named: a migration moves machines, it makes none. */
export function machinesUnchanged(options: CloudOracleOptions, { from, until }: StillPeriod): Oracle {
  return oracle('machines-unchanged', (record) => {
    const at = (step: string): number | undefined =>
      record.events.find((event) => event.type === 'step' && event.detail === step)?.at;
    const begin = at(from);
    if (begin === undefined) return [];
    const end = (until === undefined ? undefined : at(until)) ?? Number.POSITIVE_INFINITY;
    const [before, after] = [begin, end].map((moment) => namedAt(options, record, moment)) as [string[], string[]];
    const differences = [
      ...before.filter((id) => !after.includes(id)).map((id) => `no machine names ${id} any more`),
      ...after.filter((id) => !before.includes(id)).map((id) => `a machine names ${id} now`),
    ];
    return [...differences, ...cameOrWent(options.cloud, begin, end)].map((text) => `after "${from}" ${text}`);
  });
}

/** The provider ids that machines name at a moment, sorted. */
function namedAt({ machines }: CloudOracleOptions, { events, initial }: RunRecord, moment: number): string[] {
  const there = new Map<string, MachineObject>();
  for (const machine of machines.flatMap((resource) => initial.of<MachineObject>(resource)))
    there.set(machine.metadata.uid ?? '', machine);
  for (const event of events) {
    if (event.at > moment) break;
    if (event.type !== 'commit' || !machines.includes(event.resource)) continue;
    const { uid = '' } = event.object.metadata;
    if (event.change === 'delete') there.delete(uid);
    else there.set(uid, event.object);
  }
  const ids = [...there.values()].map((machine) => machine.spec?.providerID ?? '').filter((id) => id !== '');
  return [...new Set(ids)].sort();
}

function cameOrWent({ log }: Cloud, begin: number, end: number): string[] {
  const known = new Set<string>();
  const problems: string[] = [];
  for (const { at, id, operation, outcome } of log) {
    const isIn = at >= begin && at < end;
    if (operation === 'create' && outcome === 'ok') {
      if (isIn && !known.has(id)) problems.push(`instance ${id} was created`);
      known.add(id);
    } else if (isIn && operation === 'change' && outcome === 'terminated')
      problems.push(`instance ${id} was terminated`);
  }
  return problems;
}
