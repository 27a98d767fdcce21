/** The Status object: what an API server answers when it has no object to give. */

/** The machine-readable reasons the API defines. */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

const reasons: Readonly<Record<StatusReason, true>> = {
  Unauthorized: true,
  Forbidden: true,
  NotFound: true,
  AlreadyExists: true,
  Conflict: true,
  Gone: true,
  Invalid: true,
  ServerTimeout: true,
  StorageReadError: true,
  Timeout: true,
  TooManyRequests: true,
  BadRequest: true,
  MethodNotAllowed: true,
  NotAcceptable: true,
  RequestEntityTooLarge: true,
  UnsupportedMediaType: true,
  InternalError: true,
  Expired: true,
  ServiceUnavailable: true,
};

/** Whether a reason is one the API defines; webhooks and aggregated servers may send others. */
export function isKnownReason(reason: string | undefined): reason is StatusReason {
  return reason !== undefined && Object.hasOwn(reasons, reason);
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The resource, except for `Invalid`, where it is the kind. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  /** Any text is legal on the wire; the union is what the API itself sends. */
  readonly reason?: StatusReason | (string & Record<never, never>);
  readonly details?: StatusDetails;
  readonly code?: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Details without their empty fields and in wire order. */
export function statusDetails(fields: StatusDetails): StatusDetails {
  const details: Writable<StatusDetails> = {};
  if (fields.name) details.name = fields.name;
  if (fields.group) details.group = fields.group;
  if (fields.kind) details.kind = fields.kind;
  if (fields.uid) details.uid = fields.uid;
  if (fields.causes !== undefined && fields.causes.length > 0) details.causes = fields.causes;
  if (fields.retryAfterSeconds) details.retryAfterSeconds = fields.retryAfterSeconds;
  return details;
}

/** A failure in wire order; empty reason and absent details are left out. */
export function failure(code: number, reason: Status['reason'] | '', message: string, details?: StatusDetails): Status {
  const status: Writable<Status> = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  if (message !== '') status.message = message;
  if (reason !== undefined && reason !== '') status.reason = reason;
  if (details !== undefined) status.details = statusDetails(details);
  status.code = code;
  return status;
}
