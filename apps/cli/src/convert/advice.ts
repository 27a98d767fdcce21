import type { Claim, Fate } from '@capstan/convert';
import type { Entry, EntryError } from './entry.js';
import { API_NAMES, kindOf, otherApi } from './model.js';
import type { Api } from './model.js';

/** A path of a message as claims write it: `spec.taints[0].key` is `spec.taints[].key`. */
function claimForm(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]').replaceAll(/\[[^\]]+\]/g, '{}');
}

function isWithin(path: string, claim: string): boolean {
  if (!path.startsWith(claim)) return false;
  const next = path[claim.length];
  return next === undefined || next === '.' || next === '[' || next === '{';
}

/** What claims call the object that is converted, and what it is made of; nothing where it is all there is. */
const PARTS = { own: ['', 'machine.', 'machineSet.', 'set.', 'check.'], other: ['infrastructure.', 'template.'] };

/** What the claims of a platform state about the field that a message is about. */
function fateOf(path: string, of: 'other' | 'own', claims: readonly Claim[]): Fate | undefined {
  const form = claimForm(path);
  return PARTS[of]
    .map((part) => claims.find((claim) => isWithin(`${part}${form}`, claim.path))?.fate)
    .find((fate) => fate !== undefined);
}

/** What to change so that an object can be converted. */
export function advice(issue: EntryError, { source }: Entry, claims: readonly Claim[], to: Api): string {
  const { change, code, object, path } = issue;
  const [from, target] = [API_NAMES[otherApi(to)], API_NAMES[to]];
  if (change !== undefined) return change;
  if (code === 'ClusterUnknown') return 'give the infrastructure cluster and the Infrastructure with --infrastructure';
  if (path === '') return 'fix what the message names, and convert again';
  if (code === 'UnknownField') return 'remove the field, or correct its name';
  switch (fateOf(path, object.kind === kindOf(source.object) ? 'own' : 'other', claims)) {
    case 'unsupported':
      return `remove the field, or leave the object to ${from}`;
    case 'constant':
      return 'write what it must be, or leave it out';
    case 'derived':
      return 'give it the value of the cluster, or correct the given infrastructure';
    case 'mapped':
    case 'preserved':
    case 'warned':
      return `give it a value that ${target} can hold, or leave the object to ${from}`;
    default:
      return `correct the field, or leave the object to ${from}`;
  }
}
