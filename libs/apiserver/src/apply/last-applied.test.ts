import { deepFreeze } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { applyPatch, trackUpdate } from './field-manager.js';
import type { ApplyResult } from './field-manager.js';
import { TIME, applied, builtinScope, configMap } from './testing.js';

const T1 = '2024-01-01T00:00:01Z';
const configMaps = builtinScope('', 'ConfigMap');

describe('kubectl and the annotation of client-side apply', () => {
  const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
  const config = (data: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c' },
    data,
  });
  const liveWith = (last: string, data: JsonObject): KubeObject => {
    const object = configMap(data, { uid: 'u', annotations: { [ANNOTATION]: last } });
    const managedFields = trackUpdate(configMaps, {
      live: undefined,
      next: object,
      manager: 'kubectl-client-side-apply',
      time: TIME,
    });
    return deepFreeze({ ...object, metadata: { ...object.metadata, ...(managedFields && { managedFields }) } });
  };
  const run = (live: KubeObject, data: JsonObject, manager = 'kubectl'): ApplyResult =>
    applyPatch(configMaps, { live, config: config(data), manager, force: false, time: T1 });
  const last = JSON.stringify(config({ a: '1', b: '2' }));

  it('takes over the fields it applied, and rewrites the annotation', () => {
    const result = applied(run(liveWith(last, { a: '1', b: '2' }), { b: '<3>', a: '1' }));
    expect(result.object.metadata.annotations?.[ANNOTATION]).toBe(
      '{"apiVersion":"v1","data":{"a":"1","b":"\\u003c3\\u003e"},"kind":"ConfigMap","metadata":{"name":"c"}}\n',
    );
    expect(result.managedFields?.map(({ manager }) => manager)).toEqual(['kubectl', 'kubectl-client-side-apply']);
  });

  const doubts: readonly (readonly [string, string, JsonObject, JsonObject, readonly string[]])[] = [
    ['fields changed since conflict', last, { a: '1', b: 'changed' }, { a: 'x', b: 'y' }, ['.data.b']],
    ['another version proves nothing', last.replace('"v1"', '"v2"'), { a: '1' }, { a: 'x' }, ['.data.a']],
    ['an annotation that is no JSON proves nothing', '{', { a: '1' }, { a: 'x' }, ['.data.a']],
    ['an annotation that is no object proves nothing', '[]', { a: '1' }, { a: 'x' }, ['.data.a']],
    ['an empty annotation proves nothing', '', { a: '1' }, { a: 'x' }, ['.data.a']],
  ];
  it.each(doubts)('%s', (...[, annotation, data, wanted, fields]) => {
    const result = run(liveWith(annotation, data), wanted);
    expect(result.type === 'conflicts' && result.conflicts.map(({ field }) => field)).toEqual(fields);
  });

  it('is nobody else’s business', () => {
    expect(run(liveWith(last, { a: '1', b: '2' }), { a: 'x' }, 'other').type).toBe('conflicts');
    const result = applied(run(liveWith(last, { a: '1', b: '2' }), { c: 'x' }, 'other'));
    expect(result.object.metadata.annotations?.[ANNOTATION]).toBe(last);
  });

  it('drops an annotation that grows too large', () => {
    const result = applied(run(liveWith(last, { a: '1', b: '2' }), { a: 'x'.repeat(300_000) }));
    expect(result.object.metadata.annotations).toEqual({});
  });
});
