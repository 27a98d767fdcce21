/** Qualified names, label values and path segments: the rules shared by labels, resources and references. */
import { dnsSubdomainErrors } from './texts.js';

const FINE: readonly string[] = [];
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const NAME_REGEX = new RegExp(`^${NAME}$`);
const NAME_MESSAGE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_ERROR = `${NAME_MESSAGE} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME}')`;
const VALUE_ERROR = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${NAME})?')`;

/** `name` or `example.com/name`, as label keys are. */
export function qualifiedNameErrors(value: string): readonly string[] {
  const slash = value.indexOf('/');
  const name = slash < 0 ? value : value.slice(slash + 1);
  const errors: string[] = [];
  if (slash >= 0) {
    if (name.includes('/')) return [`a valid label key ${NAME_ERROR} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
    const prefix = value.slice(0, slash);
    if (prefix === '') errors.push('prefix part must be non-empty');
    else for (const message of dnsSubdomainErrors(prefix)) errors.push(`prefix part ${message.replace(/([0-9]+) characters$/, '$1 bytes')}`);
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (name.length > 63) errors.push('name part must be no more than 63 bytes');
  if (!NAME_REGEX.test(name)) errors.push(`name part ${NAME_ERROR}`);
  return errors.length === 0 ? FINE : errors;
}

/** The value of a label. */
export function labelValueErrors(value: string): readonly string[] {
  if (value === '') return FINE;
  if (value.length <= 63 && NAME_REGEX.test(value)) return FINE;
  const errors: string[] = [];
  if (value.length > 63) errors.push('must be no more than 63 bytes');
  if (!NAME_REGEX.test(value)) errors.push(VALUE_ERROR);
  return errors;
}

/** A name that can stand in a URL path. */
export function pathSegmentErrors(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  const errors: string[] = [];
  if (name.includes('/')) errors.push("may not contain '/'");
  if (name.includes('%')) errors.push("may not contain '%'");
  return errors;
}
