import type { Random } from '@capstan/meta';
import { pick } from './spoil.js';

const FLAGS = ['true', 'false', '1', '0', '', 'x', 'TRUE'];
const NUMBERS = ['0', '1', '-1', '', 'x', '1.5', '99999999999', '9999999999999999999999'];

/** Parameters and what to put into them. Versions that a server would wait for are left out. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  limit: NUMBERS,
  continue: ['', 'x', 'eyJ9', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJ4In0'],
  labelSelector: [
    'a=b',
    'a',
    '!a',
    'a in (b)',
    'a in b',
    'a in ()',
    'a==b,',
    ',',
    'a=b c',
    '-a=b',
    'a>1',
    'a>x',
    `${'x'.repeat(70)}=b`,
    'é',
  ],
  fieldSelector: [
    'metadata.name=x',
    'metadata.name!=x',
    'spec.x=1',
    'a',
    '=',
    'metadata.name=x,',
    'metadata.namespace=x',
    'a\\=b',
  ],
  resourceVersion: ['0', '', 'x', '-1', '1.5'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', '', 'x'],
  dryRun: ['All', '', 'x', 'all'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', '', 'x', 'strict'],
  fieldManager: ['', 'x'.repeat(129), 'a\u0001b', 'é', 'a b'],
  force: FLAGS,
  pretty: FLAGS,
  timeoutSeconds: NUMBERS,
  timeout: ['1s', '10s', 'x', '-1s', '1h'],
  gracePeriodSeconds: NUMBERS,
  propagationPolicy: ['Background', 'Orphan', 'x', ''],
  orphanDependents: FLAGS,
  allowWatchBookmarks: FLAGS,
  sendInitialEvents: FLAGS,
  unknown: ['x'],
};

/** The target with one or two more parameters, or other ones. */
export function spoilQuery(random: Random, target: string): string {
  const [path = '', query = ''] = target.split('?');
  const parameters = new URLSearchParams(query);
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const name = pick(random, Object.keys(PARAMETERS));
    const value = pick(random, PARAMETERS[name] ?? ['']);
    if (random.below(3) === 0) parameters.append(name, value);
    // What is not a dry run would be stored, and the next request meet something else.
    else if (name !== 'dryRun' || value === 'x' || value === 'all') parameters.set(name, value);
  }
  return `${path}?${parameters.toString().replaceAll('%7Bns%7D', '{ns}')}`;
}
