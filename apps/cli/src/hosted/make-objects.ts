import { HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { apply } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { ApiError, isAlreadyExists, isForbidden, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { nameOf } from './render.js';
import type { RenderOptions } from './render.js';

interface MakeOptions extends Pick<RenderOptions, 'output'> {
  readonly dryRun?: boolean | undefined;
}

const FIELD_OWNER = 'hypershift-cli';
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false, kind: 'Namespace' };
/** Every cluster has it. */
const TRIAL_NAMESPACE = 'default';
const KINDS: Readonly<Record<string, ResourceKind>> = {
  Namespace: NAMESPACES,
  Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true, kind: 'Secret' },
  HostedCluster: HOSTED_CLUSTERS,
  NodePool: NODE_POOLS,
};

/** Creates objects one after the other, once the server has accepted a dry run of each. */
export async function makeAll(
  client: Client,
  objects: readonly KubeObject[],
  { dryRun = false, output }: MakeOptions,
  io: Io,
): Promise<void> {
  const report = (object: KubeObject, outcome: string): void =>
    io.out(`${output === 'name' ? nameOf(object) : `${nameOf(object)} ${outcome}`}\n`);
  const missing = await missingNamespace(client, objects);
  if (dryRun && missing !== undefined)
    io.err(`namespace ${missing} is not there yet: what goes into it is tried in namespace ${TRIAL_NAMESPACE}\n`);
  for (const object of objects) {
    try {
      const outcome = await make(client, missing === undefined ? object : elsewhere(object), { dryRun: true });
      if (dryRun) report(object, `${outcome} (server dry run)`);
    } catch (error) {
      if (!dryRun && isNoTrial(error, missing)) continue;
      io.err(`${nameOf(object)} would be refused; nothing was created\n`);
      throw error;
    }
  }
  if (!dryRun) await createAll(client, objects, report, io);
}

/** Reports how far it came if the server refuses one after all, or another client created one meanwhile. */
async function createAll(
  client: Client,
  objects: readonly KubeObject[],
  report: (object: KubeObject, outcome: string) => void,
  io: Io,
): Promise<void> {
  for (const [made, object] of objects.entries()) {
    try {
      report(object, await make(client, object, {}));
    } catch (error) {
      io.err(`${nameOf(object)} was not created; ${made} of ${objects.length} were\n`);
      throw error;
    }
  }
}

/** The server tries nothing in a namespace that is not there, not even in one that was tried just before. */
async function missingNamespace(client: Client, objects: readonly KubeObject[]): Promise<string | undefined> {
  const made = objects.find(({ kind }) => kind === 'Namespace')?.metadata.name;
  if (made === undefined) return undefined;
  try {
    await client.get(NAMESPACES, made);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return made;
    throw error;
  }
}

function elsewhere(object: KubeObject): KubeObject {
  if (object.kind === 'Namespace') return object;
  return { ...object, metadata: { ...object.metadata, namespace: TRIAL_NAMESPACE } };
}

/** Whether a dry run proves nothing: it was not allowed elsewhere, or a webhook does not support it. */
function isNoTrial(error: unknown, missing: string | undefined): boolean {
  if (missing !== undefined && isForbidden(error)) return true;
  return error instanceof ApiError && error.code === 400 && error.message.includes('does not support dry run');
}

/** Creates one object. An object that another client created, even at this moment, is not taken over. */
async function make(
  client: Client,
  object: KubeObject,
  how: { readonly dryRun?: true },
): Promise<'configured' | 'created' | 'unchanged'> {
  const kind = KINDS[object.kind] ?? HOSTED_CLUSTERS;
  const { name = '', namespace = '' } = object.metadata;
  try {
    await client.create(kind, object, { fieldManager: FIELD_OWNER, ...how });
    return 'created';
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (object.kind === 'Namespace') return 'unchanged';
    if (object.kind !== 'Secret')
      throw new CliError(
        `${object.kind} ${name} is in namespace ${namespace} already`,
        'choose another --name, or change it with kubectl',
        { cause: error },
      );
    // Left behind by an attempt that did not come to an end.
    await apply(client, kind, object, { fieldOwner: FIELD_OWNER, force: true, ...how });
    return 'configured';
  }
}
