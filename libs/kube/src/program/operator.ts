import type { Clock, Random, Transport } from '@capstan/meta';
import type { Connection } from '../config/connection.js';
import type { FileReader } from '../config/document.js';
import { loadConnection } from '../config/load.js';
import { untrustedConnection } from '../config/untrusted.js';
import type { AttachServer } from '../http/endpoint-server.js';
import type { Manager, ManagerOptions } from '../manager/manager.js';
import type { Logger } from '../runtime/logger.js';
import type { FlagKinds, FlagValues } from './flags.js';

/** Carries a call to where it takes effect and its answer back. */
export type Carry = <T>(
  call: { readonly subject: string; readonly point: 'change' | 'create' | 'delete' | 'read' },
  act: () => T,
) => Promise<T>;

/** Flags that every operator knows. */
export const COMMON_FLAGS = {
  'diagnostics-address': 'string',
  'feature-gates': 'string',
  'health-addr': 'string',
  'health-probe-bind-address': 'string',
  'insecure-diagnostics': 'boolean',
  kubeconfig: 'string',
  'leader-elect': 'boolean',
  'leader-elect-lease-duration': 'duration',
  'leader-elect-renew-deadline': 'duration',
  'leader-elect-resource-namespace': 'string',
  'leader-elect-retry-period': 'duration',
  'leader-election-id': 'string',
  'metrics-bind-addr': 'string',
  'metrics-bind-address': 'string',
  namespace: 'string',
  'sync-period': 'duration',
  v: 'number',
  'watch-filter': 'string',
  'webhook-cert-dir': 'string',
  'webhook-port': 'number',
} as const satisfies FlagKinds;

/** All an operator is given, in whatever it runs. */
export interface OperatorContext<K extends FlagKinds> {
  /** For its manager: the way to its own cluster, time, chance, logs, metrics, probes and election. */
  readonly options: ManagerOptions & { readonly clock: Clock; readonly random: Random; readonly logger: Logger };
  readonly flags: FlagValues<K & typeof COMMON_FLAGS>;
  readonly env: Readonly<Record<string, string>>;
  /** The namespace it runs in. */
  readonly namespace: string;
  readonly files: FileReader;
  /** The way to the cluster it runs in, whatever its flags say. */
  inCluster(): Promise<Transport>;
  /** The way to another cluster. */
  connect(connection: Connection): Transport;
  /** Acts on something outside of the program that is no API server. */
  readonly carry: Carry;
  /** Puts a server of its own, of webhooks for one, on its network; absent: sockets of the machine. */
  readonly attach?: AttachServer | undefined;
}

/** A program of controllers: its flags, and how it is made of what it is given. */
export interface OperatorDefinition<K extends FlagKinds> {
  readonly name: string;
  readonly flags: K;
  /** Address of the health endpoints when no flag sets one. Default: none. */
  readonly healthPort?: number | undefined;
  /** A throw of {@link BadUsage} ends it with a message, as bad flags do. */
  build(context: OperatorContext<K>): Manager | Promise<Manager>;
}

/** The flags or settings of the operator are invalid. */
export class BadUsage extends Error {
  override readonly name = 'BadUsage';
}

/**
 * The connection to the cluster of a kubeconfig, in a file given to an operator by a flag. Such files are mounted Secrets:
 * any client that may write the Secret writes the file, so it is read as data.
 */
export async function connectFile<K extends FlagKinds>(context: OperatorContext<K>, path: string): Promise<Transport> {
  const text = await context.files.read(path);
  return context.connect(await untrustedConnection(text, { origin: path, env: context.env }));
}

/**
 * The way to the management cluster by a file that belongs to the operator's own pod, as that of a proxy sidecar does: it
 * is as much the operator's own as its flags, and may lead to the proxy by plain HTTP.
 */
export async function connectOwnFile<K extends FlagKinds>(
  context: OperatorContext<K>,
  path: string,
): Promise<Transport> {
  const { env, files, options } = context;
  return context.connect(await loadConnection({ path, env, files, clock: options.clock }));
}

/** An operator and what it is: keeps the types of its flags together. */
export function defineOperator<K extends FlagKinds>(definition: OperatorDefinition<K>): OperatorDefinition<K> {
  return definition;
}
