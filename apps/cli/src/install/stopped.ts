import { systemClock } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Output } from '../io.js';
import { waitFor } from './cluster.js';

export const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

interface Scaled extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly replicas?: number };
}

/** Where, and how long it is waited for. */
export interface Stopping {
  readonly namespace: string;
  readonly timeoutMs: number;
  readonly io: Output;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stops Deployments one after the other, and starts them again where that fails, is interrupted, or is refused once they
 * have stopped: what they reconcile must not be left to nobody.
 */
export async function stoppedFor(
  client: Client,
  deployments: readonly string[],
  stopping: Stopping,
  check: () => Promise<void>,
): Promise<void> {
  const at = { namespace: stopping.namespace };
  const replicas = new Map<string, number>();
  try {
    for (const name of deployments) {
      const found = await client.get<Scaled>(DEPLOYMENTS, name, at).catch(ignoreNotFound);
      if (found !== undefined) replicas.set(name, found.spec?.replicas ?? 1);
      await stopped(client, name, stopping);
    }
    await check();
  } catch (error) {
    for (const [name, count] of [...replicas].toReversed()) {
      const value = { spec: { replicas: count } };
      await client.patch(DEPLOYMENTS, name, { type: 'merge', value }, at).catch(ignoreNotFound);
    }
    throw error;
  }
}

/** Scales a Deployment to zero, where it is there, and waits until its pods have ended. */
async function stopped(
  client: Client,
  deployment: string,
  { io, namespace, signal, timeoutMs }: Stopping,
): Promise<void> {
  const at = { namespace };
  const value = { spec: { replicas: 0 } };
  const scaled = await client
    .patch<Scaled>(DEPLOYMENTS, deployment, { type: 'merge', value }, at)
    .catch(ignoreNotFound);
  if (scaled === undefined) return;
  const labelSelector = selectorText(scaled.spec?.selector?.matchLabels ?? {});
  const failure = `deployment.apps/${deployment} is not stopped`;
  await waitFor(systemClock(), { failure, limitMs: timeoutMs, signal }, async () => {
    const found = await client.get<Scaled>(DEPLOYMENTS, deployment, at).catch(ignoreNotFound);
    const replicas = found?.status?.replicas ?? 0;
    if (replicas > 0) return { isDone: false, seen: `${replicas} replicas are left` };
    // A pod that is ending still writes: what it would write back is deleted only after it.
    const { items } = await client.list(PODS, { ...at, labelSelector });
    const [pod] = items;
    if (pod === undefined) return { isDone: true };
    return { isDone: false, seen: `pod ${pod.metadata.name} is still ending` };
  });
  io.out(`deployment.apps/${deployment} stopped\n`);
}

export function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join();
}
