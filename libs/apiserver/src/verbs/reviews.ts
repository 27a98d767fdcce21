import { FieldMatcher, RawValue, apiErrors } from '@capstan/meta';
import type { ApiResponse, FieldError, JsonObject, KubeObject, UserInfo } from '@capstan/meta';
import { joinedTexts, missingRoleText } from '../auth/rbac.js';
import { userFields } from '../builtin/shared/user-fields.js';
import { htmlEscaped } from '../codec/index.js';
import { matchNamespace } from '../registry/create.js';
import type { RequestAdmission } from '../registry/admission-chain.js';
import type { Flow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import { orderedObject, wipeSystemMetadata } from '../registry/metadata.js';
import { supportedMediaTypes } from '../negotiation/negotiate.js';
import { parseWriteOptions } from '../request/options.js';
import type { AccessAttributes } from '../auth/access.js';
import { formOf, objectResponse, writeScope, type Call } from './context.js';
import { readObject, writerOf } from './write.js';

type Verb = (call: Call) => Flow<ApiResponse>;

/** Fills in the answer to a question. */
type Answer = (call: Call, review: KubeObject) => KubeObject;

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: FieldSelectorAttributes | null;
}

interface FieldSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly { readonly key?: string; readonly operator?: string; readonly values?: string[] }[];
}

interface AccessSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

const GROUP = 'authorization.k8s.io';
const FIELD_OPERATORS = { In: '=', NotIn: '!=' } as const;

/** Questions pass admission like everything that is posted. */
function* admitted(admission: RequestAdmission | undefined, object: KubeObject): Flow<KubeObject> {
  if (admission === undefined) return object;
  const asked = yield* admission.mutate('CREATE', object, undefined);
  yield* admission.validate('CREATE', asked, undefined);
  return asked;
}

function review(answer: Answer): Readonly<Record<string, Verb>> {
  return {
    *create(call) {
      const { form, accepted } = formOf(call);
      if (accepted.as === 'Table') throw apiErrors.notAcceptable(supportedMediaTypes);
      const options = parseWriteOptions('CreateOptions', call.info.query);
      const { object, sent } = readObject(call, options);
      const scope = writeScope(call, options.dryRun);
      wipeSystemMetadata(object.metadata);
      matchNamespace(scope, object);
      trackFields(call.served, '', { live: undefined, next: object, sent }, writerOf(call, options));
      const asked = yield* admitted(scope.admission, object);
      return yield* objectResponse(form, { object: orderedObject(answer(call, asked)) }, 201);
    },
  };
}

function specErrors({ resourceAttributes, nonResourceAttributes }: AccessSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalid('spec.nonResourceAttributes', goNames(nonResourceAttributes), detail));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalid('spec.resourceAttributes', null, detail));
  }
  return errors;
}

function invalid(field: string, badValue: unknown, detail: string): FieldError {
  return { type: 'Invalid', field, badValue, detail };
}

/** Printed under the server's internal names. */
function goNames({ path = '', verb = '' }: NonNullable<AccessSpec['nonResourceAttributes']>): object {
  return { Path: path, Verb: verb };
}

function subjectErrors({ user = '', groups = [] }: AccessSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

/** A question is about no object of its own; only the namespace of a local one has a place. */
function metadataErrors(object: KubeObject, isLocal: boolean): FieldError[] {
  const given = Object.keys(object.metadata).filter(
    (key) => key !== 'managedFields' && !(isLocal && key === 'namespace'),
  );
  if (given.length === 0) return [];
  const detail = isLocal ? 'must be empty except for namespace' : 'must be empty';
  // Printed as a struct, in the order that stored metadata has; the version is a place kept for the store.
  const shown = Object.fromEntries(
    Object.entries(orderedObject(object).metadata).filter(([key, value]) => key !== 'resourceVersion' || value !== ''),
  );
  return [invalid('metadata', new RawValue(htmlEscaped(JSON.stringify(shown))), detail)];
}

function localErrors({ metadata }: KubeObject, spec: AccessSpec): FieldError[] {
  if (spec.nonResourceAttributes !== undefined)
    return [
      invalid('spec.nonResourceAttributes', goNames(spec.nonResourceAttributes), 'disallowed on this kind of request'),
    ];
  const namespace = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes === undefined || namespace === metadata.namespace) return [];
  return [invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace')];
}

function requireValid(errors: readonly FieldError[]): void {
  // The kind is left out of the sentence, as the real server has it.
  if (errors.length > 0) throw apiErrors.invalid({ group: GROUP, kind: '' }, '', errors);
}

/** The requirements that a field selector can express; others narrow nothing for the authorizer. */
function selectorText({ rawSelector = '', requirements = [] }: FieldSelectorAttributes): string {
  if (rawSelector !== '') return rawSelector;
  return FieldMatcher.of(
    requirements.flatMap(({ key: field = '', operator = '', values = [] }) => {
      const [value] = values;
      if (value === undefined || values.length !== 1 || !Object.hasOwn(FIELD_OPERATORS, operator)) return [];
      return [{ field, operator: FIELD_OPERATORS[operator as keyof typeof FIELD_OPERATORS], value }];
    }),
  ).toString();
}

const NOTHING = { verb: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '', path: '' };

function askedOf({ resourceAttributes, nonResourceAttributes }: AccessSpec): AccessAttributes {
  if (resourceAttributes === undefined) return { ...NOTHING, ...nonResourceAttributes, isResource: false };
  const { fieldSelector, ...asked } = resourceAttributes;
  return { ...NOTHING, ...asked, isResource: true, fieldSelector: selectorText(fieldSelector ?? {}) };
}

function decided(call: Call, object: KubeObject, user: UserInfo): KubeObject {
  const { allowed, reason } = call.access.authorize(user, askedOf((object['spec'] ?? {}) as AccessSpec));
  return { ...object, status: { allowed, ...(reason === undefined || reason === '' ? {} : { reason }) } };
}

function subjectAccess(isLocal: boolean): Answer {
  return (call, object) => {
    const spec = (object['spec'] ?? {}) as AccessSpec;
    requireValid([
      ...specErrors(spec),
      ...subjectErrors(spec),
      ...metadataErrors(object, isLocal),
      ...(isLocal ? localErrors(object, spec) : []),
    ]);
    const { user = '', groups = [], uid, extra } = spec;
    return decided(call, object, {
      username: user,
      groups,
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
    });
  };
}

const selfAccess: Answer = (call, object) => {
  requireValid([...specErrors((object['spec'] ?? {}) as AccessSpec), ...metadataErrors(object, false)]);
  return decided(call, object, call.user);
};

const selfRules: Answer = ({ access, user }, { kind, apiVersion, ...object }) => {
  const { namespace = '' } = (object['spec'] ?? {}) as { namespace?: string };
  if (namespace === '') throw apiErrors.badRequest('no namespace on request');
  const { rules, missing, incomplete } = access.rulesFor(user, namespace);
  const resourceRules = rules
    .filter(({ resources }) => resources.length > 0)
    .map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames.length === 0 ? {} : { resourceNames }),
    }));
  const nonResourceRules = rules
    .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  const errors = [...(incomplete === undefined ? [] : [incomplete]), ...missing.map(missingRoleText)];
  const evaluationError = errors.length === 0 ? {} : { evaluationError: joinedTexts(errors) };
  const status = { resourceRules, nonResourceRules, incomplete: incomplete !== undefined, ...evaluationError };
  // Nothing of the question comes back.
  return { kind, apiVersion, metadata: {}, spec: {}, status } as KubeObject;
};

const selfSubject: Answer = ({ core, user }, { kind, apiVersion }) => ({
  kind,
  apiVersion,
  metadata: { creationTimestamp: core.timestamp() },
  status: { userInfo: userFields(user) },
});

const token: Answer = (call, object) => {
  const { token: text = '', audiences = [] } = (object['spec'] ?? {}) as { token?: string; audiences?: string[] };
  if (text === '') throw apiErrors.badRequest('token is required for TokenReview in authentication');
  const verified = call.access.review(text, audiences);
  // What the answer does not say is left as it was sent.
  const { user = {}, audiences: sent, error } = (object['status'] ?? {}) as JsonObject;
  const status =
    'error' in verified
      ? { user, ...(sent === undefined ? {} : { audiences: sent }), error: verified.error }
      : {
          authenticated: true,
          user: userFields(verified.user),
          audiences: verified.audiences,
          ...(error === undefined ? {} : { error }),
        };
  return { ...object, status };
};

/** The verbs of the resources that are questions: created, answered and forgotten. By partition, which stays empty. */
export const REVIEWS: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  'authentication.k8s.io/selfsubjectreviews': review(selfSubject),
  'authentication.k8s.io/tokenreviews': review(token),
  'authorization.k8s.io/localsubjectaccessreviews': review(subjectAccess(true)),
  'authorization.k8s.io/selfsubjectaccessreviews': review(selfAccess),
  'authorization.k8s.io/selfsubjectrulesreviews': review(selfRules),
  'authorization.k8s.io/subjectaccessreviews': review(subjectAccess(false)),
};
