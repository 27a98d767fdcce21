/** Resources as a tree: each set with its machines, then machines and health checks of their own. Pure. */
import { humanDuration } from '@capstan/meta';
import { printable } from '../errors.js';
import { tableText } from '../text-table.js';
import { isSettled } from './resource.js';
import type { ResourceStatus } from './resource.js';

const NOTHING = '<none>';
const HEADINGS = ['NAME', 'MACHINE API', 'CLUSTER API', 'AUTHORITY', 'SINCE', 'WAITS FOR'];

const byName = (a: ResourceStatus, b: ResourceStatus): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** In the order of the tree. */
export function inTree(resources: readonly ResourceStatus[]): readonly ResourceStatus[] {
  const sets = resources.filter(({ kind }) => kind === 'MachineSet').toSorted(byName);
  const machines = resources.filter(({ kind }) => kind === 'Machine').toSorted(byName);
  const known = new Set(sets.map(({ name }) => name));
  return [
    ...resources.filter(({ kind }) => kind === 'ControlPlaneMachineSet').toSorted(byName),
    ...sets.flatMap((set) => [set, ...machines.filter((each) => each.set === set.name)]),
    ...machines.filter(({ set }) => set === undefined || !known.has(set)),
    ...resources.filter(({ kind }) => kind === 'MachineHealthCheck').toSorted(byName),
  ];
}

/** `machineset/workers`, as kubectl names it. */
export function nameOf({ kind, name }: ResourceStatus): string {
  return `${kind.toLowerCase()}/${name}`;
}

/** Who is authoritative, and who is to be. */
export function authorityText({ authority, wanted }: ResourceStatus): string {
  if (authority === undefined) return NOTHING;
  return authority === wanted ? authority : `${authority} -> ${wanted}`;
}

/** What a resource waits for, in one line. */
export function waitingText(resource: ResourceStatus): string {
  const { clusterAPI, machineAPI, waitsFor } = resource;
  if (machineAPI === undefined) return 'nothing: it is in Cluster API alone';
  if (clusterAPI === undefined && waitsFor === undefined) return 'its copy in Cluster API';
  if (waitsFor === undefined || isSettled(resource)) return NOTHING;
  return printable(`${waitsFor.reason}: ${waitsFor.message}`.replaceAll('\n', ' '));
}

function cells(resource: ResourceStatus, nowMs: number, branch: string): string[] {
  const { clusterAPI, isDeleting, machineAPI, waitsFor } = resource;
  const since = waitsFor === undefined || isSettled(resource) ? NOTHING : elapsed(waitsFor.since, nowMs);
  return [
    `${branch}${nameOf(resource)}${isDeleting ? ' (deleting)' : ''}`,
    machineAPI ?? NOTHING,
    clusterAPI ?? NOTHING,
    authorityText(resource),
    since,
    waitingText(resource),
  ];
}

function elapsed(since: string, nowMs: number): string {
  const ms = nowMs - Date.parse(since);
  return Number.isNaN(ms) ? NOTHING : humanDuration(Math.max(0, ms));
}

/** The tree as a table, no wider than a terminal. */
export function treeText(
  resources: readonly ResourceStatus[],
  nowMs: number,
  columns = Number.POSITIVE_INFINITY,
): string {
  const rows = inTree(resources);
  const sets = new Set(rows.filter(({ kind }) => kind === 'MachineSet').map(({ name }) => name));
  const isChild = ({ kind, set }: ResourceStatus): boolean => kind === 'Machine' && set !== undefined && sets.has(set);
  const lines = rows.map((row, at) => {
    const next = rows[at + 1];
    const isLast = next === undefined || next.set !== row.set;
    return cells(row, nowMs, isChild(row) ? (isLast ? '└─ ' : '├─ ') : '');
  });
  return tableText([HEADINGS, ...lines])
    .split('\n')
    .map((line) => (line.length <= columns ? line : `${line.slice(0, columns - 1)}…`))
    .join('\n');
}
