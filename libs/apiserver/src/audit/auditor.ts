import type { ApiRequest, Clock, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { AuditSink } from './event.js';
import { METADATA_POLICY, auditWish, type AuditPolicy } from './policy.js';
import { AuditTrail } from './trail.js';

export interface AuditOptions {
  readonly sink: AuditSink;
  /** Default: the metadata of every request, once it is answered. */
  readonly policy?: AuditPolicy;
}

/** A request to be recorded, or not. */
export interface AuditedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly received: number;
}

/** Decides which requests are recorded. */
export class Auditor {
  readonly #sink: AuditSink;
  readonly #policy: AuditPolicy;
  readonly #clock: Clock;

  constructor({ sink, policy = METADATA_POLICY }: AuditOptions, clock: Clock) {
    this.#sink = sink;
    this.#policy = policy;
    this.#clock = clock;
  }

  /** Begins the trail of a request; undefined when the policy wants none. */
  begin(audited: AuditedRequest, user: UserInfo | undefined): AuditTrail | undefined {
    const wish = auditWish(this.#policy, user, audited.info);
    if (wish.level === 'None') return undefined;
    return new AuditTrail({ ...audited, user, wish, sink: this.#sink, clock: this.#clock });
  }
}
