import type { HostedCluster } from '@capstan/api/hypershift';
import { annotated, withLock } from '@capstan/hosting';
import { MigrationMetrics } from '@capstan/hypershift';
import { renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import type { AlertCase } from '../alert-case.js';
import type { Target } from '../scrape.js';

const FAILED = 'HyperShiftPrivateCAPIMigrationFailed';
const STUCK = 'HyperShiftPrivateCAPIMigrationStuck';
const FOREIGN = 'HyperShiftPrivateCAPIMigrationForeignLock';
const BOTH = 'HyperShiftPrivateCAPIMigrationBothGroups';
const own = (name: string): string => `hypershift.openshift.io/${name}`;

/** An operator that sees the clusters of a minute. */
function operator(pod: string, see: (minute: number) => readonly HostedCluster[]): Target {
  return {
    labels: { namespace: 'hypershift', pod, container: 'operator', job: 'operator' },
    start: () => {
      const families: MetricFamily[] = [];
      let seen: readonly HostedCluster[] = [];
      const register = (...more: readonly MetricFamily[]): void => void families.push(...more);
      void new MigrationMetrics({ clusters: () => seen, metrics: { register } });
      return (minute) => {
        seen = see(minute);
        return renderMetrics(families);
      };
    },
  };
}

function cluster(name: string): HostedCluster {
  const annotations = { [own('scope')]: 'legacy' };
  return { metadata: { name, namespace: 'clusters', uid: `uid-of-${name}`, annotations } } as never;
}

const failed = (name: string, reason: string): HostedCluster =>
  annotated(cluster(name), { [own('migration-failed')]: reason });
/** Locked at the time at which the scraper begins, which for rules is the beginning of all time, or minutes later. */
const locked = (name: string, minute: number): HostedCluster =>
  withLock(cluster(name), { id: name, startedAt: new Date(minute * 60_000).toISOString().replace('.000Z', 'Z') });
const foreign = (name: string): HostedCluster => annotated(cluster(name), { [own('migration-in-progress')]: 'true' });

/** As its controller reports one with objects in both groups. */
const both = (name: string, annotations: Readonly<Record<string, string>>): HostedCluster => {
  const condition = { type: 'PrivateCAPIMigration', status: 'Unknown', reason: 'BothGroups', message: '' };
  return { ...annotated(cluster(name), annotations), status: { conditions: [condition] } } as never;
};

const ofTwo = { namespace: 'clusters', name: 'two' };

/** When the migration of a fleet needs an administrator. */
export const migrationCases: readonly AlertCase[] = [
  {
    alert: FAILED,
    name: 'is silent while clusters wait and are migrated',
    minutes: 20,
    targets: [operator('operator-0', (minute) => [cluster('one'), minute < 10 ? cluster('two') : locked('two', 10)])],
    firing: [],
  },
  {
    alert: FAILED,
    name: 'fires at once with the reason, whatever the number of replicas, until the annotation is removed',
    minutes: 30,
    targets: ['operator-0', 'operator-1'].map((name) =>
      operator(name, (minute) => [
        cluster('one'),
        minute >= 5 && minute < 20 ? failed('two', 'deployment-timeout') : cluster('two'),
      ]),
    ),
    // A series without new samples keeps its value for five minutes.
    firing: [{ labels: { failure_reason: 'deployment-timeout' }, from: 5, until: 24 }],
  },
  {
    alert: STUCK,
    name: 'is silent while two migrations follow each other, none of which takes an hour',
    minutes: 120,
    targets: [
      operator('operator-0', (minute) =>
        [minute < 50 ? locked('one', 0) : locked('two', 50)].slice(minute < 100 ? 0 : 1),
      ),
    ],
    firing: [],
  },
  {
    alert: STUCK,
    name: 'fires for a cluster that has been locked for more than an hour, and stops when it is released',
    minutes: 120,
    targets: [operator('operator-0', (minute) => [minute >= 10 && minute < 90 ? locked('two', 10) : cluster('two')])],
    firing: [{ labels: ofTwo, from: 76, until: 94 }],
  },
  {
    alert: FOREIGN,
    name: 'is silent for locks of the migration, and for one that is there ten minutes',
    minutes: 40,
    targets: [
      operator('operator-0', (minute) => [
        locked('one', 0),
        minute >= 5 && minute < 15 ? foreign('two') : cluster('two'),
      ]),
    ],
    firing: [],
  },
  {
    alert: FOREIGN,
    name: 'fires after a quarter of an hour and names the cluster',
    minutes: 40,
    targets: [operator('operator-0', (minute) => [cluster('one'), minute < 5 ? cluster('two') : foreign('two')])],
    firing: [{ labels: ofTwo, from: 20 }],
  },
  {
    alert: BOTH,
    name: 'is silent for a cluster whose annotations were corrected before its condition was',
    minutes: 40,
    targets: [operator('operator-0', () => [locked('one', 0), both('two', {})])],
    firing: [],
  },
  {
    alert: BOTH,
    name: 'fires for a cluster that no operator reconciles, and stops once it is decided',
    minutes: 40,
    targets: [
      operator('operator-0', (minute) => [
        cluster('one'),
        both('two', minute < 20 ? { [own('private-capi-types')]: 'true' } : {}),
      ]),
    ],
    firing: [{ labels: ofTwo, from: 5, until: 24 }],
  },
];
