/** The catalogue, part three: answers of authorization and admission. Each row: code, reason, message. */
import { formatGroupResource, type GroupResource } from '../gvk/gvk.js';
import { goQuote } from '../json/go-text.js';
import { ApiError } from './api-error.js';
import { badRequest, internal } from './request-errors.js';
import { failure, type Status, type StatusDetails } from './status.js';

function forbiddenMessage(resource: GroupResource | undefined, name: string, reason: string): string {
  if (resource === undefined || (resource.group === '' && resource.resource === '')) return `forbidden: ${reason}`;
  const text = formatGroupResource(resource);
  return name === '' ? `${text} is forbidden: ${reason}` : `${text} ${goQuote(name)} is forbidden: ${reason}`;
}

function forbiddenWith(
  resource: GroupResource | undefined,
  name: string,
  reason: string,
  causes: NonNullable<StatusDetails['causes']>,
): ApiError {
  const details = { name, group: resource?.group ?? '', kind: resource?.resource ?? '', causes };
  return new ApiError(failure(403, 'Forbidden', forbiddenMessage(resource, name, reason), details));
}

/** 403 Forbidden: `widgets.example.com "x" is forbidden: <reason>`; no name: without it; no resource: `forbidden: <reason>`. */
export function forbidden(resource: GroupResource | undefined, name: string, reason: string): ApiError {
  return forbiddenWith(resource, name, reason, []);
}

/** What a user may not do. Without `resource` it is a path. */
export interface DeniedRequest {
  readonly user: string;
  readonly verb: string;
  readonly resource?: GroupResource;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly path?: string;
}

function deniedText(request: DeniedRequest): string {
  const start = `User ${goQuote(request.user)} cannot ${request.verb}`;
  if (request.resource === undefined) return `${start} path ${goQuote(request.path ?? '')}`;
  const { group, resource } = request.resource;
  const target = request.subresource ? `${resource}/${request.subresource}` : resource;
  const scope = request.namespace ? `in the namespace ${goQuote(request.namespace)}` : 'at the cluster scope';
  return `${start} resource ${goQuote(target)} in API group ${goQuote(group)} ${scope}`;
}

const html: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** 403 Forbidden of the authorizer: `pods is forbidden: User "u" cannot list resource "pods" in API group "" in the namespace "n"`. */
export function forbiddenRequest(request: DeniedRequest, reason = ''): ApiError {
  // The server will not echo what a browser might take for markup; the authorizer's own reason is trusted.
  const text = deniedText(request).replace(/[&<>]/g, (character) => html[character] ?? character);
  return forbidden(request.resource, request.name ?? '', reason === '' ? text : `${text}: ${reason}`);
}

/** 403 Forbidden with cause NamespaceTerminating; `name` is the object's name, else its generateName, else `Unknown`. */
export function namespaceTerminating(resource: GroupResource, name: string, namespace: string): ApiError {
  const reason = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return forbiddenWith(resource, name, reason, [cause]);
}

/** 403 Forbidden: default, kube-system and kube-public stay. */
export function namespaceImmortal(name: string): ApiError {
  return forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted');
}

/** The codes a policy may choose with its reason. */
const policyCodes: ReadonlyMap<string, number> = new Map([
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['Invalid', 422],
  ['RequestEntityTooLarge', 413],
]);

/** 422 Invalid (or the reason the policy chose) in the shape of a 403: `… is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: <message>`. */
export function policyDenied(
  resource: GroupResource,
  name: string,
  denial: { readonly policy: string; readonly binding?: string; readonly message: string; readonly reason?: string },
): ApiError {
  const binding = denial.binding ? ` with binding '${denial.binding}'` : '';
  const text = `ValidatingAdmissionPolicy '${denial.policy}'${binding} denied request: ${denial.message}`;
  const reason = denial.reason || 'Invalid';
  const { status } = forbiddenWith(resource, name, text, [{ message: text }]);
  return new ApiError(failure(policyCodes.get(reason) ?? 422, reason, status.message ?? '', status.details));
}

/** What a webhook may say about its refusal. */
export interface WebhookResult {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: StatusDetails;
  readonly metadata?: Status['metadata'];
}

/** The webhook's own code (400 if below), reason and details: `admission webhook "w" denied the request: <message>`. */
export function webhookDenied(webhook: string, result: WebhookResult = {}): ApiError {
  const head = `admission webhook ${goQuote(webhook)} denied the request`;
  const explanation = result.message || result.reason;
  const code = Math.max(result.code ?? 0, 400);
  const message = explanation ? `${head}: ${explanation}` : `${head} without explanation`;
  const status = failure(code, result.reason, message, result.details);
  return new ApiError(result.metadata === undefined ? status : { ...status, metadata: result.metadata });
}

/** 500 InternalError: a webhook that must answer did not: `failed calling webhook "w": <reason>`. */
export function webhookFailed(webhook: string, reason = '', options?: { readonly cause?: unknown }): ApiError {
  const head = `failed calling webhook ${goQuote(webhook)}`;
  return internal(reason === '' ? `${head}; no further details available` : `${head}: ${reason}`, options);
}

/** 400 BadRequest: a dry run would have to call a webhook with side effects. */
export function webhookDryRunUnsupported(webhook: string): ApiError {
  return badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
