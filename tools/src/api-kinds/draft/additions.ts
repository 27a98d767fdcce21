import type { Rule } from '@capstan/api/model';

import type { PublishedCrd } from './crd-file.js';
import { elementOf, schemaAt } from './crd-file.js';
import type { Addition, PrinterColumn, RuleAddition, RuleChange } from './sources.js';

/** A published definition with our own fields in it. */
export function withAdditions(
  crd: PublishedCrd,
  additions: readonly Addition[],
  rules: readonly RuleChange[] = [],
): PublishedCrd {
  if (additions.length === 0 && rules.length === 0) return crd;
  const copy = structuredClone(crd);
  for (const addition of additions) add(copy, addition);
  for (const change of rules) changeRule(copy, change);
  return copy;
}

/** A published definition with our own rules in addition to its own. */
export function withRules(crd: PublishedCrd, additions: readonly RuleAddition[]): PublishedCrd {
  if (additions.length === 0) return crd;
  const copy = structuredClone(crd);
  for (const { path, rules } of additions) {
    const schema = schemaAt(copy, path);
    if (schema === undefined) throw new Error(`${crd.spec.names.kind} has nothing at ${path}`);
    const theirs = (schema['x-kubernetes-validations'] ?? []) as readonly Rule[];
    const known = rules.find((ours) => theirs.some(({ rule }) => rule === ours.rule));
    if (known !== undefined)
      throw new Error(`${crd.spec.names.kind} has the rule at ${path} by now: remove ours: ${known.rule}`);
    schema['x-kubernetes-validations'] = [...theirs, ...rules];
  }
  return copy;
}

/** A published definition with our own printer columns, which its authors must not have in the meantime. */
export function withColumns(crd: PublishedCrd, columns: readonly PrinterColumn[] = []): PublishedCrd {
  if (columns.length === 0) return crd;
  const versions = crd.spec.versions.map((version) => {
    if (version.additionalPrinterColumns !== undefined)
      throw new Error(`${crd.spec.names.kind} ${version.name} has printer columns by now: remove ours`);
    return { ...version, additionalPrinterColumns: columns.map((column) => ({ ...column })) };
  });
  return { ...crd, spec: { ...crd.spec, versions } };
}

function add(crd: PublishedCrd, { path, schema, required, replaces }: Addition): void {
  const [last = '', ...above] = path.split('.').toReversed();
  const parent = elementOf(schemaAt(crd, above.toReversed().join('.')));
  if (parent === undefined || above.length === 0) throw new Error(`${crd.spec.names.kind} has no place for ${path}`);
  if ((parent.properties?.[last] !== undefined) !== (replaces === true)) {
    const problem = replaces === true ? 'has no' : 'has';
    throw new Error(`${crd.spec.names.kind} ${problem} ${path} by now: take the addition away`);
  }
  parent.properties = { ...parent.properties, [last]: schema };
  const others = (parent.required ?? []).filter((each) => each !== last);
  parent.required = required === true ? [...others, last] : others;
}

function changeRule(crd: PublishedCrd, { path, message, becomes, ofItems }: RuleChange): void {
  const at = schemaAt(crd, path);
  const schema = ofItems === true ? elementOf(at) : at;
  const rules = (schema?.['x-kubernetes-validations'] ?? []) as readonly Rule[];
  if (schema === undefined || !rules.some((each) => each.message === message)) {
    throw new Error(`${crd.spec.names.kind} has no rule at ${path} with the message: ${message}`);
  }
  const left = rules.flatMap((each) => {
    if (each.message !== message) return [each];
    return becomes === undefined ? [] : [{ ...each, rule: becomes }];
  });
  if (left.length > 0) schema['x-kubernetes-validations'] = left;
  else delete schema['x-kubernetes-validations'];
}
