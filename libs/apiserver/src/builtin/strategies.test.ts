import { applyMergePatch, cloneJson, deepFreeze, fieldErrorMessage } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { defaultsCases } from './testing-cases/defaults.table.js';
import { bodyOf, context, decode, prepared } from './testing-cases/pipeline.js';
import { updateCases } from './testing-cases/updates.table.js';
import { validationCases } from './testing-cases/validation.table.js';
import { strategyOf } from './index.js';

const sorted = (messages: Iterable<string>): string[] => [...new Set(messages)].sort();
const plain = (object: unknown): unknown => JSON.parse(JSON.stringify(object));

function withoutUid(object: KubeObject): unknown {
  const copy = plain(object) as KubeObject;
  delete copy.metadata.uid;
  return copy;
}

describe('objects that are wrong', () => {
  it.each(validationCases.map((row) => [row.title, row] as const))(
    '%s draws exactly the complaints of the server',
    (_title, row) => {
      const object = prepared(row);
      const errors = strategyOf(row.group, row.resource).validate?.(object, context) ?? [];
      expect(sorted(errors.map(fieldErrorMessage))).toEqual(sorted(row.errors));
    },
  );
});

describe('objects that are right', () => {
  it.each(defaultsCases.map((row) => [row.title, row] as const))(
    '%s becomes what the server makes of it',
    (_title, row) => {
      const strategy = strategyOf(row.group, row.resource);
      const object = prepared(row);
      expect(strategy.validate?.(object, context) ?? []).toEqual([]);
      expect(withoutUid(object)).toEqual(row.result);
      expect(sorted(strategy.warningsOnCreate?.(object) ?? [])).toEqual(sorted(row.warnings));
    },
  );

  it.each(defaultsCases.map((row) => [row.title, row] as const))(
    '%s is not changed by defaulting it again',
    (_title, row) => {
      const strategy = strategyOf(row.group, row.resource);
      const object = decode(row, bodyOf(row));
      strategy.applyDefaults?.(object);
      const once = plain(object);
      strategy.applyDefaults?.(object);
      expect(plain(object)).toEqual(once);
    },
  );

  it.each(defaultsCases.map((row) => [row.title, row] as const))(
    '%s can be written back as it is, without a new generation',
    (_title, row) => {
      const strategy = strategyOf(row.group, row.resource);
      const old = plain(prepared(row)) as KubeObject;
      old.metadata.resourceVersion = '1';
      const object = decode(row, cloneJson(old));
      strategy.applyDefaults?.(object);
      strategy.prepareForUpdate?.(object, old, context);
      expect((strategy.validateUpdate?.(object, old, context) ?? []).map(fieldErrorMessage)).toEqual([]);
      expect(object.metadata.generation).toBe(old.metadata.generation);
      expect(plain(object)).toEqual(old);
    },
  );
});

describe('changes', () => {
  it.each(updateCases.map((row) => [row.title, row] as const))(
    '%s is validated and counted as by the server, and leaves the stored object alone',
    (_title, row) => {
      const strategy = strategyOf(row.group, row.resource);
      const update = row.sub === '' ? strategy : strategy.subresources?.[row.sub];
      const old = plain(prepared(row)) as KubeObject;
      old.metadata.resourceVersion = '1';
      const object = decode(row, applyMergePatch(cloneJson(old), row.patch));
      strategy.applyDefaults?.(object);
      (object.metadata as JsonObject)['generation'] = old.metadata.generation;
      const frozen = deepFreeze(old);
      update?.prepareForUpdate?.(object, frozen, context);
      const errors = update?.validateUpdate?.(object, frozen, context) ?? [];
      expect(sorted(errors.map(fieldErrorMessage))).toEqual(sorted(row.errors));
      if (row.errors.length === 0) expect(object.metadata.generation).toBe(row.generation);
    },
  );
});
