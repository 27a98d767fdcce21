/** LabelSelector objects, as specs carry them. */
import { pushAll } from '../lists.js';
import { indexField, invalid, joinField, required, forbidden, type FieldError } from '../validation/field-error.js';
import { goQuote } from '../json/go-text.js';
import { checkLabelValue, checkQualifiedName } from '../validation/names.js';
import { validateLabels } from '../validation/object-meta.js';
import { LabelMatcher } from './label-matcher.js';
import { labelRequirement, SelectorError, trustedRequirement, type LabelOperator } from './requirement.js';

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

/** A selector as objects carry it; an empty one matches everything, an absent one nothing. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | null;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | null;
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** The compiled selector of an object's; throws {@link SelectorError}. */
export function compileLabelSelector(selector: LabelSelector | null | undefined): LabelMatcher {
  if (selector === null || selector === undefined) return LabelMatcher.nothing;
  const requirements = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    labelRequirement(key, '=', [value]),
  );
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const known = operators.get(operator);
    if (known === undefined) {
      throw new SelectorError(`${goQuote(operator)} is not a valid label selector operator`);
    }
    requirements.push(labelRequirement(key, known, values ?? []));
  }
  return LabelMatcher.of(requirements);
}

/** The selector of exactly these labels, unchecked: `spec.selector` of a Service. An empty set matches everything. */
export function matcherFromSet(labels: Readonly<Record<string, string>> | undefined): LabelMatcher {
  return LabelMatcher.of(Object.entries(labels ?? {}).map(([key, value]) => trustedRequirement(key, '=', [value])));
}

/** The text of an object's selector: `<none>` for one without conditions, `<error>` for a bad one. */
export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  try {
    return compileLabelSelector(selector).toString() || '<none>';
  } catch (error) {
    if (error instanceof SelectorError) return '<error>';
    throw error;
  }
}

/** What is wrong with a selector in an object. */
export function validateLabelSelector(selector: LabelSelector | null | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (selector === null || selector === undefined) return errors;
  pushAll(errors, validateLabels(selector.matchLabels ?? undefined, joinField(path, 'matchLabels')));
  selector.matchExpressions?.forEach((expression, index) => {
    pushAll(errors, validateExpression(expression, indexField(joinField(path, 'matchExpressions'), index)));
  });
  return errors;
}

function validateExpression(expression: LabelSelectorRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { key = '', operator = '' } = expression;
  const values = expression.values ?? [];
  const valuesPath = joinField(path, 'values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(forbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else errors.push(invalid(joinField(path, 'operator'), operator, 'not a valid selector operator'));

  for (const complaint of checkQualifiedName(key)) errors.push(invalid(joinField(path, 'key'), key, complaint));
  values.forEach((value, index) => {
    for (const complaint of checkLabelValue(value)) {
      errors.push(invalid(indexField(valuesPath, index), value, complaint));
    }
  });
  return errors;
}
