import type { KubeObject, LabelSelector } from '@capstan/meta';
import type { MachineCondition } from '../conditions.js';

export interface UnhealthyCondition {
  readonly type: string;
  readonly status: string;
  /** As Go writes durations: `5m`, `300s`. */
  readonly timeout: string;
}

export interface MachineHealthCheck extends KubeObject {
  readonly spec?: {
    readonly authoritativeAPI?: string;
    readonly selector?: LabelSelector;
    readonly unhealthyConditions?: readonly UnhealthyCondition[];
    readonly maxUnhealthy?: number | string;
    readonly nodeStartupTimeout?: string;
    readonly remediationTemplate?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  };
  readonly status?: {
    readonly authoritativeAPI?: string;
    readonly expectedMachines?: number;
    readonly currentHealthy?: number;
    readonly remediationsAllowed?: number;
    readonly conditions?: readonly MachineCondition[];
  };
}
