import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import { MAX_UNAVAILABLE_ANNOTATION, RELEASE_VERSION_ANNOTATION, TARGET_CONFIG_ANNOTATION } from '@capstan/hosting';
import type { GuestNode } from '../guest/nodes.js';
import type { PoolNode, PoolTarget, Turn } from './decide.js';

const PREFIX = 'machineconfiguration.openshift.io';
export const CURRENT_CONFIG = `${PREFIX}/currentConfig`;
export const DESIRED_CONFIG = `${PREFIX}/desiredConfig`;
const STATE = `${PREFIX}/state`;
const REASON = `${PREFIX}/reason`;
/** Marks a node whose turn it is. */
export const TURN = 'capstan.dev/in-place-turn';

/** What a MachineSet wants of its nodes; undefined for one whose nodes are replaced. */
export function targetOf({ metadata, spec }: MachineSet): PoolTarget | undefined {
  const config = metadata.annotations?.[TARGET_CONFIG_ANNOTATION] ?? '';
  if (config === '') return undefined;
  const most = Number(metadata.annotations?.[MAX_UNAVAILABLE_ANNOTATION] ?? '1');
  return {
    config,
    release: (spec?.template.spec.version ?? '').replace(/^v/, ''),
    maxUnavailable: Number.isInteger(most) && most > 0 ? most : 1,
  };
}

/** What is known of a node and its Machine. */
export function viewOf(machine: Machine, node: GuestNode): PoolNode {
  const { annotations = {} } = node.metadata;
  const state = annotations[STATE] ?? 'Done';
  return {
    machine: machine.metadata.name ?? '',
    node: node.metadata.name ?? '',
    currentConfig: annotations[CURRENT_CONFIG],
    desiredConfig: annotations[DESIRED_CONFIG],
    isDone: state === 'Done',
    trouble: state === 'Degraded' ? (annotations[REASON] ?? 'its configuration cannot be applied') : undefined,
    isReady: isReady(node),
    isUnschedulable: node.spec?.unschedulable === true,
    turn: readTurn(annotations[TURN]),
    release: machine.metadata.annotations?.[RELEASE_VERSION_ANNOTATION],
    drainTimeoutMs: drainTimeoutOf(machine),
  };
}

function isReady({ status }: GuestNode): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
}

function drainTimeoutOf({ spec }: Machine): number | undefined {
  const seconds = spec?.deletion?.nodeDrainTimeoutSeconds ?? 0;
  return seconds > 0 ? seconds * 1000 : undefined;
}

/** The value of {@link TURN}. */
export function writeTurn({ sinceMs, target, wasCordoned }: Turn): string {
  return JSON.stringify({ target, wasCordoned, since: Math.floor(sinceMs / 1000) });
}

function readTurn(text: string | undefined): Turn | undefined {
  if (text === undefined) return undefined;
  try {
    const { since, target, wasCordoned } = JSON.parse(text) as { since: number; target: string; wasCordoned: boolean };
    return { target, wasCordoned: wasCordoned === true, sinceMs: since * 1000 };
  } catch {
    // It cannot be parsed: the turn starts again, and the cordon counts as another client's.
    return { target: '', wasCordoned: true, sinceMs: 0 };
  }
}
