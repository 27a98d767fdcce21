import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { EventLog } from './event-log.js';
import type { CommitEvent } from './event-log.js';
import { RollingHash } from './rolling-hash.js';

function digestOf(...values: readonly unknown[]): string {
  const hash = new RollingHash();
  for (const value of values) hash.value(value);
  return hash.digest;
}

describe('RollingHash', () => {
  it('gives the same for the same, in sixteen digits', () => {
    expect(digestOf('a', { b: [1, true, null] })).toBe(digestOf('a', { b: [1, true, null] }));
    expect(digestOf('a')).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    ['another text', ['a'], ['b']],
    ['another order', ['a', 'b'], ['b', 'a']],
    ['letters in another order', ['ab'], ['ba']],
    ['another border', ['ab', 'c'], ['a', 'bc']],
    ['nothing more', ['a'], ['a', '']],
    ['another value deep inside', [{ a: { b: [1, 2] } }], [{ a: { b: [1, 3] } }]],
    ['another key', [{ a: 1 }], [{ b: 1 }]],
    ['another order of keys', [{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
    ['a list of lists', [[['a'], 'b']], [['a', ['b']]]],
  ])('differs for %s', (_what, one, other) => {
    expect(digestOf(...one)).not.toBe(digestOf(...other));
  });
});

function commit(object: KubeObject): CommitEvent {
  return {
    type: 'commit',
    at: 1,
    process: 'p',
    effect: 1,
    change: 'create',
    method: 'POST',
    resource: 'configmaps',
    namespace: 'default',
    name: 'm',
    revision: 1,
    object,
    previous: undefined,
    isBlindReplace: false,
    userAgent: '',
    seen: undefined,
  };
}

describe('the digest of an event log', () => {
  const written = (data: object): string => {
    const log = new EventLog();
    log.add(commit({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data }));
    return log.digest;
  };
  const marked = (...texts: readonly string[]): string => {
    const log = new EventLog();
    for (const text of texts) log.mark(text);
    return log.digest;
  };

  it('covers what was written', () => {
    expect(written({ a: '1' })).toBe(written({ a: '1' }));
    expect(written({ a: '1' })).not.toBe(written({ a: '2' }));
  });

  it('covers what is only marked', () => {
    expect(marked('timer 1')).not.toBe(marked('timer 2'));
    expect(marked('timer 1')).not.toBe(marked());
  });
});
