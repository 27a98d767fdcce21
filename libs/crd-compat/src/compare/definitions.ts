/** Two definitions compared, for the required versions. */
import { type RuleId, severityOf } from '../catalogue.js';
import { type Definition, type DefinitionVersion, versionOf } from '../definition.js';
import type { Finding } from '../report.js';
import type { ExclusionTree } from '../selection.js';
import { compareVersions } from './versions.js';

/** The question of one check. */
export interface Comparison {
  readonly required: Definition;
  readonly live: Definition;
  readonly versions: readonly string[];
  readonly exclusions: ReadonlyMap<string, ExclusionTree>;
  readonly minor: number;
}

/** What a finding says besides its rule. */
export interface About {
  readonly version?: string;
  readonly path: string;
  readonly message: string;
  readonly required?: unknown;
  readonly live?: unknown;
}

/** A finding about a definition; errors of this kind are proved by the request that fails for everybody. */
export function definitionFinding(rule: RuleId, about: About, witness?: Finding['proof']): Finding {
  const severity = severityOf(rule);
  return { rule, severity, ...about, ...(severity === 'error' && { proof: witness ?? 'cannot be proved' }) };
}

/** Everything that is found about the required versions and about the definition as a whole. */
export function compareDefinitions(comparison: Comparison): Finding[] {
  const { required, live } = comparison;
  const found: Finding[] = [];
  for (const name of comparison.versions) {
    const wanted = versionOf(required, name);
    if (wanted === undefined) continue;
    found.push(...compareVersion(comparison, wanted, versionOf(live, name)));
  }
  return found;
}

function compareVersion(
  comparison: Comparison,
  required: DefinitionVersion,
  live: DefinitionVersion | undefined,
): readonly Finding[] {
  if (live === undefined) {
    const message = `version ${required.name} is required and is not in the definition`;
    return [definitionFinding('version-removed', { version: required.name, path: 'spec.versions', message })];
  }
  return compareVersions(comparison, required, live);
}
