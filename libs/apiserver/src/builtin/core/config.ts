/** ConfigMaps, Secrets and ServiceAccounts. */
import { forbidden, invalid, required, setOwn, tooLong, pushAll } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { plain } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { atKey, checkImmutable, checkText } from '../shared/checks.js';
import { ensure, equalJson, fields, records, text, textMap } from '../shared/json.js';
import { configKeyErrors } from '../shared/texts.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';

const MAX_SIZE = 1024 * 1024;

/** Bytes that a base64 text stands for. */
function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

const FROZEN = 'field is immutable when `immutable` is set';

function checkFrozen(out: Errors, obj: KubeObject, old: KubeObject, keys: readonly string[]): void {
  if (old['immutable'] !== true) return;
  if (obj['immutable'] !== true) out.push(forbidden('immutable', FROZEN));
  for (const key of keys) if (!equalJson(fields(obj[key]), fields(old[key]))) out.push(forbidden(key, FROZEN));
}

function checkConfigMap(out: Errors, configMap: KubeObject): void {
  const data = textMap(configMap['data']);
  const binary = textMap(configMap['binaryData']);
  let size = 0;
  for (const key of Object.keys(data)) {
    checkText(out, atKey('data', key), key, configKeyErrors(key));
    if (Object.hasOwn(binary, key))
      out.push(invalid(atKey('data', key), key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(data[key] ?? '');
  }
  for (const key of Object.keys(binary)) {
    checkText(out, atKey('binaryData', key), key, configKeyErrors(key));
    size += decodedLength(binary[key] ?? '');
  }
  // The whole object is too long, so there is no field to name: the server prints its empty path so.
  if (size > MAX_SIZE) out.push(tooLong('[]', '', MAX_SIZE));
}

/** Strategy of config maps. */
export const configMapStrategy: ResourceStrategy = plain({
  validate: (configMap) => {
    const out: Errors = [];
    checkConfigMap(out, configMap);
    return out;
  },
  validateUpdate: (configMap, old, context) => {
    const { asChange, asNew } = metadataAgain(context);
    const out: Errors = [...asChange];
    checkFrozen(out, configMap, old, ['data', 'binaryData']);
    pushAll(out, asNew);
    checkConfigMap(out, configMap);
    return out;
  },
});

function checkDockerConfig(out: Errors, data: Readonly<Record<string, string>>, key: string): void {
  const value = data[key];
  if (value === undefined) {
    out.push(required(atKey('data', key)));
    return;
  }
  const complaint = jsonObjectComplaint(Buffer.from(value, 'base64').toString('utf8'));
  if (complaint !== undefined) out.push(invalid(atKey('data', key), '<secret contents redacted>', complaint));
}

function jsonObjectComplaint(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch {
    if (json.trim() === '') return 'unexpected end of JSON input';
    return 'invalid character in JSON input';
  }
}

function checkTyped(out: Errors, secret: KubeObject, data: Readonly<Record<string, string>>): void {
  const need = (key: string): void => {
    out.push(required(atKey('data', key)));
  };
  switch (text(secret['type'])) {
    case 'kubernetes.io/service-account-token': {
      const key = 'kubernetes.io/service-account.name';
      if (!textMap(secret.metadata.annotations)[key]) out.push(required(atKey('metadata.annotations', key)));
      break;
    }
    case 'kubernetes.io/dockercfg':
      checkDockerConfig(out, data, '.dockercfg');
      break;
    case 'kubernetes.io/dockerconfigjson':
      checkDockerConfig(out, data, '.dockerconfigjson');
      break;
    case 'kubernetes.io/basic-auth':
      if (data['username'] === undefined && data['password'] === undefined) {
        need('username');
        need('password');
      }
      break;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) need('ssh-privatekey');
      break;
    case 'kubernetes.io/tls':
      for (const key of ['tls.crt', 'tls.key']) if (data[key] === undefined) need(key);
      break;
    default:
  }
}

function checkSecret(out: Errors, secret: KubeObject): void {
  const data = textMap(secret['data']);
  let size = 0;
  for (const key of Object.keys(data)) {
    checkText(out, atKey('data', key), key, configKeyErrors(key));
    size += decodedLength(data[key] ?? '');
  }
  if (size > MAX_SIZE) out.push(tooLong('data', '', MAX_SIZE));
  checkTyped(out, secret, data);
}

/** `stringData` is written, never read: it lands in `data`, over what is there. */
function mergeStringData(secret: KubeObject): void {
  const strings = textMap(secret['stringData']);
  const keys = Object.keys(strings);
  if (keys.length > 0) {
    const data = ensure(secret, 'data');
    for (const key of keys) setOwn(data, key, Buffer.from(strings[key] ?? '', 'utf8').toString('base64'));
  }
  delete secret['stringData'];
}

/** Strategy of secrets. */
export const secretStrategy: ResourceStrategy = plain({
  applyDefaults: (secret) => {
    mergeStringData(secret);
    if (text(secret['type']) === '') secret['type'] = 'Opaque';
  },
  validate: (secret): FieldError[] => {
    const out: Errors = [];
    checkSecret(out, secret);
    return out;
  },
  validateUpdate: (secret, old, context) => {
    const { asChange, asNew } = metadataAgain(context);
    const out: Errors = [...asChange];
    checkImmutable(out, 'type', secret['type'], old['type']);
    checkFrozen(out, secret, old, ['data']);
    pushAll(out, asNew);
    checkSecret(out, secret);
    return out;
  },
  fieldLabels: { type: (secret) => text(secret['type']) },
});

const ENFORCE_MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';

function mountableWarnings(account: KubeObject, old?: KubeObject): string[] {
  if (old && textMap(old.metadata.annotations)[ENFORCE_MOUNTABLE] !== undefined) return [];
  if (textMap(account.metadata.annotations)[ENFORCE_MOUNTABLE] === undefined) return [];
  const advice = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${ENFORCE_MOUNTABLE}]: ${advice}`];
}

// Only the name of a secret means anything here.
function bareSecrets(account: KubeObject): void {
  const secrets = records(account['secrets']);
  if (secrets.length > 0)
    account['secrets'] = secrets.map((secret) => (text(secret['name']) === '' ? {} : { name: secret['name'] }));
}

/** Strategy of service accounts. */
export const serviceAccountStrategy: ResourceStrategy = plain({
  returnsDeletedObject: true,
  prepareForCreate: bareSecrets,
  prepareForUpdate: bareSecrets,
  warningsOnCreate: (account) => mountableWarnings(account),
  warningsOnUpdate: (account, old) => mountableWarnings(account, old),
});
