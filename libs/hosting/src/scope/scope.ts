import type { KubeObject } from '@capstan/meta';
import { SCOPE_ANNOTATION } from '../annotations/hosted-clusters.js';

/** Whether an operator with that scope reconciles a HostedCluster; an operator without a scope reconciles all. */
export function isInScope({ metadata }: Pick<KubeObject, 'metadata'>, scope: string | undefined): boolean {
  return scope === undefined || (metadata.annotations?.[SCOPE_ANNOTATION] ?? '') === scope;
}
