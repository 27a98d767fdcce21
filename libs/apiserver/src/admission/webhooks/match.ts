import { apiErrors } from '@capstan/meta';
import type { GroupVersionResource, KubeObject } from '@capstan/meta';
import type { AdmissionAttributes, EquivalentKind } from '../../registry/admission-chain.js';
import { NAMESPACES } from '../../registry/namespaces.js';
import type { Store } from '../../store/index.js';
import type { Webhook, WebhookRule } from './webhook.js';

/** Webhook configurations themselves are exempt, or a broken one could never be fixed. */
const EXEMPT = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Whether a request is about the configuration of admission. */
export function isExempt({ kind }: AdmissionAttributes): boolean {
  return kind.group === 'admissionregistration.k8s.io' && EXEMPT.has(kind.kind);
}

/** That a webhook is to be asked; `as` when it speaks of another version than the request. */
export interface Match {
  readonly as: EquivalentKind | undefined;
}

/** Whether rules and selectors of a webhook speak of a request. `object` is the one of this moment. */
export function matchWebhook(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  object: KubeObject | undefined,
  store: Store,
): Match | undefined {
  const match = matchRules(webhook, attributes);
  if (match === undefined || !matchesObject(webhook, object, attributes.oldObject)) return undefined;
  return matchesNamespace(webhook, attributes, object, store) ? match : undefined;
}

function matchRules(webhook: Webhook, attributes: AdmissionAttributes): Match | undefined {
  const { rules } = webhook;
  if (rules.some((rule) => matchesRule(rule, attributes, attributes.resource))) return { as: undefined };
  if (!webhook.matchesEquivalent || rules.length === 0) return undefined;
  const others = attributes.equivalents();
  for (const rule of rules) {
    for (const as of others) if (matchesRule(rule, attributes, as.resource)) return { as };
  }
  return undefined;
}

function has(items: readonly string[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

/** Whether a rule speaks of a request for the resource, in whatever version the client asked for it. */
export function matchesRule(
  rule: WebhookRule,
  { operation, subresource, namespace }: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, resource.version) &&
    rule.resources.some((each) => matchesResource(each, resource.resource, subresource)) &&
    matchesScope(rule.scope, resource, namespace)
  );
}

function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [name, sub] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (name === '*' || name === resource) && (sub === '*' || sub === subresource);
}

/** Namespaces are known by their own name, but lie in none. */
function matchesScope(
  scope: string | undefined,
  { group, resource }: GroupVersionResource,
  namespace: string,
): boolean {
  if (scope === undefined || scope === '*') return true;
  const isNamespaced = namespace !== '' && !(group === '' && resource === 'namespaces');
  return (scope === 'Namespaced') === isNamespaced;
}

/** Either what was or what is to be must have the labels. The options of a CONNECT have none, nor are they without them. */
export function matchesObject(
  { objectSelector }: Pick<Webhook, 'objectSelector'>,
  object: KubeObject | undefined,
  old: KubeObject | undefined,
): boolean {
  if (objectSelector.isEmpty()) return true;
  return [object, old].some((each) => each?.metadata !== undefined && objectSelector.matches(each.metadata.labels));
}

/** The labels of the namespace, or of a namespace that is itself being written. */
export function matchesNamespace(
  { namespaceSelector }: Pick<Webhook, 'namespaceSelector'>,
  attributes: AdmissionAttributes,
  object: KubeObject | undefined,
  store: Store,
): boolean {
  const { resource, namespace, subresource, operation } = attributes;
  const isNamespace = resource.resource === 'namespaces';
  if ((namespace === '' && !isNamespace) || namespaceSelector.isEmpty()) return true;
  if (isNamespace && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return namespaceSelector.matches(object?.metadata.labels);
  const found = store.get(NAMESPACES, '', namespace);
  if (found === undefined) throw apiErrors.notFound({ group: '', resource: 'namespaces' }, namespace);
  return namespaceSelector.matches(found.object().metadata.labels);
}
