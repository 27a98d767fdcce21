import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { addFinalizer, errorText, removeFinalizer, timestamp } from '@capstan/kube';
import type { Client, EventRecorder, Reconcile } from '@capstan/kube';
import { deepEqual, getCondition, invalid, isNotFound } from '@capstan/meta';
import type { Clock, FieldError, KubeObject } from '@capstan/meta';
import { TryAgain } from '../errors.js';
import { DEFINITIONS, REQUIREMENTS } from '../kinds.js';
import { FINALIZER, WEBHOOKS } from '../names.js';
import { isForeign } from '../webhooks/compare.js';
import { objectConfiguration } from '../webhooks/configuration.js';
import type { WebhookAddress, WebhookConfiguration } from '../webhooks/configuration.js';
import type { Installer } from '../webhooks/installer.js';
import type { Enforcement, Facts, Live } from './conditions.js';
import type { Reading, ReadRequirement } from './read.js';
import type { Requirements } from './requirements.js';
import { statusOf } from './status.js';

/** What the reconciliation of requirements is made of. */
export interface ReconcileOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly requirements: Requirements;
  readonly installer: Installer;
  readonly recorder: EventRecorder;
  readonly address: () => Promise<WebhookAddress>;
  /** The configuration of that name, if there is one. */
  readonly configurationOf: (name: string) => WebhookConfiguration | undefined;
  /** How it is with the configuration that has definitions checked. */
  readonly definitionsChecked: () => Enforcement;
}

/** What a server has not taken up it may have a moment later. */
const PENDING_MS = 200;

/** Reconciles requirements: fetch, deletion, finalizer, gather, act, one status. */
export function reconcileRequirement(options: ReconcileOptions): Reconcile {
  const { client, requirements } = options;
  return async ({ name }, { signal }) => {
    const found = requirements.get(name);
    if (found === undefined) return undefined;
    if (found.metadata.deletionTimestamp != null) return finalize(found, options, signal);
    const requirement = await addFinalizer(client, REQUIREMENTS, found, FINALIZER);
    const facts = await factsOf(requirement, options, signal);
    await writeStatus(requirement, facts, options);
    const unseen = facts.live.kind === 'unknown' ? [facts.live.error] : [];
    if (facts.errors.length + unseen.length > 0) throw new TryAgain([...facts.errors, ...unseen].join('; '));
    return facts.definitions === 'pending' || facts.objects === 'pending' ? { requeueAfterMs: PENDING_MS } : undefined;
  };
}

/** Takes away what the requirement has brought into the cluster, and then lets it go. */
async function finalize(
  requirement: CompatibilityRequirement,
  { client, configurationOf, installer }: ReconcileOptions,
  signal: AbortSignal,
): Promise<undefined> {
  const { name = '', uid = '' } = requirement.metadata;
  const configuration = configurationOf(name);
  if (configuration !== undefined && !isForeign(configuration, uid)) await installer.remove(configuration, signal);
  await removeFinalizer(client, REQUIREMENTS, requirement, FINALIZER);
  return undefined;
}

/** Looks at everything, and brings the configuration of the requirement in force on the way. */
async function factsOf(
  requirement: CompatibilityRequirement,
  options: ReconcileOptions,
  signal: AbortSignal,
): Promise<Omit<Facts, 'wasCompatible'>> {
  const reading = await options.requirements.read(requirement);
  const problems = problemsOf(requirement, reading);
  const definitions =
    requirement.spec.customResourceDefinitionSchemaValidation == null ? 'unasked' : options.definitionsChecked();
  if (problems.length > 0 || !('ok' in reading))
    return { crdName: '', problems, live: { kind: 'absent' }, definitions, objects: 'unasked', errors: [] };
  const { crdName } = reading.ok;
  const live = await lookAt(reading.ok, options.client, signal);
  const seen = { crdName, problems, live, definitions } as const;
  const conflict = conflictOf(requirement, options);
  if (conflict !== undefined) return { ...seen, conflict, objects: 'pending', errors: [] };
  try {
    return { ...seen, objects: await checkObjects(requirement, reading.ok, options, signal), errors: [] };
  } catch (error) {
    return { ...seen, objects: 'pending', errors: [errorText(error)] };
  }
}

/** What is wrong with the requirement itself; what admission refuses may have been written while it was off. */
function problemsOf({ status }: CompatibilityRequirement, reading: Reading): readonly FieldError[] {
  if ('errors' in reading) return reading.errors;
  const { crdName } = reading.ok;
  if (status?.crdName === undefined || status.crdName === crdName) return [];
  const detail = `must be the definition of ${status.crdName}: what a requirement is about cannot be changed`;
  return [invalid('spec.compatibilitySchema.customResourceDefinition.data', crdName, detail)];
}

async function lookAt({ check, crdName }: ReadRequirement, client: Client, signal: AbortSignal): Promise<Live> {
  try {
    const definition = await client.get<KubeObject>(DEFINITIONS, crdName, { signal });
    const { generation = 1, uid = '' } = definition.metadata;
    return { kind: 'found', uid, generation, report: check.check(definition, { stored: definition }) };
  } catch (error) {
    return isNotFound(error) ? { kind: 'absent' } : { kind: 'unknown', error: errorText(error) };
  }
}

function conflictOf(
  { metadata: { name = '', uid = '' }, spec }: CompatibilityRequirement,
  { configurationOf }: ReconcileOptions,
): string | undefined {
  if (spec.objectSchemaValidation == null || !isForeign(configurationOf(name), uid)) return undefined;
  return `there is a ValidatingWebhookConfiguration "${name}" that is not of this requirement`;
}

async function checkObjects(
  requirement: CompatibilityRequirement,
  read: ReadRequirement,
  { address, configurationOf, installer }: ReconcileOptions,
  signal: AbortSignal,
): Promise<Enforcement> {
  const { metadata, spec } = requirement;
  const { name = '', uid = '' } = metadata;
  const live = configurationOf(name);
  if (spec.objectSchemaValidation == null) {
    if (live !== undefined && !isForeign(live, uid)) await installer.remove(live, signal);
    return 'unasked';
  }
  const reached = await address();
  const wanted = {
    make: (failurePolicy: 'Fail' | 'Ignore') =>
      objectConfiguration(requirement, read, { address: reached, failurePolicy }),
    policy: spec.objectSchemaValidation.action === 'Deny' ? 'Fail' : 'Ignore',
    webhook: WEBHOOKS.objects,
  } as const;
  return (await installer.install(wanted, live, signal)) ? 'enforced' : 'pending';
}

/** Conditions that emit an event when they become False, since an administrator has to act. */
const EVENT_CONDITIONS = ['Admitted', 'Compatible'];

async function writeStatus(
  before: CompatibilityRequirement,
  facts: Omit<Facts, 'wasCompatible'>,
  { client, clock, recorder }: ReconcileOptions,
): Promise<void> {
  const status = statusOf(before, facts, timestamp(clock));
  if (deepEqual(before.status, status)) return;
  await client.update(REQUIREMENTS, { ...before, status }, { subresource: 'status' });
  const { name = '', uid = '' } = before.metadata;
  const subject = { apiVersion: `${REQUIREMENTS.group}/${REQUIREMENTS.version}`, kind: REQUIREMENTS.kind, name, uid };
  for (const type of EVENT_CONDITIONS) {
    const [now, was] = [getCondition(status.conditions, type), getCondition(before.status?.conditions, type)];
    if (now?.status === 'False' && was?.status === 'True')
      recorder.record(subject, { type: 'Warning', reason: now.reason, message: now.message.slice(0, 1000) });
  }
}
