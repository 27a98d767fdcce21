import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpTransport, loadConnection, Client } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';

const TIMEOUT_MS = 30_000;
const POLL_MS = 1_000;

/** Does something with the cluster that the options name; an interrupt ends what is under way. */
export async function withCluster<T>(
  { context, kubeconfig }: ClusterOptions,
  io: Io,
  use: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const connection = await loadConnection({ path: kubeconfig, context, env: io.env, home: io.env['HOME'] });
  const transport = new HttpTransport(connection, { requestTimeoutMs: TIMEOUT_MS, connectTimeoutMs: TIMEOUT_MS });
  const stop = new AbortController();
  const quiet = io.onStop(() => stop.abort());
  try {
    return await use(new Client(transport), stop.signal);
  } finally {
    quiet();
    await transport.close();
  }
}

/** A HostedCluster; what is wrong when there is none. */
export async function hostedCluster(client: Client, namespace: string, name: string): Promise<KubeObject> {
  const found = await findHostedCluster(client, namespace, name);
  if (found !== undefined) return found;
  throw new CliError(
    `there is no HostedCluster ${name} in namespace ${namespace}`,
    'list them with kubectl get hostedclusters -A, and name the namespace with --namespace',
  );
}

/** A HostedCluster, if there is one; what is wrong when the cluster knows of none. */
export async function findHostedCluster(
  client: Client,
  namespace: string,
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(HOSTED_CLUSTERS, name, { namespace });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A missing object and a missing kind have the same code: a list distinguishes them.
    await client.revision(HOSTED_CLUSTERS, { namespace }).catch((cause: unknown) => unlessKindIsUnknown(cause));
    return undefined;
  }
}

/** Throws what a list of HostedClusters was rejected with; in other words where the cluster knows of none. */
export function unlessKindIsUnknown(cause: unknown): never {
  throw isNotFound(cause)
    ? new CliError(
        'this cluster does not serve HostedClusters',
        'install the CRDs and the operator first, or name another cluster with --context',
        { cause },
      )
    : cause;
}

/** What is waited for, and for how long. */
export interface Wait {
  readonly signal: AbortSignal;
  /** 0 for ever. */
  readonly timeoutMs: number;
  readonly what: string;
  /** The option that gives it more time. */
  readonly option: string;
}

/** Polls every second until it is done; prints the progress each time it changes. */
export async function follow<T>(
  io: Io,
  { option, signal, timeoutMs, what }: Wait,
  look: () => Promise<{ readonly done: T } | { readonly progress: string }>,
): Promise<T> {
  const until = timeoutMs === 0 ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
  let reported = '';
  for (;;) {
    const seen = await look();
    if ('done' in seen) return seen.done;
    if (seen.progress !== reported) io.err(`${seen.progress}\n`);
    reported = seen.progress;
    if (signal.aborted)
      throw new CliError(
        `${what} was still in progress when the command was stopped`,
        'it continues without this command',
      );
    if (Date.now() >= until)
      throw new CliError(
        `${what} did not finish in time: ${reported}`,
        `it continues without this command; wait longer with ${option}`,
      );
    // When asked to stop it polls once more before it reports that.
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
