import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import { withMembers } from './fields.js';
import { plainObject } from './objects.js';
import type { Surface } from './surface.js';

/** Resources whose names carry groups. */
const NAMED_BY_GROUP = new Set(['customresourcedefinitions', 'apiservices', '*']);

/** Whether rules on a resource name objects by groups. */
export function isNamedByGroup(resource: unknown): boolean {
  return typeof resource === 'string' && NAMED_BY_GROUP.has(resource.split('/')[0] ?? '');
}

/** One rule, of whose resources it is known whether their names carry groups. */
function ruleShape({ mapping, groups }: Fields, isNamed: boolean): Shape {
  const names: Shape = { items: { text: (name) => mapping.swapAfterDot(name) } };
  return { members: members({ apiGroups: groups, ...(isNamed ? { resourceNames: names } : {}) }) };
}

/** A rule as servers write it: its resources come before the names. */
export function readRule(fields: Fields): Shape {
  const named = ruleShape(fields, true);
  const choose = (resource: string): Shape | undefined => (isNamedByGroup(resource) ? named : undefined);
  return withMembers(ruleShape(fields, false), { resources: { items: { choose, chooseUp: 2 } } });
}

/** Role and ClusterRole. */
export function role(fields: Fields): Surface {
  const { object } = plainObject(fields);
  const named = ruleShape(fields, true);
  const unnamed = ruleShape(fields, false);
  return {
    object: withMembers(object, { rules: { items: readRule(fields) } }),
    // Clients write members in any order, most often sorted: the names then come before the resources.
    forDocument: (document) => {
      const { rules } = (document ?? {}) as { rules?: unknown };
      const sequence = (Array.isArray(rules) ? rules : []).map((rule: unknown) => {
        const { resources } = (rule ?? {}) as { resources?: unknown };
        return Array.isArray(resources) && resources.some(isNamedByGroup) ? named : unnamed;
      });
      return withMembers(object, { rules: { sequence, items: unnamed } });
    },
  };
}
