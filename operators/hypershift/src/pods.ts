import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { PODS } from './kinds.js';

/** A pod, as far as the operator reads it. */
export interface Pod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly running?: object;
    readonly terminated?: { readonly exitCode?: number; readonly reason?: string };
    readonly waiting?: { readonly reason?: string };
  };
  readonly lastState?: { readonly terminated?: { readonly finishedAt?: string } };
}

const ENDED: ReadonlySet<string> = new Set(['Failed', 'Succeeded']);

export interface PodSelection {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly signal: AbortSignal;
}

/** The pods that run, or may run again: one that was evicted has ended for good, and stays until it is collected. */
export async function livingPods(client: Client, selection: PodSelection): Promise<readonly Pod[]> {
  const { items } = await client.list<Pod>(PODS, selection);
  return items.filter(({ status }) => !ENDED.has(status?.phase ?? ''));
}
