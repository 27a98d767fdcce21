import { compareBytes, formatApiVersion } from '@capstan/meta';
import type { DiscoveryFailure } from '@capstan/kube';
import type { ContentOutcome } from './outcome.js';

/** A condition of a namespace's status. */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime?: string | null | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

type Verdict = Pick<NamespaceCondition, 'reason' | 'message'>;

/** The conditions of a deletion in the order they are written, with what they say when all is well. */
const WELL: readonly (Verdict & { readonly type: string })[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  { type: 'NamespaceContentRemaining', reason: 'ContentRemoved', message: 'All content successfully removed' },
  {
    type: 'NamespaceFinalizersRemaining',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];

/** The conditions after an attempt, or undefined when nothing about them changed. Times move only with the status. */
export function deletionConditions(
  current: readonly NamespaceCondition[],
  outcome: ContentOutcome,
  now: string,
): readonly NamespaceCondition[] | undefined {
  const conditions = [...current];
  let changed = false;
  for (const { type, ...well } of WELL) {
    const trouble = troubleOf(type, outcome);
    const status = trouble === undefined ? 'False' : 'True';
    const verdict = trouble ?? well;
    const at = conditions.findIndex((condition) => condition.type === type);
    const old = conditions[at];
    if (old === undefined) conditions.push({ type, status, lastTransitionTime: now, ...verdict });
    else if (old.status === status && old.reason === verdict.reason && old.message === verdict.message) continue;
    else
      conditions[at] = {
        ...old,
        ...verdict,
        status,
        lastTransitionTime: old.status === status ? old.lastTransitionTime : now,
      };
    changed = true;
  }
  return changed ? conditions : undefined;
}

function troubleOf(type: string, outcome: ContentOutcome): Verdict | undefined {
  switch (type) {
    case 'NamespaceDeletionDiscoveryFailure':
      return outcome.discoveryError === undefined
        ? undefined
        : { reason: 'DiscoveryFailed', message: outcome.discoveryError };
    case 'NamespaceDeletionContentFailure':
      return contentFailure(outcome.errors);
    case 'NamespaceContentRemaining':
      return contentRemaining(outcome);
    case 'NamespaceFinalizersRemaining':
      return finalizersRemaining(outcome);
    default:
      return undefined;
  }
}

function contentFailure(errors: readonly string[]): Verdict | undefined {
  if (errors.length === 0) return undefined;
  const message = `Failed to delete all resource types, ${errors.length} remaining: ${sorted(errors)}`;
  return { reason: 'ContentDeletionFailed', message };
}

function contentRemaining({ remaining }: ContentOutcome): Verdict | undefined {
  if (remaining.length === 0) return undefined;
  // The core group leaves its dot behind: `pods. has 2 resource instances`.
  const texts = remaining.map(
    ({ resource, count }) => `${resource.plural}.${resource.group} has ${count} resource instances`,
  );
  return { reason: 'SomeResourcesRemain', message: `Some resources are remaining: ${sorted(texts)}` };
}

function finalizersRemaining({ remaining }: ContentOutcome): Verdict | undefined {
  const counts = new Map<string, number>();
  for (const { finalizers } of remaining) {
    for (const [name, count] of finalizers) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  if (counts.size === 0) return undefined;
  const texts = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  return {
    reason: 'SomeFinalizersRemain',
    message: `Some content in the namespace has finalizers remaining: ${sorted(texts)}`,
  };
}

function sorted(texts: readonly string[]): string {
  return [...texts].sort(compareBytes).join(', ');
}

/** How a partial discovery is reported. */
export function discoveryFailureText(failures: readonly DiscoveryFailure[]): string {
  const texts = failures.map((failure) => `${formatApiVersion(failure)}: ${failure.message}`);
  return `Discovery failed for some groups, ${failures.length} failing: unable to retrieve the complete list of server APIs: ${sorted(texts)}`;
}
