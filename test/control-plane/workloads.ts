import { Manager, patchFrom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { isConflict, isNotFound } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { DEPLOYMENTS, STATEFUL_SETS } from './kinds.js';

interface Workload extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Stands in for the kubelet: sets every Deployment and StatefulSet to fully available, except those held back. */
export function playedWorkloads(transport: Transport, namespace: string, isHeld: (name: string) => boolean): Manager {
  const cache = { selectionOf: () => ({ namespace }) };
  const manager = new Manager({ transport, cache, client: { userAgent: 'kubelet' } });
  for (const kind of [DEPLOYMENTS, STATEFUL_SETS])
    manager
      .controller({
        name: kind.plural,
        reconcile: async ({ name }) => {
          if (isHeld(name)) return { requeueAfterMs: 20 };
          const before = await manager.cache.get<Workload>(kind, name, { namespace }).catch(absent);
          if (before === undefined || before.metadata.deletionTimestamp != null) return undefined;
          const after = { ...before, status: { ...before.status, ...running(kind, before) } };
          await patchFrom(manager.client, kind, { before, after }, { subresource: 'status' }).catch(absent);
          return undefined;
        },
      })
      .for(kind);
  return manager;
}

function absent(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}

/** The status of a workload whose pods are all there. */
function running(kind: ResourceKind, { metadata, spec }: Workload): NonNullable<Workload['status']> {
  const replicas = spec?.replicas ?? 1;
  const counts = {
    observedGeneration: metadata.generation ?? 1,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
  };
  if (kind === STATEFUL_SETS) return { ...counts, currentRevision: 'r1', updateRevision: 'r1' };
  return { ...counts, conditions: [{ type: 'Available', status: 'True', message: '' }] };
}
