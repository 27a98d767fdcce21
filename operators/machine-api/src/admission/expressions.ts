/** The CEL of the policies. It compiles on Kubernetes 1.30, and asks for no field that an object may lack. */
import { PAUSED_ANNOTATION, PAUSED_AS_COPY } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { SYNC_CONTROLLER, SYNC_FINALIZER } from '../names.js';
import type { Namespaces } from './accounts.js';
import { autoscalerAccounts, exemptAccounts } from './accounts.js';
import { DELETION_MARKS, KUBECTL_PREFIX, RESERVED_KEY, TEMPLATE_HASH } from './reserved-keys.js';

/** A named expression. */
export interface Named extends JsonObject {
  readonly name: string;
  readonly expression: string;
}

/** A validation with its refusal. */
export interface Validation extends JsonObject {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/** A list of texts in CEL. */
export const listOf = (texts: readonly string[]): string => `[${texts.map((each) => `'${each}'`).join(', ')}]`;

/** The annotation in which the synchronisation records the labels and annotations that it copied. */
const COPIED_KEYS = 'machine.openshift.io/synchronized-keys';

/** The request is of nobody who may do it anyway. */
export function notExempt(namespaces: Namespaces, trusted: readonly string[] = []): Named {
  const accounts = exemptAccounts(namespaces);
  const users = [...accounts.flatMap(({ user }) => user ?? []), ...trusted];
  const groups = accounts.flatMap(({ group }) => group ?? []);
  const inGroup = `has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ${listOf(groups)})`;
  return { name: 'not-exempt', expression: `!(request.userInfo.username in ${listOf(users)}) && !(${inGroup})` };
}

/** The copy of Machine API, while Cluster API is authoritative, or was until the handover that is under way. */
export function isMachineApiCopy(of: 'oldObject' | 'params'): string {
  const status = (field: string): string => `dyn(${of}).?status.?${field}.orValue('')`;
  const authority = status('authoritativeAPI');
  return `${authority} == 'ClusterAPI' || (${authority} == 'Migrating' && ${status('synchronizedAPI')} == 'ClusterAPI')`;
}

const pause = (of: string): string => `dyn(${of}).metadata.?annotations[?'${PAUSED_ANNOTATION}'].orValue('')`;

/** The copy of Cluster API: the operator pauses it as long as Machine API acts. */
export const isClusterApiCopy = (of: 'oldObject' | 'params'): string => `${pause(of)} == '${PAUSED_AS_COPY}'`;

/** Whether the autoscaler asks. */
export const byAutoscaler = (namespaces: Namespaces): string =>
  `request.userInfo.username in ${listOf(autoscalerAccounts(namespaces))}`;

const changedKeys = (before: string, after: string): string =>
  `${before}.filter(k, !(k in ${after}) || ${after}[k] != ${before}[k]) + ${after}.filter(k, !(k in ${before}))`;

const reserved = (key: string): string =>
  `(${key} == '${TEMPLATE_HASH}' || (${key}.matches(r'${RESERVED_KEY}') && !${key}.startsWith('${KUBECTL_PREFIX}')))`;

const finalizers = (object: string): string => `dyn(${object}).metadata.?finalizers.orValue([])`;

/** What changed in a copy, and of that what is not the user's; fields in `free` are. */
export function changeVariables(namespaces: Namespaces, free: readonly string[]): readonly Named[] {
  const variable = (name: string, expression: string): Named => ({ name, expression });
  const fields = (name: string, object: string, at: string): Named =>
    variable(name, `dyn(${object}).${at}.orValue({})`);
  const owned = (before: string, after: string): string =>
    `(${changedKeys(`variables.${before}`, `variables.${after}`)})` +
    `.filter(k, ${reserved('k')} || variables.copied.contains('"' + k + '"'))`;
  const [old, made] = [finalizers('oldObject'), finalizers('object')];
  return [
    variable('scales', byAutoscaler(namespaces)),
    fields('before', 'oldObject', '?spec'),
    fields('after', 'object', '?spec'),
    variable('free', `${listOf(free)} + (variables.scales ? ['replicas'] : [])`),
    variable('changed', `(${changedKeys('variables.before', 'variables.after')}).filter(k, !(k in variables.free))`),
    variable('copied', `dyn(oldObject).metadata.?annotations[?'${COPIED_KEYS}'].orValue('')`),
    fields('labelsBefore', 'oldObject', 'metadata.?labels'),
    fields('labelsAfter', 'object', 'metadata.?labels'),
    variable('labels', owned('labelsBefore', 'labelsAfter')),
    fields('annotationsBefore', 'oldObject', 'metadata.?annotations'),
    fields('annotationsAfter', 'object', 'metadata.?annotations'),
    variable(
      'annotations',
      `${owned('annotationsBefore', 'annotationsAfter')}.filter(k, !(variables.scales && k in ${listOf(DELETION_MARKS)}))`,
    ),
    variable(
      'finalizers',
      `(${old}.filter(f, !(f in ${made})) + ${made}.filter(f, !(f in ${old}))).filter(k, ${reserved('k')})`,
    ),
  ];
}

const where = (namespace: string): string =>
  `request.resource.resource + ' ' + request.name + ': ' + '${namespace} has the authoritative copy'`;

/** What a copy may not change; `elsewhere` names the place of the authoritative copy. */
export function copyValidations(elsewhere: string): readonly Validation[] {
  const list = (variable: string, what: string, then: string): Validation => ({
    expression: `variables.${variable}.size() == 0`,
    messageExpression: `${where(elsewhere)} + ', ${what} ' + variables.${variable}.join(', ') + ' ${then}'`,
    message: `the authoritative copy is in namespace ${elsewhere}: ${what} ${then}`,
    reason: 'Forbidden',
  });
  const owners = (object: string): string => `dyn(${object}).metadata.?ownerReferences.orValue([])`;
  return [
    list('changed', 'so spec fields', `may be changed there only`),
    list('labels', 'so labels', 'may be changed there only'),
    list('annotations', 'so annotations', 'may be changed there only'),
    list('finalizers', 'and finalizers', 'belong to controllers'),
    {
      expression: `${owners('oldObject')} == ${owners('object')}`,
      messageExpression: `${where(elsewhere)} + ', so owner references may be changed there only'`,
      message: `the authoritative copy is in namespace ${elsewhere}: owner references may be changed there only`,
      reason: 'Forbidden',
    },
  ];
}

/** Marks that only the operator sets: with them an object passes for a copy, or is held for ever. */
export function markValidations(): readonly Validation[] {
  const holds = (object: string): string => `'${SYNC_FINALIZER}' in ${finalizers(object)}`;
  return [
    {
      expression: `(${holds('oldObject')}) == (${holds('object')})`,
      message: `the finalizer ${SYNC_FINALIZER} keeps both copies together: it is added and removed by ${SYNC_CONTROLLER} only`,
      reason: 'Forbidden',
    },
    {
      expression: `${pause('object')} != '${PAUSED_AS_COPY}' || ${pause('oldObject')} == '${PAUSED_AS_COPY}'`,
      message: `the annotation ${PAUSED_ANNOTATION}: ${PAUSED_AS_COPY} marks a copy that is not authoritative: pause with another value, such as "true"`,
      reason: 'Forbidden',
    },
  ];
}
