import { KEEP_UNTIL_ANNOTATION } from '@capstan/hosting';
import { systemClock } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { formatTime, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { nameOf, putOnce, waitFor } from '../install/cluster.js';
import { legacyOperatorObjects } from '../install/legacy-operator.js';
import { rolledOut } from '../install/rolled-out.js';
import type { Rollout } from '../install/rolled-out.js';
import { DEPLOYMENTS, isAvailable, LEGACY_OPERATOR } from './prerequisites.js';

/** As long as its rollout may take, and some more: from the lock on, the cluster that is rolled back keeps it. */
const KEPT_MS = 30 * 60_000;

const NOTHING_YET = 'nothing was rolled back: remedy the cause, and run this command again';

/**
 * Keeps the legacy operator from being deleted before the rollback is recorded, and deploys it where it is gone. What is left
 * of a rollback that never begins is deleted half an hour later.
 */
export async function keepLegacyOperator(client: Client, rollout: Rollout): Promise<void> {
  const { io, namespace, signal, timeoutMs } = rollout;
  const annotations = { [KEEP_UNTIL_ANNOTATION]: formatTime(Date.now() + KEPT_MS) };
  const isThere = await mark(client, namespace, annotations);
  if (isThere) return;
  const failure = `deployment.apps/${LEGACY_OPERATOR} cannot be deployed again`;
  await waitFor(systemClock(), { failure, limitMs: timeoutMs, signal }, async () => {
    const found = await client.get(DEPLOYMENTS, LEGACY_OPERATOR, { namespace }).catch(ignoreNotFound);
    return found === undefined ? { isDone: true } : { isDone: false, seen: 'the one before is still being deleted' };
  });
  for (const object of await legacyOperatorObjects(client, namespace)) {
    const what = await putOnce(client, kept(object, annotations), false);
    if (what === 'created') io.err(`${nameOf(object)} created\n`);
  }
  // Another rollback may have been faster.
  await mark(client, namespace, annotations);
  const progress = (text: string): void => io.err(text);
  try {
    await rolledOut(client, LEGACY_OPERATOR, { ...rollout, io: { err: progress, out: progress } });
  } catch (error) {
    // What helps an installation is no help here.
    throw error instanceof CliError ? new CliError(error.message, NOTHING_YET, { cause: error }) : error;
  }
  if ((await isAvailable(client, namespace, LEGACY_OPERATOR)) !== true)
    throw new CliError(`${failure}: it was deleted at once`, NOTHING_YET);
}

/** Whether it is there to be kept. */
async function mark(
  client: Client,
  namespace: string,
  annotations: Readonly<Record<string, string>>,
): Promise<boolean> {
  const value = { metadata: { annotations } };
  const options = { namespace };
  const found = await client
    .patch(DEPLOYMENTS, LEGACY_OPERATOR, { type: 'merge', value }, options)
    .catch(ignoreNotFound);
  return found !== undefined && found.metadata.deletionTimestamp == null;
}

function kept(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  if (object.kind !== 'Deployment') return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}
