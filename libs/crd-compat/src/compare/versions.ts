/** One version of two CRDs compared. */
import { severityOf } from '../catalogue.js';
import type { DefinitionVersion } from '../definition.js';
import { withDraft } from '../drafts/evidence.js';
import type { Side } from '../proof/server.js';
import type { Finding } from '../report.js';
import { type Comparison, type Proof, proverFor, withProof } from './comparison.js';
import { identityOf, SchemaComparison } from './schemas.js';
import { type Draft, pathOf } from '../drafts/site.js';

/** A draft as it is reported. The verdict needs no witness: one is searched only when a caller asks for it. */
function findingOf(draft: Draft, version: string, prove: (draft: Draft) => Proof): Finding {
  const { live, message, required, rule, site } = draft;
  const severity = severityOf(rule);
  const about: Finding = {
    rule,
    severity,
    version,
    path: pathOf(site),
    message,
    ...(required !== undefined && { required }),
    ...(live !== undefined && { live }),
  };
  return withDraft(severity === 'error' ? withProof(about, () => prove(draft)) : about, draft);
}

/** What is found about the schemas of one version. */
export function compareVersions(
  comparison: Comparison,
  required: DefinitionVersion,
  live: DefinitionVersion,
): Finding[] {
  const { exclusions, minor } = comparison;
  const excluded = exclusions.get(required.name);
  const walk = new SchemaComparison(minor, identityOf(comparison.required, required.name));
  const wanted = required.schema();
  const given = live.schema();
  walk.compare({ required: wanted.root, live: given.root, place: { site: [], excluded, resource: true } });
  if (walk.drafts.length === 0) return [];
  // The schemas alone are compared here: changes of subresources are reported separately.
  const sides: Record<'live' | 'required', Side> = {
    required: { schema: wanted, hasStatus: required.hasStatus, scale: required.scale },
    live: { schema: given, hasStatus: required.hasStatus, scale: required.scale },
  };
  const prover = proverFor(comparison, required.name, sides);
  return walk.drafts.map((draft) => findingOf(draft, required.name, (each) => prover.prove(each)));
}
