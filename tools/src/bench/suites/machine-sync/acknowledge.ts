/** What the controllers of both APIs do in a handover: they report that they leave an object alone, or that they act. */
import { Informer, patchFrom, silentLogger, systemRandom, timestamp } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { CAPI_MACHINE_SETS, CAPI_MACHINES, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import { isConflict, isNotFound, setCondition } from '@capstan/meta';
import type { Clock, Condition, KubeObject } from '@capstan/meta';
import { AWS_MACHINES } from './cluster.js';

const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';

interface Reporting extends KubeObject {
  readonly status?: { readonly authoritativeAPI?: string; readonly conditions?: readonly Condition[] };
}

const isMachineApi = ({ group }: ResourceKind): boolean => group === 'machine.openshift.io';

function isPaused(kind: ResourceKind, { metadata, status }: Reporting): boolean {
  if (isMachineApi(kind)) return ['ClusterAPI', 'Migrating'].includes(status?.authoritativeAPI ?? '');
  return metadata.annotations?.[PAUSED_ANNOTATION] !== undefined;
}

/** Acknowledges until it is aborted. */
export async function acknowledge(client: Client, clock: Clock, signal: AbortSignal): Promise<void> {
  const kinds = [MAPI_MACHINES, MAPI_MACHINE_SETS, CAPI_MACHINES, CAPI_MACHINE_SETS, AWS_MACHINES];
  await Promise.all(
    kinds.map((kind) => {
      const informer = new Informer<Reporting>({
        client,
        resource: kind,
        clock,
        random: systemRandom(),
        logger: silentLogger(),
      });
      const see = (each: Reporting): void => void report(client, clock, kind, each);
      informer.addHandler({ add: see, update: (_, each) => see(each) });
      return informer.run(signal);
    }),
  );
}

function acknowledged(kind: ResourceKind, before: Reporting, now: string): readonly Condition[] | undefined {
  if (isMachineApi(kind) && before.status?.authoritativeAPI === undefined) return undefined;
  const [status, reason] = isPaused(kind, before) ? (['True', 'Paused'] as const) : (['False', 'NotPaused'] as const);
  const conditions = before.status?.conditions ?? [];
  const updated = setCondition(conditions, { type: 'Paused', status, reason, message: reason }, now);
  return updated === conditions ? undefined : updated;
}

async function report(client: Client, clock: Clock, kind: ResourceKind, before: Reporting): Promise<void> {
  const conditions = acknowledged(kind, before, timestamp(clock));
  if (conditions === undefined) return;
  const after = { ...before, status: { ...before.status, conditions } };
  try {
    await patchFrom(client, kind, { before, after }, { subresource: 'status', optimisticLock: true });
  } catch (error) {
    // What has changed in between is seen again.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
