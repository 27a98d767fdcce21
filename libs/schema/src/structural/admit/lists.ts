/** The rules of `x-kubernetes-list-type`, `-list-map-keys` and `-map-type`. */
import {
  type FieldError,
  forbidden,
  invalid,
  joinField,
  keyField,
  notSupported,
  required,
  pushAll,
} from '@capstan/meta';
import { internalItems } from '../schema/internal-form.js';
import type { SchemaNode } from '../schema/schema-node.js';

/** A type that is missing reads differently from one that is wrong. */
function wrongType(path: string, type: string, reason: string): FieldError {
  return type === '' ? required(joinField(path, 'type'), reason) : invalid(joinField(path, 'type'), type, reason);
}

/** Checks the keywords of maps. */
export function checkMapKeywords(node: SchemaNode, path: string): FieldError[] {
  const { mapType, type } = node;
  if (mapType === undefined) return [];
  const errors: FieldError[] = [];
  if (type !== 'object') errors.push(wrongType(path, type, 'must be object if x-kubernetes-map-type is specified'));
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(joinField(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
  }
  return errors;
}

/** An item of a set is compared as a whole, so it must be merged as a whole. */
function checkSetItems(node: SchemaNode, path: string): FieldError[] {
  const { items } = node;
  if (node.listType !== 'set' || items === undefined) return [];
  const reason = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const at = joinField(path, 'items');
  // The list type is what is shown in both cases.
  const shown = items.listType ?? null;
  if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic') {
    return [invalid(joinField(at, 'x-kubernetes-list-type'), shown, reason)];
  }
  if (items.type === 'object' && items.mapType !== 'atomic') {
    return [invalid(joinField(at, 'x-kubernetes-map-type'), shown, reason)];
  }
  return [];
}

function checkKeyNames(node: SchemaNode, items: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const at = joinField(path, 'x-kubernetes-list-map-keys');
  const seen = new Set<string>();
  for (const key of node.listMapKeys) {
    const property = items.properties?.get(key);
    if (property === undefined) {
      errors.push(invalid(at, node.listMapKeys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const keyPath = keyField(joinField(joinField(path, 'items'), 'properties'), key);
      const reason = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(joinField(keyPath, 'type'), items.type, reason));
    }
    if (seen.has(key)) errors.push(invalid(at, node.listMapKeys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

function checkMapList(node: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { items, listMapKeys } = node;
  if (listMapKeys.length === 0) {
    const reason = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(required(joinField(path, 'x-kubernetes-list-map-keys'), reason));
  }
  const at = joinField(path, 'items');
  if (items === undefined) {
    const several = node.unsupported?.itemSchemas !== undefined;
    errors.push(
      several
        ? invalid(at, internalItems(node), 'must only have a single schema if x-kubernetes-list-type is map')
        : required(at, 'must have a schema if x-kubernetes-list-type is map'),
    );
    return errors;
  }
  if (items.type !== 'object') {
    const reason = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalid(joinField(at, 'type'), items.type, reason)];
  }
  return [...errors, ...checkKeyNames(node, items, path)];
}

/** Keys identify items, so each item must have them all. */
function checkKeyValues(node: SchemaNode, path: string): FieldError[] {
  const { items, listType } = node;
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  const at = joinField(path, 'items');
  if (items.nullable) {
    errors.push(forbidden(joinField(at, 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  if (listType === 'set') return errors;
  for (const key of node.listMapKeys) {
    const property = items.properties?.get(key);
    if (property === undefined) continue;
    const keyPath = keyField(joinField(at, 'properties'), key);
    if (!items.required.includes(key) && property.default === undefined) {
      const reason =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(required(joinField(keyPath, 'default'), reason));
    }
    if (property.nullable) {
      const reason = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(forbidden(joinField(keyPath, 'nullable'), reason));
    }
  }
  return errors;
}

const listTypes = ['atomic', 'set', 'map'];

/** Checks the keywords of lists. */
export function checkListKeywords(node: SchemaNode, path: string): FieldError[] {
  const { listType, type } = node;
  if (listType === undefined && node.listMapKeys.length === 0) return [];
  const errors: FieldError[] = [];
  const at = joinField(path, 'x-kubernetes-list-type');
  if (listType !== undefined && type !== 'array') {
    errors.push(wrongType(path, type, 'must be array if x-kubernetes-list-type is specified'));
  } else {
    pushAll(errors, checkSetItems(node, path));
  }
  if (listType !== undefined && !listTypes.includes(listType)) errors.push(notSupported(at, listType, listTypes));
  if (node.listMapKeys.length > 0 && listType !== 'map') {
    const reason = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(listType === undefined ? required(at, reason) : invalid(at, listType, reason));
  }
  if (listType === 'map') pushAll(errors, checkMapList(node, path));
  return [...errors, ...checkKeyValues(node, path)];
}
