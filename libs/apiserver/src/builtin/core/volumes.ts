/** Volumes of pods. Sources that no supported cluster serves any more are only counted, not looked into. */
import { duplicate, forbidden, invalid, notSupported, required, tooLong } from '@capstan/meta';
import type { JsonObject, ObjectMeta } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkLabel, checkRequiredEnum, checkSubdomain, checkText } from '../shared/checks.js';
import { integer, record, records, text } from '../shared/json.js';
import { nanosOf } from '../shared/quantity.js';
import { dnsSubdomainErrors } from '../shared/texts.js';
import { VOLUME_FIELDS, checkFieldRef, checkResourceFieldRef } from './env.js';
import { checkDescendingPath, checkFileMode, checkNoBacksteps, checkVolumeFilePath } from './paths.js';
import { checkClaimSpec, checkTemplateMeta } from './claim-spec.js';

type SourceCheck = (out: Errors, path: string, source: JsonObject) => void;

function need(out: Errors, path: string, source: JsonObject, ...keys: readonly string[]): void {
  for (const key of keys) if (text(source[key]) === '') out.push(required(`${path}.${key}`));
}

function checkItems(out: Errors, path: string, items: unknown): void {
  records(items).forEach((item, i) => {
    const at = `${path}.items[${i}]`;
    need(out, at, item, 'key', 'path');
    checkVolumeFilePath(out, `${at}.path`, text(item['path']));
    checkFileMode(out, `${at}.mode`, item['mode']);
  });
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** A path of the node. */
export function checkHostPath(out: Errors, path: string, source: JsonObject): void {
  if (text(source['path']) === '') {
    out.push(required(`${path}.path`));
    return;
  }
  checkNoBacksteps(out, `${path}.path`, text(source['path']));
  const type = source['type'];
  if (typeof type === 'string' && !HOST_PATH_TYPES.includes(type))
    out.push(notSupported(`${path}.type`, type, HOST_PATH_TYPES));
}

/** An NFS export. */
export function checkNfs(out: Errors, path: string, source: JsonObject): void {
  need(out, path, source, 'server', 'path');
  if (!text(source['path']).startsWith('/'))
    out.push(invalid(`${path}.path`, text(source['path']), 'must be an absolute path'));
}

/** The name of a CSI driver. */
export function checkDriverName(out: Errors, field: string, name: string): void {
  if (name === '') {
    out.push(required(field));
    return;
  }
  if (name.length > 63) out.push(tooLong(field, '', 63));
  checkText(out, field, name, dnsSubdomainErrors(name.toLowerCase()));
}

function checkCsi(out: Errors, path: string, source: JsonObject): void {
  checkDriverName(out, `${path}.driver`, text(source['driver']));
  const secret = record(source['nodePublishSecretRef']);
  if (!secret) return;
  const name = text(secret['name']);
  if (name === '') out.push(required(`${path}.nodePublishSecretRef.name`));
  else checkSubdomain(out, `${path}.name`, name);
}

function checkDownwardFile(out: Errors, path: string, file: JsonObject): void {
  need(out, path, file, 'path');
  checkVolumeFilePath(out, `${path}.path`, text(file['path']));
  const fieldRef = record(file['fieldRef']);
  const resourceRef = record(file['resourceFieldRef']);
  if (fieldRef) {
    checkFieldRef(out, `${path}.fieldRef`, fieldRef, VOLUME_FIELDS);
    if (resourceRef)
      out.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceRef) checkResourceFieldRef(out, `${path}.resourceFieldRef`, resourceRef, true);
  else out.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  checkFileMode(out, `${path}.mode`, file['mode']);
}

function checkToken(out: Errors, path: string, at: string, token: JsonObject): void {
  const seconds = integer(token['expirationSeconds']) ?? 0;
  if (seconds < 600)
    out.push(invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32)
    out.push(invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'));
  // The server names the volume's path here, not the source's.
  if (text(token['path']) === '') out.push(required(`${path}.path`));
  else checkVolumeFilePath(out, `${path}.path`, text(token['path']));
}

function checkBundle(out: Errors, at: string, bundle: JsonObject): void {
  const named = bundle['name'] !== undefined;
  const signed = bundle['signerName'] !== undefined;
  if (named && signed) out.push(invalid(at, bundle, 'only one of name and signerName may be used'));
  else if (named) {
    if (text(bundle['name']) === '') out.push(required(`${at}.name`, 'must be a valid object name'));
    if (bundle['labelSelector'] !== undefined) {
      out.push(
        invalid(`${at}.labelSelector`, bundle['labelSelector'], 'labelSelector must be unset if name is specified'),
      );
    }
  } else if (signed) {
    if (text(bundle['signerName']) === '') out.push(required(`${at}.signerName`, 'must be a valid signer name'));
  } else out.push(required(at, 'either name or signerName must be specified'));
  need(out, at, bundle, 'path');
  checkVolumeFilePath(out, `${at}.path`, text(bundle['path']));
}

function checkProjected(out: Errors, path: string, projected: JsonObject): void {
  checkFileMode(out, `${path}.defaultMode`, projected['defaultMode']);
  const paths = new Set<string>();
  const claim = (file: string, blamed: string): void => {
    if (file === '') return;
    if (paths.has(file)) out.push(invalid(path, blamed, 'conflicting duplicate paths'));
    paths.add(file);
  };
  records(projected['sources']).forEach((source, i) => {
    const at = `${path}.sources[${i}]`;
    let count = 0;
    for (const key of ['secret', 'configMap']) {
      const ref = record(source[key]);
      if (!ref) continue;
      count++;
      need(out, `${at}.${key}`, ref, 'name');
      checkItems(out, `${at}.${key}`, ref['items']);
      for (const item of records(ref['items'])) claim(text(item['path']), text(ref['name']));
    }
    const downward = record(source['downwardAPI']);
    if (downward) {
      count++;
      for (const file of records(downward['items'])) {
        checkDownwardFile(out, `${at}.downwardAPI`, file);
        claim(text(file['path']), text(file['path']));
      }
    }
    const token = record(source['serviceAccountToken']);
    if (token) {
      count++;
      checkToken(out, path, `${at}.serviceAccountToken`, token);
    }
    const bundle = record(source['clusterTrustBundle']);
    if (bundle) {
      count++;
      checkBundle(out, `${at}.clusterTrustBundle`, bundle);
      claim(text(bundle['path']), text(bundle['path']));
    }
    if (record(source['podCertificate'])) count++;
    if (count > 1) out.push(forbidden(at, 'may not specify more than 1 volume type per source'));
  });
}

const SOURCES: Readonly<Record<string, SourceCheck>> = {
  emptyDir: (out, path, source) => {
    if (source['sizeLimit'] !== undefined && nanosOf(source['sizeLimit']) < 0n) {
      out.push(forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
    }
  },
  hostPath: checkHostPath,
  gitRepo: (out, path, source) => {
    need(out, path, source, 'repository');
    checkDescendingPath(out, `${path}.directory`, text(source['directory']));
  },
  gcePersistentDisk: (out, path, source) =>
    need(out, path.replace(/gcePersistentDisk$/, 'persistentDisk'), source, 'pdName'),
  awsElasticBlockStore: (out, path, source) => need(out, path, source, 'volumeID'),
  secret: (out, path, source) => {
    need(out, path, source, 'secretName');
    checkFileMode(out, `${path}.defaultMode`, source['defaultMode']);
    checkItems(out, path, source['items']);
  },
  nfs: checkNfs,
  iscsi: () => {},
  glusterfs: (out, path, source) => need(out, path, source, 'endpoints', 'path'),
  flocker: () => {},
  persistentVolumeClaim: (out, path, source) => need(out, path, source, 'claimName'),
  rbd: () => {},
  cinder: (out, path, source) => need(out, path, source, 'volumeID'),
  cephfs: () => {},
  quobyte: () => {},
  downwardAPI: (out, path, source) => {
    checkFileMode(out, `${path}.defaultMode`, source['defaultMode']);
    for (const file of records(source['items'])) checkDownwardFile(out, path, file);
  },
  fc: () => {},
  flexVolume: (out, path, source) => need(out, path, source, 'driver'),
  configMap: (out, path, source) => {
    need(out, path, source, 'name');
    checkFileMode(out, `${path}.defaultMode`, source['defaultMode']);
    checkItems(out, path, source['items']);
  },
  azureFile: (out, path, source) => need(out, path, source, 'secretName', 'shareName'),
  vsphereVolume: (out, path, source) => need(out, path, source, 'volumePath'),
  photonPersistentDisk: (out, path, source) => need(out, path, source, 'pdID'),
  portworxVolume: (out, path, source) => need(out, path, source, 'volumeID'),
  azureDisk: () => {},
  storageos: () => {},
  projected: checkProjected,
  scaleIO: () => {},
  csi: checkCsi,
  ephemeral: (out, path, source) => {
    const template = record(source['volumeClaimTemplate']);
    if (!template) {
      out.push(required(`${path}.volumeClaimTemplate`));
      return;
    }
    checkTemplateMeta(out, `${path}.volumeClaimTemplate.metadata`, template['metadata']);
    checkClaimSpec(out, `${path}.volumeClaimTemplate.spec`, record(template['spec']) ?? {});
  },
  image: () => {},
};
const SOURCE_NAMES = Object.keys(SOURCES);
// Two of the server's paths are spelt oddly when a source is one too many.
const SPELLING: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

function checkSource(out: Errors, path: string, volume: JsonObject, pod: ObjectMeta | undefined, isPod: boolean): void {
  let count = 0;
  for (const name of SOURCE_NAMES) {
    const source = record(volume[name]);
    if (!source) continue;
    if (count++ > 0) {
      out.push(forbidden(`${path}.${SPELLING[name] ?? name}`, 'may not specify more than 1 volume type'));
      continue;
    }
    SOURCES[name]?.(out, `${path}.${name}`, source);
    if (name === 'image') {
      if (isPod) need(out, `${path}.image`, source, 'reference');
      checkRequiredEnum(out, `${path}.image.pullPolicy`, source['pullPolicy'], ['Always', 'IfNotPresent', 'Never']);
    }
    if (name === 'ephemeral' && pod?.name && text(volume['name']) !== '') {
      const claim = `${pod.name}-${text(volume['name'])}`;
      for (const message of dnsSubdomainErrors(claim))
        out.push(invalid(`${path}.name`, text(volume['name']), `PVC name "${claim}": ${message}`));
    }
  }
  if (count === 0) out.push(required(path, 'must specify a volume type'));
}

/** The volumes that passed, by name: what mounts may refer to. */
export function checkVolumes(
  out: Errors,
  path: string,
  volumes: unknown,
  pod: ObjectMeta | undefined,
  isPod: boolean,
): ReadonlyMap<string, JsonObject> {
  const known = new Map<string, JsonObject>();
  const list = records(volumes);
  const created = new Set<string>();
  if (pod?.name)
    for (const volume of list) if (record(volume['ephemeral'])) created.add(`${pod.name}-${text(volume['name'])}`);
  list.forEach((volume, i) => {
    const at = `${path}[${i}]`;
    const name = text(volume['name']);
    const before = out.length;
    checkSource(out, at, volume, pod, isPod);
    if (name === '') out.push(required(`${at}.name`));
    else checkLabel(out, `${at}.name`, name);
    if (known.has(name)) out.push(duplicate(`${at}.name`, name));
    if (out.length === before) known.set(name, volume);
    const claim = text(record(volume['persistentVolumeClaim'])?.['claimName']);
    if (created.has(claim)) {
      out.push(
        invalid(
          `${at}.persistentVolumeClaim.claimName`,
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
    }
  });
  return known;
}
