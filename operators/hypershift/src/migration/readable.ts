import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace } from '@capstan/hosting';
import { unreadableKinds, unreadableText } from '@capstan/migration';
import type { MigrationParts } from './model.js';
import type { MigrationProgress } from './progress.js';
import { subjectOf } from './subject.js';

/**
 * Whether every kind may be listed that objects of a cluster may have: what is not seen would be left behind, and a cluster
 * that is locked before that is known would be rolled back for it.
 */
export async function isReadable(
  { client, discovery, logger, mapping, recorder }: MigrationParts,
  cluster: HostedCluster,
  { memory, signal }: { readonly memory: MigrationProgress; readonly signal: AbortSignal },
): Promise<boolean> {
  const { name = '', namespace: at = '' } = cluster.metadata;
  const namespace = controlPlaneNamespace(at, name);
  const about = `kinds of ${at}/${name}`;
  for (const side of ['standard', 'private'] as const) {
    const names = await unreadableKinds({ client, discovery, mapping, side, namespace, signal });
    if (names.length === 0) continue;
    const message = unreadableText(names, namespace);
    if (memory.isNews(about, message)) {
      logger.warn('No migration is started', { namespace: at, name, message });
      recorder.record(subjectOf(cluster), { type: 'Warning', reason: 'MigrationNotStarted', message });
    }
    return false;
  }
  memory.isNews(about, undefined);
  return true;
}
