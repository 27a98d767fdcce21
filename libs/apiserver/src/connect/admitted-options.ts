import { structOf } from '@capstan/api/kubernetes';
import { apiErrors } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { CarriedKind } from '../admission/admitted-kinds.js';
import { admitConnect } from '../admission/request-admission.js';
import { createBuiltinCodec } from '../registry/builtin-codec.js';
import type { Flow } from '../registry/effects.js';
import type { ObjectCodec } from '../registry/served-resource.js';
import type { Call } from '../verbs/context.js';

const API_VERSION = 'v1';

/** The kinds of what is asked about when something is connected. */
export type OptionsKind =
  | 'PodExecOptions'
  | 'PodAttachOptions'
  | 'PodPortForwardOptions'
  | 'PodProxyOptions'
  | 'ServiceProxyOptions'
  | 'NodeProxyOptions';

/** Asks admission, and gives the options as it wants them. Nobody has looked for the pod, service or node yet. */
export function* admittedOptions<T extends object>(call: Call, kind: OptionsKind, options: T): Flow<T> {
  const object = { kind, apiVersion: API_VERSION, ...options };
  return (yield* admitConnect(call, () => carriedOptions(kind), object)) as T;
}

function carriedOptions(kind: OptionsKind): CarriedKind {
  const codec = createBuiltinCodec('', API_VERSION, kind);
  const ofOptions: ObjectCodec = { ...codec, decode: (value, notes) => decodeOptions(codec, kind, value, notes) };
  return { apiVersion: API_VERSION, kind, codec: ofOptions };
}

/** Options are no objects: they have no metadata. */
function decodeOptions(
  codec: ObjectCodec,
  kind: OptionsKind,
  value: unknown,
  notes: Parameters<ObjectCodec['decode']>[1],
): ReturnType<ObjectCodec['decode']> {
  requireKind(kind, value as Partial<KubeObject>);
  const { object, unknownFields } = codec.decode(value, notes);
  const { metadata: _none, ...options } = object;
  return { object: options as KubeObject, unknownFields };
}

function requireKind(wanted: OptionsKind, { kind = wanted, apiVersion = API_VERSION }: Partial<KubeObject>): void {
  if (kind === wanted && apiVersion === API_VERSION) return;
  if (apiVersion === API_VERSION && structOf('', API_VERSION, kind) !== undefined)
    throw apiErrors.unclassified(`converting (v1.${kind}) to (core.${wanted}): unknown conversion`);
  const what = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
  throw apiErrors.internal(`${what} in scheme "pkg/runtime/scheme.go:111"`);
}
