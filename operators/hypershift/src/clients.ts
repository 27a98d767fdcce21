import { connectOwnFile } from '@capstan/kube';
import type { Client, Manager, OperatorContext } from '@capstan/kube';
import type { HYPERSHIFT_FLAGS, HypershiftSettings } from './config.js';

/**
 * How a controller asks the management cluster: through the proxy, where private groups have their standard names, or the
 * server itself, which has both. In an operator on standard types both are the same.
 */
export type TransportName = 'direct' | 'proxied';

/** Which each controller uses. All are under the same lease: a process that no longer leads writes by neither. */
export const TRANSPORTS = {
  hostedcluster: 'proxied',
  nodepool: 'proxied',
  /** Decides whose turn it is, by objects of both groups. */
  turns: 'direct',
  MigrationController: 'direct',
  LegacyOperator: 'direct',
  PrivateCrds: 'direct',
} as const satisfies Readonly<Record<string, TransportName>>;

/** Gives each controller the client of the transport that it declares. */
export type ClientOf = (controller: keyof typeof TRANSPORTS) => Client;

export async function connectClients(
  manager: Manager,
  context: OperatorContext<typeof HYPERSHIFT_FLAGS>,
  { mode }: Pick<HypershiftSettings, 'mode'>,
): Promise<ClientOf> {
  const proxied = manager.client;
  const direct = mode.kind === 'private' ? manager.clientOn(await directTransport(context)) : proxied;
  const clients: Readonly<Record<TransportName, Client>> = { direct, proxied };
  return (controller) => clients[TRANSPORTS[controller]];
}

/** Past the proxy: by the file of the flag, or with the account of the pod. */
export function directTransport(
  context: OperatorContext<typeof HYPERSHIFT_FLAGS>,
): ReturnType<OperatorContext<typeof HYPERSHIFT_FLAGS>['inCluster']> {
  const path = context.flags['direct-kubeconfig'];
  return path === undefined ? context.inCluster() : connectOwnFile(context, path);
}
