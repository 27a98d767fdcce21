import type { Status, UserInfo } from '@capstan/meta';
import type { AuditLevel, AuditStage } from './policy.js';

/** How a request ended; only what is known. */
export type AuditStatus = { readonly [Key in keyof Status]?: Status[Key] | undefined };

export interface AuditObjectRef {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

/** One line of the audit log, as audit.k8s.io/v1 has it. */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: Partial<UserInfo>;
  readonly impersonatedUser?: UserInfo;
  readonly authenticationMetadata?: { readonly impersonationConstraint: string };
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: AuditObjectRef;
  readonly responseStatus?: AuditStatus;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Takes events in the order they happen. False when the request must not go on unrecorded. Must not throw. */
export type AuditSink = (event: AuditEvent) => boolean;
