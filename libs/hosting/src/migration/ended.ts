import type { HostedCluster } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { MIGRATION_ENDED_ANNOTATION } from '../annotations/migration.js';
import { annotated, withoutLock } from './lock.js';

/** A migration that has succeeded. */
export interface EndedMigration {
  readonly machines: number;
  readonly seconds: number;
}

/** The HostedCluster without the lock, and with what is still to be reported of its migration: one write, so that nothing is lost. */
export function withEnd(cluster: HostedCluster, { machines, seconds }: EndedMigration): HostedCluster {
  return annotated(withoutLock(cluster), { [MIGRATION_ENDED_ANNOTATION]: JSON.stringify({ machines, seconds }) });
}

/** The HostedCluster of which everything is reported. */
export function withoutEnd(cluster: HostedCluster): HostedCluster {
  return annotated(cluster, { [MIGRATION_ENDED_ANNOTATION]: undefined });
}

/** What is still to be reported of a migration that has succeeded; zeros where that cannot be read. */
export function endOf({ metadata }: Pick<KubeObject, 'metadata'>): EndedMigration | undefined {
  const text = metadata.annotations?.[MIGRATION_ENDED_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const { machines, seconds } = JSON.parse(text) as Partial<EndedMigration>;
    return { machines: Number(machines ?? 0), seconds: Number(seconds ?? 0) };
  } catch {
    return { machines: 0, seconds: 0 };
  }
}
