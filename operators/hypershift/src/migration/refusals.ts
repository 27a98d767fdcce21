import type { HostedCluster } from '@capstan/api/hypershift';
import { errorText } from '@capstan/kube';
import { isBadRequest, isForbidden, isInvalid } from '@capstan/meta';
import type { MigrationParts } from './model.js';
import type { MigrationProgress } from './progress.js';
import { subjectOf } from './subject.js';

/** Whether a server would refuse a request again, however often it is sent. */
export function isRefused(error: unknown): boolean {
  return isInvalid(error) || isForbidden(error) || isBadRequest(error);
}

/** Reports, once for each cause, that the server refuses what is written to a HostedCluster: others go on without it. */
export function reportRefusal(
  { logger, recorder }: Pick<MigrationParts, 'logger' | 'recorder'>,
  cluster: HostedCluster,
  { error, memory, what }: { readonly error: unknown; readonly memory: MigrationProgress; readonly what: string },
): void {
  const { name = '', namespace = '' } = cluster.metadata;
  const text = errorText(error);
  if (!memory.isNews(keyOf(cluster, what), text)) return;
  logger.warn('Migration cannot write HostedCluster', { namespace, name, what, error: text });
  const message = `the ${what} of the HostedCluster cannot be written: ${text}; correct the object, or what refuses it`;
  recorder.record(subjectOf(cluster), { type: 'Warning', reason: 'MigrationWriteRefused', message });
}

/** It is written now: the next refusal is reported again. */
export function clearRefusal(
  cluster: HostedCluster,
  { memory, what }: { readonly memory: MigrationProgress; readonly what: string },
): void {
  memory.isNews(keyOf(cluster, what), undefined);
}

function keyOf({ metadata: { name = '', namespace = '' } }: HostedCluster, what: string): string {
  return `${what} of ${namespace}/${name}`;
}
