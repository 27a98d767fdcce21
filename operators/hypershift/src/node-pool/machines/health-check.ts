import { pushAll } from '@capstan/meta';
import type { MachineHealthCheck } from '@capstan/api/cluster-api';
import {
  HEALTH_MAX_UNHEALTHY_ANNOTATION,
  HEALTH_STARTUP_ANNOTATION,
  HEALTH_TIMEOUT_ANNOTATION,
  INTERRUPTIBLE_LABEL,
  MACHINE_HEALTH_CHECKS,
  NODE_POOL_ANNOTATION,
} from '@capstan/hosting';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import type { Snapshot } from '../snapshot.js';
import { interruptibleCheckName } from '../names.js';
import { scaled } from './replicas.js';
import { secondsOf, withEntries } from './shared.js';
import type { MachinePlan } from './shared.js';

/** When machines are replaced. */
export interface HealthRules {
  /** With more unhealthy machines nothing is done: then it is not the machines. */
  readonly maxUnhealthy: number | string;
  readonly timeoutSeconds: number;
  readonly startupSeconds: number;
}

const TIMEOUT_SECONDS = 8 * 60;
const STARTUP_SECONDS = 20 * 60;

/** The rules of a NodePool: from its annotations, those of its cluster, the platform, or the defaults, in this order. */
export function healthRules({
  hostedCluster,
  nodePool,
  platform,
}: Pick<Snapshot, 'hostedCluster' | 'nodePool' | 'platform'>): HealthRules {
  const given = (name: string): string | undefined =>
    nodePool.metadata.annotations?.[name] ?? hostedCluster.metadata.annotations?.[name];
  const unhealthy = given(HEALTH_MAX_UNHEALTHY_ANNOTATION) ?? '';
  const most = /^\d+$/.test(unhealthy) ? Number(unhealthy) : unhealthy;
  return {
    maxUnhealthy: scaled(most, 100, 'up') === undefined ? 2 : most,
    timeoutSeconds:
      secondsOf(given(HEALTH_TIMEOUT_ANNOTATION)) ?? platform?.nodePools.unhealthyTimeoutSeconds ?? TIMEOUT_SECONDS,
    startupSeconds: secondsOf(given(HEALTH_STARTUP_ANNOTATION)) ?? STARTUP_SECONDS,
  };
}

interface CheckOptions {
  readonly name: string;
  readonly rules: HealthRules;
  readonly labels: Readonly<Record<string, string>>;
}

/** A MachineHealthCheck over the machines of a pool, from the one there is. */
function desiredCheck(
  { infraID, key, namespace }: MachinePlan,
  { labels, name, rules }: CheckOptions,
  before: MachineHealthCheck | undefined,
): MachineHealthCheck {
  const { maxUnhealthy, startupSeconds, timeoutSeconds } = rules;
  const silent = (status: string) => ({ type: 'Ready', status, timeoutSeconds });
  return {
    ...(before ?? { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineHealthCheck' }),
    metadata: {
      ...(before?.metadata ?? { name, namespace }),
      annotations: withEntries(before?.metadata.annotations, { [NODE_POOL_ANNOTATION]: key }),
    },
    spec: {
      ...before?.spec,
      clusterName: infraID,
      selector: { matchLabels: labels },
      checks: {
        ...before?.spec?.checks,
        nodeStartupTimeoutSeconds: startupSeconds,
        unhealthyNodeConditions: [silent('False'), silent('Unknown')],
      },
      remediation: { ...before?.spec?.remediation, triggerIf: { unhealthyLessThanOrEqualTo: maxUnhealthy } },
    },
  } as MachineHealthCheck;
}

/**
 * Brings the health checks of a pool to what they should be. Before the first machine has got its configuration there
 * is nothing to be healthy: with a configuration that never works, machines would be replaced for ever.
 */
export function healthChecks(snapshot: Snapshot, plan: MachinePlan, isIgnitionReached: boolean): readonly Change[] {
  const { existing, nodePool } = snapshot;
  const { name = '' } = nodePool.metadata;
  const { label } = plan;
  const changes: Change[] = [];
  const keep = (options: CheckOptions, isWanted: boolean, mayBeMade: boolean): void => {
    const before = existing.healthChecks.find(({ metadata }) => metadata.name === options.name);
    if (!isWanted) {
      if (before !== undefined) changes.push({ verb: 'delete', kind: MACHINE_HEALTH_CHECKS, object: before });
    } else if (mayBeMade || before !== undefined)
      pushAll(changes, changeTo(MACHINE_HEALTH_CHECKS, before, desiredCheck(plan, options, before)));
  };
  const rules = healthRules(snapshot);
  const isRepaired = nodePool.spec.management.autoRepair === true;
  keep({ name, rules, labels: { [label]: label } }, isRepaired, isIgnitionReached);
  // However many the cloud takes back at once, they are gone for good.
  const interruptible = { ...rules, maxUnhealthy: '100%' };
  const labels = { [label]: label, [INTERRUPTIBLE_LABEL]: '' };
  keep({ name: interruptibleCheckName(name), rules: interruptible, labels }, plan.isInterruptible, true);
  return changes;
}
