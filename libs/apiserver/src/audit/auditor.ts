import { Counter } from '@capstan/meta';
import type { ApiRequest, Clock, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { AuditSink } from './event.js';
import { METADATA_POLICY, auditWish, type AuditPolicy } from './policy.js';
import { AuditTrail } from './trail.js';

export interface AuditOptions {
  readonly sink: AuditSink;
  /** Default: the metadata of every request, once it is answered. */
  readonly policy?: AuditPolicy;
  /** What the sink counts, to be shown with the rest. */
  readonly metrics?: readonly Counter[];
}

/** A request to be recorded, or not. */
export interface AuditedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly received: number;
}

/** A request that may not go on, since it cannot be recorded. */
export class NotAudited extends Error {
  override readonly name = 'NotAudited';

  constructor(target: string) {
    super(`Internal Server Error: ${JSON.stringify(sanitized(target))}: failed to store audit event`);
  }
}

/** As Kubernetes does with what it shows of a request in plain text. */
function sanitized(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Decides which requests are recorded. */
export class Auditor {
  /** Under the names of kube-apiserver. */
  readonly metrics: readonly Counter[];
  readonly #events = new Counter('apiserver_audit_event_total', 'Events given to the audit log.', []);
  readonly #levels = new Counter('apiserver_audit_level_total', 'Requests by the level the policy gives them.', [
    'level',
  ]);
  readonly #rejected = new Counter(
    'apiserver_audit_requests_rejected_total',
    'Requests refused because they could not be recorded.',
    [],
  );
  readonly #sink: AuditSink;
  readonly #policy: AuditPolicy;
  readonly #clock: Clock;

  constructor({ sink, policy = METADATA_POLICY, metrics = [] }: AuditOptions, clock: Clock) {
    this.metrics = [this.#events, this.#levels, this.#rejected, ...metrics];
    const events = this.#events.series([]);
    this.#sink = (event) => {
      events.add();
      return sink(event);
    };
    this.#policy = policy;
    this.#clock = clock;
  }

  /** Begins the trail of a request; undefined when the policy wants none. */
  begin(audited: AuditedRequest, user: UserInfo | undefined): AuditTrail | undefined {
    const wish = auditWish(this.#policy, user, audited.info);
    this.#levels.add([wish.level]);
    if (wish.level === 'None') return undefined;
    return new AuditTrail({ ...audited, user, wish, sink: this.#sink, clock: this.#clock });
  }

  /** Begins it as {@link begin} does, and records that the request was received; throws where it must not go on so. */
  receive(audited: AuditedRequest, user: UserInfo): AuditTrail | undefined {
    const trail = this.begin(audited, user);
    if (trail?.received() !== false) return trail;
    this.#rejected.add([]);
    throw new NotAudited(audited.request.target);
  }
}
