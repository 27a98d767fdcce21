import type { JsonObject, KubeObject, UserInfo } from '@capstan/meta';

/** A kind with its version, as reviews name it. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What is asked of an admission webhook. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: ReviewKind;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string | undefined;
  readonly requestKind?: ReviewKind | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: UserInfo;
  /** Absent or null in deletions. */
  readonly object?: KubeObject | null | undefined;
  /** Absent or null in creations. */
  readonly oldObject?: KubeObject | null | undefined;
  readonly dryRun?: boolean | undefined;
  readonly options?: JsonObject | undefined;
}

/** What a webhook may use in addition to the object. */
export interface AdmissionContext {
  readonly request: AdmissionRequest;
  /** Where the review was sent to: the path of the webhook, or one below it. */
  readonly path: string;
  /** Aborts when the server no longer waits. */
  readonly signal: AbortSignal;
  /** Shown to the client that sent the request. */
  warn(text: string): void;
  /** Kept in the audit log. */
  annotate(key: string, value: string): void;
}

/** The request is refused. */
export class AdmissionDenied extends Error {
  override readonly name = 'AdmissionDenied';
  /** HTTP status. */
  readonly code: number;
  readonly reason: string;

  constructor(message: string, options: { readonly code?: number; readonly reason?: string } = {}) {
    super(message);
    this.code = options.code ?? 403;
    this.reason = options.reason ?? 'Forbidden';
  }
}

/** The webhook can neither allow nor deny now: the server applies the failure policy of its configuration. */
export class AdmissionUnavailable extends Error {
  override readonly name = 'AdmissionUnavailable';
}

/** The kinds a webhook takes, in any version unless one is named. */
export interface ExpectedKind {
  readonly group: string;
  readonly kind: string;
  readonly version?: string | undefined;
}

export interface MutatingWebhook<T extends KubeObject = KubeObject> {
  readonly for: ExpectedKind;
  /** Changes the object, which is its own copy. Not called for deletions. Throws to refuse. */
  readonly mutate: (object: T, context: AdmissionContext) => void | Promise<void>;
}

export interface ValidatingWebhook<T extends KubeObject = KubeObject> {
  /** Default: every kind. */
  readonly for?: ExpectedKind | undefined;
  /** Throws to refuse. The objects are frozen: who validates changes nothing. */
  readonly validate: (
    objects: { readonly object: T | undefined; readonly old: T | undefined },
    context: AdmissionContext,
  ) => void | Promise<void>;
}
