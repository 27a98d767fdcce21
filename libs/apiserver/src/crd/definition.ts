/** CustomResourceDefinitions as the typed codec leaves them. */
import { specOf } from '@capstan/schema';
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
