import { deepEqual } from '@capstan/meta';
import type { OwnerReference } from '@capstan/meta';
import { AbsentOwners } from './absent-owners.js';
import { identityKey, referencedIdentity, referenceMatches } from './identity.js';
import type { Identity } from './identity.js';
import { alternateIdentity, GraphNode, partitionDependents } from './node.js';

/** An object as an informer shows it, cut down to what collecting garbage needs. */
export interface Observation {
  readonly identity: Identity;
  readonly owners: readonly OwnerReference[];
  readonly beingDeleted: boolean;
  /** Carries the foreground finalizer. */
  readonly foreground: boolean;
  /** Carries the orphan finalizer. */
  readonly orphan: boolean;
}

/** The work a change of the graph gives rise to. */
export interface GraphWork {
  /** Perhaps this object must go, or may finish going: look at it. */
  examine(node: GraphNode): void;
  /** As `examine`, but not at once: nothing new is known. */
  examineLater(node: GraphNode): void;
  orphan(node: GraphNode): void;
  /** A reference crosses namespaces, which can never be satisfied. */
  invalidNamespace(dependent: GraphNode, reference: OwnerReference): void;
}

/** Who depends on whom, by uid. Purely in memory: every decision that deletes something is checked with the server. */
export class DependencyGraph {
  readonly absent = new AbsentOwners();
  readonly #work: GraphWork;
  readonly #nodes = new Map<string, GraphNode>();

  constructor(work: GraphWork) {
    this.#work = work;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** An object was created or changed. */
  observe(observation: Observation): void {
    const node = this.#observedNode(observation.identity);
    if (!deepEqual(node.owners, observation.owners)) this.#setOwners(node, observation.owners);
    const deleting = node.deletingDependents;
    const orphaning = node.orphaningDependents;
    node.beingDeleted = observation.beingDeleted;
    node.deletingDependents = observation.beingDeleted && observation.foreground;
    node.orphaningDependents = observation.beingDeleted && observation.orphan;
    if (node.orphaningDependents && !orphaning) this.#work.orphan(node);
    else if (node.deletingDependents && !deleting) {
      for (const dependent of node.dependents) this.#work.examine(dependent);
      this.#work.examine(node);
    }
  }

  /** An informer saw the object go. */
  remove(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node !== undefined) this.#drop(node, identity);
  }

  /** The server answered that there is no such object. Unlike an informer, that holds only for exactly these coordinates. */
  confirmAbsent(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    const same = identityKey(node.identity) === identityKey(identity);
    if (!node.virtual) {
      if (same) this.#drop(node, identity);
      else this.#examineNaming(node, identity);
      return;
    }
    const { others } = partitionDependents(node.dependents, identity);
    if (others.length === 0) {
      this.#drop(node, identity);
      return;
    }
    // Some dependents know the owner by other coordinates, which have not been looked up yet.
    this.#examineNaming(node, identity);
    const alternate = same ? alternateIdentity(others, identity) : undefined;
    if (alternate === undefined) return;
    const replacement = new GraphNode(alternate, true, node.dependents);
    this.#nodes.set(alternate.uid, replacement);
    this.#work.examineLater(replacement);
  }

  #examineNaming(node: GraphNode, identity: Identity): void {
    const { matching } = partitionDependents(node.dependents, identity);
    if (matching.length > 0) this.absent.add(identity);
    for (const dependent of matching) this.#work.examine(dependent);
  }

  /** The node of an object really there: new, known, or so far only guessed from references. */
  #observedNode(identity: Identity): GraphNode {
    const known = this.#nodes.get(identity.uid);
    if (known === undefined) {
      const node = new GraphNode(identity, false);
      this.#nodes.set(identity.uid, node);
      return node;
    }
    if (!known.virtual) return known;
    if (identityKey(known.identity) === identityKey(identity)) {
      known.virtual = false;
      return known;
    }
    // References guessed wrong: those who hold them may have no owner at all.
    for (const dependent of partitionDependents(known.dependents, identity).others) {
      if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace)
        this.#reportNamespace(dependent, identity.uid);
      this.#work.examine(dependent);
    }
    const node = new GraphNode(identity, false, known.dependents);
    this.#nodes.set(identity.uid, node);
    return node;
  }

  #setOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    const before = new Map(node.owners.map((owner) => [owner.uid, owner]));
    const after = new Map(owners.map((owner) => [owner.uid, owner]));
    node.owners = owners;
    const added: OwnerReference[] = [];
    for (const owner of after.values()) {
      const old = before.get(owner.uid);
      if (old === undefined) added.push(owner);
      else if (!referenceMatches(old, referencedIdentity(owner, ''))) this.#work.examine(node);
      if (old?.blockOwnerDeletion === true && owner.blockOwnerDeletion !== true) this.#examineUid(owner.uid);
    }
    for (const owner of before.values()) {
      if (after.has(owner.uid)) continue;
      this.#nodes.get(owner.uid)?.removeDependent(node);
      if (owner.blockOwnerDeletion === true) this.#examineUid(owner.uid);
    }
    this.#join(node, added);
  }

  #examineUid(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node !== undefined) this.#work.examine(node);
  }

  /** Hangs the node under its owners; an owner not seen yet gets a virtual node, whose existence is then looked up. */
  #join(node: GraphNode, owners: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined) {
        const virtual = new GraphNode(referencedIdentity(reference, node.identity.namespace), true, [node]);
        this.#nodes.set(reference.uid, virtual);
        this.#work.examine(virtual);
        continue;
      }
      owner.addDependent(node);
      doubtful = this.#doubts(node, reference, owner) || doubtful;
    }
    if (doubtful) this.#work.examine(node);
  }

  /** Whether a reference disagrees with what is known of the owner it names by uid. */
  #doubts(node: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
    const { namespace } = owner.identity;
    if (namespace !== '' && namespace !== node.identity.namespace) {
      if (!owner.virtual) this.#reportNamespace(node, reference.uid);
      return true;
    }
    if (!referenceMatches(reference, owner.identity)) return true;
    // A virtual owner without namespace came from a cluster-scoped dependent and may be wrong about its scope.
    return owner.virtual && namespace === '' && node.identity.namespace !== '';
  }

  #reportNamespace(dependent: GraphNode, ownerUid: string): void {
    const reference = dependent.owners.find(({ uid }) => uid === ownerUid);
    if (reference !== undefined) this.#work.invalidNamespace(dependent, reference);
  }

  #drop(node: GraphNode, identity: Identity): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) this.#nodes.get(uid)?.removeDependent(node);
    if (node.dependents.size > 0) this.absent.add(identity);
    for (const dependent of node.dependents) this.#work.examine(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      // Perhaps this was the last one it waited for.
      if (owner?.deletingDependents === true) this.#work.examine(owner);
    }
  }
}
