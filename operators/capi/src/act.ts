import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { apply, errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Plan } from './decide.js';
import type { Written } from './facts.js';
import type { CapiMetrics } from './metrics.js';
import { DEFINITIONS, FIELD_MANAGER, REQUIREMENTS } from './vocabulary.js';

/** What could not be written: said in the status, and tried again. */
export interface Failure {
  readonly what: string;
  readonly error: unknown;
}

/** What acting is told beside the plan. */
export interface Acting {
  readonly signal: AbortSignal;
  /** What this process has written, by name. */
  readonly written: Map<string, Written>;
  readonly metrics: CapiMetrics;
}

/**
 * Writes what a plan says. Requirements come before definitions, so that nothing is installed over somebody's need;
 * what is not wanted any more goes last. One refusal does not keep the others from being written.
 */
export async function act(
  client: Client,
  plan: Plan,
  { metrics, signal, written }: Acting,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const attempt = async (what: string, write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
      metrics.wrote(what, 'written');
    } catch (error) {
      if (signal.aborted) throw error;
      metrics.wrote(what, 'failed');
      failures.push({ what, error });
    }
  };
  const taken = new Set(plan.taken);
  for (const { standing, wanted } of plan.required)
    if (!standing.isWritten && !taken.has(wanted.metadata.name ?? ''))
      await attempt(`compatibilityrequirement ${wanted.metadata.name ?? ''}`, () => require(client, wanted, signal));
  for (const definition of plan.install)
    await attempt(`customresourcedefinition ${definition.metadata.name ?? ''}`, async () => {
      const { metadata } = await apply<KubeObject>(client, DEFINITIONS, definition, {
        fieldOwner: FIELD_MANAGER,
        force: true,
        signal,
      });
      written.set(metadata.name ?? '', metadata);
    });
  for (const name of plan.drop) await attempt(`compatibilityrequirement ${name}`, () => drop(client, name, signal));
  return failures;
}

/** Changed in place: from the old content to the new there is no moment without. */
async function require(client: Client, wanted: CompatibilityRequirement, signal: AbortSignal): Promise<void> {
  await apply(client, REQUIREMENTS, wanted as KubeObject, { fieldOwner: FIELD_MANAGER, force: true, signal });
}

async function drop(client: Client, name: string, signal: AbortSignal): Promise<void> {
  await client.delete(REQUIREMENTS, name, { signal }).catch(ignoreNotFound);
}

/** A failure as a sentence. */
export function failureText({ error, what }: Failure): string {
  return `${what} could not be written: ${errorText(error)}`;
}

/** Something could not be written; it is tried again with growing patience. */
export class WritesFailed extends Error {
  override readonly name = 'WritesFailed';

  constructor(failures: readonly Failure[]) {
    super(failures.map(failureText).join('; '), { cause: failures[0]?.error });
  }
}
