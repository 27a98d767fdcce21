import { ApiError, apiErrors, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { AdmissionAttributes } from '../../registry/admission-chain.js';
import type { Store } from '../../store/index.js';
import type { Authorizer } from '../../auth/access.js';
import type { WebhookAnswer, WebhookCall } from '../../webhook/call.js';
import { activationOf, type VersionedObjects } from '../cel/activation.js';
import type { Observed, WebhookMetrics } from './metrics.js';
import { readReview, reviewOf, type CallFault, type ReviewResponse } from './review.js';
import type { Webhook } from './webhook.js';

/** What both kinds of webhooks need. */
export interface DispatchParts {
  readonly store: Store;
  readonly uid: () => string;
  readonly authorize: Authorizer;
  readonly metrics: WebhookMetrics;
}

/** One webhook to be called for one request. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly versioned: VersionedObjects;
  readonly observed: Observed;
  /** In which round and which place, as audit events have it: `round_0_index_2`. */
  readonly place: string;
}

const FAILED_OPEN = {
  admit: 'failed-open.mutation.webhook.admission.k8s.io/',
  validating: 'failed-open.validating.webhook.admission.k8s.io/',
} as const;

/** The decision of a webhook: its response, what its failure policy makes of an error, or a refusal. */
export type Outcome =
  | { readonly type: 'allowed'; readonly response: ReviewResponse }
  | { readonly type: 'ignored' }
  | { readonly type: 'refused'; readonly error: ApiError };

/** Whether the match conditions of a webhook let it be called; an error of theirs refuses the request. */
export function conditionsHold(parts: DispatchParts, invocation: Invocation): boolean {
  const { webhook, attributes, versioned, observed } = invocation;
  if (webhook.conditions.isEmpty) return true;
  const { authorize, metrics } = parts;
  const activation = activationOf(attributes, versioned, { authorize });
  const verdict = webhook.conditions.match(activation, () => metrics.conditionFailed(observed));
  if ('error' in verdict) {
    const { group, resource } = attributes.resource;
    throw apiErrors.forbidden({ group, resource }, attributes.name, verdict.error);
  }
  if (!verdict.matches) metrics.excluded(observed);
  return verdict.matches;
}

/** A call that is ready, and what to make of the answer; or the outcome where there is nothing to call. */
export type PreparedCall =
  | { readonly call: WebhookCall; readonly settle: (answer: WebhookAnswer) => Outcome }
  | { readonly outcome: Outcome };

/** Words the question to a webhook. */
export function prepareCall(parts: DispatchParts, invocation: Invocation): PreparedCall {
  const { webhook, attributes, versioned, observed } = invocation;
  const { name, reviewVersion: version } = webhook;
  if (attributes.dryRun && webhook.hasSideEffects)
    return { outcome: refused(parts, observed, apiErrors.webhookDryRunUnsupported(name), 0) };
  if (version === undefined) {
    const fault =
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    return { outcome: faulted(parts, invocation, { fault, code: 400 }, 0) };
  }
  const uid = parts.uid();
  const isMutating = observed.type === 'admit';
  const call: WebhookCall = {
    client: webhook.client,
    review: reviewOf(uid, version, attributes, versioned),
    timeoutMs: webhook.timeoutMs,
    sendsTimeout: true,
  };
  const settle = (answer: WebhookAnswer): Outcome => {
    const seconds = answer.durationMs / 1000;
    const response = readReview(answer, { uid, version, isMutating });
    if ('fault' in response) return faulted(parts, invocation, response, seconds);
    for (const [key, value] of Object.entries(response.auditAnnotations)) attributes.annotate(`${name}/${key}`, value);
    pushAll(
      attributes.warnings,
      response.warnings.filter((text) => text !== ''),
    );
    if (response.allowed) return { type: 'allowed', response };
    const error = apiErrors.webhookDenied(name, response.result);
    const code = error.status.code ?? 0;
    parts.metrics.rejected(observed, 'no_error', code);
    parts.metrics.called(observed, seconds, code, true);
    return { type: 'refused', error };
  };
  return { call, settle };
}

/** What a webhook that could not be asked means is for its failure policy to say. */
export function faulted(
  parts: DispatchParts,
  { webhook, observed, attributes, place }: Invocation,
  { fault, code }: CallFault,
  seconds: number,
): Outcome {
  const { metrics } = parts;
  metrics.called(observed, seconds, code, !webhook.failsOpen);
  if (webhook.failsOpen) {
    metrics.failedOpen(observed);
    attributes.annotate(`${FAILED_OPEN[observed.type]}${place}`, webhook.name);
    return { type: 'ignored' };
  }
  metrics.rejected(observed, 'calling_webhook_error', code);
  return { type: 'refused', error: apiErrors.webhookFailed(webhook.name, fault) };
}

/** What is nobody's policy: an error of the server or of the request. */
export function refused({ metrics }: DispatchParts, observed: Observed, error: ApiError, seconds: number): Outcome {
  metrics.rejected(observed, 'apiserver_internal_error', 0);
  metrics.called(observed, seconds, 0, true);
  return { type: 'refused', error };
}

/** The objects of a request as it came. */
export function asRequested(attributes: AdmissionAttributes, object: KubeObject | undefined): VersionedObjects {
  const { kind, resource, oldObject } = attributes;
  return { kind, resource, object, oldObject };
}
