import { goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { AccessAttributes } from './access.js';

/** What a role allows. Absent and empty lists are the same. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const NONE: readonly string[] = [];
const ALL = '*';

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : NONE;
}

/** The rules of a stored role. */
export function rulesOf(value: unknown): PolicyRule[] {
  if (!Array.isArray(value)) return [];
  return (value as JsonObject[]).map((rule) => ({
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
    nonResourceURLs: texts(rule['nonResourceURLs']),
  }));
}

function hasOrAll(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes(ALL);
}

function coversResource(list: readonly string[], resource: string, subresource: string): boolean {
  if (list.includes(ALL)) return true;
  if (subresource === '') return list.includes(resource);
  return list.includes(`${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

function coversPath(list: readonly string[], path: string): boolean {
  return list.some((url) => url === ALL || url === path || (url.endsWith(ALL) && path.startsWith(url.slice(0, -1))));
}

/** Whether a rule allows what is asked. A rule with names allows nothing that names none, as a create or a list. */
export function ruleAllows(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) return coversPath(rule.nonResourceURLs, asked.path);
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    coversResource(rule.resources, asked.resource, asked.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name))
  );
}

/** The rule as many that each allow one thing. */
function broken(rule: PolicyRule): PolicyRule[] {
  const empty = { apiGroups: NONE, resources: NONE, resourceNames: NONE, nonResourceURLs: NONE };
  const names = rule.resourceNames.length === 0 ? [NONE] : rule.resourceNames.map((name) => [name]);
  const ofResource = (group: string, resource: string): PolicyRule[] =>
    rule.verbs.flatMap((verb) =>
      names.map((resourceNames) => ({
        ...empty,
        verbs: [verb],
        apiGroups: [group],
        resources: [resource],
        resourceNames,
      })),
    );
  return [
    ...rule.apiGroups.flatMap((group) => rule.resources.flatMap((resource) => ofResource(group, resource))),
    ...rule.nonResourceURLs.flatMap((url) =>
      rule.verbs.map((verb) => ({ ...empty, verbs: [verb], nonResourceURLs: [url] })),
    ),
  ];
}

function coversOne(owner: PolicyRule, wanted: PolicyRule): boolean {
  const [verb = ''] = wanted.verbs;
  if (!hasOrAll(owner.verbs, verb)) return false;
  const [url] = wanted.nonResourceURLs;
  if (url !== undefined) return coversPath(owner.nonResourceURLs, url);
  const [group = ''] = wanted.apiGroups;
  const [path = ''] = wanted.resources;
  const slash = path.indexOf('/');
  const [resource, subresource] = slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
  if (!hasOrAll(owner.apiGroups, group) || !coversResource(owner.resources, resource, subresource)) return false;
  if (owner.resourceNames.length === 0) return true;
  const [name] = wanted.resourceNames;
  return name !== undefined && owner.resourceNames.includes(name);
}

/** What of the wanted rules the owned ones do not allow, one thing each. */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(broken).filter((one) => !owned.some((rule) => coversOne(rule, one)));
}

function quoted(list: readonly string[]): string {
  return `[${list.map(goQuote).join(' ')}]`;
}

function ruleText(rule: PolicyRule): string {
  const parts: (readonly [string, readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = parts.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}:${quoted(list)}`);
  return `{${shown.join(', ')}}`;
}

/** Missing permissions as the server lists them: a line per resource with all its verbs, sorted. */
export function rightsText(missing: readonly PolicyRule[]): string {
  const merged = new Map<string, PolicyRule>();
  for (const rule of missing) {
    const isPath = rule.nonResourceURLs.length > 0;
    const key = JSON.stringify(isPath ? rule : { ...rule, verbs: NONE });
    const before = merged.get(key);
    merged.set(key, before === undefined || isPath ? rule : { ...before, verbs: [...before.verbs, ...rule.verbs] });
  }
  return [...new Set([...merged.values()].map(ruleText))].sort().join('\n');
}

/** A Go `%q` of a list of strings. */
export { quoted as goQuotedList };
