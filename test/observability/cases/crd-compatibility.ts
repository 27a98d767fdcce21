import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { CheckerMetrics } from '@capstan/crd-compatibility';
import type { AlertCase } from '../alert-case.js';
import { NO_TARGET } from '../scrape.js';
import type { Target } from '../scrape.js';

const DOWN = 'CRDCompatibilityCheckerDown';
const FAILING = 'CRDCompatibilityWebhookFailing';
const NOT_MET = 'CRDCompatibilityRequirementNotMet';
const NOT_ADMITTED = 'CRDCompatibilityRequirementNotAdmitted';

type Condition = 'Admitted' | 'Compatible';
/** The conditions that are False; or no answer, or no target to scrape. */
type Minute = readonly Condition[] | 'away' | 'gone';

function requirement(isFalse: readonly Condition[]): CompatibilityRequirement {
  const conditions = (['Admitted', 'Compatible'] as const).map((type) => ({
    type,
    status: isFalse.includes(type) ? 'False' : 'True',
  }));
  return {
    metadata: { name: 'boats' },
    status: { crdName: 'boats.example.com', conditions },
  } as CompatibilityRequirement;
}

/** A replica, which knows one requirement. */
function checker(pod: string, at: (minute: number) => Minute): Target {
  return {
    labels: { namespace: 'compat', pod, container: 'crd-compatibility', job: 'crd-compatibility' },
    start: () => {
      let known: readonly CompatibilityRequirement[] = [];
      const metrics = new CheckerMetrics({ all: () => known });
      return (minute) => {
        const now = at(minute);
        if (now === 'gone') return NO_TARGET;
        if (now === 'away') return undefined;
        known = [requirement(now)];
        return metrics.render();
      };
    },
  };
}

/** An API server that refuses so many writes in a minute for want of an answer of a webhook. */
function server(webhook: string, failures: (minute: number) => number, errorType = 'calling_webhook_error'): Target {
  return {
    labels: { namespace: 'kube-system', pod: 'kube-apiserver-0', container: 'kube-apiserver', job: 'apiserver' },
    start: () => {
      let count = 0;
      return (minute) => {
        count += failures(minute);
        const labels = `name="${webhook}",type="validating",operation="UPDATE",error_type="${errorType}",rejection_code="0"`;
        return `apiserver_admission_webhook_rejection_count{${labels}} ${count}`;
      };
    },
  };
}

const WELL: Minute = [];
const HOOK = 'definitions.crd-compatibility.openshift.io';
const about = { requirement: 'boats', crd: 'boats.example.com' };

/** When the checker is down, and when requirements need an administrator. */
export const checkerCases: readonly AlertCase[] = [
  {
    alert: DOWN,
    name: 'is silent while one of two answers',
    minutes: 20,
    targets: [checker('a', () => WELL), checker('b', () => 'away')],
    firing: [],
  },
  {
    alert: DOWN,
    name: 'fires five minutes after none answers any more',
    minutes: 20,
    targets: ['a', 'b'].map((pod) => checker(pod, (minute) => (minute < 5 ? WELL : 'away'))),
    firing: [{ labels: { namespace: 'compat' }, from: 10 }],
  },
  {
    alert: FAILING,
    name: 'is silent about webhooks of others, and about refusals that are answers',
    minutes: 20,
    targets: [server('others.example.com', () => 5), server(HOOK, () => 5, 'no_error')],
    firing: [],
  },
  {
    alert: FAILING,
    name: 'fires five minutes after the server got no answer any more',
    minutes: 20,
    targets: [server(HOOK, (minute) => (minute >= 5 ? 2 : 0))],
    firing: [{ labels: { name: HOOK }, from: 10 }],
  },
  ...(
    [
      [NOT_MET, 'Compatible', 'Admitted'],
      [NOT_ADMITTED, 'Admitted', 'Compatible'],
    ] as const
  ).flatMap(([alert, condition, other]): AlertCase[] => [
    {
      alert,
      name: `is silent while ${condition} is True, whatever else is not, and when it is False for a while`,
      minutes: 30,
      targets: [checker('a', (minute) => (minute > 10 && minute < 18 ? [condition, other] : [other]))],
      firing: [],
    },
    {
      alert,
      name: `fires once, ten minutes after ${condition} became False`,
      minutes: 30,
      targets: ['a', 'b'].map((pod) => checker(pod, (minute) => (minute >= 5 && minute < 20 ? [condition] : WELL))),
      firing: [{ labels: about, from: 15, until: 20 }],
    },
  ]),
];
