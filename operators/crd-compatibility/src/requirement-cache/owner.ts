import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

/** Field managers that are tools of people, by the beginning of their names: nobody to ask. */
const TOOLS = /^(?:kubectl|oc$|oc-|k9s|Mozilla|before-first-apply|unknown$)/i;
const UNKNOWN = 'an unknown owner (ask the cluster administrator)';

/**
 * Whose requirement it is, for messages: its controller, else another owner, else whom its label names, else the field
 * manager that wrote its spec last. A command line tool is nobody who could be asked; undefined when nobody else is known.
 */
export function ownerOf(requirement: KubeObject): string | undefined {
  const { labels, managedFields, ownerReferences } = requirement.metadata;
  const owner = controllerOf(requirement) ?? ownerReferences?.[0];
  if (owner !== undefined) return `${owner.kind}/${owner.name}`;
  const label = labels?.[MANAGED_BY_LABEL];
  if (label !== undefined && label !== '' && !TOOLS.test(label)) return label;
  const writers = (managedFields ?? []).filter(({ fieldsV1, manager = '', subresource }) => {
    const writesSpec = !subresource && typeof fieldsV1 === 'object' && fieldsV1 !== null && 'f:spec' in fieldsV1;
    return writesSpec && manager !== '' && !TOOLS.test(manager);
  });
  return writers.at(-1)?.manager;
}

/** `requirement "name" of owner`. */
export function requirementText(requirement: KubeObject): string {
  return `requirement "${requirement.metadata.name ?? ''}" of ${ownerOf(requirement) ?? UNKNOWN}`;
}
