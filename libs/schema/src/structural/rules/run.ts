/** The evaluation of the rules of one schema node on one value, and how the outcome is reported. */
import {
  type FieldError,
  duplicate,
  fieldErrorMessage,
  forbidden,
  goQuote,
  invalid,
  joinField,
  omitValue,
  required,
  utf8Length,
} from '@capstan/meta';
import type { CompiledRule } from './compiled-rule.js';
import type { Correlation } from '../schema/correlation.js';
import type { ValidationRule } from '../schema/schema-node.js';

/** How a value stands to its old one. Outside the correlatable part the nearest correlated ancestor decides. */
export interface Standing {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

/** A value that rules are to be evaluated on. `old` is `undefined` where there is none. */
export interface Visit {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
  readonly standing: Standing;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
const costLimit = 'operation cancelled: actual cost limit exceeded';
const maxMessageBytes = 5 * 1024;

function isUnchanged({ current, nearest }: Standing): boolean {
  return (current ?? nearest)?.unchanged() ?? false;
}

function ruleText(rule: ValidationRule): string {
  return (rule.message ?? '') === '' ? rule.rule.trim() : (rule.message ?? '').trim();
}

function failureText(rule: ValidationRule): string {
  return (rule.message ?? '') === '' ? `failed rule: ${ruleText(rule)}` : ruleText(rule);
}

function failure(rule: ValidationRule, path: string, value: unknown, detail: string): FieldError {
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

/** The text of an error that a rule ended in instead of a verdict. */
function errorText(error: string, rule: ValidationRule): string {
  const text = ruleText(rule);
  if (error.startsWith('no such overload')) {
    const reason = 'call arguments did not match a supported operator, function or macro signature for rule';
    return `'${error}': ${reason}: ${text}`;
  }
  if (!error.startsWith(costLimit)) return `${error} evaluating rule: ${text}`;
  return `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`;
}

/** What a run over one object has found and may still spend. A negative budget ends it. */
export class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  budget: number;
  readonly #showsValue: boolean;

  /** `showsValue`: a failed rule shows the value, not its type. */
  constructor(budget: number, showsValue: boolean) {
    this.budget = budget;
    this.#showsValue = showsValue;
  }

  #stop(error: FieldError): void {
    this.errors.push(error);
    this.budget = -1;
  }

  /** Evaluates the rules of a node whose schema has this type. */
  evaluate(rules: readonly CompiledRule[], type: string, visit: Visit): void {
    if (this.budget <= 0) {
      this.#stop(invalid(visit.path, type, outOfBudget));
      return;
    }
    for (const compiled of rules) {
      if (compiled.error !== undefined) {
        this.errors.push(invalid(visit.path, type, `rule compile error: ${compiled.error}`));
        continue;
      }
      this.#evaluateRule(compiled, type, visit);
      if (this.budget < 0) return;
    }
  }

  #evaluateRule(compiled: CompiledRule, type: string, visit: Visit): void {
    const { expression, rule } = compiled;
    if (expression === undefined) return;
    // Transition rules speak about two values; without the old one there is nothing to say.
    if (expression.usesOldSelf && visit.old === undefined && rule.optionalOldSelf !== true) return;
    const { value, error, cost } = expression.evaluate(visit.value, visit.old);
    if (cost > this.budget) {
      this.#stop(invalid(visit.path, type, outOfBudget));
      return;
    }
    this.budget -= cost;
    if (error !== undefined) {
      this.errors.push(invalid(visit.path, type, errorText(error, rule)));
      if (error.startsWith(costLimit)) this.budget = -1;
    } else if (value !== true) {
      this.#reportFailure(compiled, type, visit);
    }
  }

  #shown(value: unknown, type: string): unknown {
    if (!this.#showsValue) return type;
    return type === 'object' || type === 'array' ? omitValue : value;
  }

  #reportFailure(compiled: CompiledRule, type: string, visit: Visit): void {
    const { rule, fieldPath, expression } = compiled;
    const at = fieldPath === '' ? visit.path : joinField(visit.path, fieldPath);
    const { text, fatal } = this.#message(compiled, visit);
    const error =
      fatal === undefined
        ? failure(rule, at, this.#shown(visit.value, type), text ?? failureText(rule))
        : invalid(at, type, fatal);
    // What an update left as it was only earns a warning, unless the rule is about the change itself.
    if (expression?.usesOldSelf !== true && isUnchanged(visit.standing)) this.warnings.push(fieldErrorMessage(error));
    else this.errors.push(error);
    if (fatal !== undefined) this.budget = -1;
  }

  /** The value of the rule's message expression; undefined where it fails or has no usable value. */
  #message({ message, rule }: CompiledRule, visit: Visit): { readonly text?: string; readonly fatal?: string } {
    if (message === undefined) return {};
    const { value, error, cost } = message.evaluate(visit.value, visit.old);
    const ending = 'no further validation rules will be run';
    if (cost > this.budget) {
      return { fatal: `messageExpression evaluation failed due to running out of cost budget, ${ending}` };
    }
    if (error?.startsWith(costLimit) === true) {
      const source = goQuote(rule.messageExpression ?? '');
      return { fatal: `${ending} due to call cost exceeds limit for messageExpression: ${source}` };
    }
    this.budget -= cost;
    if (typeof value !== 'string') return {};
    const text = value.trim();
    return text === '' || text.includes('\n') || utf8Length(text) > maxMessageBytes ? {} : { text };
  }
}
