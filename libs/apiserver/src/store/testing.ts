import type { Clock, KubeObject, Timer } from '@capstan/meta';
import type { Store } from './store.js';
import type { Stored } from './stored.js';

/** The resource most tests write. */
export const maps = '/configmaps';

/** A clock for tests: time stands still until the test moves it, and timers fire only when asked to. */
export class ManualClock implements Clock {
  time = 1_700_000_000_000;
  readonly due: (() => void)[] = [];

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }

  after(_delayMs: number, callback: () => void): Timer {
    this.due.push(callback);
    return { cancel: () => undefined };
  }
}

/** A ConfigMap with the labels and data given. */
export function configMap(namespace: string, name: string, data: string, labels?: Record<string, string>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
    data: { value: data },
  };
}

/** The versions as `namespace/name@revision`. */
export function keysOf(items: readonly Stored[]): string[] {
  return items.map(({ namespace, name, revision }) => `${namespace}/${name}@${revision}`);
}

/** The encoded versions, to compare contents exactly. */
export function textsOf(items: readonly Stored[]): string[] {
  return items.map((stored) => Buffer.from(stored.bytes()).toString('utf8'));
}

type Content = readonly [data?: string, labels?: Record<string, string>];

/** Creates a ConfigMap that must not exist yet. */
export function created(store: Store, namespace: string, name: string, ...[data = '1', labels]: Content): Stored {
  const stored = store.create(maps, namespace, name, configMap(namespace, name, data, labels));
  if (stored === undefined) throw new Error(`${namespace}/${name} exists`);
  return stored;
}

/** Gives a ConfigMap other data. */
export function updated(store: Store, expected: Stored, data: string): Stored {
  const stored = store.replace(expected, { ...expected.object(), data: { value: data } });
  if (typeof stored === 'string') throw new Error(stored);
  return stored;
}
