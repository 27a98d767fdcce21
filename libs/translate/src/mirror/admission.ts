import type { JsonObject, KubeObject } from '@capstan/meta';
import { compareBytes } from '@capstan/meta';
import type { GroupMapping } from '../groups/mapping.js';

/** A configuration of admission webhooks that speaks of standard groups. */
export interface StandardAdmission {
  readonly kind: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** Which configurations send standard kinds to webhooks by name: private kinds will not be sent there. */
export function standardAdmission(
  configurations: readonly KubeObject[],
  mapping: GroupMapping,
): readonly StandardAdmission[] {
  return configurations.flatMap(({ kind, metadata: { name = '' }, webhooks }) => {
    const rules = listOf(webhooks).flatMap((webhook) => listOf(webhook['rules']));
    const named = rules.flatMap(({ apiGroups }) => (Array.isArray(apiGroups) ? (apiGroups as unknown[]) : []));
    const standard = named.filter(
      (group): group is string => typeof group === 'string' && mapping.side(group) === 'standard',
    );
    const groups = [...new Set(standard)].toSorted(compareBytes);
    return groups.length === 0 ? [] : [{ kind, name, groups }];
  });
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
