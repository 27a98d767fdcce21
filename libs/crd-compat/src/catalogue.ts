/** The catalogue of rules: what each finding means, for people. */
import { definitionRules } from './catalogue-definition.table.js';
import { schemaRules } from './catalogue-schema.table.js';
import type { Severity } from './report.js';

/** Title, explanation and example of a rule. */
export interface RuleText {
  readonly title: string;
  readonly severity: Severity;
  /** Why it matters to the clients that the requirement stands for. */
  readonly explanation: string;
  /** The smallest change that shows it. */
  readonly example: string;
}

const texts = { ...definitionRules, ...schemaRules } as const;

/** The id of a rule. */
export type RuleId = keyof typeof texts;

/** One rule of the catalogue. */
export interface Rule extends RuleText {
  readonly id: RuleId;
}

/** All rules by id. */
export type RuleCatalogue = ReadonlyMap<string, Rule>;

/** Every rule that a finding may name, in the order of the reference. */
export const rules: RuleCatalogue = new Map(
  (Object.keys(texts) as RuleId[]).map((id): [string, Rule] => [id, { id, ...texts[id] }]),
);

/** The severity of a rule. */
export function severityOf(id: RuleId): Severity {
  return texts[id].severity;
}

/** A rule by its id; undefined where there is none. */
export function explain(id: string): Rule | undefined {
  return rules.get(id);
}
