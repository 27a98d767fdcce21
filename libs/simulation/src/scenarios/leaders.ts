import { Client, fencedTransport, LeaderElector, sleep } from '@capstan/kube';
import type { Leadership } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { generalOracles } from '../oracles/general.js';
import { eventuallyQuiet, idempotent } from '../oracles/liveness.js';
import type { Oracle, Scenario, StepContext, Violation } from '../scenario.js';
import type { SimulationEvent } from '../engine/event-log.js';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';
import { configMap, CONFIG_MAPS } from './resources.js';

const NAMESPACE = 'default';
const WORK = 'work';
const WORK_TARGET = `/api/v1/namespaces/${NAMESPACE}/configmaps/${WORK}`;
const ACT_EVERY_MS = 700;
const ACTS_TOO_MANY = 4;
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };

interface LeaseObject extends KubeObject {
  readonly spec?: { readonly holderIdentity?: string };
}

/** Acts every now and then while it leads, and for a while after it has to stop: that tries the fence. */
async function act(context: ProcessContext, leadership: Leadership, isFenced: boolean): Promise<void> {
  const { clock, random } = context;
  const transport = isFenced ? fencedTransport(context.transport, leadership) : context.transport;
  const client = new Client(transport, { clock, random, maxRetries: 0 });
  for (let actsAfterStop = 0; actsAfterStop < ACTS_TOO_MANY; actsAfterStop += leadership.signal.aborted ? 1 : 0) {
    const value = { data: { at: String(clock.now()) } };
    await client.patch(CONFIG_MAPS, WORK, { type: 'merge', value }, { namespace: NAMESPACE }).catch(() => undefined);
    await sleep(clock, ACT_EVERY_MS);
  }
}

/** One of several that want to lead; after a lost lease it starts again under another name, as a new process would. */
function candidateProcess(name: string, isFenced: boolean): ProcessDefinition {
  return {
    name,
    start: (context) => {
      const { client, clock, logger, random, signal, sometimes } = context;
      const campaign = async (): Promise<void> => {
        for (let term = 1; !signal.aborted; term += 1) {
          const identity = `${name}_${clock.monotonic()}_${term}`;
          const chance = random.split(identity);
          const lease = { namespace: NAMESPACE, name: 'leader', identity };
          const elector = new LeaderElector({ client, clock, logger, random: chance, sometimes, ...lease });
          await elector.run(signal, (leadership) => act(context, leadership, isFenced)).catch(() => undefined);
        }
      };
      void campaign();
    },
  };
}

/** Another client writes to the Lease, so that its version is not the one its holder knows. */
async function touchLease({ client, clock }: StepContext): Promise<void> {
  await sleep(clock, 60_000);
  const value = { metadata: { annotations: { touched: 'yes' } } };
  await client.patch(LEASES, 'leader', { type: 'merge', value }, { namespace: NAMESPACE }).catch(ignoreNotFound);
}

/** Who has the lease, by the process part of the name. */
function holderOf(event: SimulationEvent): string | undefined {
  if (event.type !== 'commit' || event.resource !== 'coordination.k8s.io/leases') return undefined;
  const holder = (event.object as LeaseObject).spec?.holderIdentity ?? '';
  return event.change === 'delete' ? '' : (holder.split('_')[0] ?? '');
}

/** The sender of a write of the work holds the Lease at that moment: so no other can act in its term. */
export const oneActor: Oracle = {
  name: 'one-actor',
  check: ({ events }) => {
    const violations: Violation[] = [];
    let holder = '';
    for (const event of events) {
      holder = holderOf(event) ?? holder;
      if (event.type !== 'send' || event.method === 'GET' || !event.target.startsWith(WORK_TARGET)) continue;
      if (event.process === 'user' || event.process === holder) continue;
      const message = `${event.process} acts while ${holder === '' ? 'nobody' : holder} leads`;
      violations.push({ oracle: 'one-actor', message, event });
    }
    return violations;
  },
};

/** In the end one replica leads and works. */
const aReplicaLeads: Oracle = {
  name: 'a-replica-leads',
  check: ({ events, endedAt }) => {
    const last = events.findLast((event) => event.type === 'commit' && event.name === WORK);
    if (last !== undefined && endedAt - last.at < 60_000) return [];
    return [{ oracle: 'a-replica-leads', message: 'no replica has worked for a minute', event: last }];
  },
};

/** Several want to lead while they are paused for longer than a lease, crash, and lose requests and answers. */
export const leaders = (isFenced: boolean): Scenario => ({
  name: isFenced ? 'leaders' : 'unfenced-leaders',
  about: 'Three processes elect a leader under pauses longer than the lease, crashes, lost answers and wrong clocks',
  processes: ['candidate-a', 'candidate-b', 'candidate-c'].map((name) => candidateProcess(name, isFenced)),
  steps: [
    { name: 'create work', run: ({ client }) => client.create(CONFIG_MAPS, configMap(NAMESPACE, WORK)) },
    { name: 'touch the lease', run: touchLease },
  ],
  // The leader never stops working: it is not to become quiet, and a restarted process is to work.
  oracles: [
    ...generalOracles.filter((oracle) => oracle !== eventuallyQuiet && oracle !== idempotent),
    oneActor,
    aReplicaLeads,
  ],
  // Candidates mostly wait: it is timers that pauses and crashes hit.
  faults: { timerShare: 0.3 },
  faultsForMs: 180_000,
  stepGapMs: 5_000,
  convergeWithinMs: 60_000,
  quietMs: 60_000,
  isWork: () => false,
  goal: () => [],
});
