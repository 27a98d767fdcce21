import type { PolicyRule } from '@capstan/provider';

const has = (list: readonly string[] | undefined, wanted: string): boolean =>
  list?.includes('*') === true || list?.includes(wanted) === true;

/** What of some rights is not among others, a line each: a server refuses to let anybody grant that. */
export function lackedRights(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string[] {
  const rights = wanted.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ group, resource, verb, text: `${verb} ${resource}.${group}` })),
      ),
    ),
  );
  return rights
    .filter(({ group, resource, verb }) =>
      held.every((rule) => !has(rule.apiGroups, group) || !has(rule.resources, resource) || !has(rule.verbs, verb)),
    )
    .map(({ text }) => text);
}
