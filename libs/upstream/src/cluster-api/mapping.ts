import { requestFor } from '@capstan/kube';
import type { Cache, Request, ResourceKind } from '@capstan/kube';
import { compileLabelSelector, controllerOf, LabelMatcher, looseGvk } from '@capstan/meta';
import type { KubeObject, LabelSelector } from '@capstan/meta';
import { isAvailable } from './events.js';
import type { CoreKind } from './kinds.js';
import { annotations, CORE_GROUP, labels } from './names.js';
import type { Machine, Node } from './types.js';

/** The objects to reconcile for an event, from the caches. */
export class Mapping {
  readonly #cache: Cache;
  readonly #resource: (kind: CoreKind) => ResourceKind;

  constructor(cache: Cache, resource: (kind: CoreKind) => ResourceKind) {
    this.#cache = cache;
    this.#resource = resource;
  }

  #all(kind: CoreKind, namespace: string | undefined): KubeObject[] {
    const { store } = this.#cache.informer<KubeObject>(this.#resource(kind));
    return [...store.list()].filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  }

  /** Everything of a kind that carries the name of a cluster. */
  ofCluster(kind: CoreKind): (cluster: KubeObject) => Request[] {
    return ({ metadata }) => this.#labelled(kind, metadata.namespace, labels.clusterName, metadata.name);
  }

  /** The machines of a cluster that are somewhere, so that they may have a node; or those that are not yet. */
  machinesOfCluster(isPlaced: boolean): (cluster: KubeObject) => Request[] {
    return ({ metadata }) =>
      (this.#all('Machine', metadata.namespace) as Machine[])
        .filter((machine) => machine.metadata.labels?.[labels.clusterName] === metadata.name)
        .filter(({ spec }) => ((spec.providerID ?? '') !== '') === isPlaced)
        .map(requestFor);
  }

  /** Everything of a kind that carries the name of a deployment. */
  ofDeployment(kind: CoreKind): (deployment: KubeObject) => Request[] {
    return ({ metadata }) => this.#labelled(kind, metadata.namespace, labels.deploymentName, metadata.name);
  }

  #labelled(kind: CoreKind, namespace: string | undefined, label: string, value: string | undefined): Request[] {
    return this.#all(kind, namespace)
      .filter(({ metadata }) => metadata.labels?.[label] === value)
      .map(requestFor);
  }

  /** The machines a set controls. */
  readonly machinesOfSet = (set: KubeObject): Request[] =>
    this.#all('Machine', set.metadata.namespace)
      .filter((machine) => controllerOf(machine)?.uid === set.metadata.uid)
      .map(requestFor);

  /** Whether a machine is available, and with it every machine of its set. */
  readonly isLast = (machine: KubeObject): boolean => {
    const uid = controllerOf(machine)?.uid;
    const isOther = (each: KubeObject): boolean => !isAvailable(each) && controllerOf(each)?.uid === uid;
    return isAvailable(machine) && !this.#all('Machine', machine.metadata.namespace).some(isOther);
  };

  /** Those of a kind that would adopt an object without a controller. */
  adopters(kind: 'MachineSet' | 'MachineDeployment'): (orphan: KubeObject) => Request[] {
    return (orphan) => (controllerOf(orphan) === undefined ? this.#selecting(kind, orphan) : []);
  }

  /** The health checks that select a machine. */
  readonly checksOf = (machine: KubeObject): Request[] => this.#selecting('MachineHealthCheck', machine);

  #selecting(kind: CoreKind, object: KubeObject): Request[] {
    return this.#all(kind, object.metadata.namespace)
      .filter((each) => selectorOf(each).matches(object.metadata.labels ?? {}))
      .map(requestFor);
  }

  /** The machine of a node. */
  readonly machineOf = (node: Node): Machine[] => {
    const named: Machine[] = [];
    const same: Machine[] = [];
    // One pass: nodes change often, and each change is matched against all machines.
    for (const machine of this.#cache.informer<Machine>(this.#resource('Machine')).store.list()) {
      const isNamed = machine.status?.nodeRef?.name === node.metadata.name;
      const isSame = hasInstanceOf(machine, node);
      if ((!isNamed && !isSame) || !isClaimable(machine, node)) continue;
      if (isNamed) named.push(machine);
      if (isSame) same.push(machine);
    }
    if (named.length === 1) return named;
    return same.length === 1 ? same : [];
  };
}

function hasInstanceOf({ spec: { providerID } }: Machine, { spec }: Node): boolean {
  return providerID !== undefined && providerID !== '' && providerID === spec?.providerID;
}

/** Whether a machine is of the cluster that the node's annotations name, where they name one. */
function isClaimable({ metadata }: Machine, node: Node): boolean {
  const { [annotations.clusterName]: cluster, [annotations.clusterNamespace]: namespace } =
    node.metadata.annotations ?? {};
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  return cluster === undefined || metadata.labels?.[labels.clusterName] === cluster;
}

const selectors = new WeakMap<KubeObject, LabelMatcher>();

/** The selector of an object, compiled once: it is asked for whenever anything happens that it may take. */
function selectorOf(object: KubeObject): LabelMatcher {
  const known = selectors.get(object);
  if (known !== undefined) return known;
  const { selector } = object['spec'] as { selector?: LabelSelector };
  const matcher = compileLabelSelector(selector ?? {});
  // An empty selector selects nothing.
  const chosen = matcher.toString() === '' ? LabelMatcher.nothing : matcher;
  selectors.set(object, chosen);
  return chosen;
}

/** The owners of a core kind that an object names. */
export function ownersOf(kind: CoreKind): (object: KubeObject) => Request[] {
  return ({ metadata }) =>
    (metadata.ownerReferences ?? [])
      .filter((owner) => owner.kind === kind && looseGvk(owner.apiVersion, owner.kind).group === CORE_GROUP)
      .map(({ name }) => ({ namespace: metadata.namespace ?? '', name }));
}

/** The owner of a core kind that controls an object. */
export function controllersOf(kind: CoreKind): (object: KubeObject) => Request[] {
  return (object) => {
    const owner = controllerOf(object);
    const isOfKind = owner?.kind === kind && looseGvk(owner.apiVersion, owner.kind).group === CORE_GROUP;
    return isOfKind ? [{ namespace: object.metadata.namespace ?? '', name: owner.name }] : [];
  };
}

/** The cluster that an object's label names. */
export function clusterOf({ metadata, spec }: KubeObject): Request[] {
  const { clusterName } = spec as { clusterName?: string };
  return clusterName === undefined ? [] : [{ namespace: metadata.namespace ?? '', name: clusterName }];
}
