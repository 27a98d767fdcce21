import { ShimMetrics } from '@capstan/conversion-shim';
import type { AlertCase } from '../alert-case.js';
import { NO_TARGET } from '../scrape.js';
import type { Target } from '../scrape.js';

const alert = 'HyperShiftConversionWebhookUnavailable';
const DOWN = 'HyperShiftConversionWebhookDown';
const job = 'capi-conversion-webhook-shim';

/** How many reviews there are in a minute, and how many of them fail. */
type Minute = readonly [reviews: number, failed: number];

/** A shim that answers reviews; one that is away answers no scrape, one that is gone is asked for none. */
function shim(pod: string, at: (minute: number) => Minute | 'away' | 'gone', namespace = 'hypershift'): Target {
  return {
    labels: { namespace, pod, container: 'conversion-shim', job },
    start: () => {
      let metrics = new ShimMetrics();
      return (minute) => {
        const now = at(minute);
        if (now === 'gone') return NO_TARGET;
        if (now === 'away') {
          metrics = new ShimMetrics();
          return undefined;
        }
        const [reviews, failed] = now;
        for (let each = 0; each < reviews; each += 1) {
          const error = each < failed ? 'upstream-webhook-unavailable' : undefined;
          const resource = each % 2 === 0 ? 'machines' : 'clusters';
          metrics.answered({ fromVersion: 'v1beta1', toVersion: 'v1beta2', resource, seconds: 0.004, error });
        }
        return metrics.render();
      };
    },
  };
}

/** A shim that is asked once in three minutes, each time for another kind, and fails for a while. */
const hardlyAsked: Target = {
  labels: { namespace: 'hypershift', pod: 'operator-0', container: 'conversion-shim', job },
  start: () => {
    const metrics = new ShimMetrics();
    return (minute) => {
      const resource = { 3: 'cluster', 6: 'machine', 9: 'machineset' }[minute];
      const review = { fromVersion: 'v1beta1', toVersion: 'v1beta2', seconds: 0.1 };
      if (resource !== undefined) metrics.answered({ ...review, resource, error: 'conversion-failed' });
      return metrics.render();
    };
  },
};

const labels = { namespace: 'hypershift' };

/** When so many conversions fail that an administrator must look, and when no shim is up. */
export const shimCases: readonly AlertCase[] = [
  {
    alert,
    name: 'is silent while all conversions succeed',
    minutes: 20,
    targets: [shim('operator-0', () => [60, 0])],
    firing: [],
  },
  {
    alert,
    name: 'is silent while nothing is asked at all, for nothing divided by nothing is not much',
    minutes: 20,
    targets: [shim('operator-0', () => [0, 0])],
    firing: [],
  },
  {
    alert,
    name: 'fires five minutes after one in seven conversions began to fail, and stops when they succeed again',
    minutes: 40,
    targets: [shim('operator-0', (minute) => [60, minute >= 5 && minute < 20 ? 9 : 0])],
    firing: [{ labels, from: 11, until: 22 }],
  },
  {
    alert,
    name: 'is silent when one in thirty fails',
    minutes: 30,
    targets: [shim('operator-0', () => [60, 2])],
    firing: [],
  },
  {
    alert,
    name: 'is silent when a few fail in one minute',
    minutes: 30,
    targets: [shim('operator-0', (minute) => [60, minute === 10 ? 12 : 0])],
    firing: [],
  },
  {
    alert,
    name: 'is silent when the first conversion ever fails, although its series has not grown yet',
    minutes: 20,
    targets: [shim('operator-0', (minute) => (minute === 4 ? [1, 1] : [0, 0]))],
    firing: [],
  },
  {
    alert,
    name: 'is silent when single conversions fail whose series are new, for errors divided by no growth are no share',
    minutes: 20,
    targets: [hardlyAsked],
    firing: [],
  },
  {
    alert,
    name: 'counts all replicas together: two of three that fail',
    minutes: 20,
    targets: [
      shim('operator-0', () => [30, 0]),
      shim('operator-1', () => [30, 30]),
      shim('operator-2', () => [30, 30]),
    ],
    firing: [{ labels, from: 6 }],
  },
  {
    alert,
    name: 'names the installation that fails when another one is well',
    minutes: 20,
    targets: [shim('operator-0', () => [600, 0]), shim('operator-0', () => [6, 6], 'hypershift-legacy')],
    firing: [{ labels: { namespace: 'hypershift-legacy' }, from: 6 }],
  },
  {
    alert,
    name: 'keeps firing when the shim restarts and goes on failing',
    minutes: 30,
    targets: [shim('operator-0', (minute) => (minute === 12 || minute === 13 ? 'away' : [60, 30]))],
    firing: [{ labels, from: 6 }],
  },
  {
    alert: DOWN,
    name: 'is silent while one of two answers, and when both restart one after the other',
    minutes: 30,
    targets: [
      shim('shim-0', (minute) => (minute >= 10 && minute < 13 ? 'away' : [1, 0])),
      shim('shim-1', (minute) => (minute >= 13 && minute < 25 ? 'away' : [1, 0])),
    ],
    firing: [],
  },
  {
    alert: DOWN,
    name: 'fires five minutes after neither answers, and stops when one does',
    minutes: 30,
    targets: [
      shim('shim-0', (minute) => (minute >= 10 ? 'away' : [1, 0])),
      shim('shim-1', (minute) => (minute >= 8 && minute < 20 ? 'away' : [1, 0])),
    ],
    firing: [{ labels, from: 15, until: 20 }],
  },
  {
    alert: DOWN,
    name: 'names the installation whose shims do not answer when those of another do',
    minutes: 20,
    targets: [shim('shim-0', () => [1, 0]), shim('shim-0', () => 'away', 'other')],
    firing: [{ labels: { namespace: 'other' }, from: 5 }],
  },
  {
    alert: DOWN,
    name: 'fires when there is no target to scrape, from the start or once the last samples are stale',
    minutes: 30,
    targets: [shim('shim-0', (minute) => (minute < 10 ? [1, 0] : 'gone'))],
    firing: [{ labels: { job }, from: 19 }],
  },
];
