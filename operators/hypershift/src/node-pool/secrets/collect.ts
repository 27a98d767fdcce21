import { pushAll } from '@capstan/meta';
import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import { SECRETS } from '../../kinds.js';
import type { Snapshot } from '../snapshot.js';
import { TOKEN_PREFIX, USER_DATA_PREFIX } from '../names.js';
import { isDeleting } from '../resources.js';
import type { Secret } from '../resources.js';
import { expiresInMs, expiring } from './token.js';

/** Which configurations of a NodePool are still in use: by instances that may start, or by any machine or set. */
interface Uses {
  readonly starting: ReadonlySet<string>;
  readonly any: ReadonlySet<string>;
}

function userDataOf({ spec }: Machine | MachineSet): string {
  const machine = spec !== undefined && 'template' in spec ? spec.template.spec : spec;
  return machine?.bootstrap.dataSecretName ?? '';
}

/** Names of Secrets with user data. */
function usesOf({ existing }: Snapshot): Uses {
  const sets = [...existing.machineSets, ...(existing.machineSet === undefined ? [] : [existing.machineSet])];
  const growing = sets.filter(({ spec }) => (spec?.replicas ?? 0) > 0);
  const starting = existing.machines.filter((machine) => machine.status?.nodeRef === undefined && !isDeleting(machine));
  const next = existing.machineDeployment?.spec?.template.spec.bootstrap.dataSecretName ?? '';
  return {
    starting: new Set([next, ...growing.map(userDataOf), ...starting.map(userDataOf)]),
    any: new Set([next, ...sets.map(userDataOf), ...existing.machines.map(userDataOf)]),
  };
}

/** Whether the user data Secret of a name is kept. */
function keeping({ nodePool, platform }: Snapshot, { any, starting }: Uses): (name: string) => boolean {
  if (platform?.nodePools.keepsUserData !== true) return (name) => starting.has(name);
  return nodePool.spec.management.upgradeType === 'InPlace' ? () => true : (name) => any.has(name);
}

export interface Collected {
  readonly changes: readonly Change[];
  /** When to look again; undefined when nothing waits. */
  readonly againInMs?: number | undefined;
}

/**
 * Deletes Secrets of earlier configurations. User data is deleted once no instance can start with it; where a platform
 * keeps it, once no machine and no set names it. Machines that are upgraded in place name the newest user data, whatever
 * they were started with, so theirs is kept until the NodePool is deleted. A token expires some time after the last
 * instance could get it, and is deleted then.
 */
export function collectSecrets(snapshot: Snapshot, current: ReadonlySet<string>): Collected {
  const { existing, nowMs } = snapshot;
  const uses = usesOf(snapshot);
  const isKept = keeping(snapshot, uses);
  const changes: Change[] = [];
  let againInMs: number | undefined;
  for (const secret of existing.secrets) {
    const { name = '' } = secret.metadata;
    if (current.has(name) || isDeleting(secret)) continue;
    if (name.startsWith(USER_DATA_PREFIX)) {
      if (!isKept(name)) changes.push({ verb: 'delete', kind: SECRETS, object: secret });
    } else if (name.startsWith(TOKEN_PREFIX)) {
      const left = expire(secret, uses.starting, nowMs, changes);
      if (left !== undefined) againInMs = Math.min(againInMs ?? left, left);
    }
  }
  return { changes, againInMs };
}

/** Milliseconds after which there is something to do about a token. */
function expire(token: Secret, starting: ReadonlySet<string>, nowMs: number, changes: Change[]): number | undefined {
  const { name = '' } = token.metadata;
  if (starting.has(name.replace(TOKEN_PREFIX, USER_DATA_PREFIX))) return undefined;
  const left = expiresInMs(token, nowMs);
  if (left !== undefined && left <= 0) {
    changes.push({ verb: 'delete', kind: SECRETS, object: token });
    return undefined;
  }
  pushAll(changes, changeTo(SECRETS, token, expiring(token, nowMs)));
  // The write itself brings the pool up again, and then the rest is known.
  return left;
}
