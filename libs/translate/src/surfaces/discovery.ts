import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import { withMembers } from './fields.js';
import { statusShape } from './status.js';

/**
 * Discovery in all its forms: the list of groups, one group, the resources of a version, and the aggregated list. The
 * private groups are shown under their standard names, in their own place, order and freshness; the platform's are left out.
 */
export function discoveryShape(fields: Fields): Shape {
  const { mapping, apiVersion, group, groupKind } = fields;
  const versioned: Shape = { members: members({ groupVersion: apiVersion }) };
  const groupOf = { name: group, versions: { items: versioned }, preferredVersion: versioned };
  const decide = (name: string): 'keep' | 'drop' => (mapping.side(name) === 'standard' ? 'drop' : 'keep');
  const listed: Shape = { filtered: true, members: members({ ...groupOf, name: { ...group, decide } }) };
  const responses = { responseKind: groupKind, acceptedTypes: { items: groupKind } };
  const subresource: Shape = { members: members(responses) };
  const resource: Shape = { members: members({ ...responses, subresources: { items: subresource } }) };
  const discovered: Shape = {
    filtered: true,
    members: members({
      metadata: { members: members({ name: { ...group, decide } }) },
      versions: { items: { members: members({ resources: { items: resource } }) } },
    }),
  };
  const status = statusShape(fields, {});
  const document: Shape = {
    members: members({
      ...groupOf,
      groupVersion: apiVersion,
      groups: { items: listed },
      resources: { items: groupKind },
      items: { items: discovered },
    }),
  };
  return withMembers(document, { kind: { choose: (kind) => (kind === 'Status' ? status : undefined) } });
}
