/** What storing in another version does to objects of a required one. */
import type { RuleId } from '../catalogue.js';
import { type Definition, type DefinitionVersion, storageVersionOf } from '../definition.js';
import { withDraft } from '../drafts/evidence.js';
import type { Side } from '../proof/server.js';
import { undone } from '../proof/undo.js';
import type { Finding } from '../report.js';
import { type Comparison, definitionFinding, proverFor } from './comparison.js';
import { identityOf, SchemaComparison } from './schemas.js';
import { type Draft, pathOf } from '../drafts/site.js';

/** Findings between schemas that mean lost data: conversion prunes and fills in, and checks nothing. */
const losses: ReadonlySet<RuleId> = new Set<RuleId>([
  'embedded-resource-removed',
  'field-removed',
  'map-became-struct',
  'unknown-fields-pruned',
]);
const fillings: ReadonlySet<RuleId> = new Set<RuleId>(['default-added', 'default-changed', 'nullable-removed']);

/** The version objects of this one are stored in, where no webhook converts between them. */
function storageWithoutWebhook(definition: Definition, version: DefinitionVersion): DefinitionVersion | undefined {
  if (definition.conversion.strategy === 'Webhook') return undefined;
  const storage = storageVersionOf(definition);
  return storage === undefined || storage.name === version.name ? undefined : storage;
}

function lossesOf(
  comparison: Comparison,
  from: DefinitionVersion,
  to: DefinitionVersion | undefined,
): readonly Draft[] {
  if (to === undefined) return [];
  const walk = new SchemaComparison(comparison.minor, identityOf(comparison.required, from.name));
  const excluded = comparison.exclusions.get(from.name);
  const place = { site: [], excluded, resource: true };
  walk.compare({ required: from.schema().root, live: to.schema().root, place });
  return walk.drafts.filter(({ rule }) => losses.has(rule) || fillings.has(rule));
}

function sideOf(version: DefinitionVersion, hasStatus: boolean, storage: DefinitionVersion | undefined): Side {
  return { schema: version.schema(), hasStatus, ...(storage !== undefined && { storage: storage.schema() }) };
}

function compareWebhooks({ live, required }: Comparison, version: string): Finding[] {
  if (live.conversion.strategy !== 'Webhook') return [];
  const found: Finding[] = [];
  const path = 'spec.conversion';
  if (required.conversion.strategy !== 'Webhook') {
    const about = { version, path, message: 'objects are converted by a webhook now, which is trusted' };
    found.push(definitionFinding('conversion-webhook-trusted', about));
  }
  const had = required.conversion.strategy === 'Webhook' && !required.conversion.hasService;
  if (!live.conversion.hasService && !had) {
    const about = { version, path, message: 'the conversion webhook is not a service of this cluster' };
    found.push(definitionFinding('conversion-webhook-without-service', about));
  }
  return found;
}

/** Whether a path is one of some others, or leads to something inside. */
function isWithin(paths: readonly string[], path: string): boolean {
  return paths.some((other) => path === other || path.startsWith(`${other}.`));
}

/** What is found about conversion between a required version and the stored one. */
export function compareConversion(
  comparison: Comparison,
  required: DefinitionVersion,
  live: DefinitionVersion,
): Finding[] {
  const found = compareWebhooks(comparison, required.name);
  const storage = storageWithoutWebhook(comparison.live, live);
  const before = storageWithoutWebhook(comparison.required, required);
  // Parts that are the same are one thing: between the same schemas nothing new is lost.
  const isSame = (a: DefinitionVersion, b: DefinitionVersion | undefined): boolean =>
    a.schema().root.raw === b?.schema().root.raw;
  if (storage === undefined || (isSame(storage, before) && isSame(live, required))) return found;
  // Fields that the version itself no longer has are reported for it, and earlier losses are not new.
  const reported = [...lossesOf(comparison, required, before), ...lossesOf(comparison, required, live)].map(
    ({ site }) => pathOf(site),
  );
  const drafts = lossesOf(comparison, required, storage).filter(({ site }) => !isWithin(reported, pathOf(site)));
  if (drafts.length === 0) return found;
  const sides = {
    required: sideOf(required, required.hasStatus, before),
    live: sideOf(live, required.hasStatus, storage),
  };
  const prover = proverFor(comparison, required.name, sides, (each, draft) => {
    const schema = undone(storage.schema(), required.schema(), draft);
    return schema && { undone: { ...each.live, storage: schema } };
  });
  for (const draft of drafts) {
    const rule = losses.has(draft.rule) ? 'conversion-loses-field' : 'conversion-changes-default';
    const path = pathOf(draft.site);
    const what = losses.has(draft.rule) ? 'is lost' : 'is filled in differently';
    const message = `${path} ${what} when it is stored in version ${storage.name} without a conversion webhook`;
    const about = { version: required.name, path, message, live: storage.name };
    found.push(
      withDraft(
        definitionFinding(rule, about, () => prover.prove(draft)),
        draft,
      ),
    );
  }
  return found;
}
