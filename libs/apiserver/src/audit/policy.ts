import { apiErrors, invalid, nameIsDnsSubdomain, notSupported, required, pushAll } from '@capstan/meta';
import type { FieldError, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';

const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/** How much of a request is recorded; each level has everything of the one before. */
export type AuditLevel = (typeof LEVELS)[number];
/** When an event is written in the life of a request. */
export type AuditStage = (typeof STAGES)[number];

interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The first rule that matches a request decides. What a rule leaves out matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  /** Cluster-scoped resources are in the namespace without a name. */
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** A Policy of audit.k8s.io. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** What a policy wants of one request. */
export interface AuditWish {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** Who did what to which object and how it ended, once for each request. */
export const METADATA_POLICY: AuditPolicy = { rules: [{ level: 'Metadata' }], omitStages: ['RequestReceived'] };

/** Whether one level records less than another. */
export function isBelow(level: AuditLevel, other: AuditLevel): boolean {
  return LEVELS.indexOf(level) < LEVELS.indexOf(other);
}

/** What is recorded of a request; without a rule for it, nothing. */
export function auditWish(policy: AuditPolicy, user: UserInfo | undefined, info: RequestInfo): AuditWish {
  const rule = policy.rules.find((each) => matches(each, user, info));
  return {
    level: rule?.level ?? 'None',
    omitStages: [...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])],
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

/** Whether a list left out or empty lets everything pass, or has the value. */
function allows(list: readonly string[] | undefined, value: string): boolean {
  return list === undefined || list.length === 0 || list.includes(value);
}

function matches(rule: AuditRule, user: UserInfo | undefined, info: RequestInfo): boolean {
  return matchesUser(rule, user) && allows(rule.verbs, info.verb) && matchesTarget(rule, info);
}

function matchesUser({ users, userGroups = [] }: AuditRule, user: UserInfo | undefined): boolean {
  if (!allows(users, user?.username ?? '')) return false;
  return userGroups.length === 0 || user?.groups.some((group) => userGroups.includes(group)) === true;
}

function matchesTarget(rule: AuditRule, info: RequestInfo): boolean {
  const { namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  if (namespaces.length + resources.length > 0) return matchesResource(rule, info);
  if (nonResourceURLs.length === 0) return true;
  return !info.isResource && nonResourceURLs.some((pattern) => matchesPath(pattern, info.path));
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.replace(/\*+$/, '')) : pattern === path;
}

function matchesResource({ namespaces, resources = [] }: AuditRule, info: RequestInfo): boolean {
  if (!info.isResource || !allows(namespaces, info.namespace)) return false;
  return resources.length === 0 || resources.some((each) => matchesGroup(each, info));
}

function matchesGroup({ group = '', resources = [], resourceNames }: GroupResources, info: RequestInfo): boolean {
  if (group !== '*' && group !== info.group) return false;
  if (resources.length === 0) return true;
  if (!allows(resourceNames, info.name)) return false;
  const { resource, subresource } = info;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === whole ||
      pattern === `${resource}/*` ||
      (subresource !== '' && pattern === `*/${subresource}`),
  );
}

const GROUP_KIND = { group: 'audit.k8s.io', kind: 'Policy' };

/** Reads a policy from a parsed file; throws an ApiError that names every field that is wrong. */
export function parseAuditPolicy(value: unknown): AuditPolicy {
  const given = (value ?? {}) as Partial<AuditPolicy> & { apiVersion?: unknown; kind?: unknown };
  if (given.apiVersion !== 'audit.k8s.io/v1' || given.kind !== 'Policy') {
    throw apiErrors.badRequest(
      `an audit policy has apiVersion audit.k8s.io/v1 and kind Policy, not ${String(given.apiVersion)} and ${String(given.kind)}`,
    );
  }
  const errors = shapeErrors(given);
  if (errors.length === 0) pushAll(errors, policyErrors(given as AuditPolicy));
  if (errors.length > 0) throw apiErrors.invalid(GROUP_KIND, '', errors);
  return given as AuditPolicy;
}

const LISTS = ['users', 'userGroups', 'verbs', 'namespaces', 'nonResourceURLs', 'omitStages'] as const;

/** What would make the other checks stumble. */
function shapeErrors(policy: { readonly rules?: unknown; readonly omitStages?: unknown }): FieldError[] {
  if (!Array.isArray(policy.rules) || policy.rules.length === 0)
    return [required('rules', 'a policy without rules records nothing')];
  const errors = stringList('omitStages', policy.omitStages);
  for (const [index, rule] of policy.rules.entries()) {
    const path = `rules[${index}]`;
    if (rule === null || typeof rule !== 'object' || Array.isArray(rule))
      errors.push(invalid(path, rule, 'must be an object'));
    else
      pushAll(
        errors,
        LISTS.flatMap((key) => stringList(`${path}.${key}`, (rule as Record<string, unknown>)[key])),
      );
  }
  return errors;
}

function stringList(path: string, value: unknown): FieldError[] {
  if (value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'))) return [];
  return [invalid(path, value, 'must be a list of strings')];
}

function policyErrors({ rules, omitStages }: AuditPolicy): FieldError[] {
  return [
    ...stageErrors('omitStages', omitStages),
    ...rules.flatMap((rule, index) => ruleErrors(`rules[${index}]`, rule)),
  ];
}

function ruleErrors(path: string, rule: AuditRule): FieldError[] {
  const { level, nonResourceURLs = [], resources = [], namespaces = [], omitStages } = rule;
  const errors = [
    ...levelErrors(`${path}.level`, level),
    ...nonResourceURLs.flatMap((url, index) => urlErrors(`${path}.nonResourceURLs[${index}]`, url)),
    ...resources.flatMap((each) => groupErrors(`${path}.resources`, each)),
    ...stageErrors(`${path}.omitStages`, omitStages),
  ];
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0) {
    const detail = 'a rule is for resources or for other URLs, not for both';
    errors.push(invalid(`${path}.nonResourceURLs`, nonResourceURLs, detail));
  }
  return errors;
}

function levelErrors(path: string, level: string | undefined): FieldError[] {
  if (level === undefined || level === '') return [required(path, '')];
  return (LEVELS as readonly string[]).includes(level) ? [] : [notSupported(path, level, LEVELS)];
}

function urlErrors(path: string, url: string): FieldError[] {
  if (url === '*') return [];
  const errors = url.startsWith('/') ? [] : [invalid(path, url, "must begin with '/'")];
  if (url.slice(0, -1).includes('*')) errors.push(invalid(path, url, "'*' may only be the last character"));
  return errors;
}

function groupErrors(path: string, { group = '', resources = [], resourceNames = [] }: GroupResources): FieldError[] {
  const problems = group === '' || group === '*' ? [] : nameIsDnsSubdomain(group, false);
  const errors = problems.length === 0 ? [] : [invalid(`${path}.group`, group, problems.join(','))];
  if (resourceNames.length > 0 && resources.length === 0)
    errors.push(invalid(`${path}.resourceNames`, resourceNames, 'needs at least one resource'));
  return errors;
}

function stageErrors(path: string, stages: readonly string[] = []): FieldError[] {
  return stages.flatMap((stage, index) =>
    (STAGES as readonly string[]).includes(stage)
      ? []
      : [invalid(`${path}[${index}]`, stage, `allowed stages are ${STAGES.join(',')}`)],
  );
}
