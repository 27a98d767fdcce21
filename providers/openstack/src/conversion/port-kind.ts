/** Which ports of Cluster API are networks in Machine API, and which are ports there. */
import { getAt, isRecord } from '@capstan/convert';
import type { Path } from '@capstan/convert';
import type { JsonObject } from '@capstan/meta';
import { letsThrough } from './addresses.js';
import { nonEmptyText } from './values.js';

/** Where a port has a field that only one of the two can have. */
export interface PortKind {
  /** Only networks: no network, or one that is looked for. */
  readonly network: Path | undefined;
  /** Only ports. */
  readonly port: Path | undefined;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function hasContent(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

function networkOnly(port: JsonObject): Path | undefined {
  if (nonEmptyText(getAt(port, ['network', 'id'])) === undefined) return ['network'];
  const at = list(port['fixedIPs']).findIndex((each) => hasContent(getAt(each, ['subnet', 'filter'])));
  return at < 0 ? undefined : ['fixedIPs', String(at), 'subnet', 'filter'];
}

function portOnly(port: JsonObject, hasTrunk: boolean, addresses: readonly string[] | undefined): Path | undefined {
  // Also when empty, which is not the same as none for these.
  const named = ['description', 'nameSuffix'].find((name) => typeof port[name] === 'string');
  if (named !== undefined) return [named];
  if (nonEmptyText(port['macAddress']) !== undefined) return ['macAddress'];
  if (typeof port['adminStateUp'] === 'boolean') return ['adminStateUp'];
  if (list(port['securityGroups']).length > 0) return ['securityGroups'];
  if (typeof port['trunk'] === 'boolean' && port['trunk'] !== hasTrunk) return ['trunk'];
  const at = list(port['fixedIPs']).findIndex((each) => nonEmptyText(getAt(each, ['ipAddress'])) !== undefined);
  if (at >= 0) return ['fixedIPs', String(at), 'ipAddress'];
  const pairs = port['allowedAddressPairs'];
  const isUsual = list(pairs).length === 0 || (addresses !== undefined && letsThrough(pairs, addresses));
  return isUsual ? undefined : ['allowedAddressPairs'];
}

/** What a port must be in Machine API; either where it has neither field, none where it has both. */
export function kindOf(port: JsonObject, hasTrunk: boolean, addresses: readonly string[] | undefined): PortKind {
  return { network: networkOnly(port), port: portOnly(port, hasTrunk, addresses) };
}
