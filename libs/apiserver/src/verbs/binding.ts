import { apiErrors, fieldErrorMessage } from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { validateBinding } from '../builtin/index.js';
import { TypedDecodeError } from '../codec/index.js';
import { createBuiltinCodec } from '../registry/builtin-codec.js';
import { cloneObject } from '../registry/clone.js';
import type { Flow } from '../registry/effects.js';
import { updateObject } from '../registry/update.js';
import { parseObjectBody } from '../request/body.js';
import { parseWriteOptions } from '../request/options.js';
import { statusResponse, writeScope, type Call } from './context.js';

const bindingCodec = createBuiltinCodec('', 'v1', 'Binding');

interface PodParts {
  spec?: { nodeName?: string };
  status?: { conditions?: Record<string, unknown>[] };
}

/** POST pods/NAME/binding: how a scheduler places a pod. */
export function* bindPod(call: Call): Flow<ApiResponse> {
  const { info } = call;
  const options = parseWriteOptions('CreateOptions', info.query);
  const target = readTarget(call);
  yield* updateObject(
    { ...writeScope(call, options.dryRun), subresource: 'binding' },
    {
      name: info.name,
      // eslint-disable-next-line require-yield
      *transform(existing) {
        if (existing === undefined) throw apiErrors.notFound(call.served.groupResource, info.name);
        return bound(call, existing, target);
      },
      mayCreate: false,
      isUidPrecondition: false,
    },
  );
  return statusResponse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, 201);
}

function readTarget(call: Call): string {
  const body = parseObjectBody(call.request, 'Binding', call.readYaml, 'v1');
  const binding = decodeBinding(body.value);
  if ((binding.metadata.name ?? '') !== call.info.name)
    throw apiErrors.badRequest('name in URL does not match name in Binding object');
  const errors = validateBinding(binding).map(fieldErrorMessage);
  // Not told as an invalid object, here alone.
  if (errors.length > 0)
    throw apiErrors.unclassified(errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
  return (binding['target'] as { name: string }).name;
}

function decodeBinding(value: unknown): KubeObject {
  try {
    return bindingCodec.decode(value).object;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw apiErrors.cannotBeHandledAs('Binding', 'v1', 'Binding', error.message);
  }
}

function bound(call: Call, pod: KubeObject, node: string): KubeObject {
  const { info, core } = call;
  const next = cloneObject(pod);
  const parts = next as PodParts;
  const conflict = (reason: string): Error =>
    apiErrors.conflict({ group: '', resource: 'pods/binding' }, info.name, reason);
  if (next.metadata.deletionTimestamp != null)
    throw conflict(`pod ${info.name} is being deleted, cannot be assigned to a host`);
  if (parts.spec?.nodeName)
    throw conflict(`pod ${info.name} is already assigned to node ${JSON.stringify(parts.spec.nodeName)}`);
  parts.spec = { ...parts.spec, nodeName: node };
  const others = (parts.status?.conditions ?? []).filter((condition) => condition['type'] !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: core.timestamp() };
  parts.status = { ...parts.status, conditions: [...others, scheduled] };
  return next;
}
