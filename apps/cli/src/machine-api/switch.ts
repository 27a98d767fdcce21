import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@capstan/kube';
import { CliError } from '../errors.js';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import { PAIRS, placesOf, readResources } from './read.js';
import type { MachineApiPlaces } from './read.js';
import type { Authority, ResourceStatus } from './resource.js';
import { obstacle, readName, switchSteps } from './steps.js';
import type { SwitchStep } from './steps.js';
import { inTree, nameOf } from './tree.js';

/** Where authority is to be, and how long that may take. */
export interface MoveOptions extends MachineApiPlaces {
  readonly to: Authority;
  readonly timeout: number;
  readonly dryRun?: boolean | undefined;
}

/** `capstan machine-api switch`, as it was typed. */
export interface SwitchOptions extends MoveOptions {
  readonly canary: number;
  readonly machines: boolean;
}

const EVERY_MS = 1_000;
const MOST_NAMED = 5;

/** Moves authority over sets with their machines, a few first, and waits until it is there. */
export async function runSwitch(names: readonly string[], options: SwitchOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const all = inTree(await readResources(client, options));
    const named = names.map(readName).map(({ kind, name }) => {
      const found = all.find((each) => each.kind === kind && each.name === name);
      if (found !== undefined) return found;
      throw new CliError(`there is no ${kind} ${name}`, 'list them with capstan machine-api status');
    });
    const steps = switchSteps(named, all, options);
    if (steps.length === 0) io.out(`${options.to} is authoritative already\n`);
    await take(client, steps, { options, io, signal });
  });
}

/** Moves all of these at once. */
export async function moveAll(
  { client, io, signal }: { readonly client: Client; readonly io: Io; readonly signal: AbortSignal },
  resources: readonly ResourceStatus[],
  options: MoveOptions,
): Promise<void> {
  const steps = switchSteps(resources, resources, { to: options.to, canary: 0, machines: false });
  await take(client, steps, { options, io, signal });
}

async function take(client: Client, steps: readonly SwitchStep[], arrival: Arrival): Promise<void> {
  const { io, options, signal } = arrival;
  refuse(steps);
  for (const [at, step] of steps.entries()) {
    await ask(client, step, options, io);
    if (options.dryRun === true) continue;
    const open = await arrived(client, step, arrival);
    const later = steps.slice(at + 1).flatMap(({ resources }) => resources);
    if (signal.aborted && open.length + later.length > 0) throw interrupted(open, later, options);
  }
}

/** A script goes on only when all of it was done. */
function interrupted(open: readonly string[], later: readonly ResourceStatus[], { to }: MoveOptions): CliError {
  const moving = open.length === 0 ? '' : `; asked and still moving: ${open.join(', ')}`;
  const unasked = later.length === 0 ? '' : `; not asked yet: ${later.map(nameOf).join(', ')}`;
  const back = to === 'ClusterAPI' ? 'MachineAPI' : 'ClusterAPI';
  const hint = `what was asked goes on: run the command again for the rest, or take it back with --to ${back}`;
  return new CliError(`interrupted before everything was with ${to}${moving}${unasked}`, hint);
}

/** All of it is checked before the first is changed: a set is not left half way for a reason known at the start. */
function refuse(steps: readonly SwitchStep[]): void {
  const obstacles = steps.flatMap(({ resources }) => resources.flatMap((each) => obstacle(each) ?? []));
  if (obstacles.length === 0) return;
  const shown = obstacles.slice(0, MOST_NAMED).join('; ');
  const more = obstacles.length > MOST_NAMED ? `; and ${obstacles.length - MOST_NAMED} more` : '';
  throw new CliError(`${shown}${more}`, 'nothing was changed: look at capstan machine-api status');
}

async function ask(client: Client, { resources }: SwitchStep, options: MoveOptions, io: Io): Promise<void> {
  const { dryRun, to } = options;
  for (const resource of resources) {
    const pair = PAIRS.find(([kind]) => kind === resource.kind);
    if (pair === undefined) continue;
    const patch = { type: 'merge', value: { spec: { authoritativeAPI: to } } } as const;
    const at = { namespace: placesOf(options).machineApi, ...(dryRun === true ? { dryRun } : {}) };
    await client.patch(pair[1], resource.name, patch, at);
    io.out(`${nameOf(resource)} asked to ${to}${dryRun === true ? ' (dry run)' : ''}\n`);
  }
}

interface Arrival {
  readonly options: MoveOptions;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Waits until authority over each has moved; what has not when this is interrupted. What was asked goes on then. */
async function arrived(
  client: Client,
  { resources }: SwitchStep,
  { io, options, signal }: Arrival,
): Promise<readonly string[]> {
  const open = new Set(resources.map(nameOf));
  const total = open.size;
  const until = performance.now() + options.timeout;
  while (open.size > 0 && !signal.aborted) {
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const rows = (await readResources(client, options)).filter((each) => open.has(nameOf(each)));
    for (const row of rows) {
      if (row.authority !== options.to || !row.isSynchronized) continue;
      open.delete(nameOf(row));
      io.out(`${nameOf(row)} ${options.to} (${total - open.size} of ${total})\n`);
    }
    for (const name of open) if (!rows.some((row) => nameOf(row) === name)) open.delete(name);
    if (open.size > 0 && performance.now() > until) throw late(rows, options);
  }
  return [...open];
}

function late(rows: readonly ResourceStatus[], { timeout, to }: MoveOptions): CliError {
  const [row] = rows.filter(({ authority, isSynchronized }) => authority !== to || !isSynchronized);
  const waits = row?.waitsFor;
  const why = waits === undefined ? '' : `: ${waits.reason}: ${waits.message}`;
  const back = to === 'ClusterAPI' ? 'MachineAPI' : 'ClusterAPI';
  return new CliError(
    `${row === undefined ? 'a resource' : nameOf(row)} has not moved to ${to} within ${timeout / 1_000} s${why}`,
    `it still may: follow it with capstan machine-api status --watch, or take it back with --to ${back}`,
  );
}
