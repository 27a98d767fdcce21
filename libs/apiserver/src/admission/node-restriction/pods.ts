import { goQuote } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { MIRROR_POD, configMapsOfPod, secretsOfPod } from '../../auth/object-references.js';
import { equalJson, fields, record, records, text, textMap } from '../../builtin/shared/json.js';
import { NODES, PODS, refused, requireStored, type NodeRequest } from './request.js';

function nodeOf(pod: KubeObject): string {
  return text(fields(pod['spec'])['nodeName']);
}

/** Only mirror pods are created by a node, and only its own pods deleted. */
export function admitPod(request: NodeRequest): void {
  const { attributes, node, store } = request;
  const { operation, object, namespace, name } = attributes;
  if (operation === 'CREATE' && object !== undefined) {
    admitMirrorPod(request, object);
  } else if (operation === 'DELETE') {
    if (nodeOf(requireStored(store, PODS, namespace, name)) !== node)
      throw refused(attributes, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
  } else {
    const what = `node ${goQuote(node)} can only create and delete mirror pods`;
    throw refused(attributes, `unexpected operation ${goQuote(operation)}, ${what}`);
  }
}

function admitMirrorPod(request: NodeRequest, pod: KubeObject): void {
  const { attributes, node } = request;
  const quoted = goQuote(node);
  if (pod.metadata.annotations?.[MIRROR_POD] === undefined)
    throw refused(
      attributes,
      `pod does not have ${goQuote(MIRROR_POD)} annotation, node ${quoted} can only create mirror pods`,
    );
  if (nodeOf(pod) !== node)
    throw refused(attributes, `node ${quoted} can only create pods with spec.nodeName set to itself`);
  const reason = ownerFault(request, pod);
  if (reason !== undefined) throw refused(attributes, reason);
  const reference = apiObjectReference(pod);
  if (reference !== undefined)
    throw refused(
      attributes,
      'error' in reference
        ? `error checking mirror pod for API references: ${reference.error}`
        : `node ${quoted} can not create pods that reference ${reference.resource}`,
    );
}

/** Why a pod is not owned by its node. */
function ownerFault({ node, store }: NodeRequest, pod: KubeObject): string | undefined {
  const quoted = goQuote(node);
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  if (others.length > 0) return `node ${quoted} can only create pods with a single owner reference set to itself`;
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `node ${quoted} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true)
    return `node ${quoted} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) return `node ${quoted} must not set blockOwnerDeletion on an owner reference`;
  const { uid = '' } = requireStored(store, NODES, '', node).metadata;
  return owner.uid === uid ? undefined : `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
}

/** Volumes by what they refer to; undefined where that is nothing of the API. */
const VOLUME_REFERENCES: ReadonlyMap<string, string | undefined> = new Map([
  ...[
    'awsElasticBlockStore azureDisk cephfs cinder downwardAPI emptyDir fc flexVolume flocker gcePersistentDisk gitRepo',
    'hostPath image iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume',
  ].flatMap((sources) => sources.split(' ').map((source): [string, undefined] => [source, undefined])),
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
]);
const PROJECTED_REFERENCES: ReadonlyMap<string, string | undefined> = new Map([
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
  ['downwardAPI', undefined],
]);

type Reference = { readonly resource: string } | { readonly error: string };

/** What of the API a pod refers to; undefined where that is nothing. */
function apiObjectReference(pod: KubeObject): Reference | undefined {
  const spec = fields(pod['spec']);
  if (text(spec['serviceAccountName']) !== '') return { resource: 'serviceaccounts' };
  if (secretsOfPod(pod).length > 0) return { resource: 'secrets' };
  if (configMapsOfPod(pod).length > 0) return { resource: 'configmaps' };
  if (records(spec['resourceClaims']).length > 0) return { resource: 'resourceclaims' };
  for (const volume of records(spec['volumes'])) {
    const found = volumeReference(volume);
    if (found !== undefined) return found;
  }
  return undefined;
}

function volumeReference(volume: JsonObject): Reference | undefined {
  const name = goQuote(text(volume['name']));
  if (record(volume['projected']) === undefined)
    return referenceIn(volume, VOLUME_REFERENCES, `unknown volume type for volume  ${name}`);
  for (const source of records(fields(volume['projected'])['sources'])) {
    const found = referenceIn(source, PROJECTED_REFERENCES, `unknown source for projected volume ${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function referenceIn(
  source: JsonObject,
  known: ReadonlyMap<string, string | undefined>,
  unknown: string,
): Reference | undefined {
  const type = [...known.keys()].find((key) => record(source[key]) !== undefined);
  if (type === undefined) return { error: unknown };
  const resource = known.get(type);
  return resource === undefined ? undefined : { resource };
}

/** A node reports the status of its own pods, and nothing else by it. */
export function admitPodStatus({ attributes, node }: NodeRequest): void {
  const { object, oldObject, operation } = attributes;
  const quoted = goQuote(node);
  if (operation !== 'UPDATE' || object === undefined || oldObject === undefined)
    throw refused(attributes, `unexpected operation ${goQuote(operation)}`);
  if (nodeOf(oldObject) !== node)
    throw refused(attributes, `node ${quoted} can only update pod status for pods with spec.nodeName set to itself`);
  const labelsOf = ({ metadata }: KubeObject): unknown => textMap(metadata.labels);
  if (!equalJson(labelsOf(object), labelsOf(oldObject)))
    throw refused(attributes, `node ${quoted} cannot update labels through pod status`);
  const [status, before] = [fields(object['status']), fields(oldObject['status'])];
  if (!equalJson(status['resourceClaimStatuses'], before['resourceClaimStatuses']))
    throw refused(attributes, `node ${quoted} cannot update resource claim statues`);
  if (!equalJson(status['extendedResourceClaimStatus'], before['extendedResourceClaimStatus']))
    throw refused(attributes, `node ${quoted} cannot update extended resource claim status`);
}

/** A node evicts its own pods. */
export function admitPodEviction({ attributes, node, store }: NodeRequest): void {
  const { name, namespace, operation } = attributes;
  if (operation !== 'CREATE') throw refused(attributes, `unexpected operation ${operation}`);
  if (name === '') throw refused(attributes, 'could not determine pod from request data');
  if (nodeOf(requireStored(store, PODS, namespace, name)) !== node)
    throw refused(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
