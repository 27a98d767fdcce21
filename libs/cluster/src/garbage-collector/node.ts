import type { OwnerReference } from '@capstan/meta';
import { compareIdentities, identityKey, referencedIdentity, referenceMatches } from './identity.js';
import type { Identity } from './identity.js';

const NO_DEPENDENTS: ReadonlySet<GraphNode> = new Set();
const NO_OWNERS: readonly OwnerReference[] = Object.freeze([]);

/** One object of the dependency graph. */
export class GraphNode {
  readonly identity: Identity;
  owners: readonly OwnerReference[] = NO_OWNERS;
  /** Known only from an owner reference, never observed itself. */
  virtual: boolean;
  beingDeleted = false;
  /** Being deleted in the foreground: waits for its blocking dependents. */
  deletingDependents = false;
  /** Being deleted with its dependents to be orphaned first. */
  orphaningDependents = false;
  /** Made for the first: hardly any object has one. */
  #dependents: Set<GraphNode> | undefined;

  constructor(identity: Identity, virtual: boolean, dependents?: Iterable<GraphNode>) {
    this.identity = identity;
    this.virtual = virtual;
    this.#dependents = dependents === undefined ? undefined : new Set(dependents);
  }

  /** Objects that name this one as an owner. */
  get dependents(): ReadonlySet<GraphNode> {
    return this.#dependents ?? NO_DEPENDENTS;
  }

  addDependent(node: GraphNode): void {
    (this.#dependents ??= new Set()).add(node);
  }

  removeDependent(node: GraphNode): void {
    if (this.#dependents?.delete(node) === true && this.#dependents.size === 0) this.#dependents = undefined;
  }

  /** Dependents whose reference holds up a foreground deletion of this object. */
  blockingDependents(): GraphNode[] {
    const { uid } = this.identity;
    return [...this.dependents].filter((dependent) =>
      dependent.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    );
  }
}

/** Splits dependents by whether they name an owner of this uid by exactly these coordinates; one with two references may be in both. */
export function partitionDependents(
  dependents: Iterable<GraphNode>,
  owner: Identity,
): { matching: GraphNode[]; others: GraphNode[] } {
  const matching: GraphNode[] = [];
  const others: GraphNode[] = [];
  for (const dependent of dependents) {
    // A namespaced owner cannot be referenced from another namespace, whatever the reference contains.
    if (owner.namespace !== '' && owner.namespace !== dependent.identity.namespace) {
      others.push(dependent);
      continue;
    }
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (references.some((reference) => referenceMatches(reference, owner))) matching.push(dependent);
    if (references.some((reference) => !referenceMatches(reference, owner))) others.push(dependent);
  }
  return { matching, others };
}

/**
 * Other coordinates under which dependents name an owner now known to be absent as `absent`: the next in order, turning
 * over at the end, so that repeated calls try them all.
 */
export function alternateIdentity(dependents: readonly GraphNode[], absent: Identity): Identity | undefined {
  const found = new Map<string, Identity>();
  for (const dependent of dependents) {
    for (const reference of dependent.owners) {
      if (reference.uid !== absent.uid) continue;
      const sameKind = reference.kind === absent.kind && reference.apiVersion === absent.apiVersion;
      // A kind once found cluster-scoped has no namespaced alternates.
      const namespace = absent.namespace === '' && sameKind ? '' : dependent.identity.namespace;
      const identity = referencedIdentity(reference, namespace);
      found.set(identityKey(identity), identity);
    }
  }
  found.delete(identityKey(absent));
  const sorted = [...found.values()].sort(compareIdentities);
  return sorted.find((identity) => compareIdentities(absent, identity) < 0) ?? sorted[0];
}
