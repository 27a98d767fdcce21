/** Environment variables of containers, and the downward API they share with volumes. */
import { invalid, joinField, notSupported, required } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkLabel, checkQualifiedName, checkSubdomain, checkText } from '../shared/checks.js';
import { record, records, text } from '../shared/json.js';
import { nanosOf } from '../shared/quantity.js';
import { configKeyErrors, dnsSubdomainErrors, envNameErrors } from '../shared/texts.js';
import { checkNoBacksteps } from './paths.js';

/** Fields of the pod that an environment variable can show. */
const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
] as const;

/** Fields of the pod that a downward API volume can show. */
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
] as const;

const CONVERTIBLE = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const SUBSCRIPT = /^(metadata\.[a-z]+|.+)\['(.*)'\]$/s;

/** A reference to a field of the pod. */
export function checkFieldRef(out: Errors, path: string, ref: JsonObject, allowed: readonly string[]): void {
  if (text(ref['apiVersion']) === '') {
    out.push(required(`${path}.apiVersion`));
    return;
  }
  const fieldPath = text(ref['fieldPath']);
  if (fieldPath === '') {
    out.push(required(`${path}.fieldPath`));
    return;
  }
  const at = `${path}.fieldPath`;
  const version = text(ref['apiVersion']);
  if (version !== 'v1') {
    out.push(invalid(at, fieldPath, `error converting fieldPath: unsupported pod version: ${version}`));
    return;
  }
  // Without its end every bracket would be looked at as if it were the last.
  const subscript = fieldPath.endsWith("']") ? SUBSCRIPT.exec(fieldPath) : null;
  if (subscript) {
    const [, base = '', key = ''] = subscript;
    if (base === 'metadata.annotations') checkQualifiedName(out, path, key.toLowerCase());
    else if (base === 'metadata.labels') checkQualifiedName(out, path, key);
    else
      out.push(
        invalid(at, fieldPath, `error converting fieldPath: field label does not support subscript: ${fieldPath}`),
      );
    return;
  }
  if (allowed.includes(fieldPath)) return;
  if (!CONVERTIBLE.has(fieldPath))
    out.push(invalid(at, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`));
  else out.push(notSupported(at, fieldPath, allowed));
}

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const BYTES = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';
const BYTE_DIVISORS = new Set(BYTES.split(', '));
const HUGE = /^(requests|limits)\.hugepages-/;

function divisorComplaint(resource: string, divisor: string): string | undefined {
  if (/^(limits|requests)\.cpu$/.test(resource)) {
    return divisor === '1m' || divisor === '1'
      ? undefined
      : "only divisor's values 1m and 1 are supported with the cpu resource";
  }
  if (BYTE_DIVISORS.has(divisor)) return undefined;
  const kind = resource.endsWith('.memory')
    ? 'memory'
    : resource.endsWith('.ephemeral-storage')
      ? 'local ephemeral storage'
      : 'hugepages';
  if (kind === 'hugepages' && !HUGE.test(resource)) return undefined;
  return `only divisor's values ${BYTES} are supported with the ${kind} resource`;
}

/** A reference to a resource of a container; in volumes the container must be named. */
export function checkResourceFieldRef(out: Errors, path: string, ref: JsonObject, inVolume: boolean): void {
  const resource = text(ref['resource']);
  if (inVolume && text(ref['containerName']) === '') out.push(required(`${path}.containerName`));
  else if (resource === '') out.push(required(`${path}.resource`));
  else if (!RESOURCES.includes(resource) && !HUGE.test(resource))
    out.push(notSupported(`${path}.resource`, resource, RESOURCES));
  const divisor = ref['divisor'];
  if (divisor === undefined || nanosOf(divisor) === 0n) return;
  const complaint = divisorComplaint(resource, typeof divisor === 'string' ? divisor : JSON.stringify(divisor));
  if (complaint !== undefined) out.push(invalid(`${path}.divisor`, resource, complaint));
}

function checkKeyRef(out: Errors, path: string, ref: JsonObject): void {
  const name = text(ref['name']);
  checkText(out, `${path}.name`, name, dnsSubdomainErrors(name));
  const key = text(ref['key']);
  if (key === '') out.push(required(`${path}.key`));
  else checkText(out, `${path}.key`, key, configKeyErrors(key));
}

function checkFileRef(out: Errors, path: string, ref: JsonObject): void {
  const key = text(ref['key']);
  if (key === '') out.push(required(`${path}.key`));
  else checkText(out, `${path}.key`, key, envNameErrors(key));
  const volume = text(ref['volumeName']);
  if (volume === '') out.push(required(`${path}.volumeName`));
  else checkLabel(out, `${path}.volumeName`, volume);
  const file = text(ref['path']);
  if (file === '') out.push(required(`${path}.path`));
  else checkNoBacksteps(out, `${path}.path`, file);
}

function checkValueFrom(out: Errors, path: string, variable: JsonObject): void {
  const from = record(variable['valueFrom']);
  if (!from) return;
  let sources = 0;
  const each = (key: string, check: (at: string, ref: JsonObject) => void): void => {
    const ref = record(from[key]);
    if (!ref) return;
    sources++;
    check(joinField(path, key), ref);
  };
  each('fieldRef', (at, ref) => checkFieldRef(out, at, ref, ENV_FIELDS));
  each('resourceFieldRef', (at, ref) => checkResourceFieldRef(out, at, ref, false));
  each('configMapKeyRef', (at, ref) => checkKeyRef(out, at, ref));
  each('secretKeyRef', (at, ref) => checkKeyRef(out, at, ref));
  each('fileKeyRef', (at, ref) => checkFileRef(out, at, ref));
  if (sources === 0) {
    const names = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    out.push(invalid(path, '', `must specify one of: ${names}`));
  } else if (text(variable['value']) !== '')
    out.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (sources > 1) out.push(invalid(path, '', 'may not have more than one field specified at a time'));
}

/** `env` of a container. */
export function checkEnv(out: Errors, path: string, variables: unknown): void {
  records(variables).forEach((variable, i) => {
    const name = text(variable['name']);
    if (name === '') out.push(required(`${path}[${i}].name`));
    else checkText(out, `${path}[${i}].name`, name, envNameErrors(name));
    checkValueFrom(out, `${path}[${i}].valueFrom`, variable);
  });
}

/** `envFrom` of a container. */
export function checkEnvFrom(out: Errors, path: string, sources: unknown): void {
  records(sources).forEach((source, i) => {
    const at = `${path}[${i}]`;
    const prefix = text(source['prefix']);
    if (prefix !== '') checkText(out, `${at}.prefix`, prefix, envNameErrors(prefix));
    let count = 0;
    for (const key of ['configMapRef', 'secretRef']) {
      const ref = record(source[key]);
      if (!ref) continue;
      count++;
      const name = text(ref['name']);
      if (name === '') out.push(required(`${at}.${key}.name`));
      else checkSubdomain(out, `${at}.${key}.name`, name);
    }
    if (count === 0) out.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (count > 1) out.push(invalid(path, '', 'may not have more than one field specified at a time'));
  });
}
