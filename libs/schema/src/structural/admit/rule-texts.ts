/** The texts of `x-kubernetes-validations`, before any expression is compiled. */
import { type FieldError, indexField, invalid, joinField, notSupported, required, pushAll } from '@capstan/meta';
import { unreadableReason } from './structural.js';
import { resolveFieldPath } from '../schema/field-path.js';
import type { SchemaNode, ValidationRule } from '../schema/schema-node.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

function checkMessage(rule: ValidationRule, path: string): FieldError | undefined {
  const text = rule.rule.trim();
  const message = (rule.message ?? '').trim();
  if (text === '') return required(joinField(path, 'rule'), 'rule is not specified');
  const at = joinField(path, 'message');
  if ((rule.message ?? '') !== '' && message === '') return invalid(at, rule.message, 'must be non-empty if specified');
  if (lineBreak.test(message)) return invalid(at, rule.message, 'must not contain line breaks');
  if (lineBreak.test(text) && message === '') {
    return required(at, 'message must be specified if rule contains line breaks');
  }
  return undefined;
}

function checkFieldPath(rule: ValidationRule, node: SchemaNode, path: string): FieldError[] {
  const { fieldPath = '' } = rule;
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  const at = joinField(path, 'fieldPath');
  if (fieldPath.trim() === '') errors.push(invalid(at, fieldPath, 'must be non-empty if specified'));
  if (lineBreak.test(fieldPath)) errors.push(invalid(at, fieldPath, 'must not contain line breaks'));
  // A schema that cannot be read is reported as such; then no path is checked.
  if (unreadableReason(node) === undefined && 'error' in resolveFieldPath(fieldPath, node)) {
    errors.push(invalid(at, fieldPath, 'must be a valid path'));
  }
  return errors;
}

/** Reports rules that are incomplete or unreadable whatever their expressions say. */
export function checkRuleTexts(node: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, rule] of node.rules.entries()) {
    const at = indexField(joinField(path, 'x-kubernetes-validations'), index);
    const complaint = checkMessage(rule, at);
    if (complaint !== undefined) errors.push(complaint);
    const { messageExpression = '' } = rule;
    if (messageExpression !== '' && messageExpression.trim() === '') {
      errors.push(required(joinField(at, 'messageExpression'), 'messageExpression must be non-empty if specified'));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      errors.push(notSupported(joinField(at, 'reason'), rule.reason, reasons));
    }
    pushAll(errors, checkFieldPath(rule, node, at));
  }
  return errors;
}
