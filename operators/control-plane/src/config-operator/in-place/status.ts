import type { MachineSet } from '@capstan/api/cluster-api';
import {
  CURRENT_CONFIG_ANNOTATION,
  DRAIN_BLOCKED_ANNOTATION,
  MACHINE_SETS,
  UPGRADE_FAILURE_ANNOTATION,
  UPGRADE_PROGRESS_ANNOTATION,
} from '@capstan/hosting';
import { performChange } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { PoolDecision, PoolTarget } from './decide.js';

/** Writes the progress of its nodes onto the MachineSet. */
export async function writeProgress(
  set: MachineSet,
  { blocked, failure, isComplete, progress }: PoolDecision & { readonly blocked: string | undefined },
  target: PoolTarget,
  client: Client,
): Promise<void> {
  const {
    [UPGRADE_PROGRESS_ANNOTATION]: _,
    [UPGRADE_FAILURE_ANNOTATION]: __,
    [DRAIN_BLOCKED_ANNOTATION]: ___,
    ...kept
  } = set.metadata.annotations ?? {};
  const annotations = {
    ...kept,
    ...(isComplete ? { [CURRENT_CONFIG_ANNOTATION]: target.config } : {}),
    ...(failure !== undefined ? { [UPGRADE_FAILURE_ANNOTATION]: failure } : {}),
    ...(blocked === undefined ? {} : { [DRAIN_BLOCKED_ANNOTATION]: blocked }),
    ...(failure === undefined && progress !== undefined ? { [UPGRADE_PROGRESS_ANNOTATION]: progress } : {}),
  };
  const after = { ...set, metadata: { ...set.metadata, annotations } };
  await performChange(client, { verb: 'patch', kind: MACHINE_SETS, before: set, after });
}
