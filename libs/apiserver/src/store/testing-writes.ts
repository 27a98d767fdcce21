import type { KubeObject } from '@capstan/meta';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from './store.js';
import type { Stored } from './stored.js';
import { configMap, textsOf } from './testing.js';
import type { HistoryLimits } from './types.js';

/** The resources written. */
export const resources = ['/configmaps', '/secrets'] as const;
const names = ['x', 'y', '\ufffd', '\u{10000}'] as const;

/** One thing done to a store. */
export interface Write {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: 'put' | 'remove' | 'again' | 'encode';
  readonly data: string;
  readonly colour: string | undefined;
}

/** Any single write. */
export const write: fc.Arbitrary<Write> = fc.record({
  resource: fc.constantFrom(resources[0], resources[0], resources[0], resources[1]),
  namespace: fc.constantFrom('a', 'a-b', 'b'),
  name: fc.constantFrom(...names),
  action: fc.constantFrom(
    'put' as const,
    'put' as const,
    'put' as const,
    'remove' as const,
    'again' as const,
    'encode' as const,
  ),
  data: fc.constantFrom('1', '2', 'ü'),
  colour: fc.constantFrom('red', 'blue', undefined),
});
/** Any sequence of writes. */
export const writes = fc.array(write, { maxLength: 60, size: 'max' });
/** Few hot entries, so that most reads go through the encoded form. */
export const hotEntries = fc.constantFrom(1, 3, 2_000);
/** History that forgets nothing. */
export const ample: HistoryLimits = { minEvents: 1_000, maxEvents: 1_000, minAgeMs: 0 };
/** A selection that objects enter and leave. */
export const isBlue = (stored: Stored): boolean => stored.labels()?.['colour'] === 'blue';

function objectOf({ namespace, name, data, colour }: Write): KubeObject {
  return configMap(namespace, name, data, colour === undefined ? undefined : { colour });
}

/** Runs one write; returns whether it must have committed something. */
export function run(store: Store, command: Write): boolean {
  const { resource, namespace, name, action } = command;
  const latest = store.get(resource, namespace, name);
  if (action === 'encode') {
    latest?.bytes();
    return false;
  }
  if (action === 'again') {
    if (latest !== undefined) expect(store.replace(latest, structuredClone(latest.object()))).toBe(latest);
    return false;
  }
  if (action === 'remove') {
    if (latest === undefined) return false;
    store.remove(latest);
    return true;
  }
  if (latest === undefined) {
    store.create(resource, namespace, name, objectOf(command));
    return true;
  }
  const result = store.replace(latest, objectOf(command));
  const old = latest.object();
  const isSame =
    JSON.stringify([old['data'], old.metadata.labels]) ===
    JSON.stringify([{ value: command.data }, command.colour === undefined ? undefined : { colour: command.colour }]);
  expect(result === latest).toBe(isSame);
  return !isSame;
}

/** Everything a reader can learn of the store, as text. */
export function portrait(store: Store): string {
  return JSON.stringify(
    resources.map((resource) => {
      const oldest = store.oldestRevision(resource);
      const past = [];
      for (let revision = oldest; revision <= store.revision; revision++) {
        past.push(textsOf(store.list(resource, { revision }).items));
      }
      const events = store
        .eventsSince(resource, oldest)
        .map(({ type, revision, timeMs, current, previous }) => [
          type,
          revision,
          timeMs,
          textsOf([current]),
          textsOf(previous === undefined ? [] : [previous]),
        ]);
      const got = ['a', 'a-b', 'b'].map((namespace) =>
        names.map((name) => textsOf([store.get(resource, namespace, name) ?? []].flat())),
      );
      return [store.revision, store.resources(), store.count(resource), oldest, past, events, got];
    }),
  );
}
