import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { joinLines } from '@capstan/crd-compat';
import { AdmissionDenied } from '@capstan/kube';
import type { ValidatingWebhook } from '@capstan/kube';
import { fieldErrorsMessage } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import type { Outcome } from '../metric-declarations.js';
import type { CheckerMetrics } from '../metrics.js';
import { CHECKER, OWN_DEFINITION } from '../names.js';
import type { Freshness } from '../requirement/freshness.js';
import { requirementText } from '../requirement/owner.js';
import type { ReadRequirement } from '../requirement/read.js';
import type { Requirements } from '../requirement/requirements.js';
import { decide } from './decide.js';
import type { Action, Judged, Verdict } from './decide.js';

export interface DefinitionWebhookOptions {
  readonly requirements: Requirements;
  readonly freshness: Freshness;
  readonly metrics: CheckerMetrics;
}

/** More than this of a refusal nobody reads. */
const MESSAGE_LIMIT = 16_384;

interface Write {
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
}

/** What one requirement says of the write; undefined when it is about another definition, or asks for no check. */
async function judgeBy(
  requirement: CompatibilityRequirement,
  write: Write,
  requirements: Requirements,
): Promise<Judged | undefined> {
  const action = requirement.spec.customResourceDefinitionSchemaValidation?.action as Action | undefined;
  const name = nameOf(write);
  const { crdName = name } = requirement.status ?? {};
  if (action === undefined || crdName !== name) return undefined;
  const reading = await requirements.read(requirement);
  const said = { requirement: requirementText(requirement), action };
  if ('ok' in reading)
    return reading.ok.crdName === name ? { ...said, about: aboutWrite(write, reading.ok) } : undefined;
  // One that never was understood is about nothing that is known.
  if (requirement.status?.crdName === undefined) return undefined;
  return { ...said, about: { kind: 'unreadable', problem: fieldErrorsMessage(reading.errors) } };
}

function aboutWrite({ object, old }: Write, { check }: ReadRequirement): Judged['about'] {
  if (object === undefined) return { kind: 'deleted' };
  return { kind: 'written', before: old === undefined ? undefined : check.check(old), after: check.check(object) };
}

function nameOf({ object, old }: Write): string {
  return (object ?? old)?.metadata.name ?? '';
}

async function judgeAll(
  write: Write,
  { freshness, requirements }: DefinitionWebhookOptions,
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const present = await freshness.present(signal);
  const judged: Judged[] = [];
  for (const requirement of Array.from(requirements.all())) {
    const { deletionTimestamp, uid = '' } = requirement.metadata;
    // One that is on its way out is needed no more.
    if (!present.has(uid) || deletionTimestamp != null) continue;
    const one = await judgeBy(requirement, write, requirements);
    if (one !== undefined) judged.push(one);
  }
  return judged;
}

function outcomeOf({ denials, warnings }: Verdict): Outcome {
  if (denials.length > 0) return 'denied';
  return warnings.length > 0 ? 'warned' : 'allowed';
}

/** Refuses writes of definitions that would break somebody who said what they need. */
export function definitionWebhook(options: DefinitionWebhookOptions): ValidatingWebhook {
  const { definitions: counter } = options.metrics;
  return {
    for: { group: DEFINITIONS.group, kind: DEFINITIONS.kind },
    validate: async (write, context) => {
      const name = nameOf(write);
      if (name === OWN_DEFINITION) return;
      const judged = await judgeAll(write, options, context.signal).catch((error: unknown) => {
        counter.add(['failed' satisfies Outcome]);
        throw error;
      });
      const verdict = decide(judged);
      for (const line of verdict.warnings) context.warn(`${CHECKER}: ${line}`);
      counter.add([outcomeOf(verdict)]);
      if (verdict.denials.length === 0) return;
      const verb = write.object === undefined ? 'must not be deleted' : 'is not compatible';
      const heading = `${CHECKER}: ${DEFINITIONS.kind} "${name}" ${verb}:`;
      throw new AdmissionDenied(joinLines([heading, ...verdict.denials], MESSAGE_LIMIT));
    },
  };
}
