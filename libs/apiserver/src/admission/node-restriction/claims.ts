import { goQuote } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { diffJson } from '../../builtin/shared/diff.js';
import { internalView } from '../../builtin/shared/internal-view.js';
import { equalJson, fields } from '../../builtin/shared/json.js';
import { refused, type NodeRequest } from './request.js';

const REPORTED = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

/** A node reports how large the volume of a claim is by now, and nothing else. */
export function admitClaimStatus({ attributes, node }: NodeRequest): void {
  const { object, oldObject, operation, subresource } = attributes;
  if (subresource !== 'status') throw refused(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE' || object === undefined || oldObject === undefined)
    throw refused(attributes, `unexpected operation ${goQuote(operation)}`);
  const [now, before] = [withoutReport(object), withoutReport(oldObject)];
  if (equalJson(now, before)) return;
  const what = 'is not allowed to update fields other than status.quantity and status.conditions';
  throw refused(attributes, `node ${goQuote(node)} ${what}: ${diffJson(internal(before), internal(now))}`);
}

function without(from: Readonly<JsonObject>, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
}

function withoutReport({ metadata, ...claim }: KubeObject): JsonObject {
  return {
    metadata: without(metadata as JsonObject, ['resourceVersion', 'managedFields']),
    spec: fields(claim['spec']),
    status: without(fields(claim['status']), REPORTED),
  };
}

/** As the server prints the kind it works with. */
function internal({ metadata, spec, status }: JsonObject): JsonObject {
  return {
    ...fields(metadata),
    Spec: internalView('PersistentVolumeClaimSpec', spec),
    Status: internalView('PersistentVolumeClaimStatus', status),
  };
}
