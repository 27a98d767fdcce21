import type { HostedCluster } from '@capstan/api/hypershift';
import { registerHostedClusterMetrics } from '@capstan/hypershift';
import { renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import type { AlertCase } from '../alert-case.js';
import type { Target } from '../scrape.js';

const alert = 'HyperShiftControlPlaneUpgradeStuck';

/** Times are counted as the evaluator of the cases counts them: from 1970 on. */
function at(minute: number): string {
  return new Date(minute * 60_000).toISOString().replace('.000Z', 'Z');
}

/** A cluster whose control plane set out for a version at a minute, and came to it at another, if it did. */
function cluster(name: string, began: number, isDone: boolean, isGoing = false): HostedCluster {
  const newest = { version: '4.20.1', startedTime: at(began), completionTime: isDone ? at(began) : null };
  const before = { state: 'Completed', version: '4.20.0', startedTime: at(0), completionTime: at(began) };
  const made: unknown = {
    metadata: { name, namespace: 'clusters', ...(isGoing ? { deletionTimestamp: at(1) } : {}) },
    spec: { clusterID: `id-of-${name}`, platform: { type: 'Harbour' } },
    status: {
      conditions: [],
      controlPlaneVersion: { history: [{ state: isDone ? 'Completed' : 'Partial', ...newest }, before] },
    },
  };
  return made as HostedCluster;
}

function operator(pod: string, see: (minute: number) => readonly HostedCluster[]): Target {
  return {
    labels: { namespace: 'hypershift', pod, container: 'operator', job: 'operator' },
    start: () => {
      const families: MetricFamily[] = [];
      let clusters: readonly HostedCluster[] = [];
      registerHostedClusterMetrics({
        clusters: () => clusters,
        clock: { now: () => 0 },
        metrics: { register: (...more: readonly MetricFamily[]) => void families.push(...more) },
      });
      return (minute) => {
        clusters = see(minute);
        return renderMetrics(families);
      };
    },
  };
}

const labels = { namespace: 'clusters', name: 'two' };

/** When an administrator must look at a control plane that does not reach its version. */
export const controlPlaneVersionCases: readonly AlertCase[] = [
  {
    alert,
    name: 'is silent while control planes are there, one takes an hour and a half, and one goes on the way',
    minutes: 240,
    targets: [
      operator('operator-0', (minute) => [
        cluster('one', 0, true),
        cluster('two', 10, minute >= 100),
        cluster('three', 0, false, true),
      ]),
    ],
    firing: [],
  },
  {
    alert,
    name: 'fires two hours and five minutes after an upgrade began, whatever the number of replicas, and stops when it has completed',
    minutes: 240,
    targets: ['operator-0', 'operator-1'].map((pod) =>
      operator(pod, (minute) => [cluster('one', 0, true), cluster('two', 10, minute < 10 || minute >= 200)]),
    ),
    firing: [{ labels, from: 136, until: 200 }],
  },
  {
    alert,
    name: 'goes by when the upgrade began, and not by how long it was looked at; another attempt begins again',
    minutes: 240,
    targets: [
      operator('operator-0', (minute) => (minute < 130 ? [] : [cluster('two', minute < 200 ? 0 : 200, false)])),
    ],
    firing: [{ labels, from: 135, until: 200 }],
  },
  {
    alert,
    name: 'is silent about a cluster that reports no version of its control plane',
    minutes: 240,
    targets: [
      operator('operator-0', () => {
        const { status: _, ...silent } = cluster('two', 0, false);
        return [silent];
      }),
    ],
    firing: [],
  },
];
