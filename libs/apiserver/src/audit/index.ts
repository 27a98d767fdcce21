/** The record of who did what. */
export { Auditor, NotAudited } from './auditor.js';
export type { AuditOptions } from './auditor.js';
export type { AuditEvent, AuditSink } from './event.js';
export { parseAuditPolicy } from './policy.js';
export type { AuditPolicy } from './policy.js';
export type { AuditTrail } from './trail.js';
