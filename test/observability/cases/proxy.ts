import { ProxyMetrics } from '@capstan/proxy';
import type { AlertCase } from '../alert-case.js';
import { NO_TARGET } from '../scrape.js';
import type { Target } from '../scrape.js';

/** Nothing is under way at the moment of a scrape. */
const live = { open: () => 0, wires: () => 0 };
const alert = 'HyperShiftAPIProxyHighLatency';
const DOWN = 'HyperShiftAPIProxyDown';

/** A sidecar that answers sixty requests a minute, of which `slow` take `slowSeconds`; nothing while it is undefined. */
function sidecar(pod: string, slowAt: (minute: number) => number | undefined, slowSeconds = 0.3): Target {
  return {
    labels: { namespace: 'clusters-a', pod, container: 'kube-apiserver-proxy' },
    start: () => {
      const metrics = new ProxyMetrics(live);
      return (minute) => {
        const slow = slowAt(minute);
        if (slow === undefined) return metrics.render();
        for (let at = 0; at < 60; at += 1)
          metrics.duration.observe(['GET', 'machines'], at < slow ? slowSeconds : 0.003);
        return metrics.render();
      };
    },
  };
}

/** Ends after some minutes, is away for two, and comes back with empty counters. */
function restarting(pod: string, everyMinutes: number, seconds: number): Target {
  return {
    labels: { namespace: 'clusters-a', pod, container: 'kube-apiserver-proxy' },
    start: () => {
      let metrics = new ProxyMetrics(live);
      return (minute) => {
        if (minute % everyMinutes === 0) metrics = new ProxyMetrics(live);
        if (minute % everyMinutes > everyMinutes - 3) return undefined;
        for (let at = 0; at < 60; at += 1) metrics.duration.observe(['GET', 'machines'], seconds);
        return metrics.render();
      };
    },
  };
}

/** A sidecar that answers, does not, or is no target any more. */
function present(pod: string, at: (minute: number) => 'up' | 'down' | 'gone'): Target {
  return {
    labels: { namespace: 'clusters-a', pod, container: 'kube-apiserver-proxy' },
    start: () => {
      const page = new ProxyMetrics(live).render();
      return (minute) => {
        const state = at(minute);
        if (state === 'gone') return NO_TARGET;
        return state === 'up' ? page : undefined;
      };
    },
  };
}

const of = (pod: string): Readonly<Record<string, string>> => ({ namespace: 'clusters-a', pod });

/** When requests through a proxy are slow enough for long enough, and when a proxy is gone. */
export const proxyCases: readonly AlertCase[] = [
  {
    alert,
    name: 'is silent while all requests are quick',
    minutes: 30,
    targets: [sidecar('capi-0', () => 0)],
    firing: [],
  },
  {
    alert,
    name: 'fires ten minutes after one in seven requests became slow, and stops when they are quick again',
    minutes: 45,
    targets: [sidecar('capi-0', (minute) => (minute >= 5 && minute < 25 ? 9 : 0))],
    firing: [{ labels: of('capi-0'), from: 16, until: 27 }],
  },
  {
    alert,
    name: 'is silent when two in a hundred requests are slow',
    minutes: 30,
    targets: [sidecar('capi-0', (minute) => (minute % 5 === 0 ? 6 : 0))],
    firing: [],
  },
  {
    alert,
    name: 'is silent when requests are slow for less than ten minutes',
    minutes: 30,
    targets: [sidecar('capi-0', (minute) => (minute >= 5 && minute < 12 ? 60 : 0))],
    firing: [],
  },
  {
    alert,
    name: 'names the one slow sidecar among many quick ones, whose requests drown its own',
    minutes: 30,
    targets: Array.from({ length: 30 }, (_, at) => sidecar(`capi-${at}`, () => (at === 7 ? 60 : 0))),
    firing: [{ labels: of('capi-7'), from: 11 }],
  },
  {
    alert,
    name: 'is silent when the slow requests take just under a tenth of a second',
    minutes: 30,
    targets: [sidecar('capi-0', () => 60, 0.099)],
    firing: [],
  },
  {
    alert,
    name: 'is silent when there are no more requests, however slow the last ones were',
    minutes: 40,
    targets: [sidecar('capi-0', (minute) => (minute < 6 ? 60 : undefined))],
    firing: [],
  },
  {
    alert,
    name: 'keeps firing over restarts of a slow proxy, whose counters restart',
    minutes: 40,
    targets: [restarting('capi-0', 12, 0.7)],
    firing: [{ labels: of('capi-0'), from: 11 }],
  },
  {
    alert,
    name: 'does not take a restart of a quick proxy for slowness',
    minutes: 40,
    targets: [restarting('capi-0', 12, 0.002)],
    firing: [],
  },
  {
    alert: DOWN,
    name: 'is silent while all answer, one restarts for two minutes, and one goes with its pod',
    minutes: 30,
    targets: [
      present('capi-0', () => 'up'),
      present('capi-1', (minute) => (minute === 8 || minute === 9 ? 'down' : 'up')),
      present('capi-2', (minute) => (minute < 10 ? 'up' : 'gone')),
    ],
    firing: [],
  },
  {
    alert: DOWN,
    name: 'fires five minutes after one does not answer, names it, and stops when it does',
    minutes: 30,
    targets: [
      present('capi-0', () => 'up'),
      present('capi-1', (minute) => (minute >= 5 && minute < 20 ? 'down' : 'up')),
    ],
    firing: [{ labels: of('capi-1'), from: 10, until: 20 }],
  },
  {
    alert: DOWN,
    name: 'fires when there has never been one',
    minutes: 10,
    targets: [],
    firing: [{ labels: { container: 'kube-apiserver-proxy' }, from: 5 }],
  },
  {
    alert: DOWN,
    name: 'fires when the last one is gone, once its last sample is too old to stand for it',
    minutes: 30,
    targets: [present('capi-0', (minute) => (minute < 10 ? 'up' : 'gone'))],
    firing: [{ labels: { container: 'kube-apiserver-proxy' }, from: 19 }],
  },
];
