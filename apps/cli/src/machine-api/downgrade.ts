import { setTimeout as delay } from 'node:timers/promises';
import { Discovery, patchFrom, withoutFinalizer } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { SYNC_FINALIZER } from '@capstan/machine-api';
import { admissionPolicies, PROGRAM_NAME } from '@capstan/machine-api/manifests';
import { ignoreNotFound, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { withCluster } from '../hosted/cluster-access.js';
import { nameOf as objectName, take } from '../install/cluster.js';
import type { Io } from '../io.js';
import { PAIRS, placesOf, readResources } from './read.js';
import type { MachineApiPlaces } from './read.js';
import { isPair } from './resource.js';
import { moveAll } from './switch.js';

/** `capstan machine-api prepare-downgrade`, as it was typed. */
export interface DowngradeOptions extends MachineApiPlaces {
  readonly timeout: number;
  readonly dryRun?: boolean | undefined;
}

const EVERY_MS = 1_000;
const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

interface Running {
  readonly client: Client;
  readonly options: DowngradeOptions;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/**
 * Gives every machine back to Machine API, and removes what only the operator can remove: a release without it has nothing
 * that would, and the machines could never be deleted. Each step can be repeated.
 */
export async function runPrepareDowngrade(options: DowngradeOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const running = { client, options, io, signal };
    const pairs = (await readResources(client, options)).filter(isPair);
    await moveAll(running, pairs, { ...options, to: 'MachineAPI' });
    refuseInterrupted(signal);
    const copies = await copiesOf(client, options);
    // What was only tried has paused nothing.
    if (options.dryRun !== true) refuseActing(copies);
    await stopOperator(running);
    await removeGuards(running);
    await removeFinalizers(running, [...copies, ...(await originalsOf(client, options))]);
    if (options.dryRun !== true) io.out('every machine is managed by Machine API: the downgrade can begin\n');
  });
}

/** The policies and finalizers may go only when the operator has. */
function refuseInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new CliError('interrupted: the downgrade is not prepared', 'run the command again');
}

interface Found {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

async function listed(client: Client, kind: ResourceKind, namespace: string): Promise<readonly Found[]> {
  const items = (await client.list(kind, { namespace }).catch(ignoreNotFound))?.items ?? [];
  return items.map((object) => ({ kind, object }));
}

/** Copies in Machine API. */
async function originalsOf(client: Client, places: MachineApiPlaces): Promise<readonly Found[]> {
  const { machineApi } = placesOf(places);
  return (await Promise.all(PAIRS.map(([, kind]) => listed(client, kind, machineApi)))).flat();
}

interface Reference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** What in Cluster API has a copy in Machine API, with its infrastructure machines. */
async function copiesOf(client: Client, places: MachineApiPlaces): Promise<readonly Found[]> {
  const { clusterApi, machineApi } = placesOf(places);
  const discovery = new Discovery(client);
  const found: Found[] = [];
  for (const [, original, copy] of PAIRS) {
    const names = new Set((await listed(client, original, machineApi)).map(({ object }) => object.metadata.name));
    const own = (await listed(client, copy, clusterApi)).filter(({ object }) => names.has(object.metadata.name));
    pushAll(found, own);
    for (const { object } of own) {
      const { infrastructureRef: ref } = (object['spec'] ?? {}) as { readonly infrastructureRef?: Reference };
      const resource = ref && (await discovery.resourceFor({ group: ref.apiGroup ?? '', kind: ref.kind ?? '' }));
      if (ref?.name === undefined || resource === undefined) continue;
      const child = await client.get(resource, ref.name, { namespace: clusterApi }).catch(ignoreNotFound);
      if (child !== undefined) found.push({ kind: resource, object: child });
    }
  }
  return found;
}

/** Once the operator is stopped nothing pauses a copy again. */
function refuseActing(copies: readonly Found[]): void {
  const acting = copies.find(({ object }) => object.metadata.annotations?.[PAUSED_ANNOTATION] === undefined);
  if (acting === undefined) return;
  throw new CliError(
    `${objectName(acting.object)} is not paused: Cluster API may act on it`,
    'wait until the operator has paused it: capstan machine-api status --watch',
  );
}

async function stopOperator({ client, io, options, signal }: Running): Promise<void> {
  const { clusterApi: namespace } = placesOf(options);
  const dryRun = options.dryRun === true ? { dryRun: true } : {};
  const value = { spec: { replicas: 0 } };
  const scaled = await client
    .patch(DEPLOYMENTS, PROGRAM_NAME, { type: 'merge', value }, { namespace, ...dryRun })
    .catch(ignoreNotFound);
  if (scaled === undefined) return;
  const labelSelector = `app.kubernetes.io/name=${PROGRAM_NAME}`;
  const until = performance.now() + options.timeout;
  while (options.dryRun !== true) {
    refuseInterrupted(signal);
    const { items } = await client.list(PODS, { namespace, labelSelector });
    const [pod] = items;
    if (pod === undefined) break;
    if (performance.now() > until)
      throw new CliError(`pod ${pod.metadata.name} has not ended`, 'look at its events, and run the command again');
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  io.out(`deployment.apps/${PROGRAM_NAME} stopped${dry(options)}\n`);
}

function dry({ dryRun }: DowngradeOptions): string {
  return dryRun === true ? ' (dry run)' : '';
}

/** The policies refuse changes of finalizers by everyone but the operator. */
async function removeGuards({ client, io, options }: Running): Promise<void> {
  const { clusterApi, machineApi } = placesOf(options);
  for (const policy of admissionPolicies({ namespaces: { clusterApi, machineApi } }).toReversed()) {
    if (options.dryRun === true) continue;
    if (await take(client, policy)) io.out(`${objectName(policy)} deleted\n`);
  }
}

async function removeFinalizers({ client, io, options }: Running, all: readonly Found[]): Promise<void> {
  for (const { kind, object: before } of all) {
    const after = withoutFinalizer(before, SYNC_FINALIZER);
    if (after === before) continue;
    if (options.dryRun !== true)
      await patchFrom(client, kind, { before, after }, { optimisticLock: true }).catch(ignoreNotFound);
    io.out(`${objectName(before)} released${dry(options)}\n`);
  }
}
