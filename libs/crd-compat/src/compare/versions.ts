/** One version of two definitions compared. */
import type { SchemaNode } from '@capstan/schema';
import { severityOf } from '../catalogue.js';
import type { DefinitionVersion } from '../definition.js';
import type { Finding } from '../report.js';
import type { ExclusionTree } from '../selection.js';
import type { Comparison } from './definitions.js';

/** What is found about the schemas of one version. */
export function compareVersions(
  comparison: Comparison,
  required: DefinitionVersion,
  live: DefinitionVersion,
): Finding[] {
  const found: Finding[] = [];
  const excluded = comparison.exclusions.get(required.name);
  findRemoved(required.schema().root, live.schema().root, '', excluded, (path) => {
    found.push({
      rule: 'field-removed',
      severity: severityOf('field-removed'),
      version: required.name,
      path,
      message: `field ${path} is gone`,
      proof: 'cannot be proved',
    });
  });
  return found;
}

function findRemoved(
  required: SchemaNode,
  live: SchemaNode,
  path: string,
  excluded: ExclusionTree | undefined,
  report: (path: string) => void,
): void {
  for (const [name, member] of required.properties ?? []) {
    if (excluded?.has(name) === true && excluded.get(name) === undefined) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const other = live.properties?.get(name);
    if (other === undefined) report(at);
    else findRemoved(member, other, at, excluded?.get(name), report);
  }
  if (required.items !== undefined && live.items !== undefined) {
    findRemoved(required.items, live.items, path, excluded, report);
  }
}
