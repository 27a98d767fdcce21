/** What must hold at every event of a handover that is rehearsed: events are not kept there. */
import type { Cloud } from '@capstan/upstream';
import type { RehearsalOracle, SimulationState } from '../scenario.js';
import { Machines } from './handover-machines.js';

/** How long a machine may be without a controller where nothing fails. */
const UNATTENDED_MS = 120_000;
const WRITES: ReadonlySet<string> = new Set(['create', 'terminate']);

export interface HandoverRehearsalOptions {
  readonly cloud: Cloud;
  /** The resource of infrastructure machines: `group/plural`. */
  readonly infrastructure: string;
  readonly initial: SimulationState;
  /** Whether nothing fails: only then there is a limit to how long a machine waits. */
  readonly isCalm: boolean;
}

/** Never both sides on one machine, never neither for long, and nothing that changes an instance. */
export function handoverRehearsalOracles(options: HandoverRehearsalOptions): readonly RehearsalOracle[] {
  const { cloud, infrastructure, initial, isCalm } = options;
  const machines = new Machines(infrastructure, initial);
  const oneSideActs: RehearsalOracle = {
    name: 'one-side-acts',
    onEvent: (event) => {
      if (event.type !== 'commit') return undefined;
      const machine = machines.apply(event);
      if (machine === undefined) return undefined;
      machine.unattendedSince = machine.isUnattended ? (machine.unattendedSince ?? event.at) : undefined;
      return machine.haveBoth ? `both APIs may act on machine ${event.name}` : undefined;
    },
  };
  const someSideActs: RehearsalOracle = {
    name: 'some-side-acts',
    onEvent: ({ at }) => {
      for (const [name, { unattendedSince = at }] of machines.entries())
        if (at - unattendedSince > UNATTENDED_MS) return `no API may act on machine ${name}`;
      return undefined;
    },
  };
  const instancesStay: RehearsalOracle = {
    name: 'instances-stay',
    atEnd: () =>
      cloud.log
        .filter(({ caller, operation, outcome }) => caller !== '' && WRITES.has(operation) && outcome === 'ok')
        .map(({ caller, instance, operation }) => `${caller} called ${operation} for ${instance?.name ?? ''}`),
  };
  return [oneSideActs, ...(isCalm ? [someSideActs] : []), instancesStay];
}
