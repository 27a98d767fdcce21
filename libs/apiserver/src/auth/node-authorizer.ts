import { SelectorError, goQuote, parseFieldSelector } from '@capstan/meta';
import type { Store } from '../store/index.js';
import type { AccessAttributes, Decision } from './access.js';
import type { Founding } from '../bootstrap/bootstrap-object.js';
import { bootstrapRoles } from '../bootstrap/roles.js';
import { NodeGraph, type ReachedKind } from './node-graph.js';
import { ruleAllows, rulesOf, type PolicyRule } from './rules.js';

const LEASE_NAMESPACE = 'kube-node-lease';
const ALLOWED: Decision = { allowed: true };
const DENIED: Decision = { allowed: false };
const OWN_OBJECT_VERBS = new Set(['get', 'create', 'update', 'patch', 'delete']);
const READ_VERBS = new Set(['get', 'list', 'watch']);

function denied(reason: string): Decision {
  return { allowed: false, reason };
}

let known: readonly PolicyRule[] | undefined;

/** What every node may do with what does not belong to any of them: the rules of the role `system:node`. */
function nodeRules(): readonly PolicyRule[] {
  const role = (): Founding | undefined =>
    bootstrapRoles().find(({ kind, name }) => kind === 'ClusterRole' && name === 'system:node');
  // Claims and slices of resources do belong to nodes, but are not served.
  known ??= rulesOf(role()?.body['rules']).filter(({ apiGroups }) => !apiGroups.includes('resource.k8s.io'));
  return known;
}

/** Whether a request is confined to objects whose field has a value. */
function isConfinedTo({ fieldSelector = '' }: AccessAttributes, field: string, value: string): boolean {
  if (fieldSelector === '') return false;
  try {
    const { requirements } = parseFieldSelector(fieldSelector);
    return requirements.some((each) => each.field === field && each.operator === '=' && each.value === value);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

type Check = (node: string, asked: AccessAttributes) => Decision;

/** Lets nodes get at what they need for the pods that run on them. Denies nothing that another authorizer allows. */
export class NodeAuthorizer {
  readonly #store: Store;
  /** Made when the first node asks: servers without nodes keep none. */
  #graph: NodeGraph | undefined;

  readonly #checks: ReadonlyMap<string, Check> = new Map<string, Check>([
    ['/secrets', (node, asked) => this.#read(node, 'Secret', asked)],
    ['/configmaps', (node, asked) => this.#read(node, 'ConfigMap', asked)],
    ['/persistentvolumeclaims', (node, asked) => this.#claim(node, asked)],
    ['/persistentvolumes', (node, asked) => this.#get(node, 'PersistentVolume', asked)],
    ['storage.k8s.io/volumeattachments', (node, asked) => this.#get(node, 'VolumeAttachment', asked)],
    ['/serviceaccounts', (node, asked) => this.#serviceAccount(node, asked)],
    ['/pods', (node, asked) => this.#pod(node, asked)],
    ['/nodes', nodeItself],
    ['coordination.k8s.io/leases', lease],
    ['storage.k8s.io/csinodes', csiNode],
  ]);

  constructor(store: Store) {
    this.#store = store;
  }

  authorize(node: string, asked: AccessAttributes): Decision {
    if (node === '') return denied(`unknown node for user ${goQuote('system:node:')}`);
    const check = asked.isResource ? this.#checks.get(`${asked.group}/${asked.resource}`) : undefined;
    if (check !== undefined) return check(node, asked);
    return nodeRules().some((rule) => ruleAllows(rule, asked)) ? ALLOWED : DENIED;
  }

  #related(node: string, kind: ReachedKind, { namespace, name }: AccessAttributes): Decision {
    if (name === '') return denied('No Object name found');
    this.#graph ??= new NodeGraph(this.#store);
    if (this.#graph.isRelated(node, kind, namespace, name)) return ALLOWED;
    return denied(`no relationship found between node '${node}' and this object`);
  }

  /** Reads of one object, also as a list or watch of that name. */
  #read(node: string, kind: ReachedKind, asked: AccessAttributes): Decision {
    if (!READ_VERBS.has(asked.verb)) return denied('can only read resources of this type');
    if (asked.subresource !== '') return denied('cannot read subresource');
    if (asked.namespace === '') return denied('can only read namespaced object of this type');
    return this.#related(node, kind, asked);
  }

  #get(node: string, kind: ReachedKind, asked: AccessAttributes): Decision {
    if (asked.verb !== 'get') return denied('can only get individual resources of this type');
    if (asked.subresource !== '') return denied('cannot get subresource');
    return this.#related(node, kind, asked);
  }

  #claim(node: string, asked: AccessAttributes): Decision {
    if (asked.subresource !== 'status') return this.#get(node, 'PersistentVolumeClaim', asked);
    if (asked.verb !== 'update' && asked.verb !== 'patch') return denied('can only get/update/patch this type');
    return this.#related(node, 'PersistentVolumeClaim', asked);
  }

  #serviceAccount(node: string, asked: AccessAttributes): Decision {
    const { verb, subresource, name } = asked;
    if (verb === 'get' && subresource === '') return this.#read(node, 'ServiceAccount', asked);
    if (verb !== 'create' || name === '') return denied('can only create tokens for individual service accounts');
    if (subresource !== 'token') return denied('can only create token subresource of serviceaccount');
    return this.#related(node, 'ServiceAccount', asked);
  }

  #pod(node: string, asked: AccessAttributes): Decision {
    const { verb, subresource, name } = asked;
    if (subresource === '' && verb === 'get') return this.#related(node, 'Pod', asked);
    if (subresource === '' && (verb === 'list' || verb === 'watch')) {
      if (isConfinedTo(asked, 'spec.nodeName', node)) return ALLOWED;
      if (name !== '') return this.#related(node, 'Pod', asked);
      return denied('can only list/watch pods with spec.nodeName field selector');
    }
    // Which pods, admission sees to.
    return WRITES_OF_PODS.get(subresource)?.includes(verb) === true ? ALLOWED : DENIED;
  }
}

const WRITES_OF_PODS: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['create', 'delete']],
  ['status', ['update', 'patch']],
  ['eviction', ['create']],
]);

/** The Node object: read by its own node alone, also before it is there. Admission confines writes to it. */
function nodeItself(node: string, { verb, subresource, name }: AccessAttributes): Decision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOWED : DENIED;
  if (subresource !== '') return DENIED;
  if (verb === 'create' || verb === 'update' || verb === 'patch') return ALLOWED;
  if (!READ_VERBS.has(verb)) return DENIED;
  if (name === node) return ALLOWED;
  return denied(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

/** The name of a create is only known to admission. */
function lease(node: string, { verb, namespace, name }: AccessAttributes): Decision {
  if (!OWN_OBJECT_VERBS.has(verb)) return denied('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASE_NAMESPACE)
    return denied(`can only access leases in the ${goQuote(LEASE_NAMESPACE)} system namespace`);
  if (verb === 'create' || name === node) return ALLOWED;
  return denied('can only access node lease with the same name as the requesting node');
}

function csiNode(node: string, { verb, subresource, name }: AccessAttributes): Decision {
  if (!OWN_OBJECT_VERBS.has(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denied('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return ALLOWED;
  return denied('can only access CSINode with the same name as the requesting node');
}
