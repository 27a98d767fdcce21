import { Informer, runWorkers, sleep, WorkQueue } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { generalOracles } from '../oracles/general.js';
import { idempotent } from '../oracles/liveness.js';
import type { Scenario, Step, SimulationState } from '../scenario.js';
import { configMap, CONFIG_MAPS } from '../scenarios/resources.js';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';

/** Controllers with a bug each, and the same without it, so that tests can check that the simulation distinguishes them. */

const IN_DEFAULT = { namespace: 'default' };

interface Data extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const base = {
  oracles: generalOracles,
  faultsForMs: 60_000,
  stepGapMs: 5_000,
  convergeWithinMs: 15 * 60_000,
  quietMs: 4 * 60_000,
  goal: (): readonly string[] => [],
} satisfies Partial<Scenario>;

const make = (name: string): Step => ({
  name: `create ${name}`,
  run: ({ client }) => client.create(CONFIG_MAPS, configMap('default', name)),
});

/** Now and then notes something in an object that others write to as well. */
function noteTaker(name: string, isSafe: boolean): ProcessDefinition {
  return {
    name,
    isSpare: true,
    start: async ({ client, clock, random, signal }) => {
      for (let note = 0; note < 4 && !signal.aborted; note += 1) {
        await sleep(clock, 2_000 + random.below(20_000), signal);
        try {
          const read = await client.get<Data>(CONFIG_MAPS, 'notes', IN_DEFAULT);
          const { resourceVersion, ...metadata } = read.metadata;
          const data = { ...read.data, [`${name}-${note}`]: 'noted' };
          // The bug: without its version the object replaces whatever is there by now.
          await client.update(CONFIG_MAPS, {
            ...read,
            data,
            metadata: isSafe ? { ...metadata, resourceVersion } : metadata,
          } as Data);
        } catch {
          // A note more or less is not what this is about.
        }
      }
    },
  };
}

/** Reads, changes and writes back, with or without naming the version that was read. */
export const lostUpdate = (isSafe: boolean): Scenario => ({
  ...base,
  // A process that restarts has notes to take.
  oracles: generalOracles.filter((oracle) => oracle !== idempotent),
  name: isSafe ? 'locked-update' : 'lost-update',
  about: 'Several writers of one object',
  processes: [noteTaker('writer-a', isSafe), noteTaker('writer-b', isSafe), noteTaker('writer-c', isSafe)],
  steps: [make('notes'), make('unrelated-1'), make('unrelated-2')],
});

/** Gives every ConfigMap called `work…` a mark. Without the requeue an attempt that failed is never made again. */
function marker(requeues: boolean): ProcessDefinition {
  return {
    name: 'marker',
    start: async ({ client, clock, random, logger, signal }) => {
      const informer = new Informer<Data>({ client, clock, random, logger, resource: CONFIG_MAPS });
      const queue = new WorkQueue<string>({ clock, maxDelayMs: 60_000 });
      informer.addHandler({
        add: ({ metadata: { name = '' } }) => name.startsWith('work') && queue.add(name),
        update: () => undefined,
        delete: () => undefined,
      });
      void informer.run(signal);
      await informer.whenSynced();
      const handle = async (name: string): Promise<'done' | 'retry'> => {
        const value = { data: { mark: 'made' } };
        try {
          if (informer.store.get(`default/${name}`)?.data?.['mark'] !== 'made')
            await client.patch(CONFIG_MAPS, name, { type: 'merge', value }, IN_DEFAULT);
          return 'done';
        } catch {
          return requeues ? 'retry' : 'done';
        }
      };
      void runWorkers({ queue, workers: 2, logger, describe: (name) => name, handle });
    },
  };
}

function unmarked(state: SimulationState): readonly string[] {
  return state
    .of<Data>('configmaps')
    .filter(({ metadata, data }) => metadata.name?.startsWith('work') === true && data?.['mark'] !== 'made')
    .map(({ metadata }) => `ConfigMap ${metadata.name ?? ''} has no mark`);
}

/** A controller that does, or does not, come back to what failed. */
export const missedRequeue = (requeues: boolean): Scenario => ({
  ...base,
  name: requeues ? 'requeue' : 'missed-requeue',
  about: 'A controller and requests that fail',
  processes: [marker(requeues)],
  steps: [make('work-1'), make('work-2'), make('work-3'), make('work-4'), make('work-5')],
  goal: unmarked,
});

/** Greets every object it sees; without a check whether it has done so before, it greets at every start. */
function greeter(looks: boolean): ProcessDefinition {
  return {
    name: 'greeter',
    start: async ({ client, clock, random, logger, signal }) => {
      const informer = new Informer<Data>({ client, clock, random, logger, resource: CONFIG_MAPS });
      const queue = new WorkQueue<string>({ clock, maxDelayMs: 60_000 });
      informer.addHandler({ add: ({ metadata: { name = '' } }) => name.startsWith('guest') && queue.add(name) });
      void informer.run(signal);
      await informer.whenSynced();
      const handle = async (name: string): Promise<'done'> => {
        const value = { data: { greeting: 'hello' } };
        // The bug: what is written is what is there already, so it does not show in the end.
        if (!looks || informer.store.get(`default/${name}`)?.data?.['greeting'] !== 'hello')
          await client.patch(CONFIG_MAPS, name, { type: 'merge', value }, IN_DEFAULT);
        return 'done';
      };
      void runWorkers({ queue, workers: 1, logger, describe: (name) => name, handle });
    },
  };
}

/** A controller that does, or does not, write what is there already. */
export const restless = (looks: boolean): Scenario => ({
  ...base,
  name: looks ? 'at-rest' : 'restless',
  about: 'A controller that is restarted',
  processes: [greeter(looks)],
  steps: [make('guest-1'), make('guest-2'), make('guest-3')],
});

async function adopt(context: ProcessContext, isSafe: boolean): Promise<void> {
  const { client, clock, random, signal, name } = context;
  await sleep(clock, random.below(2_000), signal);
  const owner = await client.get(CONFIG_MAPS, `owner-${name}`, IN_DEFAULT);
  const { uid = '', name: ownerName = '' } = owner.metadata;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid, controller: true };
  for (; !signal.aborted; await sleep(clock, 1_000 + random.below(20_000), signal)) {
    const { items } = await client.list(CONFIG_MAPS, IN_DEFAULT);
    for (const { metadata } of items.filter((each) => each.metadata.name?.startsWith('orphan') === true)) {
      if ((metadata.ownerReferences ?? []).length > 0) continue;
      // The bug: another owner may have adopted it since; a version in the patch would detect that.
      const lock = isSafe ? { resourceVersion: metadata.resourceVersion } : {};
      const value = { metadata: { ...lock, ownerReferences: [reference] } };
      await client.patch(CONFIG_MAPS, metadata.name ?? '', { type: 'merge', value }, IN_DEFAULT).catch(() => undefined);
    }
  }
}

const adopter = (name: string, isSafe: boolean): ProcessDefinition => ({
  name,
  start: (context) => adopt(context, isSafe),
});

/** Two who adopt the same orphans, with or without making sure that these still are. */
export const doubleOwner = (isSafe: boolean): Scenario => ({
  ...base,
  name: isSafe ? 'locked-adoption' : 'double-owner',
  about: 'Two adopters and some orphans',
  processes: [adopter('a', isSafe), adopter('b', isSafe)],
  steps: [make('owner-a'), make('owner-b'), make('orphan-1'), make('orphan-2'), make('orphan-3'), make('orphan-4')],
});
