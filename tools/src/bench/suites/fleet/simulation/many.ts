import type { StoreSnapshot } from '@capstan/apiserver';
import { controlPlaneNamespace } from '@capstan/hosting';

type StoredObject = StoreSnapshot['resources'][number]['objects'][number];

/** Where users keep a cluster, and what it is called. */
export interface Multiplied {
  readonly home: string;
  readonly name: string;
}

const UID = /\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{8})([\da-f]{4})\b/g;

/** A state in which there are so many of one cluster, each with names and uids of its own. */
export function manyOf(snapshot: StoreSnapshot, { home, name }: Multiplied, clusters: number): StoreSnapshot {
  const namespace = controlPlaneNamespace(home, name);
  const isOfCluster = (object: StoredObject): boolean =>
    object.namespace === namespace ||
    object.name.includes(namespace) ||
    (object.namespace === home && new RegExp(`^${name}\\b`).test(object.name));
  const copies = Array.from({ length: clusters - 1 }, (_, at) => copier(name, at + 1));
  const resources = snapshot.resources.map((resource) => {
    const many = resource.objects.filter(isOfCluster).flatMap((object) => {
      const text = JSON.stringify(object);
      return copies.map((copy) => JSON.parse(copy(text)) as StoredObject);
    });
    return { ...resource, objects: [...resource.objects, ...many].toSorted(byKey) };
  });
  return { ...snapshot, resources };
}

/** Renames a cluster wherever it is named, and gives its objects uids of their own. */
function copier(name: string, at: number): (text: string) => string {
  const named = new RegExp(`\\b${name}\\b`, 'g');
  const tail = at.toString(16).padStart(4, '0');
  return (text) => text.replaceAll(named, `${name}${at}`).replaceAll(UID, `$1${tail}`);
}

function byKey(a: StoredObject, b: StoredObject): number {
  const [first, second] = [`${a.namespace}\0${a.name}`, `${b.namespace}\0${b.name}`];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
