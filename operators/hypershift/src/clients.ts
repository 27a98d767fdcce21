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
  Certificates: 'direct',
} as const satisfies Readonly<Record<string, TransportName>>;

/** A controller of this operator, or what else of it sends requests. */
export type ClientName = keyof typeof TRANSPORTS;

/** Gives each controller the client of the transport that it declares; the controller is named in its user agent. */
export type ClientOf = (controller: ClientName) => Client;

export async function connectClients(
  manager: Manager,
  context: OperatorContext<typeof HYPERSHIFT_FLAGS>,
  { mode }: Pick<HypershiftSettings, 'mode'>,
): Promise<ClientOf> {
  const direct = mode.kind === 'private' ? await directTransport(context) : undefined;
  return (controller) => manager.clientFor(controller, TRANSPORTS[controller] === 'direct' ? direct : undefined);
}

/** Past the proxy: by the file of the flag, or with the account of the pod. */
export function directTransport(
  context: OperatorContext<typeof HYPERSHIFT_FLAGS>,
): ReturnType<OperatorContext<typeof HYPERSHIFT_FLAGS>['inCluster']> {
  const path = context.flags['direct-kubeconfig'];
  return path === undefined ? context.inCluster() : connectOwnFile(context, path);
}
