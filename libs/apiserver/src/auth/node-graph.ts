import type { KubeObject } from '@capstan/meta';
import { fields, records, text } from '../builtin/shared/json.js';
import type { Store, StoreEvent } from '../store/index.js';
import {
  MIRROR_POD,
  claimOfPersistentVolume,
  claimsOfPod,
  configMapsOfPod,
  secretsOfPersistentVolume,
  secretsOfPod,
} from './object-references.js';

/** Kinds of objects that a node reaches through what runs on it. */
export type ReachedKind =
  | 'Pod'
  | 'Secret'
  | 'ConfigMap'
  | 'ServiceAccount'
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'VolumeAttachment';

interface PodEdges {
  readonly node: string;
  readonly identity: string;
  readonly keys: readonly string[];
}

interface VolumeEdges {
  readonly claim: string;
  readonly secrets: readonly string[];
}

function keyOf(kind: ReachedKind, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

function nodeOf(pod: KubeObject): string {
  return text(fields(pod['spec'])['nodeName']);
}

/** Changes with all that a pod may come to name: where it runs, and the containers that join it later. */
function identityOf(pod: KubeObject): string {
  const debugging = records(fields(pod['spec'])['ephemeralContainers']).length;
  return `${pod.metadata.uid ?? ''} ${nodeOf(pod)} ${debugging}`;
}

function keysOfPod(pod: KubeObject): string[] {
  const { namespace = '', name = '', annotations } = pod.metadata;
  const own = keyOf('Pod', namespace, name);
  // No node may get at other objects by a pod that it made itself; admission refuses such pods, too.
  if (annotations?.[MIRROR_POD] !== undefined) return [own];
  const account = text(fields(pod['spec'])['serviceAccountName']);
  const keys = [
    own,
    ...(account === '' ? [] : [keyOf('ServiceAccount', namespace, account)]),
    ...secretsOfPod(pod).map((secret) => keyOf('Secret', namespace, secret)),
    ...configMapsOfPod(pod).map((map) => keyOf('ConfigMap', namespace, map)),
    ...claimsOfPod(pod).map((claim) => keyOf('PersistentVolumeClaim', namespace, claim)),
  ];
  return [...new Set(keys)];
}

/**
 * Which objects belong to which node: those that its pods name, the volumes of their claims, the Secrets of those
 * volumes, and what is attached to it. Follows the store from when it is made; each change costs what it changes.
 */
export class NodeGraph {
  readonly #store: Store;
  readonly #pods = new Map<string, PodEdges>();
  /** How many pods of each node name an object. */
  readonly #podsByNode = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, VolumeEdges>();
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  readonly #attachments = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
    this.#follow('/pods', (name, pod) => this.#setPod(name, pod));
    this.#follow('/persistentvolumes', (name, volume) => this.#setVolume(name, volume));
    this.#follow('storage.k8s.io/volumeattachments', (name, attachment) => {
      const node = attachment && text(fields(attachment['spec'])['nodeName']);
      if (node === undefined) this.#attachments.delete(name);
      else this.#attachments.set(name, node);
    });
  }

  /** Whether an object belongs to a node. */
  isRelated(node: string, kind: ReachedKind, namespace: string, name: string): boolean {
    if (kind === 'VolumeAttachment') return this.#attachments.get(name) === node;
    if (kind === 'PersistentVolume') return this.#mounts(node, name);
    const key = keyOf(kind, namespace, name);
    if (this.#podsByNode.get(key)?.has(node) === true) return true;
    for (const volume of this.#volumesOfSecret.get(key) ?? []) if (this.#mounts(node, volume)) return true;
    return false;
  }

  #mounts(node: string, volume: string): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && this.#podsByNode.get(claim)?.has(node) === true;
  }

  #setPod(name: string, pod: KubeObject | undefined): void {
    const before = this.#pods.get(name);
    const identity = pod && identityOf(pod);
    // Nothing else of a pod that names objects ever changes; its status does so all the time.
    if (before !== undefined && before.identity === identity) return;
    if (before !== undefined) this.#unlink(before);
    const node = pod === undefined ? '' : nodeOf(pod);
    if (pod === undefined || node === '') this.#pods.delete(name);
    else this.#pods.set(name, this.#link({ node, identity: identityOf(pod), keys: keysOfPod(pod) }));
  }

  #link(edges: PodEdges): PodEdges {
    for (const key of edges.keys) {
      let nodes = this.#podsByNode.get(key);
      if (nodes === undefined) this.#podsByNode.set(key, (nodes = new Map()));
      nodes.set(edges.node, (nodes.get(edges.node) ?? 0) + 1);
    }
    return edges;
  }

  #unlink({ node, keys }: PodEdges): void {
    for (const key of keys) {
      const nodes = this.#podsByNode.get(key);
      if (nodes === undefined) continue;
      const left = (nodes.get(node) ?? 0) - 1;
      if (left > 0) nodes.set(node, left);
      else nodes.delete(node);
      if (nodes.size === 0) this.#podsByNode.delete(key);
    }
  }

  #setVolume(name: string, volume: KubeObject | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) {
      const volumes = this.#volumesOfSecret.get(secret);
      volumes?.delete(name);
      if (volumes?.size === 0) this.#volumesOfSecret.delete(secret);
    }
    const claim = volume && claimOfPersistentVolume(volume);
    if (volume === undefined || claim === undefined) {
      this.#volumes.delete(name);
      return;
    }
    const secrets = secretsOfPersistentVolume(volume).map((each) => keyOf('Secret', each.namespace, each.name));
    this.#volumes.set(name, { claim: keyOf('PersistentVolumeClaim', claim.namespace, claim.name), secrets });
    for (const secret of secrets) {
      const volumes = this.#volumesOfSecret.get(secret) ?? new Set();
      this.#volumesOfSecret.set(secret, volumes.add(name));
    }
  }

  /** Shows every object that is there and every one that comes; undefined when it is deleted. */
  #follow(resource: string, set: (name: string, object: KubeObject | undefined) => void): void {
    const nameOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
      namespace === '' ? name : `${namespace}/${name}`;
    for (const stored of this.#store.list(resource).items) set(nameOf(stored), stored.object());
    const listener = ({ type, current }: StoreEvent): void =>
      set(nameOf(current), type === 'delete' ? undefined : current.object());
    this.#store.subscribe(listener, { resource });
  }
}
