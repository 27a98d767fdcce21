import { CapiMetrics } from '@capstan/capi-operator';
import type { AlertCase } from '../alert-case.js';
import { NO_TARGET } from '../scrape.js';
import type { Target } from '../scrape.js';

/** The conditions that are True; or no answer, or no target to scrape. */
type Minute = { readonly isTrue: readonly string[]; readonly failures?: number } | 'away' | 'gone';

const PLAN = { install: [], required: [], drop: [], unclaimed: [], unknown: [], taken: [], isObserved: true };
const WELL: Minute = { isTrue: ['Available', 'Upgradeable'] };
const DEGRADED: Minute = { isTrue: ['Available', 'Degraded', 'Upgradeable'] };
const HELD: Minute = { isTrue: ['Available'] };

function operator(at: (minute: number) => Minute): Target {
  return {
    labels: { namespace: 'capi', pod: 'a', container: 'capi-operator', job: 'capi-operator' },
    start: () => {
      const metrics = new CapiMetrics();
      return (minute) => {
        const now = at(minute);
        if (now === 'gone') return NO_TARGET;
        if (now === 'away') return undefined;
        const conditions = ['Available', 'Degraded', 'Progressing', 'Upgradeable'].map((type) => ({
          type,
          status: now.isTrue.includes(type) ? ('True' as const) : ('False' as const),
        }));
        metrics.saw(PLAN, conditions);
        for (let count = now.failures ?? 0; count > 0; count--) metrics.wrote('customresourcedefinition a', 'failed');
        metrics.wrote('compatibilityrequirement b', 'written');
        return metrics.render();
      };
    },
  };
}

const namespace = 'capi';

/** When the operator is down, and when it needs an administrator. */
export const capiOperatorCases: readonly AlertCase[] = [
  {
    alert: 'ClusterAPIOperatorDown',
    name: 'is silent while it restarts, and when it is away for a while',
    minutes: 30,
    targets: [operator((minute) => (minute > 5 && minute < 13 ? 'away' : WELL))],
    firing: [],
  },
  {
    alert: 'ClusterAPIOperatorDown',
    name: 'fires ten minutes after it stopped answering',
    minutes: 30,
    targets: [operator((minute) => (minute < 5 ? WELL : 'away'))],
    firing: [{ labels: { namespace }, from: 15 }],
  },
  {
    alert: 'ClusterAPIOperatorDegraded',
    name: 'is silent while it is well, when an upgrade is held, and when it is degraded for a while',
    minutes: 40,
    targets: [operator((minute) => (minute > 5 && minute < 13 ? DEGRADED : minute > 20 ? HELD : WELL))],
    firing: [],
  },
  {
    alert: 'ClusterAPIOperatorDegraded',
    name: 'fires after ten minutes, and ends when it is well again',
    minutes: 40,
    targets: [operator((minute) => (minute >= 5 && minute < 25 ? DEGRADED : WELL))],
    firing: [{ labels: { namespace }, from: 15, until: 25 }],
  },
  {
    alert: 'ClusterAPINotUpgradeable',
    name: 'is silent within the hour, whatever else there is',
    minutes: 90,
    targets: [operator((minute) => (minute >= 5 && minute < 60 ? HELD : DEGRADED))],
    firing: [],
  },
  {
    alert: 'ClusterAPINotUpgradeable',
    name: 'fires after an hour',
    minutes: 90,
    targets: [operator((minute) => (minute >= 5 ? HELD : WELL))],
    firing: [{ labels: { namespace }, from: 65 }],
  },
  {
    alert: 'ClusterAPIOperatorWritesFailing',
    name: 'is silent while writes succeed, and when some fail for a moment',
    minutes: 60,
    targets: [operator((minute) => ({ isTrue: ['Upgradeable'], failures: minute === 10 ? 3 : 0 }))],
    firing: [],
  },
  {
    alert: 'ClusterAPIOperatorWritesFailing',
    name: 'fires fifteen minutes after writes began to fail again and again',
    minutes: 40,
    targets: [operator((minute) => ({ isTrue: ['Degraded'], failures: minute >= 5 ? 1 : 0 }))],
    firing: [{ labels: { namespace, kind: 'customresourcedefinition' }, from: 20 }],
  },
];
