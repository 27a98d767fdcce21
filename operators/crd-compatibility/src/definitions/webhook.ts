import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { AdmissionDenied } from '@capstan/kube';
import type { ValidatingWebhook } from '@capstan/kube';
import { DEFINITIONS } from '../kinds.js';
import type { Outcome } from '../metric-declarations.js';
import type { CheckerMetrics } from '../metrics.js';
import { OWN_DEFINITION } from '../names.js';
import type { Freshness } from '../requirement-cache/freshness.js';
import type { Requirements } from '../requirement-cache/requirements.js';
import type { Verdict } from './decide.js';
import { checkWrite, refusalOf } from './check.js';
import type { Write } from './check.js';

export interface DefinitionWebhookOptions {
  readonly requirements: Requirements;
  readonly freshness: Freshness;
  readonly metrics: CheckerMetrics;
}

/** The requirements that are known here and that the server has. */
async function presentOnes(
  { freshness, requirements }: DefinitionWebhookOptions,
  signal: AbortSignal,
): Promise<readonly CompatibilityRequirement[]> {
  const present = await freshness.present(signal);
  return Array.from(requirements.all()).filter(({ metadata: { uid = '' } }) => present.has(uid));
}

async function review(write: Write, options: DefinitionWebhookOptions, signal: AbortSignal): Promise<Verdict> {
  const name = (write.object ?? write.old)?.metadata.name;
  // Repairing the checker must neither be denied by the checker nor wait for it.
  if (name === OWN_DEFINITION) return { denials: [], warnings: [] };
  return checkWrite(write, await presentOnes(options, signal), (each) => options.requirements.read(each));
}

function outcomeOf({ denials, warnings }: Verdict): Outcome {
  if (denials.length > 0) return 'denied';
  return warnings.length > 0 ? 'warned' : 'allowed';
}

/** Denies writes of CRDs that would break the owner of a requirement. */
export function definitionWebhook(options: DefinitionWebhookOptions): ValidatingWebhook {
  const { definitions: counter } = options.metrics;
  return {
    for: { group: DEFINITIONS.group, kind: DEFINITIONS.kind },
    validate: async (write, context) => {
      const verdict = await review(write, options, context.signal).catch((error: unknown) => {
        counter.add(['failed' satisfies Outcome]);
        throw error;
      });
      for (const line of verdict.warnings) context.warn(line);
      counter.add([outcomeOf(verdict)]);
      const refusal = refusalOf(write, verdict);
      if (refusal !== undefined) throw new AdmissionDenied(refusal);
    },
  };
}
