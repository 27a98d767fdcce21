import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import { withMembers } from './fields.js';
import { plainObject } from './objects.js';
import { isNamedByGroup, readRule } from './rbac.js';
import type { Surface } from './surface.js';

/** Subject access reviews, of oneself, of others, of one namespace. */
export function accessReview(fields: Fields): Surface {
  const { mapping, group } = fields;
  const named: Shape = { members: members({ group, name: { text: (name) => mapping.swapAfterDot(name) } }) };
  const unnamed: Shape = { members: members({ group }) };
  const choose = (resource: string): Shape | undefined => (isNamedByGroup(resource) ? named : undefined);
  const { object } = plainObject(fields);
  const withAttributes = (resourceAttributes: Shape): Shape =>
    withMembers(object, { spec: { members: members({ resourceAttributes }) } });
  const ofNamed = withAttributes(named);
  const ofUnnamed = withAttributes(unnamed);
  return {
    // Servers write the resource before the name.
    object: withAttributes(withMembers(unnamed, { resource: { choose } })),
    forDocument: (document) => {
      const { spec } = (document ?? {}) as { spec?: { resourceAttributes?: { resource?: unknown } | null } | null };
      return isNamedByGroup(spec?.resourceAttributes?.resource) ? ofNamed : ofUnnamed;
    },
  };
}

/** Reviews of one's own permissions: rules about the hidden groups are left out. */
export function rulesReview(fields: Fields): Surface {
  const { mapping, group } = fields;
  const { object } = plainObject(fields);
  const shown: Shape = {
    ...group,
    filtered: true,
    decide: (name) => (mapping.side(name) === 'standard' ? 'drop' : 'keep'),
  };
  const rule = withMembers(readRule(fields), { apiGroups: { items: shown } });
  return { object: withMembers(object, { status: { members: members({ resourceRules: { items: rule } }) } }) };
}
