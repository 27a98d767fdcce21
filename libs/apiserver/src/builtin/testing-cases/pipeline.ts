/** Takes objects through a strategy in the order the registry does, for the tables. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { cloneJson } from '@capstan/meta';
import { createBuiltinCodec } from '../../registry/builtin-codec.js';
import { addDefaultTolerations, strategyOf } from '../index.js';
import type { ServiceAllocator, StrategyContext } from '../strategy.js';
import type { ObjectCase } from './case.js';

/** Grants every wish, and one address and one port to those without. */
export const allocator: ServiceAllocator = {
  clusterIP: (_family, wanted) => wanted ?? '10.0.0.0',
  nodePort: (wanted) => wanted || 30123,
};

/** The context of every table row. */
export const context: StrategyContext = { now: '2024-01-01T00:00:00Z', allocate: allocator };

/** Decodes and normalises a JSON object as the server would. */
export function decode({ group, version, kind }: ObjectCase, value: unknown): KubeObject {
  return createBuiltinCodec(group, version, kind).decode(value).object;
}

/** The body of a create request. */
export function bodyOf(row: ObjectCase): JsonObject {
  const body = cloneJson(row.object);
  const metadata = body['metadata'] as JsonObject;
  if (row.namespaced) metadata['namespace'] = 'strategies';
  return { apiVersion: row.group === '' ? row.version : `${row.group}/${row.version}`, kind: row.kind, ...body };
}

/** The object of a create request, ready for validation. */
export function prepared(row: ObjectCase): KubeObject {
  const strategy = strategyOf(row.group, row.resource);
  const object = decode(row, bodyOf(row));
  strategy.applyDefaults?.(object);
  if (row.resource === 'pods') addDefaultTolerations(object);
  delete object.metadata.generation;
  object.metadata.uid = 'UID';
  strategy.prepareForCreate?.(object, context);
  return object;
}
