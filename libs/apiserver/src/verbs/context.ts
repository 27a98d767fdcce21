import { ApiError, apiErrors } from '@capstan/meta';
import type { ApiRequest, ApiResponse, PayloadBody, Status } from '@capstan/meta';
import { admissionOf, type AdmissionCall, type AdmittedRequest } from '../admission/request-admission.js';
import type { AuditTrail } from '../audit/index.js';
import type { AccessControl } from '../auth/access-control.js';
import type { Ways } from './connectors.js';
import { viewed } from '../registry/conversion.js';
import type { Core } from '../registry/core.js';
import type { WriteScope, Written } from '../registry/create.js';
import type { EffectDriver, Flow } from '../registry/effects.js';
import type { YamlReader } from '../yaml/types.js';
import {
  convertAhead,
  encodeAs,
  formFor,
  formOfViews,
  valueAs,
  type ObjectForm,
  type WantedForm,
} from '../response/forms.js';
import { ListPayload, type ListMeta } from '../response/list-body.js';
import { EncodedPayload, StatusPayload, ValuePayload } from '../response/payload.js';
import { parseIncludeObject, transformMismatch } from '../table/index.js';
import {
  negotiate,
  supportedMediaTypes,
  supportedStreamMediaTypes,
  type Negotiated,
} from '../negotiation/negotiate.js';
import { storedBytes, type ViewedList } from './viewed-list.js';

/** One resource request on its way through a verb. */
export interface Call extends AdmissionCall {
  readonly core: Core;
  readonly request: ApiRequest;
  /** Empty for cluster-scoped resources, whatever the path holds. */
  readonly namespace: string;
  readonly readYaml: YamlReader | undefined;
  readonly access: AccessControl;
  /** How nodes and pods are reached; absent where they cannot be. */
  readonly ways: Ways;
  /** Carries out the effects of what goes on after the answer, as a watch does. */
  readonly drive: EffectDriver;
  /** Absent when nothing is recorded of the request. */
  readonly audit: AuditTrail | undefined;
}

/** A media type the routes serve, whatever its parameters ask for. */
const SERVED_TYPE = /(?:^|,)\s*(?:\*\/\*|application\/(?:json|yaml|vnd\.kubernetes\.protobuf))\s*(?:[;,]|$)/;

/** What the route of logs serves besides, although nothing behind it does. */
const TEXT_TYPE = /(?:^|,)\s*text\/plain\s*(?:[;,]|$)/;

/** The router looks at types alone and answers for them; their parameters are refused by the handler behind it. */
function refusal(call: Call, isCustom: boolean): Error {
  const { accept = '' } = call.request.headers;
  const isText = call.info.subresource === 'log';
  // Custom resources have no routes of their own that anybody could look at.
  if (isCustom || SERVED_TYPE.test(accept) || (isText && TEXT_TYPE.test(accept)))
    return apiErrors.notAcceptable(supportedMediaTypes);
  // Nobody behind the router was asked, so that nobody has warned.
  call.warnings.splice(0);
  if (isText) return apiErrors.notAcceptableRoute(['text/plain', ...supportedMediaTypes]);
  const isCollection = call.info.verb === 'list' || call.info.verb === 'watch';
  return apiErrors.notAcceptableRoute(
    isCollection ? [...supportedMediaTypes, ...supportedStreamMediaTypes] : supportedMediaTypes,
  );
}

/** One object is not a list, and a list not one object. */
function mismatchOf({ info, served }: Call, { accepted: { as } }: Pick<WantedForm, 'accepted'>): Error | undefined {
  if (as === undefined) return undefined;
  const { verb } = info;
  const message = transformMismatch(as, served.groupKind, verb === 'list' || verb === 'deletecollection');
  if (message === undefined) return undefined;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NotAcceptable',
    code: 406,
  });
}

/** The headers of an answer in a form; throws where there is no such form of it. */
export function headersIn({ encoding, refusal: unshown }: ObjectForm): ObjectForm['encoding']['headers'] {
  if (unshown !== undefined) throw unshown;
  return encoding.headers;
}

/** What is never shown as a table, although what it belongs to is. */
const WITHOUT_TABLES = new Set([
  'apiextensions.k8s.io/customresourcedefinitions/status',
  'certificates.k8s.io/certificatesigningrequests/approval',
  '/namespaces/finalize',
  '/pods/binding',
  '/pods/ephemeralcontainers',
  '/pods/eviction',
  '/pods/log',
  '/pods/resize',
  '/serviceaccounts/token',
]);

function hasNoTable({ info: { group, resource, subresource } }: Call): boolean {
  return subresource !== '' && WITHOUT_TABLES.has(`${group}/${resource}/${subresource}`);
}

/** What the client accepts; throws where that is nothing that could be given. */
function acceptedBy(call: Call, stream: boolean, isCustom: boolean): Negotiated {
  const { accept } = call.request.headers;
  const accepted = negotiate(accept, { stream, isCustom });
  // The router knows no half wildcards.
  const isHalfWild = accept === 'application/*' && !isCustom;
  if (accepted === 'not-acceptable' || isHalfWild) throw refusal(call, isCustom);
  if (accepted.as === 'Table' && hasNoTable(call)) throw apiErrors.notAcceptable(supportedMediaTypes);
  return accepted;
}

/** How the client wants to see objects; refuses what cannot be given. */
export function formOf(call: Call, stream = false, isCustom = call.served.custom !== undefined): WantedForm {
  const accepted = acceptedBy(call, stream, isCustom);
  const wanted = parseIncludeObject(call.info.query.get('includeObject'));
  const isBadTable = accepted.as === 'Table' && 'error' in wanted;
  if (isBadTable && stream) throw apiErrors.badRequest(wanted.error);
  const include = 'error' in wanted ? 'Metadata' : wanted.includeObject;
  const form = formFor(call.served, accepted, include, () => call.core.clock.now());
  const unshown = isBadTable ? apiErrors.badRequest(wanted.error) : stream ? undefined : mismatchOf(call, { accepted });
  return { form: unshown === undefined ? form : { ...form, refusal: unshown }, accepted, include };
}

/** The scope of a write verb. */
export function writeScope(call: Call, dryRun: boolean, request: Omit<AdmittedRequest, 'dryRun'> = {}): WriteScope {
  const { core, served, namespace, warnings, info, user, access } = call;
  const guard = access.guard(user, info);
  const admission = admissionOf(call, { dryRun, ...request });
  const { authorize } = access;
  const { subresource } = info;
  return { core, served, namespace, dryRun, subresource, warnings, user, authorize, guard, admission };
}

function* shown(form: ObjectForm, written: Written): Flow<PayloadBody> {
  if ('stored' in written) {
    const { stored } = written;
    const ready = yield* convertAhead(form, [stored], {});
    return new EncodedPayload(
      () => encodeAs(ready, stored),
      () => valueAs(ready, stored),
    );
  }
  const object = yield* viewed(form.served, written.object);
  // A dry run of a create has no version.
  if (object.metadata.resourceVersion === '') delete object.metadata.resourceVersion;
  return new ValuePayload(form.show(object, true), form.encoding.body);
}

/** An answer that is one object. */
export function* objectResponse(form: ObjectForm, written: Written, status = 200): Flow<ApiResponse> {
  return { status, headers: headersIn(form), body: yield* shown(form, written) };
}

/** An answer that is a list. */
export function* listResponse(
  call: Call,
  given: WantedForm,
  { items, views }: Pick<ViewedList, 'items' | 'views'>,
  metadata: ListMeta,
): Flow<ApiResponse> {
  const { clock, conversionRoom } = call.core;
  const isConverted = call.served.conversion?.remote !== undefined;
  const ownBytes = isConverted ? storedBytes(items) : 0;
  const convert = (): Flow<ObjectForm> => convertAhead(given.form, items, clock);
  const form =
    views !== undefined
      ? formOfViews(given.form, views)
      : isConverted
        ? yield* conversionRoom.within(ownBytes, convert)
        : given.form;
  const wanted = { ...given, form };
  return {
    status: 200,
    headers: headersIn(wanted.form),
    body: new ListPayload({ wanted, items, metadata, now: clock.now(), ownBytes }),
  };
}

/** An answer that is a Status. */
export function statusResponse(status: Status, code = status.code ?? 200): ApiResponse {
  const retryAfter = status.details?.retryAfterSeconds;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status: code, headers, body: new StatusPayload(status) };
}
