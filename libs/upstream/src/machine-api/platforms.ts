import { getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { PLATFORMS } from './platforms.table.js';
import type { PlatformRow } from './platforms.table.js';
import type { Machine } from './resources.js';

/** What a machine wants of its cloud. */
export interface WantedInstance {
  readonly row: PlatformRow;
  readonly instanceType: string;
  readonly image: string;
  readonly region: string;
  readonly zone: string;
  readonly account: string;
  readonly group: string;
  readonly isSpot: boolean;
  /** The Secret whose `userData` the instance boots with; empty for none. */
  readonly userDataSecret: string;
}

/** What is wrong with a provider spec, for people. */
export interface BadProviderSpec {
  readonly problem: string;
}

function at(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Array.isArray(found) ? found[Number(key)] : getOwn(found as JsonObject, key);
  }
  return found;
}

/** The text at the first of several paths that holds one. */
function textAt(value: JsonObject, paths = ''): string {
  for (const path of paths.split('|')) {
    const found = at(value, path);
    if (typeof found === 'string' && found !== '') return found;
    if (typeof found === 'number') return String(found);
  }
  return '';
}

function isSet(value: JsonObject, path = ''): boolean {
  const found = at(value, path);
  return found !== undefined && found !== null && found !== false;
}

/** Reads a machine's provider spec by the row of its platform. */
export function wantedInstance({ spec }: Machine): WantedInstance | BadProviderSpec {
  const value = spec?.providerSpec?.value;
  if (value === undefined) return { problem: 'providerSpec.value: required' };
  const kind = textAt(value, 'kind');
  const row = PLATFORMS.find(({ specKind }) => specKind === kind);
  if (row === undefined) return { problem: `providerSpec.value.kind: unknown kind ${JSON.stringify(kind)}` };
  const instanceType = textAt(value, row.instanceType);
  // Bare metal has no types: any host will do when none is named.
  if (instanceType === '' && row.platform !== 'metal3')
    return { problem: `providerSpec.value.${row.instanceType}: required` };
  return {
    row,
    instanceType,
    image: textAt(value, row.image),
    region: textAt(value, row.region),
    zone: textAt(value, row.zone),
    account: textAt(value, row.account),
    group: textAt(value, row.group),
    isSpot: isSet(value, row.spot),
    userDataSecret: textAt(value, 'userDataSecret.name|userData.name'),
  };
}
