import { apiErrorOf, apiErrors, cloneJson, createJsonPatch, deepFreeze, stringifyJson } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { isFaultOfProgram } from '../controller/reconcile.js';
import type { Endpoint, EndpointReply, EndpointRequest } from '../http/endpoint-server.js';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { AdmissionDenied, AdmissionUnavailable } from './admission-types.js';
import type {
  AdmissionContext,
  AdmissionRequest,
  ExpectedKind,
  MutatingWebhook,
  ValidatingWebhook,
} from './admission-types.js';
import { admissionRequest, BadReview, readReviewBody } from './read-review.js';

const GROUP = 'admission.k8s.io';

/** Where reviews are logged and counted. */
export interface ReviewSurroundings {
  readonly logger: Logger;
  readonly metrics: RuntimeMetrics;
}

type Decide = (context: AdmissionContext) => Promise<JsonObject> | JsonObject;

interface Review {
  readonly apiVersion: string;
  readonly request: AdmissionRequest;
}

function readReview({ body, contentType, method }: EndpointRequest): Review {
  if (method !== 'POST') throw new BadReview(`method=${method}, expected POST`);
  const [type = ''] = contentType.split(';');
  if (type.trim() !== 'application/json') throw new BadReview(`contentType=${contentType}, expected application/json`);
  const { apiVersion, request } = readReviewBody(body, GROUP, 'AdmissionReview');
  return { apiVersion, request: admissionRequest(request) };
}

function checkKind({ group, kind, version }: ExpectedKind, { kind: found }: AdmissionRequest): void {
  if (found.group === group && found.kind === kind && (version === undefined || found.version === version)) return;
  const expected = `${group === '' ? '' : `${group}/`}${kind}`;
  throw new BadReview(`expected ${expected}, found ${found.group === '' ? '' : `${found.group}/`}${found.kind}`);
}

/** The response for what was thrown. */
function refusal(error: unknown, { logger, metrics }: ReviewSurroundings): JsonObject {
  const say = (code: number, message: string, reason?: string): JsonObject => ({
    allowed: false,
    status: { metadata: {}, ...(reason === undefined ? {} : { reason }), message, code },
  });
  if (error instanceof BadReview) return say(400, error.message);
  if (error instanceof AdmissionDenied) return say(error.code, error.message, error.reason);
  const known = apiErrorOf(error);
  if (known !== undefined) return { allowed: false, status: known.status };
  if (!isFaultOfProgram(error)) return say(403, errorText(error), 'Forbidden');
  metrics.webhook.panics.add([]);
  logger.error('a webhook failed', {
    error: errorText(error),
    stack: error instanceof Error ? error.stack : undefined,
  });
  return say(500, `panic: ${errorText(error)} [recovered]`);
}

/** No answer to the review: what the caller makes of it is for its configuration to say. */
function unavailable({ message }: AdmissionUnavailable): EndpointReply {
  const { status } = apiErrors.serviceUnavailable(message);
  return { status: 503, contentType: 'application/json', body: stringifyJson(status) };
}

/** Answers reviews with the result of `decide`; a failure is answered too. */
function reviewEndpoint(
  expected: ExpectedKind | undefined,
  surroundings: ReviewSurroundings,
  decide: Decide,
): Endpoint {
  return async (incoming): Promise<EndpointReply> => {
    let review: Review | undefined;
    let response: JsonObject;
    const warnings: string[] = [];
    const auditAnnotations: Record<string, string> = {};
    try {
      review = readReview(incoming);
      if (expected !== undefined) checkKind(expected, review.request);
      const context: AdmissionContext = {
        request: deepFreeze(review.request),
        path: incoming.path,
        signal: incoming.signal,
        warn: (text) => void warnings.push(text),
        annotate: (key, value) => void (auditAnnotations[key] = value),
      };
      response = { allowed: true, status: { metadata: {}, code: 200 }, ...(await decide(context)) };
    } catch (error) {
      if (error instanceof AdmissionUnavailable) return unavailable(error);
      response = refusal(error, surroundings);
    }
    const body = stringifyJson({
      kind: 'AdmissionReview',
      apiVersion: review?.apiVersion ?? `${GROUP}/v1`,
      response: {
        uid: review?.request.uid ?? '',
        ...response,
        ...(warnings.length === 0 ? {} : { warnings }),
        ...(Object.keys(auditAnnotations).length === 0 ? {} : { auditAnnotations }),
      },
    });
    return { status: 200, contentType: 'application/json', body };
  };
}

/** Answers for a webhook that changes objects: the difference goes back as a JSON patch. */
export function mutatingEndpoint<T extends KubeObject>(
  webhook: MutatingWebhook<T>,
  surroundings: ReviewSurroundings,
): Endpoint {
  return reviewEndpoint(webhook.for, surroundings, async (context) => {
    const object = context.request.object as T | null | undefined;
    if (object === undefined || object === null) return {};
    const changed = cloneJson(object);
    await webhook.mutate(changed, context);
    const patch = createJsonPatch(object, changed);
    if (patch.length === 0) return {};
    return { patchType: 'JSONPatch', patch: Buffer.from(stringifyJson(patch)).toString('base64') };
  });
}

/** Answers for a webhook that only allows or denies. */
export function validatingEndpoint<T extends KubeObject>(
  webhook: ValidatingWebhook<T>,
  surroundings: ReviewSurroundings,
): Endpoint {
  return reviewEndpoint(webhook.for, surroundings, async (context) => {
    const { object, oldObject } = context.request;
    const objects = { object: (object ?? undefined) as T | undefined, old: (oldObject ?? undefined) as T | undefined };
    await webhook.validate(objects, context);
    return {};
  });
}
