import { machineApiMetrics } from '@capstan/machine-api';
import type { MetricSource } from '@capstan/machine-api';
import { renderMetrics } from '@capstan/meta';
import type { AlertCase } from '../alert-case.js';
import { NO_TARGET } from '../scrape.js';
import type { Target } from '../scrape.js';

/** What a machine reports; or no answer, or no target to scrape. */
type Minute = 'away' | 'failed' | 'gone' | 'synchronized' | 'waiting';

type Resource = ReturnType<MetricSource['objects']> extends Iterable<readonly [string, infer Object]> ? Object : never;

const START = Date.parse('2026-01-01T00:00:00Z');

function operator(at: (minute: number) => Minute): Target {
  return {
    labels: { namespace: 'capi', pod: 'a', container: 'machine-api-migration', job: 'machine-api-migration' },
    start: () => (minute) => {
      const now = at(minute);
      if (now === 'gone') return NO_TARGET;
      if (now === 'away') return undefined;
      const clock = { now: () => START + minute * 60_000 };
      return renderMetrics(machineApiMetrics({ clock, objects: () => [['Machine', machine(now)]] }));
    },
  };
}

function machine(state: Minute): Resource {
  const at = { lastTransitionTime: '2026-01-01T00:00:00Z' };
  const isFailed = state === 'failed';
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'm' },
    spec: { authoritativeAPI: state === 'synchronized' ? 'MachineAPI' : 'ClusterAPI' },
    status: {
      authoritativeAPI: 'MachineAPI',
      conditions: [
        {
          type: 'Synchronized',
          status: isFailed ? 'False' : 'True',
          reason: isFailed ? 'ConversionFailed' : 'ResourceSynchronized',
          ...at,
        },
        { type: 'AuthorityHandover', status: 'False', reason: 'WaitingForSynchronization', ...at },
      ],
    },
  };
}

const namespace = 'capi';

/** When the operator is down, copies do not agree, or authority does not move. */
export const machineApiCases: readonly AlertCase[] = [
  {
    alert: 'MachineAPIMigrationDown',
    name: 'is silent while it runs, and when it is away for a while',
    minutes: 30,
    targets: [operator((minute) => (minute > 5 && minute < 13 ? 'away' : 'synchronized'))],
    firing: [],
  },
  {
    alert: 'MachineAPIMigrationDown',
    name: 'fires ten minutes after it stopped answering',
    minutes: 30,
    targets: [operator((minute) => (minute < 5 ? 'synchronized' : 'away'))],
    firing: [{ labels: { namespace }, from: 15 }],
  },
  {
    alert: 'MachineAPISynchronizationFailing',
    name: 'is silent while copies agree, and when they do not for a while',
    minutes: 60,
    targets: [operator((minute) => (minute > 5 && minute < 30 ? 'failed' : 'synchronized'))],
    firing: [],
  },
  {
    alert: 'MachineAPISynchronizationFailing',
    name: 'fires when copies have not agreed for thirty minutes, and ends when they do',
    minutes: 60,
    targets: [operator((minute) => (minute < 5 || minute >= 50 ? 'synchronized' : 'failed'))],
    // A series that is no longer exported counts for five minutes more where no scraper marks it as stale.
    firing: [{ labels: { namespace, kind: 'Machine', reason: 'ConversionFailed' }, from: 35, until: 54 }],
  },
  {
    alert: 'MachineAPIAuthorityNotChanged',
    name: 'is silent for what nobody has asked for, and when it takes half an hour',
    minutes: 60,
    targets: [operator((minute) => (minute < 30 ? 'waiting' : 'synchronized'))],
    firing: [],
  },
  {
    alert: 'MachineAPIAuthorityNotChanged',
    name: 'fires when authority has not moved for thirty-five minutes',
    minutes: 60,
    targets: [operator(() => 'waiting')],
    firing: [{ labels: { namespace, kind: 'Machine', name: 'm', reason: 'WaitingForSynchronization' }, from: 36 }],
  },
];
