import { isDeepStrictEqual } from 'node:util';
import type { Step } from './goldens.js';

const MAX_SHOWN = 400;
/** How much of what two long values have in common is shown before they part. */
const LEAD = 80;

function shown(value: unknown, from = 0): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  const start = from === 0 ? text : `…${text.slice(from)}`;
  return start.length > MAX_SHOWN ? `${start.slice(0, MAX_SHOWN)}…` : start;
}

/** Where to start showing two long values, a little before they part. */
function parting(wanted: unknown, found: unknown): number {
  const [left, right] = [JSON.stringify(wanted ?? null), JSON.stringify(found ?? null)];
  if (Math.max(left.length, right.length) <= MAX_SHOWN) return 0;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return Math.max(0, at - LEAD);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function compare(path: string, wanted: unknown, found: unknown, into: string[]): void {
  if (isDeepStrictEqual(normal(wanted), normal(found))) return;
  if (isMap(wanted) && isMap(found)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)]))
      compare(`${path}.${key}`, wanted[key], found[key], into);
  } else if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    for (const [at, each] of wanted.entries()) compare(`${path}[${at}]`, each, found[at], into);
  } else {
    const from = parting(wanted, found);
    into.push(`  ${path}: wanted ${shown(wanted, from)}\n  ${' '.repeat(path.length)}   found ${shown(found, from)}`);
  }
}

/** Objects without a prototype equal those with one. */
function normal(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** An answer's keys come in the order of the real server's down to those of metadata; beyond that no client depends on the order. */
const ORDERED = ['body', 'metadata'];

function keyOrder(path: string, wanted: unknown, found: unknown, into: string[]): void {
  if (!isMap(wanted) || !isMap(found)) return;
  const [left, right] = [Object.keys(wanted).join(), Object.keys(found).join()];
  if (left !== right)
    into.push(`  ${path}: wanted the order ${left}\n  ${' '.repeat(path.length)}   found the order ${right}`);
  // The texts of field sets have one order only.
  if (JSON.stringify(wanted['managedFields']) !== JSON.stringify(found['managedFields']))
    into.push(`  ${path}.managedFields: the same in another order`);
  for (const key of ORDERED) keyOrder(`${path}.${key}`, wanted[key], found[key], into);
}

const NO_STEP: Step = { request: 'nothing', status: 0 };

function compareSteps(wanted: Step, found: Step): string[] {
  // Bodies of different statuses have nothing in common that would be worth showing.
  if (wanted.status !== found.status)
    return [`  wanted ${wanted.status} ${shown(wanted.body)}`, `  found  ${found.status} ${shown(found.body)}`];
  const lines: string[] = [];
  compare('', wanted, found, lines);
  if (lines.length === 0) keyOrder('', wanted, found, lines);
  return lines;
}

/** What differs between a recorded transcript and another one, the order of keys included; empty when nothing does. */
export function differences(wanted: readonly Step[], found: readonly Step[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < Math.max(wanted.length, found.length); at += 1) {
    const here = compareSteps(wanted[at] ?? NO_STEP, found[at] ?? NO_STEP);
    if (here.length > 0) lines.push(`step ${at + 1}, ${(found[at] ?? wanted[at])?.request}`, ...here);
  }
  return lines;
}
