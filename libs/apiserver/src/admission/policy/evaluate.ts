import { POLICY_BUDGET, evaluate, type Activation, type Evaluated } from '@capstan/schema';
import type { Policy, Validation } from './policy.js';

/** The outcome of one expression of a policy for a request. */
export interface PolicyDecision {
  readonly denies: boolean;
  /** It could not be evaluated: the failure policy decides. */
  readonly isError: boolean;
  readonly message: string;
  readonly reason: string;
}

export interface PolicyVerdict {
  /** In the order of the expressions. */
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Annotations that came to nothing and must not be missed. */
  readonly annotationErrors: readonly string[];
}

const MAX_MESSAGE_BYTES = 5 * 1024;
const PASSED: PolicyDecision = { denies: false, isError: false, message: '', reason: '' };
const SILENT: PolicyVerdict = { decisions: [], annotations: [], annotationErrors: [] };

/** Evaluates a policy for one request and one parameter. */
export function evaluatePolicy(policy: Policy, activation: Activation, onConditionError: () => void): PolicyVerdict {
  const { conditions, composition } = policy;
  if (!conditions.isEmpty) {
    const verdict = conditions.match((budget) => composition.activate(activation, budget), onConditionError);
    if ('error' in verdict) return failed(policy, verdict.error);
    if (!verdict.matches) return SILENT;
  }
  const budget = { remaining: POLICY_BUDGET };
  const known = composition.activate(activation, budget);
  const results: Evaluated[] = [];
  for (const { expression } of policy.validations) {
    const result = evaluate(expression, known, budget);
    if ('error' in result && result.isFatal) return failed(policy, result.error);
    results.push(result);
  }
  const annotations = annotate(policy, activation);
  if ('fatal' in annotations) return failed(policy, annotations.fatal);
  return { decisions: decide(policy, results, activation, budget), ...annotations };
}

function failed({ failsOpen }: Policy, message: string): PolicyVerdict {
  return { ...SILENT, decisions: [failure(failsOpen, message)] };
}

function failure(failsOpen: boolean, message: string): PolicyDecision {
  return { denies: !failsOpen, isError: true, message, reason: '' };
}

function isTrue(result: Evaluated): boolean {
  return 'value' in result && result.value === true;
}

/** Messages are worked out only where something is refused; they share what the expressions left of the budget. */
function decide(
  policy: Policy,
  results: readonly Evaluated[],
  activation: Activation,
  budget: { remaining: number },
): PolicyDecision[] {
  const { validations, failsOpen, composition } = policy;
  if (results.every(isTrue)) return results.map(() => PASSED);
  const known = composition.activate(activation, budget);
  const messages: (Evaluated | undefined)[] = [];
  for (const { messageExpression } of validations) {
    const message = messageExpression && evaluate(messageExpression, known, budget);
    if (message !== undefined && 'error' in message && message.isFatal) {
      const text = `failed messageExpression: ${message.error}`;
      return results.map((result) => failure(failsOpen, 'error' in result ? result.error : text));
    }
    messages.push(message);
  }
  return results.map((result, index) => {
    if ('error' in result) return failure(failsOpen, result.error);
    if (isTrue(result)) return PASSED;
    const validation = validations[index] as Validation;
    const { reason = 'Invalid' } = validation.spec;
    return { denies: true, isError: false, message: messageOf(validation, messages[index]), reason };
  });
}

/** The author's message, where it evaluates to a usable one; else the expression itself. */
function messageOf({ spec }: Validation, evaluated: Evaluated | undefined): string {
  if (evaluated !== undefined && 'value' in evaluated && typeof evaluated.value === 'string') {
    const text = evaluated.value.trim();
    if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  }
  const fixed = (spec.message ?? '').trim();
  return fixed === '' ? `failed expression: ${spec.expression.trim()}` : fixed;
}

type Annotations = Pick<PolicyVerdict, 'annotations' | 'annotationErrors'>;

function annotate(
  { auditAnnotations, composition, failsOpen }: Policy,
  activation: Activation,
): Annotations | { readonly fatal: string } {
  const annotations: { key: string; value: string }[] = [];
  const annotationErrors: string[] = [];
  if (auditAnnotations.length === 0) return { annotations, annotationErrors };
  const budget = { remaining: POLICY_BUDGET };
  const known = composition.activate(activation, budget);
  for (const { key, expression } of auditAnnotations) {
    const result = evaluate(expression, known, budget);
    if ('error' in result) {
      if (result.isFatal) return { fatal: result.error };
      if (!failsOpen) annotationErrors.push(result.error);
    } else if (typeof result.value === 'string' && result.value.trim() !== '') {
      annotations.push({ key, value: result.value.trim() });
    }
  }
  return { annotations, annotationErrors };
}
