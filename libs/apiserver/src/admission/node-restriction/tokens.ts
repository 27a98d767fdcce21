import { ApiError, goQuote } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { claimOfVolume } from '../../auth/object-references.js';
import { joinedTexts } from '../../auth/rbac.js';
import { fields, record, records, text, texts } from '../../builtin/shared/json.js';
import type { Store } from '../../store/index.js';
import { CLAIMS, CSI_DRIVERS, PODS, VOLUMES, refused, requireStored, type NodeRequest } from './request.js';

/** Drivers that took over from volumes of the core. */
const MIGRATED_DRIVERS: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};

/** A node gets tokens for the pods that run on it, bound to them, and for audiences that they ask for. */
export function admitToken(request: NodeRequest): void {
  const { attributes, node, store } = request;
  const { object, operation, subresource, namespace } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token' || object === undefined) return;
  const spec = fields(object['spec']);
  const ref = fields(spec['boundObjectRef']);
  const [name, uid] = [text(ref['name']), text(ref['uid'])];
  if (ref['apiVersion'] !== 'v1' || ref['kind'] !== 'Pod' || name === '')
    throw refused(attributes, 'node requested token not bound to a pod');
  if (uid === '') throw refused(attributes, 'node requested token with a pod binding without a uid');
  const pod = requireStored(store, PODS, namespace, name);
  if (uid !== pod.metadata.uid) {
    const why = 'does not match the UID in record. The object might have been deleted and then recreated';
    throw refused(attributes, `the UID in the bound object reference (${uid}) ${why}`);
  }
  if (text(fields(pod['spec'])['nodeName']) !== node)
    throw refused(attributes, 'node requested token bound to a pod scheduled on a different node');
  const reason = audienceFault(request, texts(spec['audiences']), pod);
  if (reason !== undefined) throw refused(attributes, reason);
}

/** Why a node may not have a token for the audiences. */
function audienceFault(request: NodeRequest, audiences: readonly string[], pod: KubeObject): string | undefined {
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  const found = namesAudience(request.store, pod, audience);
  if (found === true) return undefined;
  if (found !== false) return `error validating audience ${goQuote(audience)}: ${found}`;
  const { attributes, authorize } = request;
  const { user, namespace, name } = attributes;
  const { allowed } = authorize(user, {
    isResource: true,
    verb: 'request-serviceaccounts-token-audience',
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    namespace,
    name,
    path: '',
  });
  if (allowed) return undefined;
  const who = `${user.username} is not authorized to request tokens for this audience`;
  return `audience ${goQuote(audience)} not found in pod spec volume, ${who}`;
}

/** Whether a volume of the pod wants tokens for the audience, or what kept that from being known. */
function namesAudience(store: Store, pod: KubeObject, audience: string): boolean | string {
  const errors: string[] = [];
  for (const volume of records(fields(pod['spec'])['volumes'])) {
    const projected = records(fields(volume['projected'])['sources']).map((each) =>
      record(each['serviceAccountToken']),
    );
    if (projected.some((token) => token !== undefined && text(token['audience']) === audience)) return true;
    try {
      if (driverWants(store, driverOf(store, pod, volume), audience)) return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push(error.message);
    }
  }
  return errors.length === 0 ? false : joinedTexts(errors);
}

function driverWants(store: Store, driver: string, audience: string): boolean {
  if (driver === '') return false;
  const { spec } = requireStored(store, CSI_DRIVERS, '', driver);
  return records(fields(spec)['tokenRequests']).some((each) => text(each['audience']) === audience);
}

/** The CSI driver of a volume of a pod; empty where it has none. */
function driverOf(store: Store, pod: KubeObject, volume: JsonObject): string {
  const claim = claimOfVolume(pod, volume);
  if (claim === '') return driverIn(volume);
  const bound = requireStored(store, CLAIMS, pod.metadata.namespace ?? '', claim);
  const { spec } = requireStored(store, VOLUMES, '', text(fields(bound['spec'])['volumeName']));
  return driverIn(fields(spec));
}

function driverIn(source: Readonly<JsonObject>): string {
  const csi = record(source['csi']);
  if (csi !== undefined) return text(csi['driver']);
  const migrated = Object.keys(MIGRATED_DRIVERS).find((type) => record(source[type]) !== undefined);
  return migrated === undefined ? '' : (MIGRATED_DRIVERS[migrated] ?? '');
}
