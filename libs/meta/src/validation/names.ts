/**
 * Formats of names, keys and values. Each function returns what is wrong, in the server's words; nothing wrong is an
 * empty list. The good case is one regular expression without backtracking blow-up and allocates nothing.
 */
import { utf8Length } from './go-format.js';

/** What is wrong with a value; empty when it is right. */
export type Complaints = readonly string[];

const none: Complaints = [];

/** `must be no more than 63 characters`: the wording of name formats (they count bytes all the same). */
export function maxLengthMessage(length: number): string {
  return `must be no more than ${length} characters`;
}

/** `must be no more than 63 bytes`: the wording of label keys and values. */
export function maxBytesMessage(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** The server's text for a format mismatch, with its peculiar `, or ` between the examples. */
export function regexMessage(message: string, format: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${format}')`;
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${format}')`;
}

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const dns1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?';
const keyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const valueFormat = `(${keyFormat})?`;
const configKeyFormat = '[-._a-zA-Z0-9]+';

// Written so that no position can match in two ways: the formats above are for the messages.
const label = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const subdomain = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/;
const dns1035 = /^[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/;
const key = /^[A-Za-z0-9]+(?:[-_.]+[A-Za-z0-9]+)*$/;
const configKey = /^[-._a-zA-Z0-9]+$/;

const labelText = regexMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelFormat,
  'my-name',
  '123-abc',
);
const subdomainText = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainFormat,
  'example.com',
);
const dns1035Text = regexMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Format,
  'my-name',
  'abc-123',
);
const keyText = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  keyFormat,
  'MyName',
  'my.name',
  '123-abc',
);
const valueText = regexMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  valueFormat,
  'MyValue',
  'my_value',
  '12345',
);
const configKeyText = regexMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configKeyFormat,
  'key.name',
  'KEY_NAME',
  'key-name',
);

/** Longest DNS label. */
export const dnsLabelMaxLength = 63;
/** Longest DNS subdomain. */
export const dnsSubdomainMaxLength = 253;
/** Longest label value and longest name part of a label key. */
export const labelMaxLength = 63;

/** RFC 1123 label: namespaces, containers. */
export function checkDns1123Label(value: string): Complaints {
  const matches = label.test(value);
  if (matches && value.length <= dnsLabelMaxLength) return none;
  const complaints: string[] = [];
  if (utf8Length(value) > dnsLabelMaxLength) complaints.push(maxLengthMessage(dnsLabelMaxLength));
  if (!matches) complaints.push(subdomain.test(value) ? 'must not contain dots' : labelText);
  return complaints;
}

/** RFC 1123 subdomain: the names of most objects. */
export function checkDns1123Subdomain(value: string): Complaints {
  const matches = subdomain.test(value);
  if (matches && value.length <= dnsSubdomainMaxLength) return none;
  const complaints: string[] = [];
  if (utf8Length(value) > dnsSubdomainMaxLength) complaints.push(maxLengthMessage(dnsSubdomainMaxLength));
  if (!matches) complaints.push(subdomainText);
  return complaints;
}

/** RFC 1035 label: services before 1.34, CRD names. */
export function checkDns1035Label(value: string): Complaints {
  const matches = dns1035.test(value);
  if (matches && value.length <= dnsLabelMaxLength) return none;
  const complaints: string[] = [];
  if (utf8Length(value) > dnsLabelMaxLength) complaints.push(maxLengthMessage(dnsLabelMaxLength));
  if (!matches) complaints.push(dns1035Text);
  return complaints;
}

/** Qualified name (`example.com/name` or `name`): label and annotation keys, finalizers, condition types. */
export function checkQualifiedName(value: string): Complaints {
  const slash = value.indexOf('/');
  if (slash < 0) return checkKeyName(value, []);
  if (value.includes('/', slash + 1)) {
    return [`a valid label key ${keyText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  return checkKeyName(value.slice(slash + 1), checkKeyPrefix(value.slice(0, slash)));
}

function checkKeyPrefix(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const complaints: string[] = [];
  // The same limit as a subdomain's elsewhere, but worded in bytes.
  if (utf8Length(prefix) > dnsSubdomainMaxLength) {
    complaints.push(`prefix part ${maxBytesMessage(dnsSubdomainMaxLength)}`);
  }
  if (!subdomain.test(prefix)) complaints.push(`prefix part ${subdomainText}`);
  return complaints;
}

function checkKeyName(name: string, complaints: string[]): Complaints {
  if (key.test(name)) {
    if (name.length > labelMaxLength) complaints.push(`name part ${maxBytesMessage(labelMaxLength)}`);
    return complaints.length === 0 ? none : complaints;
  }
  if (name === '') complaints.push('name part must be non-empty');
  else if (utf8Length(name) > labelMaxLength) complaints.push(`name part ${maxBytesMessage(labelMaxLength)}`);
  complaints.push(`name part ${keyText}`);
  return complaints;
}

/** Label value; the empty string is one. */
export function checkLabelValue(value: string): Complaints {
  const matches = value === '' || key.test(value);
  if (matches && value.length <= labelMaxLength) return none;
  const complaints: string[] = [];
  if (utf8Length(value) > labelMaxLength) complaints.push(maxBytesMessage(labelMaxLength));
  if (!matches) complaints.push(valueText);
  return complaints;
}

/** Key of a ConfigMap or Secret. */
export function checkConfigMapKey(value: string): Complaints {
  const complaints: string[] = [];
  if (utf8Length(value) > dnsSubdomainMaxLength) complaints.push(maxLengthMessage(dnsSubdomainMaxLength));
  if (!configKey.test(value)) complaints.push(configKeyText);
  if (value === '.' || value === '..') complaints.push(`must not be '${value}'`);
  else if (value.startsWith('..')) complaints.push("must not start with '..'");
  return complaints;
}

function checkPathContent(value: string): Complaints {
  if (!value.includes('/') && !value.includes('%')) return none;
  return ['/', '%'].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
}

/** Anything that can be one segment of a URL: RBAC names, and the least every name must be. */
export function checkPathSegment(value: string): Complaints {
  return value === '.' || value === '..' ? [`may not be '${value}'`] : checkPathContent(value);
}

/** Checks a name, or (`prefix`) a generateName, to which something will be appended. */
export type NameValidator = (name: string, prefix: boolean) => Complaints;

/** A trailing dash is fine before a suffix. The server drops the character before it as well, and so do we. */
function maskTrailingDash(name: string): string {
  if (name.length < 2 || !name.endsWith('-')) return name;
  // What it drops is a byte: of a longer character the rest stays, and fails.
  return name.charCodeAt(name.length - 2) < 0x80 ? `${name.slice(0, -2)}a` : name.slice(0, -1);
}

/** {@link NameValidator} of most kinds. */
export const nameIsDnsSubdomain: NameValidator = (name, prefix) =>
  checkDns1123Subdomain(prefix ? maskTrailingDash(name) : name);

/** {@link NameValidator} of kinds whose rules are declared: bytes are called so, and only whole names are looked at. */
export const nameIsDeclaredLong: NameValidator = (name, prefix) => {
  if (prefix) return none;
  const characters = maxLengthMessage(dnsSubdomainMaxLength);
  const bytes = maxBytesMessage(dnsSubdomainMaxLength);
  return checkDns1123Subdomain(name).map((text) => (text === characters ? bytes : text));
};

/** {@link NameValidator} of namespaces. */
export const nameIsDnsLabel: NameValidator = (name, prefix) =>
  checkDns1123Label(prefix ? maskTrailingDash(name) : name);

/** {@link NameValidator} of older services. */
export const nameIsDns1035Label: NameValidator = (name, prefix) =>
  checkDns1035Label(prefix ? maskTrailingDash(name) : name);

/** {@link NameValidator} of RBAC kinds, and the general check after a kind's own. */
export const nameIsPathSegment: NameValidator = (name, prefix) =>
  prefix ? checkPathContent(name) : checkPathSegment(name);
