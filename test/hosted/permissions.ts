import type { PolicyRule } from '@capstan/provider';

const has = (list: readonly string[] | undefined, wanted: string): boolean =>
  list?.includes('*') === true || list?.includes(wanted) === true;

/** The wanted permissions that are not held, a line each: a server lets no client grant those. */
export function missingPermissions(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string[] {
  const permissions = wanted.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ group, resource, verb, text: `${verb} ${resource}.${group}` })),
      ),
    ),
  );
  return permissions
    .filter(({ group, resource, verb }) =>
      held.every((rule) => !has(rule.apiGroups, group) || !has(rule.resources, resource) || !has(rule.verbs, verb)),
    )
    .map(({ text }) => text);
}
