/** CustomResourceDefinitions as the typed codec leaves them. */
import { specOf, type DefinitionCondition } from '@capstan/schema';
import type { KubeObject } from '@capstan/meta';

export { findCondition, isTrue, specOf, statusOf } from '@capstan/schema';
export type {
  DefinitionCondition,
  DefinitionNames,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionVersion,
  ScalePaths,
} from '@capstan/schema';

export const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions';
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** The certificates its conversion webhook is to be trusted by, as base64 of PEM. */
export function conversionBundle(definition: KubeObject): string | undefined {
  const client = specOf(definition).conversion?.webhook?.['clientConfig'] as { caBundle?: string } | undefined;
  return client?.caBundle;
}

/** A condition without its time. */
export type Finding = Omit<DefinitionCondition, 'lastTransitionTime'>;

/** The conditions with one more or another; times move with the status only. */
export function withCondition(
  conditions: readonly DefinitionCondition[] | null,
  finding: Finding,
  now: string,
): DefinitionCondition[] {
  const all = conditions ?? [];
  const known = all.find(({ type }) => type === finding.type);
  const { type, status, reason, message } = finding;
  const isSame = known !== undefined && known.status === status && Boolean(known.lastTransitionTime);
  const lastTransitionTime = isSame ? known.lastTransitionTime : now;
  const next: DefinitionCondition = { type, status, lastTransitionTime, reason, message };
  return known === undefined ? [...all, next] : all.map((each) => (each === known ? next : each));
}
