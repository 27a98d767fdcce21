import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

/**
 * Whose requirement it is, for messages: who controls it, else whom its label names, else who wrote its spec last.
 * Undefined when nobody can be told.
 */
export function ownerOf(requirement: KubeObject): string | undefined {
  const { labels, managedFields } = requirement.metadata;
  const controller = controllerOf(requirement);
  if (controller !== undefined) return `${controller.kind}/${controller.name}`;
  const label = labels?.[MANAGED_BY_LABEL];
  if (label !== undefined && label !== '') return label;
  const writers = (managedFields ?? []).filter(({ fieldsV1, subresource }) => {
    return !subresource && typeof fieldsV1 === 'object' && fieldsV1 !== null && 'f:spec' in fieldsV1;
  });
  return writers.at(-1)?.manager;
}

/** `requirement "name" of owner`. */
export function requirementText(requirement: KubeObject): string {
  const owner = ownerOf(requirement);
  return `requirement "${requirement.metadata.name ?? ''}"${owner === undefined ? '' : ` of ${owner}`}`;
}
