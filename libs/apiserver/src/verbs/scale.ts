import {
  ApiError,
  apiErrors,
  failure,
  goQuote,
  invalid,
  isBadRequest,
  nameIsDnsSubdomain,
  validateObjectMeta,
} from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { BASE as PLAIN_STRATEGY } from '../builtin/base.js';
import type { ScaleMapping } from '../builtin/strategy.js';
import { TypedDecodeError } from '../codec/index.js';
import { cloneObject } from '../registry/clone.js';
import { createScaleCodec } from '../registry/builtin-codec.js';
import type { RequestAdmission } from '../registry/admission-chain.js';
import { admitted, shownOf } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import { entriesOf, setManagedFields } from '../registry/field-tracking.js';
import type { ServedResource } from '../registry/served-resource.js';
import { updateObject } from '../registry/update.js';
import { parseObjectBody } from '../request/body.js';
import { decodeObject } from './decode-object.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { ValuePayload } from '../response/payload.js';
import type { ObjectForm } from '../response/forms.js';
import { formOf, writeScope, type Call, headersIn } from './context.js';
import { isApply, readApply, refuseRepeated } from './apply.js';
import { decodePatched, lazyPatch, parsePatchOptions, requireKnownPatch, shownPatched } from './patch.js';
import { applyScale, managedScale, trackScale, type ScaleManagers } from './scale-fields.js';
import { requireName, writerOf } from './write.js';

interface ScaleBody extends KubeObject {
  spec?: { replicas?: number };
}

const scaleCodec = createScaleCodec();
const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale', codec: scaleCodec };
/** Stands for a number that is not there, while a patch is laid over it. */
const NO_REPLICAS = -2147483648;

/** The Scale that stands for an object's replica count. */
function scaleOf(mapping: ScaleMapping, object: KubeObject): ScaleBody {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = mapping.specReplicas(object);
  const selector = mapping.selector(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as KubeObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: mapping.statusReplicas(object), ...(selector === '' ? {} : { selector }) },
  };
}

/** Admission sees the Scale, and may change no more than it holds. */
function scaleAdmission(
  call: Call,
  mapping: ScaleMapping,
  admission: RequestAdmission,
  last: { readonly wanted?: WantedScale },
): RequestAdmission {
  const shown = (object: KubeObject | undefined): ScaleBody | undefined => object && scaleOf(mapping, object);
  return {
    *mutate(operation, object, old) {
      const before = last.wanted === undefined ? scaleOf(mapping, object) : sentForm(call, last.wanted);
      const live = old && managedScale(call.served, old, scaleOf(mapping, old));
      const after = (yield* admission.mutate(operation, before, live)) as ScaleBody;
      if (after === before) return object;
      const replicas = after.spec?.replicas ?? 0;
      if (mapping.custom === undefined) requireValid(call, after);
      const next = cloneObject(object);
      mapping.setReplicas(next, replicas);
      return next;
    },
    *validate(operation, object, old) {
      yield* admission.validate(operation, scaleOf(mapping, object), shown(old));
      return object;
    },
    delete: (old, grace) => admission.delete(scaleOf(mapping, old), grace),
  };
}

/** The Scale as it was sent, in its namespace and with its managers. */
function sentForm(call: Call, { scale, ofScale }: WantedScale): ScaleBody {
  const sent = { ...scale, metadata: { ...scale.metadata, namespace: call.namespace } };
  setManagedFields(sent, ofScale);
  return sent;
}

/** A Scale of a built-in kind is checked like an object of its own, although only its number counts. */
function requireValid({ info, namespace }: Call, { metadata, spec }: ScaleBody): void {
  // Managers are distinguished before, and those that are wrong are forgotten.
  const { managedFields: _managers, ...sent } = { ...metadata, namespace: metadata.namespace || namespace };
  const errors = validateObjectMeta(sent, { namespaced: true, nameValidator: nameIsDnsSubdomain, builtIn: true });
  const replicas = spec?.replicas ?? 0;
  if (replicas < 0) errors.push(invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) throw apiErrors.invalid({ group: 'autoscaling', kind: 'Scale' }, info.name, errors);
}

function mappingOf(call: Call): ScaleMapping {
  const { scale } = call.served.strategy;
  if (scale === undefined) throw apiErrors.resourceNotServed();
  return scale;
}

/** How the client wants to see the Scale, whose columns are the same whatever it scales. */
function scaleForm(call: Call): ObjectForm {
  const { printer: _printer, conversion: _conversion, custom, ...served } = call.served;
  const shown = { ...served, groupKind: { group: 'autoscaling', kind: 'Scale' } };
  return formOf({ ...call, served: shown }, false, custom !== undefined).form;
}

function scaleResponse(form: ObjectForm, scale: ScaleBody): ApiResponse {
  return {
    status: 200,
    headers: headersIn(form),
    body: new ValuePayload(form.show(scale, true), form.encoding.body),
  };
}

/** `Internal error occurred: …`. */
function internalError(reason: string): ApiError {
  const details = { causes: [{ message: reason }] };
  return new ApiError(failure(500, 'InternalError', `Internal error occurred: ${reason}`, details));
}

/** GET of the scale. */
export function* getScale(call: Call): Flow<ApiResponse> {
  const { core, served, namespace, info } = call;
  const form = scaleForm(call);
  const stored = core.store.get(served.storage, namespace, info.name);
  if (stored === undefined) throw apiErrors.notFound(served.groupResource, info.name);
  const mapping = mappingOf(call);
  const object = yield* admitted(served, stored.object());
  const scale = scaleOf(mapping, object);
  const { custom } = mapping;
  if (custom?.hasReplicas(object) === false)
    throw internalError(`the spec replicas field ${goQuote(custom.path)} does not exist`);
  return scaleResponse(form, scale);
}

/** PUT and PATCH of the scale: an update of the object that changes nothing but its replicas. */
export function* writeScale(call: Call): Flow<ApiResponse> {
  const mapping = mappingOf(call);
  const { info } = call;
  if (info.verb === 'patch' && !isApply(call)) requireKnownPatch(call);
  const form = scaleForm(call);
  const options = scaleOptions(call);
  const wanted = wantedScale(call, mapping, options);
  const written = writeScope(call, options.dryRun, { carried: SCALE });
  // The write is to the object itself: generation and validation follow the main strategy.
  const last: { wanted?: WantedScale } = {};
  const admission = written.admission && scaleAdmission(call, mapping, written.admission, last);
  const scope = { ...written, subresource: '', admission };
  const result = yield* updateObject(scope, {
    name: info.name,
    // eslint-disable-next-line require-yield
    *transform(existing) {
      if (existing === undefined) throw apiErrors.notFound(call.served.groupResource, info.name);
      last.wanted = wanted.of(existing);
      return rescaled(call, mapping, existing, last.wanted);
    },
    mayCreate: false,
    isUidPrecondition: false,
    uid: wanted.uid,
  });
  const object = yield* admitted(call.served, 'stored' in result ? result.stored.object() : result.object);
  return scaleResponse(form, scaleOf(mapping, object));
}

function scaleOptions(call: Call): WriteOptions {
  const { verb, query } = call.info;
  if (verb !== 'patch') return parseWriteOptions('UpdateOptions', query);
  return isApply(call) ? parseWriteOptions('PatchOptions', query) : parsePatchOptions(call);
}

/** The Scale a request wants, and who owns what then. */
interface WantedScale extends ScaleManagers {
  readonly scale: ScaleBody;
}

/** How the wanted Scale is found. */
interface ScaleChange {
  /** Of a PUT: whose Scale it is meant to be. */
  readonly uid?: string | undefined;
  readonly of: (existing: KubeObject) => WantedScale;
}

function wantedScale(call: Call, mapping: ScaleMapping, options: WriteOptions): ScaleChange {
  const { served, core, info } = call;
  if (isApply(call)) {
    const read = readApply(call);
    return {
      of: (existing) => {
        const merged = applyScale(served, existing, scaleOf(mapping, existing), read, core.timestamp());
        refuseRepeated(call, read.repeated, options);
        return { ...merged, scale: decodeScale(merged.scale) };
      },
    };
  }
  const sent = info.verb === 'patch' ? undefined : sentScale(call, options);
  const after = sent === undefined ? patchedScale(call, mapping, options) : () => sent;
  return {
    uid: sent?.metadata.uid,
    of: (existing) => {
      const scale = after(existing);
      const scales = { before: scaleOf(mapping, existing), after: scale };
      return { scale, ...trackScale(served, existing, scales, writerOf(call, options)) };
    },
  };
}

/** The same resource, as far as a Scale is concerned. */
function servedScale({ served }: Call): ServedResource {
  const { custom: _custom, conversion: _conversion, ...rest } = served;
  const definition = { ...served.definition, group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return { ...rest, definition, apiVersion: 'autoscaling/v1', codec: scaleCodec, strategy: PLAIN_STRATEGY };
}

function requireScaleOf({ info, namespace }: Call, scale: ScaleBody): ScaleBody {
  const given = scale.metadata.namespace ?? '';
  if (given !== '' && given !== namespace) throw apiErrors.namespaceMismatch();
  requireName(scale, info.name);
  return scale;
}

function sentScale(call: Call, options: WriteOptions): ScaleBody {
  return requireScaleOf(call, readScale(call, options));
}

function readScale(call: Call, options: WriteOptions): ScaleBody {
  try {
    const body = parseObjectBody(call.request, 'Scale', call.readYaml, 'autoscaling/v1');
    return decodeObject(servedScale(call), body, options, call.warnings) as ScaleBody;
  } catch (error) {
    // Custom resources have no scheme in which a Scale would be known, so the message is shorter.
    if (call.served.custom === undefined || !isBadRequest(error)) throw error;
    throw apiErrors.badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

function patchedScale(call: Call, mapping: ScaleMapping, options: WriteOptions): (existing: KubeObject) => ScaleBody {
  const compile = lazyPatch(call, scaleCodec.patchSchema, options);
  const ofScale = { ...call, served: servedScale(call) };
  return (existing) => {
    const compiled = compile();
    const before = scaleOf(mapping, existing);
    if (mapping.custom?.hasReplicas(existing) === false) before.spec = { replicas: NO_REPLICAS };
    const shownAs = (): string => shownPatched(compiled, managedScale(call.served, existing, before));
    const patched = { before, value: compiled.apply(before), shownAs };
    return requireScaleOf(call, decodePatched(ofScale, compiled, patched, options) as ScaleBody);
  };
}

function decodeScale(value: unknown): ScaleBody {
  try {
    return scaleCodec.decode(value).object as ScaleBody;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw apiErrors.cannotBeHandledAs('Scale', 'v1', 'Scale', error.message);
  }
}

/** The error that the storage would have answered a PUT with. */
function uidMismatch({ served, info }: Call, uid: string, { metadata }: KubeObject): Error {
  const { group, resource } = served.groupResource;
  const reason = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`;
  return apiErrors.conflict({ group, resource: `${resource}/scale` }, info.name, reason);
}

function rescaled(
  call: Call,
  mapping: ScaleMapping,
  existing: KubeObject,
  { scale, managedFields }: WantedScale,
): KubeObject {
  const replicas = scale.spec?.replicas ?? 0;
  const { custom } = mapping;
  if (custom !== undefined && replicas === NO_REPLICAS)
    throw apiErrors.badRequest(`the spec replicas field ${goQuote(custom.path)} cannot be empty`);
  if (custom === undefined) requireValid(call, scale);
  const { conversion } = call.served;
  const next = cloneObject(shownOf(call.served, existing));
  const { resourceVersion, uid } = scale.metadata;
  if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
  else if (custom === undefined) delete next.metadata.resourceVersion;
  if (custom === undefined && uid && uid !== existing.metadata.uid) throw uidMismatch(call, uid, existing);
  mapping.setReplicas(next, replicas);
  setManagedFields(next, entriesOf(call.served, managedFields));
  return conversion === undefined ? next : conversion.toStorage(next);
}
