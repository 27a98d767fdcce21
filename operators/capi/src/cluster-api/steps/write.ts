import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { errorText, performChange } from '@capstan/kube';
import type { Change, Client, ResourceKind } from '@capstan/kube';
import { formatApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Plan } from '../decide.js';
import type { Written } from '../snapshot.js';
import type { CapiMetrics } from '../metrics.js';
import { DEFINITIONS, FIELD_MANAGER, REQUIREMENTS } from '../../vocabulary.js';

/** A write that failed: reported in the status, and retried. */
export interface Failure {
  readonly what: string;
  readonly error: unknown;
}

/** What the writes need besides the plan. */
export interface WriteOptions {
  readonly signal: AbortSignal;
  /** What this process has written, by name. */
  readonly written: Map<string, Written>;
  readonly metrics: CapiMetrics;
}

/**
 * Performs a plan. Requirements come before CRDs, so that no CRD is installed that violates one;
 * obsolete ones are deleted last. A failed write does not stop the others.
 */
export async function write(
  client: Client,
  plan: Plan,
  { metrics, signal, written }: WriteOptions,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const attempt = async (what: string, change: Change): Promise<KubeObject | undefined> => {
    try {
      const result = await performChange(client, change, { signal });
      metrics.wrote(what, 'written');
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      metrics.wrote(what, 'failed');
      failures.push({ what, error });
      return undefined;
    }
  };
  const taken = new Set(plan.taken);
  for (const { standing, wanted } of plan.required)
    if (!standing.isWritten && !taken.has(wanted.metadata.name ?? ''))
      // Changed in place: from the old content to the new there is no moment without a requirement.
      await attempt(`compatibilityrequirement ${wanted.metadata.name ?? ''}`, applied(REQUIREMENTS, wanted));
  for (const definition of plan.install) {
    const what = `customresourcedefinition ${definition.metadata.name ?? ''}`;
    const result = await attempt(what, applied(DEFINITIONS, definition));
    if (result !== undefined) written.set(result.metadata.name ?? '', result.metadata);
  }
  for (const name of plan.drop) {
    const object = { ...OBSOLETE_REQUIREMENT, metadata: { name } };
    await attempt(`compatibilityrequirement ${name}`, { verb: 'delete', kind: REQUIREMENTS, object });
  }
  return failures;
}

const OBSOLETE_REQUIREMENT = { apiVersion: formatApiVersion(REQUIREMENTS), kind: REQUIREMENTS.kind };

function applied(kind: ResourceKind, object: CompatibilityRequirement | KubeObject): Change {
  return { verb: 'apply', kind, object: object as KubeObject, fieldOwner: FIELD_MANAGER };
}

/** A failure as a sentence. */
export function failureText({ error, what }: Failure): string {
  return `${what} could not be written: ${errorText(error)}`;
}

/** Writes failed; they are retried with backoff. */
export class WritesFailed extends Error {
  override readonly name = 'WritesFailed';

  constructor(failures: readonly Failure[]) {
    super(failures.map(failureText).join('; '), { cause: failures[0]?.error });
  }
}
