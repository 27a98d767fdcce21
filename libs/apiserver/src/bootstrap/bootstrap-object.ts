import { deepFreeze } from '@capstan/meta';
import type { JsonObject, KubeObject, ObjectMeta } from '@capstan/meta';

/** An object every cluster has from the start, but for what differs from one server to the next. */
export interface Founding {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Of kinds that count theirs: it is the first. */
  readonly hasGeneration?: boolean | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The fields besides the metadata, in the order they are stored in. */
  readonly body: JsonObject;
  /** The fields as managed fields name them, but for the metadata. */
  readonly fields: JsonObject;
}

/** What an object gets when it is made. */
export interface Birth {
  readonly uid: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

/** `{".":{},"f:a":{},…}` of a map: the map itself and its keys in order. */
function ownedKeys(map: object): JsonObject {
  const owned: JsonObject = { '.': {} };
  for (const key of Object.keys(map).sort()) owned[`f:${key}`] = {};
  return owned;
}

/** Who owns which field of them is the same on every server, and asked for by each that starts in this process. */
const known = new WeakMap<Founding, JsonObject>();

function fieldsV1(founding: Founding): JsonObject {
  const all = known.get(founding) ?? deepFreeze(fieldsOf(founding));
  known.set(founding, all);
  return all;
}

function fieldsOf({ labels, annotations, fields }: Founding): JsonObject {
  const metadata: JsonObject = annotations === undefined ? {} : { 'f:annotations': ownedKeys(annotations) };
  if (labels !== undefined) metadata['f:labels'] = ownedKeys(labels);
  const all: JsonObject = Object.keys(metadata).length > 0 ? { ...fields, 'f:metadata': metadata } : { ...fields };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The object in the form the whole way of a create would give it, without going it: every server begins with well over
 * a hundred of these. What does not differ between servers is shared.
 */
export function found(founding: Founding, { uid, time }: Birth): KubeObject {
  const { group, kind, name, namespace, labels, annotations, body } = founding;
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const metadata: ObjectMeta = { name };
  if (namespace !== undefined) metadata.namespace = namespace;
  metadata.uid = uid;
  // Keeps its place for the revision that the store puts in.
  metadata.resourceVersion = '';
  if (founding.hasGeneration === true) metadata.generation = 1;
  metadata.creationTimestamp = time;
  if (labels !== undefined) metadata.labels = labels;
  if (annotations !== undefined) metadata.annotations = annotations;
  metadata.managedFields = [
    {
      manager: 'kube-apiserver',
      operation: 'Update',
      apiVersion,
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: fieldsV1(founding),
    },
  ];
  return { kind, apiVersion, metadata, ...body };
}

function namespaceOf(name: string): Founding {
  return {
    group: '',
    plural: 'namespaces',
    kind: 'Namespace',
    name,
    labels: { 'kubernetes.io/metadata.name': name },
    body: { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
    fields: {},
  };
}

const HTTPS_PORT = { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {}, 'f:targetPort': {} };

const KUBERNETES_SERVICE: Founding = {
  group: '',
  plural: 'services',
  kind: 'Service',
  name: 'kubernetes',
  namespace: 'default',
  labels: { component: 'apiserver', provider: 'kubernetes' },
  body: {
    spec: {
      clusterIP: '10.0.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 443 }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
      internalTrafficPolicy: 'Cluster',
      clusterIPs: ['10.0.0.1'],
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
    },
    status: { loadBalancer: {} },
  },
  fields: {
    'f:spec': {
      'f:clusterIP': {},
      'f:internalTrafficPolicy': {},
      'f:ports': { '.': {}, 'k:{"port":443,"protocol":"TCP"}': HTTPS_PORT },
      'f:sessionAffinity': {},
      'f:type': {},
    },
  },
};

function priorityClass(name: string, value: number, description: string): Founding {
  return {
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    name,
    hasGeneration: true,
    body: { value, description, preemptionPolicy: 'PreemptLowerPriority' },
    fields: { 'f:description': {}, 'f:preemptionPolicy': {}, 'f:value': {} },
  };
}

const PRIORITY_CLASSES: readonly Founding[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
];

/** What is there before any role: the namespaces, the service by which pods find the server, and the highest priorities. */
export const FIRST_OBJECTS: readonly Founding[] = [
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(namespaceOf),
  KUBERNETES_SERVICE,
  ...PRIORITY_CLASSES,
];
