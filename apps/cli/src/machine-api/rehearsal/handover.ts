/** A switch there and back, by the steps of `capstan machine-api switch`, in virtual time. */
import { sleep } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { Clock, JsonObject, KubeObject } from '@capstan/meta';
import type { ActionEnd, ProcessContext, RehearsalAction, SimulationState } from '@capstan/simulation';
import { PAIRS, readResources } from '../read.js';
import type { Authority, ResourceStatus } from '../resource.js';
import { obstacle, switchSteps } from '../steps.js';
import { inTree, nameOf } from '../tree.js';

export interface HandoverOptions {
  readonly id: string;
  readonly to: Authority;
  readonly namespaces: { readonly machineApi: string; readonly clusterApi: string };
  /** Whether two forms of a resource of Machine API mean the same: what was left to defaults may be spelled out. */
  readonly hasSameMeaning: (one: KubeObject, other: KubeObject) => boolean;
}

const EVERY_MS = 1_000;
const LIMIT_MS = 3_600_000;
const MOST_NAMED = 3;
/** Copies of machines that were just started to be mirrored need a while. */
const READY_WITHIN_MS = 300_000;

type Move = (client: Client, clock: Clock, signal: AbortSignal) => Promise<ActionEnd>;

/** What one run does, and where it is. */
export class Handover {
  readonly #options: HandoverOptions;
  /** Who was authoritative over each before. */
  readonly #before = new Map<string, Authority>();
  #waitsFor: ResourceStatus | undefined;

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  there(): RehearsalAction {
    return this.#action('switch', this.#there);
  }

  back(): RehearsalAction {
    return this.#action('switch back', this.#back);
  }

  #action(name: string, move: Move): RehearsalAction {
    let end: ActionEnd | undefined;
    const start = async ({ client, clock, signal }: ProcessContext): Promise<void> => {
      end = await move(client, clock, signal);
    };
    return {
      name,
      limitMs: LIMIT_MS,
      processes: [{ name: `user of ${name}`, isReliable: true, start }],
      endOf: () => end,
      waitsFor: () => {
        const row = this.#waitsFor;
        if (row === undefined) return { step: name, message: 'nothing is waited for' };
        const { message = 'nothing is reported', reason = '' } = row.waitsFor ?? {};
        return { step: nameOf(row), message: `${reason}: ${message}` };
      },
      differences: ({ after, before }) => differencesBetween(before, after, this.#options.hasSameMeaning),
    };
  }

  readonly #there: Move = async (client, clock, signal) => {
    const { id, to } = this.#options;
    const limit = clock.monotonic() + READY_WITHIN_MS;
    let all = await this.#read(client);
    while (this.#obstacles(all).length > 0 && clock.monotonic() < limit) {
      await sleep(clock, EVERY_MS, signal);
      all = await this.#read(client);
    }
    const obstacles = this.#obstacles(all);
    if (obstacles.length > 0)
      return { result: 'undone', reason: `${id} cannot move`, message: obstacles.slice(0, MOST_NAMED).join('; ') };
    for (const { authority, ...row } of all)
      if (authority !== undefined && authority !== 'Migrating')
        this.#before.set(nameOf({ ...row, authority }), authority);
    for (const { resources } of this.#steps(all))
      await this.#move(
        client,
        resources.map((row) => [row, to]),
        { clock, signal },
      );
    return { result: 'done' };
  };

  readonly #back: Move = async (client, clock, signal) => {
    const moved = (await this.#read(client)).flatMap((row): [ResourceStatus, Authority][] => {
      const before = this.#before.get(nameOf(row));
      return before === undefined || row.machineAPI === undefined || row.authority === before ? [] : [[row, before]];
    });
    await this.#move(client, moved, { clock, signal });
    return { result: 'done' };
  };

  /** The cause before what waits for it: a set before its machines. */
  #obstacles(all: readonly ResourceStatus[]): readonly string[] {
    const resources = this.#steps(all).flatMap((step) => step.resources);
    const isNamed = (row: ResourceStatus): boolean => nameOf(row) === this.#options.id;
    const ordered = [...resources.filter(isNamed), ...resources.filter((row) => !isNamed(row))];
    return ordered.flatMap((row) => obstacle(row) ?? []);
  }

  #steps(all: readonly ResourceStatus[]): ReturnType<typeof switchSteps> {
    const named = all.filter((each) => nameOf(each) === this.#options.id);
    return switchSteps(named, all, { to: this.#options.to, canary: 1, machines: true });
  }

  async #read(client: Client): Promise<readonly ResourceStatus[]> {
    return inTree(await readResources(client, this.#places()));
  }

  #places(): { readonly machineApiNamespace: string; readonly clusterApiNamespace: string } {
    const { clusterApi, machineApi } = this.#options.namespaces;
    return { machineApiNamespace: machineApi, clusterApiNamespace: clusterApi };
  }

  async #move(
    client: Client,
    moves: readonly (readonly [row: ResourceStatus, to: Authority])[],
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<void> {
    for (const [{ kind, name }, to] of moves) {
      const pair = PAIRS.find(([each]) => each === kind);
      const patch = { type: 'merge', value: { spec: { authoritativeAPI: to } } } as const;
      if (pair !== undefined)
        await client.patch(pair[1], name, patch, { namespace: this.#options.namespaces.machineApi });
    }
    const wanted = new Map(moves.map(([row, to]) => [nameOf(row), to]));
    for (;;) {
      const rows = (await this.#read(client)).filter((row) => wanted.has(nameOf(row)));
      this.#waitsFor = rows.find((row) => row.authority !== wanted.get(nameOf(row)) || !row.isSynchronized);
      if (this.#waitsFor === undefined || signal.aborted) return;
      await sleep(clock, EVERY_MS, signal);
    }
  }
}

const COMPARED = ['machines', 'machinesets', 'machinehealthchecks'].map((plural) => `machine.openshift.io/${plural}`);

/** What users have written in Machine API, and what carries it. */
function writtenBy({ apiVersion, kind, metadata, spec }: KubeObject & { readonly spec?: JsonObject }): KubeObject {
  const { authoritativeAPI: _, ...rest } = spec ?? {};
  const { name = '', namespace = '', uid = '' } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, labels: metadata.labels ?? {} }, spec: rest };
}

/** Fields that differ, the deepest that both have as records. */
function differingPaths(one: unknown, other: unknown, path: string): readonly string[] {
  if (deepEqual(one, other)) return [];
  if (!isRecord(one) || !isRecord(other)) return [path];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
  return fields.flatMap((field) =>
    differingPaths(one[field], other[field], `${path}${path === '' ? '' : '.'}${field}`),
  );
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of the copies in Machine API, which both ends have: a line for each that is gone, new, or another. */
function differencesBetween(
  before: SimulationState,
  after: SimulationState,
  hasSameMeaning: HandoverOptions['hasSameMeaning'],
): readonly string[] {
  return COMPARED.flatMap((resource) => {
    const [old, now] = [before, after].map(
      (state) => new Map(state.of(resource).map((object) => [object.metadata.name ?? '', object])),
    ) as [Map<string, KubeObject>, Map<string, KubeObject>];
    const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
    return names.flatMap((name) => {
      const [one, other] = [old.get(name), now.get(name)];
      const what = `${(one ?? other)?.kind ?? ''} ${name}`;
      if (one === undefined) return [`${what} is new`];
      if (other === undefined) return [`${what} is missing`];
      const [was, is] = [writtenBy(one), writtenBy(other)];
      const paths = hasSameMeaning(was, is) ? [] : differingPaths(was, is, '');
      return paths.length === 0 ? [] : [`${what}: ${paths.slice(0, MOST_NAMED).join(', ')} not as before`];
    });
  });
}
