import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { objectCheck } from '@capstan/crd-compat';
import type { ObjectCheck, ObjectRequest, ObjectVerdict, ServerRelease } from '@capstan/crd-compat';
import { AdmissionDenied, AdmissionUnavailable, errorText } from '@capstan/kube';
import type { AdmissionContext, Client, ValidatingWebhook } from '@capstan/kube';
import { fieldErrorsMessage, isNotFound } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import type { Action } from '../definitions/decide.js';
import { REQUIREMENTS } from '../kinds.js';
import type { CheckerMetrics } from '../metrics.js';
import { CHECKER } from '../names.js';
import { requirementText } from '../requirement-cache/owner.js';
import type { ReadRequirement } from '../requirement-cache/read.js';
import type { Requirements } from '../requirement-cache/requirements.js';
import { addressedBy, decideObject } from './decide.js';
import type { Addressed } from './decide.js';
import type { LiveDefinitions } from './live-definitions.js';

export interface ObjectWebhookOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly requirements: Requirements;
  readonly definitions: LiveDefinitions;
  readonly server: () => Promise<ServerRelease | undefined>;
  readonly metrics: CheckerMetrics;
}

/** Half of what a server waits for a webhook. */
const LIMIT_MS = 5000;

/** Checks objects against the requirement whose webhook configuration sent them here. */
export class ObjectWebhook implements ValidatingWebhook {
  readonly #options: ObjectWebhookOptions;
  /** What was made ready of a requirement, for as long as that stays the same. */
  readonly #checks = new WeakMap<ReadRequirement, ObjectCheck>();

  constructor(options: ObjectWebhookOptions) {
    this.#options = options;
  }

  readonly validate: ValidatingWebhook['validate'] = async (_objects, context) => {
    const { clock, metrics } = this.#options;
    const began = clock.monotonic();
    const addressed = addressedBy(context.path);
    const name = addressed?.name ?? '';
    const count = (outcome: Parameters<typeof metrics.object>[1]): void =>
      metrics.object(name, outcome, (clock.monotonic() - began) / 1000);
    try {
      if (addressed === undefined) throw new AdmissionUnavailable(`${CHECKER}: ${context.path} names no requirement`);
      count(await this.#validate(addressed, context));
    } catch (error) {
      count(error instanceof AdmissionDenied ? 'denied' : 'failed');
      throw error;
    }
  };

  async #validate(addressed: Addressed, context: AdmissionContext): Promise<'allowed' | 'warned'> {
    const requirement = await this.#find(addressed, context.signal);
    if (requirement === undefined) {
      // Its requirement is deleted, and no controller may be left that deletes the configuration: do not block writes.
      context.warn(
        `${CHECKER}: requirement "${addressed.name}" does not exist; its webhook configuration can be deleted`,
      );
      return 'warned';
    }
    const action = requirement.spec.objectSchemaValidation?.action as Action | undefined;
    if (action === undefined) return 'allowed';
    const { request } = context;
    const what = `${request.kind.kind} "${request.name ?? ''}"`;
    const { denial, warnings } = decideObject(await this.#check(requirement, context), {
      action,
      requirement: requirementText(requirement),
      heading: `${CHECKER}: ${what} does not conform:`,
    });
    for (const line of warnings) context.warn(`${CHECKER}: ${line}`);
    if (denial !== undefined) throw new AdmissionDenied(denial, { code: 422, reason: 'Invalid' });
    return warnings.length > 0 ? 'warned' : 'allowed';
  }

  /** The requirement, no older than its configuration; undefined when there is none any more. */
  async #find(
    { generation, name, uid }: Addressed,
    signal: AbortSignal,
  ): Promise<CompatibilityRequirement | undefined> {
    const { client, requirements } = this.#options;
    const known = (): CompatibilityRequirement | undefined => {
      const found = requirements.get(name);
      return found?.metadata.uid === uid && (found.metadata.generation ?? 0) >= generation ? found : undefined;
    };
    const found = requirements.hasSynced ? known() : undefined;
    if (found !== undefined) return found;
    const there = await client.get(REQUIREMENTS, name, { metadataOnly: true, signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw new AdmissionUnavailable(`${CHECKER}: requirement "${name}": ${errorText(error)}`);
    });
    if (there?.metadata.uid !== uid) return undefined;
    await requirements.until(() => known() !== undefined, LIMIT_MS);
    const late = known();
    if (late === undefined)
      throw new AdmissionUnavailable(`${CHECKER}: this replica does not know requirement "${name}" yet; try again`);
    return late;
  }

  async #check(requirement: CompatibilityRequirement, { request, signal }: AdmissionContext): Promise<ObjectVerdict> {
    const { definitions, requirements } = this.#options;
    const reading = await requirements.read(requirement);
    if ('errors' in reading)
      throw new AdmissionUnavailable(
        `${CHECKER}: ${requirementText(requirement)} is invalid: ${fieldErrorsMessage(reading.errors)}`,
      );
    const check = await this.#checkOf(reading.ok, requirement);
    const { crdName } = reading.ok;
    const asked: ObjectRequest = {
      operation: request.operation,
      version: request.resource.version,
      ...(request.subResource === undefined ? {} : { subresource: request.subResource }),
      object: request.object,
      oldObject: request.oldObject,
    };
    const live = await definitions.get(crdName, signal);
    const verdict = check.check(live === undefined ? asked : { ...asked, live });
    if (verdict.errors.length === 0) return verdict;
    // The live CRD may have changed a moment ago, and with it what it fills in.
    const newer = await definitions.getNewer(crdName, signal);
    return newer === undefined ? verdict : check.check({ ...asked, live: newer });
  }

  async #checkOf(read: ReadRequirement, { spec }: CompatibilityRequirement): Promise<ObjectCheck> {
    const known = this.#checks.get(read);
    if (known !== undefined) return known;
    const server = await this.#options.server();
    const { excludedFields } = spec.compatibilitySchema;
    const options = { versions: read.versions, ...(server === undefined ? {} : { server }) };
    const made = objectCheck(read.definition, { ...options, excludedFields: excludedFields ?? [] });
    if ('errors' in made) throw new AdmissionUnavailable(`${CHECKER}: ${fieldErrorsMessage(made.errors)}`);
    this.#checks.set(read, made.ok);
    return made.ok;
  }
}
