import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { invalid } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import type { Reading, ReadRequirement } from '../requirement-cache/read.js';
import { isForeign } from '../webhooks/compare.js';
import type { FailurePolicy, WebhookConfiguration } from '../webhooks/configuration.js';
import type { Enforcement } from '../webhooks/enforcement.js';
import type { Snapshot } from './gather.js';

/** What to do with the webhook configuration that has objects checked. */
export type ObjectWebhookPlan =
  | {
      readonly do: 'install';
      readonly read: ReadRequirement;
      readonly policy: FailurePolicy;
      readonly live: WebhookConfiguration | undefined;
    }
  | { readonly do: 'remove'; readonly live: WebhookConfiguration }
  /** `objects`: what is reported of the check, which stays as it is. */
  | { readonly do: 'keep'; readonly objects: Enforcement };

/** What a reconcile of a requirement is to write and to report. */
export interface Plan {
  /** The CRD that the requirement is about; empty while that is unknown. */
  readonly crdName: string;
  readonly definitions: Enforcement;
  /** Another owner has a webhook configuration of this name. */
  readonly conflict?: string;
  readonly objectWebhook: ObjectWebhookPlan;
}

/** Decides what to write for a requirement. One that cannot be parsed keeps the configuration it has. */
export function decide(
  { metadata: { name = '', uid = '' }, spec }: Pick<CompatibilityRequirement, 'metadata' | 'spec'>,
  { configuration: live, definitionsChecked, problems, reading }: Omit<Snapshot, 'live'>,
): Plan {
  const definitions = spec.customResourceDefinitionSchemaValidation == null ? 'unasked' : definitionsChecked;
  if (problems.length > 0 || !('ok' in reading))
    return { crdName: '', definitions, objectWebhook: { do: 'keep', objects: 'unasked' } };
  const { ok: read } = reading;
  const common = { crdName: read.crdName, definitions };
  const asked = spec.objectSchemaValidation;
  if (asked == null) {
    const isOurs = live !== undefined && !isForeign(live, uid);
    return { ...common, objectWebhook: isOurs ? { do: 'remove', live } : { do: 'keep', objects: 'unasked' } };
  }
  if (isForeign(live, uid)) {
    const conflict = `there is a ValidatingWebhookConfiguration "${name}" that is not of this requirement`;
    return { ...common, conflict, objectWebhook: { do: 'keep', objects: 'pending' } };
  }
  const policy = asked.action === 'Deny' ? 'Fail' : 'Ignore';
  return { ...common, objectWebhook: { do: 'install', read, policy, live } };
}

/** What is wrong with the requirement itself; what admission denies may have been written while it was off. */
export function problemsOf(
  { status }: Pick<CompatibilityRequirement, 'status'>,
  reading: Reading,
): readonly FieldError[] {
  if ('errors' in reading) return reading.errors;
  const { crdName } = reading.ok;
  if (status?.crdName === undefined || status.crdName === crdName) return [];
  const detail = `must be the CRD of ${status.crdName}: what a requirement is about cannot be changed`;
  return [invalid('spec.compatibilitySchema.customResourceDefinition.data', crdName, detail)];
}
