import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { apiErrors, formatTime } from '@capstan/meta';
import type { ApiResponse, FieldError, KubeObject } from '@capstan/meta';
import { admissionOf } from '../admission/request-admission.js';
import type { PrivateClaims, Referred } from '../auth/service-account-tokens.js';
import { builtinApplyScopes } from '../registry/builtin-apply-scope.js';
import { createBuiltinCodec } from '../registry/builtin-codec.js';
import type { Flow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import type { ServedResource } from '../registry/served-resource.js';
import { parseWriteOptions } from '../request/options.js';
import { formOf, objectResponse, type Call } from './context.js';
import { readObject, writerOf } from './write.js';

interface BoundRef {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface TokenSpec {
  audiences?: readonly string[] | null;
  expirationSeconds?: number | bigint | null;
  boundObjectRef?: BoundRef | null;
}

const GROUP_KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const codec = createBuiltinCodec('authentication.k8s.io', 'v1', 'TokenRequest');
const TOKEN_REQUEST = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', codec };

/** Requests are read and shown as a kind of their own, under the account they are for. */
function asTokenRequest({ strategy, printer: _printer, ...served }: ServedResource): ServedResource {
  const definition: ResourceDefinition = {
    ...served.definition,
    ...GROUP_KIND,
    version: 'v1',
    plural: 'tokenrequests',
  };
  const { applyDefaults: _defaults, ...rest } = strategy;
  return {
    ...served,
    definition,
    apiVersion: 'authentication.k8s.io/v1',
    groupKind: GROUP_KIND,
    strategy: rest,
    codec,
    applyScope: builtinApplyScopes(definition),
  };
}

/** POST serviceaccounts/NAME/token */
export function* requestToken(call: Call): Flow<ApiResponse> {
  const { core, info, access } = call;
  const served = asTokenRequest(call.served);
  const asked = { ...call, served };
  const { form } = formOf(asked);
  const options = parseWriteOptions('CreateOptions', info.query);
  const { object: given, sent } = readObject(asked, options);
  ((given['spec'] ??= {}) as TokenSpec).expirationSeconds ??= DEFAULT_SECONDS;
  trackFields(served, 'token', { live: undefined, next: given, sent }, writerOf(call, options));
  const admission = admissionOf(call, { dryRun: options.dryRun, carried: TOKEN_REQUEST });
  const object = admission === undefined ? given : yield* admission.mutate('CREATE', given, undefined);
  const spec = (object['spec'] ?? {}) as TokenSpec;
  const account = core.store.get('/serviceaccounts', call.namespace, info.name)?.object();
  if (account === undefined) throw apiErrors.notFound(call.served.groupResource, info.name);
  requireOwnName(object, account);
  const seconds = requireSeconds(spec);
  if (admission !== undefined) yield* admission.validate('CREATE', object, undefined);
  const audiences = spec.audiences?.length ? spec.audiences : access.tokens.audiences;
  const claims = claimsOf(call, account, spec.boundObjectRef ?? undefined);
  const { token, expires } = access.tokens.issue({ id: core.uid(), audiences, seconds, claims });
  const { name, namespace, uid } = account.metadata;
  const { managedFields } = object.metadata;
  const metadata = {
    name,
    namespace,
    uid,
    creationTimestamp: core.timestamp(),
    ...(managedFields === undefined ? {} : { managedFields }),
  } as KubeObject['metadata'];
  const answer = {
    kind: object.kind,
    apiVersion: object.apiVersion,
    metadata,
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec.boundObjectRef ?? null },
    status: { token, expirationTimestamp: formatTime(expires * 1000) },
  };
  return yield* objectResponse(form, { object: answer }, 201);
}

function requireOwnName({ metadata }: KubeObject, account: KubeObject): void {
  const { name = '' } = account.metadata;
  const errors: FieldError[] = [];
  for (const [key, what] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
  ] as const) {
    const given = metadata[key];
    if (!given || given === account.metadata[key]) continue;
    const detail = `must match the service account ${what} if specified`;
    errors.push({ type: 'Invalid', field: `metadata.${key}`, badValue: given, detail });
  }
  if (errors.length > 0) throw apiErrors.invalid(GROUP_KIND, name, errors);
}

function requireSeconds({ expirationSeconds }: TokenSpec): number {
  const seconds = Number(expirationSeconds);
  const detail =
    seconds < MIN_SECONDS
      ? 'may not specify a duration less than 10 minutes'
      : seconds > MAX_SECONDS
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (detail === undefined) return seconds;
  const error = { type: 'Invalid', field: 'spec.expirationSeconds', badValue: expirationSeconds, detail } as const;
  throw apiErrors.invalid(GROUP_KIND, '', [error]);
}

function podClaims(call: Call, pod: KubeObject, account: string): Pick<PrivateClaims, 'node' | 'pod'> {
  const { serviceAccountName, nodeName } = (pod['spec'] ?? {}) as Record<string, string | undefined>;
  if (serviceAccountName !== account) {
    const name = JSON.stringify(account);
    throw apiErrors.badRequest(
      `cannot bind token for serviceaccount ${name} to pod running with different serviceaccount name.`,
    );
  }
  const node = nodeName ? call.core.store.get('/nodes', '', nodeName)?.object() : undefined;
  return { ...(node === undefined ? {} : { node: referred(node) }), pod: referred(pod) };
}

function claimsOf(call: Call, account: KubeObject, ref: BoundRef | undefined): PrivateClaims {
  const { namespace } = call;
  const serviceaccount = referred(account);
  if (ref === undefined) return { namespace, serviceaccount };
  switch (`${ref.apiVersion ?? ''}/${ref.kind ?? ''}`) {
    case 'v1/Pod':
      return { namespace, ...podClaims(call, bound(call, 'pods', ref), serviceaccount.name), serviceaccount };
    case 'v1/Secret':
      return { namespace, secret: referred(bound(call, 'secrets', ref)), serviceaccount };
    case 'v1/Node':
      return { namespace, node: referred(bound(call, 'nodes', ref)), serviceaccount };
    default: {
      const { apiVersion = '', kind = '' } = ref;
      const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
      throw apiErrors.badRequest(`cannot bind token to object of type ${groupVersion}, Kind=${kind}`);
    }
  }
}

function referred({ metadata: { name = '', uid = '' } }: KubeObject): Referred {
  return { name, uid };
}

function bound(call: Call, resource: string, { kind = '', name = '', uid = '' }: BoundRef): KubeObject {
  const namespace = resource === 'nodes' ? '' : call.namespace;
  const found = call.core.store.get(`/${resource}`, namespace, name)?.object();
  if (found === undefined) throw apiErrors.notFound({ group: '', resource }, name);
  if (uid === '' || uid === found.metadata.uid) return found;
  throw apiErrors.conflict(
    { group: '', resource: kind },
    name,
    `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
  );
}
