import { structOf } from '@capstan/api/kubernetes';
import { formatGvk, looseGvk } from '@capstan/meta';
import type { JsonObject, StatusDetails } from '@capstan/meta';
import { TypedDecodeError, decodeTyped } from '../../codec/index.js';
import { BrokenInvariant } from '../../errors.js';
import type { AdmissionAttributes } from '../../registry/admission-chain.js';
import { LEAF_TEXTS } from '../../codec/index.js';
import { UNAVAILABLE, readAnswer } from '../../webhook/answer.js';
import type { WebhookAnswer } from '../../webhook/call.js';
import { requestFields, type VersionedObjects } from '../cel/activation.js';

const GROUP = 'admission.k8s.io';
const KIND = 'AdmissionReview';

/** The review that asks a webhook. */
export function reviewOf(
  uid: string,
  version: 'v1' | 'v1beta1',
  attributes: AdmissionAttributes,
  versioned: VersionedObjects,
): object {
  const { dryRun, options, ...fields } = requestFields(attributes, versioned);
  const { object = null, oldObject = null } = versioned;
  const request = { uid, ...fields, object, oldObject, dryRun, options };
  return { kind: KIND, apiVersion: `${GROUP}/${version}`, request };
}

/** What a webhook may answer. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly result?: {
    readonly metadata?: JsonObject;
    readonly message?: string;
    readonly reason?: string;
    readonly code?: number;
    readonly details?: StatusDetails;
  };
  /** Of a JSON patch. */
  readonly patch: Uint8Array | undefined;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** A webhook that could not be asked, or did not answer as it should. */
export interface CallFault {
  /** Behind `failed calling webhook "x": `. */
  readonly fault: string;
  readonly code: number;
}

interface RawResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: NonNullable<ReviewResponse['result']>;
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** What was asked. */
export interface Question {
  readonly uid: string;
  readonly version: 'v1' | 'v1beta1';
  readonly isMutating: boolean;
}

/** Reads the answer to a review; refuses what the real server refuses, in its words. */
export function readReview(answer: WebhookAnswer, question: Question): ReviewResponse | CallFault {
  const read = readAnswer(answer);
  if ('fault' in read) return { fault: `failed to call webhook: ${read.fault}`, code: read.code };
  const decoded = decodeReview(read.value, question);
  if (typeof decoded === 'string') return { fault: `failed to call webhook: ${decoded}`, code: UNAVAILABLE };
  const { response } = decoded;
  const problem = problemOf(decoded, question);
  if (problem !== undefined || response === undefined)
    return { fault: `received invalid webhook response: ${problem ?? ''}`, code: UNAVAILABLE };
  return responseOf(response, question);
}

function responseOf(response: RawResponse, { version, isMutating }: Question): ReviewResponse {
  const patch = isMutating && response.patch ? Buffer.from(response.patch, 'base64') : undefined;
  // Before v1 nobody had to say what kind of patch it was.
  const patchType = version === 'v1' ? (response.patchType ?? '') : 'JSONPatch';
  return {
    allowed: response.allowed === true,
    ...(response.status === undefined ? {} : { result: response.status }),
    patch,
    patchType,
    auditAnnotations: response.auditAnnotations ?? {},
    warnings: response.warnings ?? [],
  };
}

interface DecodedReview {
  readonly gvk: string;
  readonly response?: RawResponse;
}

/** The review, or why it is none. What names no kind is taken for what was expected. */
function decodeReview(value: JsonObject, { version }: Question): DecodedReview | string {
  const { kind = '', apiVersion = '' } = value as { kind?: string; apiVersion?: string };
  const wrong = wrongKind(kind || KIND, apiVersion || `${GROUP}/${version}`, version);
  if (wrong !== undefined) return wrong;
  const struct = structOf(GROUP, 'v1', KIND);
  if (struct === undefined) throw new BrokenInvariant('the type tables have no AdmissionReview');
  try {
    const { response } = decodeTyped(struct, value, { texts: LEAF_TEXTS }).value as { response?: RawResponse };
    const gvk = formatGvk(looseGvk(apiVersion, kind));
    return { gvk, ...(response === undefined || response === null ? {} : { response }) };
  } catch (error) {
    if (error instanceof TypedDecodeError) return error.message;
    throw error;
  }
}

function wrongKind(kind: string, apiVersion: string, version: string): string | undefined {
  if (kind === KIND && apiVersion === `${GROUP}/${version}`) return undefined;
  const other = [`${GROUP}/v1`, `${GROUP}/v1beta1`].includes(apiVersion) ? apiVersion.slice(GROUP.length + 1) : 'v1';
  const isKnown =
    (kind === KIND && apiVersion.startsWith(`${GROUP}/${other}`)) || (kind === 'Status' && apiVersion === 'v1');
  if (isKnown) return `converting (${other}.${kind}) to (${version}.${KIND}): unknown conversion`;
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

function problemOf({ gvk, response }: DecodedReview, question: Question): string | undefined {
  if (response === undefined) return 'webhook response was absent';
  // Nobody looked before v1.
  if (question.version !== 'v1') return undefined;
  const { uid = '' } = response;
  if (uid !== question.uid) return `expected response.uid=${JSON.stringify(question.uid)}, got ${JSON.stringify(uid)}`;
  const expected = formatGvk({ group: GROUP, version: 'v1', kind: KIND });
  if (gvk !== expected) return `expected webhook response of ${expected}, got ${gvk}`;
  return patchProblem(response, question.isMutating);
}

function patchProblem({ patch, patchType }: RawResponse, isMutating: boolean): string | undefined {
  const hasPatch = patch !== undefined && patch !== null && patch !== '';
  const hasType = patchType !== undefined && patchType !== null;
  if (!isMutating) {
    if (hasPatch) return 'validating webhook may not return response.patch';
    return hasType ? 'validating webhook may not return response.patchType' : undefined;
  }
  if (hasPatch && !hasType) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && hasType) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}
