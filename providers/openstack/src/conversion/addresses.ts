/** The addresses that move between machines of a cluster, which ports must let through. */
import { getAt, isRecord } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { nonEmptyText } from './values.js';

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => nonEmptyText(item) ?? []) : [];
}

/**
 * What Machine API lets through the ports of networks by default: the addresses of the API server and of
 * ingress, as long as the cluster itself manages them. `undefined` when the Infrastructure is not known.
 */
export function movingAddresses({ infrastructure }: MachineContext): readonly string[] | undefined {
  if (infrastructure === undefined) return undefined;
  const status = getAt(infrastructure, ['status', 'platformStatus', 'openstack']);
  if (getAt(status, ['loadBalancer', 'type']) === 'UserManaged') return [];
  return [...texts(getAt(status, ['apiServerInternalIPs'])), ...texts(getAt(status, ['ingressIPs']))];
}

/** Whether a port lets through these addresses, in their order, and nothing else. */
export function letsThrough(pairs: unknown, addresses: readonly string[]): boolean {
  const list: readonly unknown[] = Array.isArray(pairs) ? pairs : [];
  return (
    list.length === addresses.length &&
    list.every((pair, at) => {
      return isRecord(pair) && pair['ipAddress'] === addresses[at] && (pair['macAddress'] ?? '') === '';
    })
  );
}
