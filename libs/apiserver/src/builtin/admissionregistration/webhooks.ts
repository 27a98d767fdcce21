/** Webhook configurations. */
import { duplicate, invalid, required, pushAll } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { checkService, checkUrl } from '@capstan/schema';
import { counted } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkOptionalEnum, checkText } from '../shared/checks.js';
import { defaultTo, equalJson, fields, integer, record, records, text, texts } from '../shared/json.js';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../shared/texts.js';
import type { ResourceStrategy } from '../strategy.js';
import {
  FAILURE_POLICIES,
  checkMatchConditions,
  checkMatching,
  checkRule,
  defaultMatching,
  defaultRules,
} from './rules.js';

function defaults(configuration: KubeObject, mutating: boolean): void {
  for (const hook of records(configuration['webhooks'])) {
    defaultTo(hook, 'failurePolicy', 'Fail');
    defaultMatching(hook);
    defaultTo(hook, 'timeoutSeconds', 10);
    if (mutating) defaultTo(hook, 'reinvocationPolicy', 'Never');
    defaultRules(hook['rules']);
    const service = record(fields(hook['clientConfig'])['service']);
    if (service) defaultTo(service, 'port', 443);
  }
}

function checkClient(out: Errors, path: string, client: Readonly<JsonObject>): void {
  const service = record(client['service']);
  const url = client['url'];
  if ((url === undefined) === (service === undefined))
    out.push(required(path, 'exactly one of url or service is required'));
  else if (service) checkService(out, `${path}.service`, service);
  else checkUrl(out, `${path}.url`, text(url));
}

function checkName(out: Errors, field: string, name: string): void {
  const complaints = dnsSubdomainErrors(name);
  if (name === '') out.push(required(field));
  else if (complaints.length > 0) out.push(invalid(field, name, complaints.join(',')));
  else if (name.split('.').length < 3)
    out.push(invalid(field, name, 'should be a domain with at least three segments separated by dots'));
}

function checkReviewVersions(out: Errors, path: string, versions: readonly string[]): void {
  if (versions.length === 0) {
    out.push(required(path, 'must specify one of v1, v1beta1'));
    return;
  }
  versions.forEach((version, i) => {
    if (versions.indexOf(version) !== i) out.push(invalid(`${path}[${i}]`, version, 'duplicate version'));
    else checkText(out, `${path}[${i}]`, version, dns1035LabelErrors(version));
  });
  if (!versions.includes('v1') && !versions.includes('v1beta1'))
    out.push(invalid(path, versions, 'must include at least one of v1, v1beta1'));
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

function checkHook(out: Errors, path: string, hook: JsonObject, mutating: boolean): void {
  checkName(out, `${path}.name`, text(hook['name']));
  records(hook['rules']).forEach((rule, i) => checkRule(out, `${path}.rules[${i}]`, rule));
  checkOptionalEnum(out, `${path}.failurePolicy`, hook['failurePolicy'], FAILURE_POLICIES);
  const before = out.length;
  checkMatching(out, path, hook);
  const selectors = out.splice(before).filter((error) => {
    if (error.field !== `${path}.matchPolicy`) return true;
    out.push(error);
    return false;
  });
  if (text(hook['sideEffects']) === '')
    out.push(required(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  checkOptionalEnum(out, `${path}.sideEffects`, hook['sideEffects'], SIDE_EFFECTS);
  const timeout = integer(hook['timeoutSeconds']);
  if (timeout !== undefined && (timeout < 1 || timeout > 30)) {
    out.push(invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
  }
  pushAll(out, selectors);
  if (mutating) checkOptionalEnum(out, `${path}.reinvocationPolicy`, hook['reinvocationPolicy'], ['IfNeeded', 'Never']);
  checkClient(out, `${path}.clientConfig`, fields(hook['clientConfig']));
  checkMatchConditions(out, `${path}.matchConditions`, hook['matchConditions']);
}

function validate(configuration: KubeObject, mutating: boolean): FieldError[] {
  const out: Errors = [];
  const names = new Set<string>();
  records(configuration['webhooks']).forEach((hook, i) => {
    const path = `webhooks[${i}]`;
    checkHook(out, path, hook, mutating);
    checkReviewVersions(out, `${path}.admissionReviewVersions`, texts(hook['admissionReviewVersions']));
    const name = text(hook['name']);
    if (name === '') return;
    if (names.has(name)) out.push(duplicate(`${path}.name`, name));
    names.add(name);
  });
  return out;
}

function strategy(mutating: boolean): ResourceStrategy {
  return counted(['webhooks'], {
    allowUnconditionalUpdate: false,
    applyDefaults: (configuration) => defaults(configuration, mutating),
    validate: (configuration) => validate(configuration, mutating),
    validateUpdate: (configuration, old) =>
      equalJson(configuration['webhooks'], old['webhooks']) ? [] : validate(configuration, mutating),
  });
}

/** Strategy of validating webhook configurations. */
export const validatingWebhookStrategy = strategy(false);
/** Strategy of mutating webhook configurations. */
export const mutatingWebhookStrategy = strategy(true);
