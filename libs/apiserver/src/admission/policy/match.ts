import type { AdmissionAttributes, EquivalentKind } from '../../registry/admission-chain.js';
import type { Store } from '../../store/index.js';
import { matchesNamespace, matchesObject, matchesRule, type Match } from '../webhooks/match.js';
import type { Constraints, NamedRule } from './policy.js';

/** Whether constraints speak of a request, and of which version of its resource. */
export function matchConstraints(
  constraints: Constraints,
  attributes: AdmissionAttributes,
  store: Store,
): Match | undefined {
  const { rules, exceptions, matchesEquivalent } = constraints;
  const { object, oldObject } = attributes;
  if (!matchesObject(constraints, object, oldObject)) return undefined;
  if (matchNamed(exceptions, matchesEquivalent, attributes) !== undefined) return undefined;
  const match = rules.length === 0 ? { as: undefined } : matchNamed(rules, matchesEquivalent, attributes);
  if (match === undefined) return undefined;
  return matchesNamespace(constraints, attributes, object, store) ? match : undefined;
}

/** The first rule that speaks of the resource as asked for; else, where versions count as one, as another. */
function matchNamed(
  rules: readonly NamedRule[],
  matchesEquivalent: boolean,
  attributes: AdmissionAttributes,
): Match | undefined {
  const { name, resource } = attributes;
  const fits = ({ resourceNames = [] }: NamedRule): boolean =>
    resourceNames.length === 0 || resourceNames.includes(name);
  if (rules.some((rule) => fits(rule) && matchesRule(rule, attributes, resource))) return { as: undefined };
  if (!matchesEquivalent || rules.length === 0) return undefined;
  const others: readonly EquivalentKind[] = attributes.equivalents();
  for (const rule of rules) {
    for (const as of others) if (fits(rule) && matchesRule(rule, attributes, as.resource)) return { as };
  }
  return undefined;
}
