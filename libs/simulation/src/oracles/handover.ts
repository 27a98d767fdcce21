/** What must hold while machines move between Machine API and Cluster API, whatever goes wrong. */
import { isLiving } from '@capstan/upstream';
import type { Cloud, CloudEvent } from '@capstan/upstream';
import type { CommitEvent } from '../engine/event-log.js';
import type { Oracle, RunRecord } from '../scenario.js';
import { CLUSTER_API, MACHINE_API, Machines } from './handover-machines.js';
import type { Machine } from './handover-machines.js';

/** How long a machine may be without a controller once nothing fails any more. */
const UNATTENDED_MS = 120_000;
const WRITES: ReadonlySet<string> = new Set(['create', 'terminate']);

/** The two sides, and the cloud that both call. */
export interface HandoverOracleOptions {
  readonly cloud: Cloud;
  /** The resource of infrastructure machines: `group/plural`. */
  readonly infrastructure: string;
  /** Who calls the cloud for Machine API. */
  readonly machineApiCaller: string;
}

type Look = (machines: Machines, commit: CommitEvent, machine: Machine) => string | undefined;

function onEachCommit(name: string, options: HandoverOracleOptions, look: Look): Oracle {
  return {
    name,
    check: (record) => {
      const machines = new Machines(options.infrastructure, record.initial);
      const problems: string[] = [];
      for (const event of record.events) {
        const machine = event.type === 'commit' ? machines.apply(event) : undefined;
        const problem = machine && event.type === 'commit' ? look(machines, event, machine) : undefined;
        if (problem !== undefined && !problems.includes(problem)) problems.push(problem);
      }
      return problems.map((message) => ({ oracle: name, message }));
    },
  };
}

function oneSideActs(options: HandoverOracleOptions): Oracle {
  return onEachCommit('one-side-acts', options, (_, { at, name, revision }, machine) =>
    machine.haveBoth ? `both APIs may act on machine ${name} at ${at} ms, revision ${revision}` : undefined,
  );
}

function inOrder({ events }: RunRecord, log: readonly CloudEvent[]): (CloudEvent | RunRecord['events'][number])[] {
  return [...events, ...log].sort((a, b) => a.at - b.at);
}

/** Whether the caller of the cloud may act on the machine, or it is not a machine of Machine API at all. */
function hasAuthority({ caller, instance }: CloudEvent, machines: Machines, machineApiCaller: string): boolean {
  const machine = machines.of(instance?.name ?? '');
  if (machine.mapi === undefined) return true;
  return caller === machineApiCaller ? machine.byMachineApi : machine.byProvider;
}

function isWrite({ caller, operation, outcome }: CloudEvent): boolean {
  return WRITES.has(operation) && caller !== '' && outcome === 'ok';
}

/** Instances are created and terminated by the side that may act, or could a moment ago. */
function callsByTheAuthority(options: HandoverOracleOptions): Oracle {
  const oracle = 'calls-by-the-authority';
  return {
    name: oracle,
    check: (record) => {
      const machines = new Machines(options.infrastructure, record.initial);
      const problems: string[] = [];
      for (const event of inOrder(record, options.cloud.log)) {
        if (!('operation' in event)) {
          if (event.type === 'commit') machines.apply(event);
        } else if (isWrite(event) && !hasAuthority(event, machines, options.machineApiCaller)) {
          const { at, caller, instance, operation } = event;
          problems.push(`${caller} has called ${operation} for ${instance?.name} at ${at} ms without authority`);
        }
      }
      return problems.map((message) => ({ oracle, message }));
    },
  };
}

/** Once nothing fails any more, no machine is without a controller for long. */
function someSideActs(options: HandoverOracleOptions): Oracle {
  const oracle = 'some-side-acts';
  return {
    name: oracle,
    check: (record) => {
      const machines = new Machines(options.infrastructure, record.initial);
      const problems = new Set<string>();
      const see = (now: number): void => {
        for (const [name, machine] of machines.entries()) {
          machine.unattendedSince = machine.isUnattended ? (machine.unattendedSince ?? now) : undefined;
          const since = Math.max(machine.unattendedSince ?? Number.POSITIVE_INFINITY, record.calmFrom);
          if (now - since > UNATTENDED_MS) problems.add(`no API may act on machine ${name} since ${since} ms`);
        }
      };
      for (const event of record.events) {
        if (event.type !== 'commit') continue;
        see(event.at);
        if (machines.apply(event) !== undefined) see(event.at);
      }
      see(record.endedAt);
      return [...problems].map((message) => ({ oracle, message }));
    },
  };
}

/** At the end every living instance is named by one machine of either API, or by one of each. */
function instancesAreNamed({ cloud }: HandoverOracleOptions): Oracle {
  const oracle = 'instances-are-named';
  return {
    name: oracle,
    check: ({ final }) => {
      const named = (resource: string, id: string): number =>
        final.of(resource).filter((each) => (each['spec'] as { providerID?: string }).providerID === id).length;
      return cloud.instances.filter(isLiving).flatMap(({ name, providerId }) => {
        const counts = [named(MACHINE_API, providerId), named(CLUSTER_API, providerId)];
        if (counts.some((count) => count > 0) && counts.every((count) => count <= 1)) return [];
        return [{ oracle, message: `instance ${name} is named by ${counts.join(' and ')} machines` }];
      });
    },
  };
}

/** Never two instances of one name at once. */
function oneInstanceEach({ cloud }: HandoverOracleOptions): Oracle {
  const oracle = 'one-instance-each';
  return {
    name: oracle,
    check: () => {
      const living = new Map<string, Set<string>>();
      const problems = new Set<string>();
      for (const { at, instance } of cloud.log) {
        if (instance === undefined) continue;
        const ids = living.get(instance.name) ?? new Set<string>();
        living.set(instance.name, ids);
        if (isLiving(instance)) ids.add(instance.id);
        else ids.delete(instance.id);
        if (ids.size > 1) problems.add(`${[...ids].join(' and ')} live at once for ${instance.name} at ${at} ms`);
      }
      return [...problems].map((message) => ({ oracle, message }));
    },
  };
}

/** Every check of a handover. */
export function handoverOracles(options: HandoverOracleOptions): readonly Oracle[] {
  return [
    oneSideActs(options),
    callsByTheAuthority(options),
    someSideActs(options),
    instancesAreNamed(options),
    oneInstanceEach(options),
  ];
}
