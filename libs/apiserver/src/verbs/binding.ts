import { apiErrors, fieldErrorMessage } from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { validateBinding } from '../builtin/index.js';
import { builtinApplyScopes } from '../registry/builtin-apply-scope.js';
import { createBuiltinCodec } from '../registry/builtin-codec.js';
import { cloneObject } from '../registry/clone.js';
import { matchNamespace, type WriteScope } from '../registry/create.js';
import type { Flow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import { updateObject } from '../registry/update.js';
import { parseObjectBody } from '../request/body.js';
import { decodeObject } from './decode-object.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { formOf, statusResponse, writeScope, type Call } from './context.js';
import { writerOf } from './write.js';

const bindingCodec = createBuiltinCodec('', 'v1', 'Binding');
const BINDING = { apiVersion: 'v1', kind: 'Binding', codec: bindingCodec };

interface PodParts {
  spec?: { nodeName?: string };
  status?: { conditions?: Record<string, unknown>[] };
}

/** POST pods/NAME/binding: how a scheduler places a pod. */
export function* bindPod(call: Call): Flow<ApiResponse> {
  const { info } = call;
  formOf(call);
  const options = parseWriteOptions('CreateOptions', info.query);
  const scope = writeScope(call, options.dryRun, { carried: BINDING });
  const target = targetOf(yield* admitted(call, scope, options));
  yield* updateObject(
    { ...scope, subresource: 'binding', admission: undefined },
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

/** Admission is asked about the binding, not about the pod. */
function* admitted(call: Call, scope: WriteScope, options: WriteOptions): Flow<KubeObject> {
  const binding = readBinding(call, options);
  const { admission } = scope;
  if (admission === undefined) return binding;
  matchNamespace(scope, binding);
  const definition = { ...call.served.definition, kind: 'Binding', plural: 'bindings' };
  const served = { ...call.served, applyScope: builtinApplyScopes(definition) };
  trackFields(served, 'binding', { live: undefined, next: binding }, writerOf(call, options));
  const wanted = yield* admission.mutate('CREATE', binding, undefined);
  yield* admission.validate('CREATE', wanted, undefined);
  return wanted;
}

function readBinding(call: Call, options: WriteOptions): KubeObject {
  const body = parseObjectBody(call.request, 'Binding', call.readYaml, 'v1');
  const definition = { ...call.served.definition, kind: 'Binding', plural: 'bindings' };
  const served = { ...call.served, definition, apiVersion: 'v1', codec: bindingCodec };
  const binding = decodeObject(served, body, options, call.warnings);
  call.audit?.asked(binding);
  if ((binding.metadata.name ?? '') !== call.info.name)
    throw apiErrors.badRequest('name in URL does not match name in Binding object');
  return binding;
}

function targetOf(binding: KubeObject): string {
  const errors = validateBinding(binding).map(fieldErrorMessage);
  // Not reported as an invalid object, here alone.
  if (errors.length > 0)
    throw apiErrors.unclassified(errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
  return (binding['target'] as { name: string }).name;
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
