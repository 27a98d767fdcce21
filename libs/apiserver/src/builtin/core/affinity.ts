/** Where pods may and may not run: affinities, tolerations, spread. */
import { duplicate, forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import {
  checkEnum,
  checkLabelSelector,
  checkOptionalEnum,
  checkPositive,
  checkQualifiedName,
  checkText,
} from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { fields, integer, record, records, text, textMap, texts } from '../shared/json.js';
import { labelValueErrors } from '../shared/names.js';
import { dnsLabelErrors, dnsSubdomainErrors } from '../shared/texts.js';

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function checkNodeExpression(out: Errors, path: string, expression: JsonObject, checksValues: boolean): void {
  const operator = text(expression['operator']);
  const values = texts(expression['values']);
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      out.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      out.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1)
      out.push(required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  } else out.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  checkQualifiedName(out, `${path}.key`, text(expression['key']));
  if (checksValues)
    values.forEach((value, i) => checkText(out, `${path}.values[${i}]`, value, labelValueErrors(value)));
}

function checkNodeField(out: Errors, path: string, expression: JsonObject): void {
  const operator = text(expression['operator']);
  const values = texts(expression['values']);
  if (operator !== 'In' && operator !== 'NotIn')
    out.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1) {
    out.push(
      required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"),
    );
  }
  const key = text(expression['key']);
  if (key !== 'metadata.name') out.push(invalid(`${path}.key`, key, 'not a valid field selector key'));
  else values.forEach((value, i) => checkText(out, `${path}.values[${i}]`, value, dnsSubdomainErrors(value)));
}

function checkNodeTerm(out: Errors, path: string, term: Readonly<JsonObject>, checksValues: boolean): void {
  records(term['matchExpressions']).forEach((expression, i) =>
    checkNodeExpression(out, `${path}.matchExpressions[${i}]`, expression, checksValues),
  );
  records(term['matchFields']).forEach((expression, i) => checkNodeField(out, `${path}.matchFields[${i}]`, expression));
}

/** A NodeSelector. */
export function checkNodeSelector(out: Errors, path: string, selector: JsonObject): void {
  const terms = records(selector['nodeSelectorTerms']);
  if (terms.length === 0) out.push(required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term'));
  terms.forEach((term, i) => checkNodeTerm(out, `${path}.nodeSelectorTerms[${i}]`, term, true));
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function checkWeight(out: Errors, path: string, term: JsonObject): void {
  const weight = integer(term['weight']) ?? 0;
  if (weight <= 0 || weight > 100) out.push(invalid(`${path}.weight`, weight, 'must be in the range 1-100'));
}

function checkLabelKeys(out: Errors, path: string, keys: readonly string[], selector: JsonObject | undefined): void {
  if (keys.length === 0) return;
  if (!selector) out.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  else keys.forEach((key, i) => checkQualifiedName(out, `${path}[${i}]`, key));
}

// A key that matchLabelKeys merges in already appears once among the expressions; a second mention is a contradiction.
function checkMergedKeys(out: Errors, path: string, holder: JsonObject): void {
  const selector = record(holder['labelSelector']);
  const match = texts(holder['matchLabelKeys']);
  const mismatch = texts(holder['mismatchLabelKeys']);
  checkLabelKeys(out, `${path}.matchLabelKeys`, match, selector);
  checkLabelKeys(out, `${path}.mismatchLabelKeys`, mismatch, selector);
  if (selector) {
    const seen = new Set(Object.keys(textMap(selector['matchLabels'])));
    for (const expression of records(selector['matchExpressions'])) {
      const key = text(expression['key']);
      const at = match.lastIndexOf(key);
      if (at >= 0 && seen.has(key))
        out.push(invalid(`${path}[${at}]`, key, 'exists in both matchLabelKeys and labelSelector'));
      seen.add(key);
    }
  }
  match.forEach((key, i) => {
    if (mismatch.includes(key))
      out.push(invalid(`${path}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
  });
}

function checkPodTerm(out: Errors, path: string, term: JsonObject): void {
  checkLabelSelector(out, `${path}.labelSelector`, term['labelSelector']);
  checkLabelSelector(out, `${path}.namespaceSelector`, term['namespaceSelector']);
  for (const namespace of texts(term['namespaces']))
    checkText(out, `${path}.namespace`, namespace, dnsLabelErrors(namespace));
  checkMergedKeys(out, path, term);
  const key = text(term['topologyKey']);
  if (key === '') out.push(required(`${path}.topologyKey`, 'can not be empty'));
  checkQualifiedName(out, `${path}.topologyKey`, key);
}

function checkPodAffinity(out: Errors, path: string, affinity: Readonly<JsonObject>): void {
  records(affinity[REQUIRED]).forEach((term, i) => checkPodTerm(out, `${path}.${REQUIRED}[${i}]`, term));
  records(affinity[PREFERRED]).forEach((term, i) => {
    const at = `${path}.${PREFERRED}[${i}]`;
    checkWeight(out, at, term);
    checkPodTerm(out, `${at}.podAffinityTerm`, record(term['podAffinityTerm']) ?? {});
  });
}

/** `affinity` of a pod. */
export function checkAffinity(out: Errors, path: string, value: unknown): void {
  const affinity = record(value);
  if (!affinity) return;
  const node = record(affinity['nodeAffinity']);
  if (node) {
    const needed = record(node[REQUIRED]);
    if (needed) checkNodeSelector(out, `${path}.nodeAffinity.${REQUIRED}`, needed);
    records(node[PREFERRED]).forEach((term, i) => {
      const at = `${path}.nodeAffinity.${PREFERRED}[${i}]`;
      checkWeight(out, at, term);
      checkNodeTerm(out, `${at}.preference`, fields(term['preference']), false);
    });
  }
  checkPodAffinity(out, `${path}.podAffinity`, fields(affinity['podAffinity']));
  checkPodAffinity(out, `${path}.podAntiAffinity`, fields(affinity['podAntiAffinity']));
}

/** The effect of a taint or toleration. */
export function checkTaintEffect(out: Errors, field: string, effect: string): void {
  if (effect === '') out.push(required(field));
  else if (!TAINT_EFFECTS.includes(effect)) out.push(notSupported(field, typedText(effect), TAINT_EFFECTS));
}

function checkTolerationValue(out: Errors, field: string, operator: string, value: string): void {
  if (operator === '' || operator === 'Equal') {
    const complaints = labelValueErrors(value);
    if (complaints.length > 0) out.push(invalid(field, value, complaints.join(';')));
  } else if (operator === 'Exists') {
    if (value !== '') out.push(invalid(field, value, "value must be empty when `operator` is 'Exists'"));
  } else {
    const values = operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'];
    out.push(notSupported(field, operator, values));
  }
}

/** Tolerations of pods and runtime classes. */
export function checkTolerations(out: Errors, path: string, tolerations: unknown): void {
  records(tolerations).forEach((toleration, i) => {
    const at = `${path}[${i}]`;
    const key = text(toleration['key']);
    const operator = text(toleration['operator']);
    const effect = text(toleration['effect']);
    const value = text(toleration['value']);
    if (key !== '') checkQualifiedName(out, `${at}.key`, key);
    else if (operator !== 'Exists') {
      out.push(
        invalid(
          `${at}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    }
    if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
      out.push(
        invalid(`${at}.effect`, typedText(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    }
    checkTolerationValue(out, `${at}.operator`, operator, value);
    if (effect !== '') checkTaintEffect(out, `${at}.effect`, effect);
  });
}

/** `topologySpreadConstraints` of a pod. */
export function checkSpread(out: Errors, path: string, value: unknown): void {
  const constraints = records(value);
  constraints.forEach((constraint, i) => {
    const at = `${path}[${i}]`;
    const key = text(constraint['topologyKey']);
    const action = text(constraint['whenUnsatisfiable']);
    checkPositive(out, `${at}.maxSkew`, constraint['maxSkew']);
    if (key === '') out.push(required(`${at}.topologyKey`, 'can not be empty'));
    checkEnum(out, `${at}.whenUnsatisfiable`, action, ['DoNotSchedule', 'ScheduleAnyway']);
    const again = constraints
      .slice(i + 1)
      .some((other) => text(other['topologyKey']) === key && text(other['whenUnsatisfiable']) === action);
    if (again) out.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`));
    const domains = integer(constraint['minDomains']);
    if (domains !== undefined) {
      checkPositive(out, `${at}.minDomains`, domains);
      if (action !== 'DoNotSchedule') {
        out.push(
          invalid(
            `${at}.minDomains`,
            domains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
          ),
        );
      }
    }
    checkOptionalEnum(out, `${at}.nodeAffinityPolicy`, constraint['nodeAffinityPolicy'], ['Honor', 'Ignore']);
    checkOptionalEnum(out, `${at}.nodeTaintsPolicy`, constraint['nodeTaintsPolicy'], ['Honor', 'Ignore']);
    checkMergedKeys(out, at, constraint);
    checkLabelSelector(out, `${at}.labelSelector`, constraint['labelSelector']);
  });
}
