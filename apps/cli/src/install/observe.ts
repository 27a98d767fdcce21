import type { Client } from '@capstan/kube';
import { ignoreNotFound, isForbidden } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Cause, Deployment, ObservedEvent, Pod, RolloutSnapshot } from './rollout.js';

const CORE = { group: '', version: 'v1', namespaced: true };
const APPS = { group: 'apps', version: 'v1', namespaced: true };
const DEPLOYMENTS = { ...APPS, plural: 'deployments' };
const REPLICA_SETS = { ...APPS, plural: 'replicasets' };
const PODS = { ...CORE, plural: 'pods' };
const EVENTS = { ...CORE, plural: 'events' };
const NODES = { ...CORE, plural: 'nodes', namespaced: false };
const REVISION = 'deployment.kubernetes.io/revision';
const LOG_LINES = 5;
const LOG_BYTES = 4096;

/** Reads all that is known of a Deployment. What the user may not read is left out: it is for a better message alone. */
export async function observeRollout(client: Client, namespace: string, name: string): Promise<RolloutSnapshot> {
  const deployment = await client.get<Deployment>(DEPLOYMENTS, name, { namespace }).catch(ignoreNotFound);
  const [sets, pods, events] = await Promise.all([
    readable(client.list(REPLICA_SETS, { namespace })),
    readable(client.list<Pod>(PODS, { namespace })),
    readable(client.list<ObservedEvent>(EVENTS, { namespace })),
  ]);
  const newest = newestSet(sets ?? [], deployment);
  const own = (pods ?? []).filter((pod) => isOwnedBy(pod, newest) && pod.metadata.deletionTimestamp === undefined);
  const names = new Set([newest, ...own].map((each) => each?.metadata.name));
  const about = (events ?? []).filter(({ involvedObject }) => names.has(involvedObject?.name));
  // Of many nodes the list is long: it is read only while no pod has got one.
  const isScheduled = own.some(({ spec }) => spec?.nodeName !== undefined);
  const nodes = isScheduled ? undefined : (await readable(client.list(NODES)))?.length;
  return { deployment, pods: own, events: about.toSorted(byTime), nodes };
}

async function readable<T extends KubeObject>(
  list: Promise<{ readonly items: readonly T[] }>,
): Promise<readonly T[] | undefined> {
  try {
    return (await list).items;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

function isOwnedBy({ metadata }: KubeObject, owner: KubeObject | undefined): boolean {
  return owner !== undefined && metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
}

function newestSet(sets: readonly KubeObject[], deployment: KubeObject | undefined): KubeObject | undefined {
  const revision = ({ metadata }: KubeObject): number => Number(metadata.annotations?.[REVISION] ?? 0);
  return sets.filter((set) => isOwnedBy(set, deployment)).toSorted((one, other) => revision(other) - revision(one))[0];
}

function byTime(one: ObservedEvent, other: ObservedEvent): number {
  return lastTime(one) < lastTime(other) ? -1 : 1;
}

function lastTime({ eventTime, lastTimestamp, metadata }: ObservedEvent): string {
  if (typeof lastTimestamp === 'string') return lastTimestamp;
  return typeof eventTime === 'string' ? eventTime : (metadata.creationTimestamp ?? '');
}

/** The last lines of the container that a cause names, indented; empty where there are none to be had. */
export async function logTail(client: Client, namespace: string, { log }: Cause): Promise<string> {
  if (log === undefined) return '';
  const { container, pod, previous } = log;
  try {
    const chunks: Uint8Array[] = [];
    const options = { container, previous, tailLines: LOG_LINES, limitBytes: LOG_BYTES };
    for await (const chunk of client.logs(namespace, pod, options)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8').trimEnd();
    return text === '' ? '' : `\n${text.replaceAll(/^/gm, '  ')}`;
  } catch {
    // The cause stands without it.
    return '';
  }
}
