import { cloneJson, formatMicroTime } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock, KubeObject, PayloadBody, Status, UserInfo } from '@capstan/meta';
import type { ImpersonationMode } from '../auth/impersonation-modes.js';
import type { RequestInfo } from '../request/request-info.js';
import { StatusPayload } from '../response/payload.js';
import type { Decision } from '../auth/access.js';
import type { AuditEvent, AuditObjectRef, AuditSink, AuditStatus } from './event.js';
import { isBelow, type AuditStage, type AuditWish } from './policy.js';

const MAX_AGENT_LENGTH = 1024;

export interface TrailParts {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  /** Absent when nobody could be made out. */
  readonly user: UserInfo | undefined;
  /** Milliseconds since the epoch. */
  readonly received: number;
  readonly wish: AuditWish;
  readonly sink: AuditSink;
  readonly clock: Clock;
}

/** What is recorded of one request while it is on its way. */
export class AuditTrail {
  readonly #parts: TrailParts;
  readonly #ref: AuditObjectRef | undefined;
  readonly #annotations = new Map<string, string>();
  #impersonation: Pick<AuditEvent, 'impersonatedUser' | 'authenticationMetadata'> | undefined;
  #requestObject: unknown;
  #responseObject: unknown;
  #status: AuditStatus | undefined;

  constructor(parts: TrailParts) {
    this.#parts = parts;
    this.#ref = parts.info.isResource ? refOf(parts.info) : undefined;
  }

  /** The first value stays: an annotation cannot be overwritten. */
  annotate(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  impersonates(user: UserInfo, mode: ImpersonationMode): void {
    this.#impersonation = {
      impersonatedUser: user,
      ...(mode === 'legacy' ? {} : { authenticationMetadata: { impersonationConstraint: `impersonate:${mode}` } }),
    };
  }

  decided({ allowed, reason = '' }: Decision): void {
    this.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', reason);
  }

  /** The object of a create or update: it has what the path lacks. */
  asked(object: KubeObject): void {
    const { metadata } = object;
    const ref = this.#ref;
    if (ref !== undefined) {
      ref.namespace ||= metadata.namespace ?? '';
      ref.name ||= metadata.name ?? '';
      ref.uid ||= metadata.uid ?? '';
      ref.resourceVersion ||= metadata.resourceVersion ?? '';
    }
    this.body(object);
  }

  /** The patch that was sent, which is JSON. */
  patched(): void {
    const { body } = this.#parts.request;
    if (body === undefined || body.type === 'stream' || this.#isBelow('Request')) return;
    this.#requestObject = body.type === 'value' ? body.value : JSON.parse(Buffer.from(body.bytes).toString());
  }

  /** What else was sent: a configuration, options of a delete. */
  body(value: unknown): void {
    // The pipeline goes on to change what it was given.
    if (!this.#isBelow('Request')) this.#requestObject = cloneJson(cleaned(value, this.#parts.wish.omitManagedFields));
  }

  /** False when the request must not go on. */
  received(): boolean {
    return this.#write('RequestReceived');
  }

  /** Nobody could be made out. */
  unauthenticated(): void {
    const { headers } = this.#parts.request;
    const attempted = /^bearer\s+\S/i.test(headers['authorization'] ?? '') ? 'attempted: bearer' : undefined;
    const message = `Authentication failed, ${attempted ?? 'no credentials provided'}`;
    this.#status = { metadata: {}, message, code: 401 };
    this.#write('ResponseStarted');
  }

  /** Records how the request ended; of a watch, that it began, and its end when it comes. */
  answered(response: ApiResponse): ApiResponse {
    const { body, status } = response;
    this.#status = { metadata: {}, code: status };
    // A list is not read again for the sake of a line that does not show it.
    if (body instanceof StatusPayload || (body.type === 'payload' && !this.#isBelow('RequestResponse')))
      this.#look(body, status);
    if (body.type !== 'watch') {
      this.#write('ResponseComplete');
      return response;
    }
    this.#write('ResponseStarted');
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.#write('ResponseComplete');
      isOver = true;
    };
    const watched: typeof body = {
      type: 'watch',
      start: (sink) =>
        body.start({
          frame: (frame, isPast) => sink.frame(frame, isPast),
          end: (error) => {
            end();
            sink.end(error);
          },
        }),
      stop: () => {
        body.stop();
        end();
      },
    };
    return { ...response, body: watched };
  }

  #look(body: PayloadBody, answered: number): void {
    const value = body.value();
    if (body instanceof StatusPayload) {
      const { status, message, reason, details, code = answered } = value as Status;
      this.#status = { metadata: {}, status, message, reason, details, code };
    }
    if (this.#ref !== undefined && !this.#isBelow('RequestResponse'))
      this.#responseObject = cleaned(value, this.#parts.wish.omitManagedFields);
  }

  #isBelow(level: 'Request' | 'RequestResponse'): boolean {
    return isBelow(this.#parts.wish.level, level);
  }

  /** What comes after the request was received is done whether it can be recorded or not. */
  #write(stage: AuditStage): boolean {
    const { wish, sink, clock } = this.#parts;
    return wish.omitStages.includes(stage) || sink(this.#event(stage, clock.now()));
  }

  #event(stage: AuditStage, now: number): AuditEvent {
    const { request, info, auditId, user, received, wish } = this.#parts;
    const addresses = sourceAddresses(request);
    const agent = request.headers['user-agent'];
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: wish.level,
      auditID: auditId,
      stage,
      requestURI: request.target,
      verb: info.verb,
      user: user ?? {},
      ...this.#impersonation,
      ...(addresses.length === 0 ? {} : { sourceIPs: addresses }),
      ...(agent === undefined ? {} : { userAgent: shortened(agent) }),
      ...(this.#ref === undefined ? {} : { objectRef: withoutBlanks(this.#ref) }),
      ...(this.#status === undefined ? {} : { responseStatus: this.#status }),
      ...(this.#requestObject === undefined ? {} : { requestObject: this.#requestObject }),
      ...(this.#responseObject === undefined ? {} : { responseObject: this.#responseObject }),
      requestReceivedTimestamp: formatMicroTime(received),
      stageTimestamp: formatMicroTime(now),
      ...(this.#annotations.size === 0 ? {} : { annotations: Object.fromEntries(this.#annotations) }),
    };
  }
}

function refOf({ resource, namespace, name, group, version, subresource }: RequestInfo): AuditObjectRef {
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion: version, resourceVersion: '', subresource };
}

function withoutBlanks(ref: AuditObjectRef): AuditObjectRef {
  return Object.fromEntries(Object.entries(ref).filter(([, value]) => value !== ''));
}

function shortened(agent: string): string {
  return agent.length > MAX_AGENT_LENGTH ? `${agent.slice(0, MAX_AGENT_LENGTH)}...TRUNCATED` : agent;
}

/** The proxies that forwarded the request, then the peer that sent it here. */
function sourceAddresses({ headers, remoteAddress }: ApiRequest): string[] {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((each) => each.trim());
  const real = headers['x-real-ip'] ?? '';
  const all = [...forwarded, ...(forwarded.includes(real) ? [] : [real])].filter((each) => each !== '');
  if (remoteAddress !== undefined && all.at(-1) !== remoteAddress) all.push(remoteAddress);
  return all;
}

/** Objects without the records of their field managers, where those are not wanted. */
function cleaned(value: unknown, omitsManagedFields: boolean): unknown {
  if (!omitsManagedFields || value === null || typeof value !== 'object') return value;
  const { items, metadata } = value as { items?: unknown; metadata?: Record<string, unknown> };
  if (Array.isArray(items)) return { ...value, items: items.map((item) => cleaned(item, true)) };
  if (metadata?.['managedFields'] === undefined) return value;
  const { managedFields: _, ...kept } = metadata;
  return { ...value, metadata: kept };
}
