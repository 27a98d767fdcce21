/** Rules for small strings and numbers, each answering with the server's own complaints (none = fine). */
import { regexMessage } from '@capstan/meta';

export {
  checkConfigMapKey as configKeyErrors,
  checkDns1035Label as dns1035LabelErrors,
  checkDns1123Label as dnsLabelErrors,
  checkDns1123Subdomain as dnsSubdomainErrors,
} from '@capstan/meta';

const FINE: readonly string[] = [];

/** `must be between 1 and 65535, inclusive` unless it is. */
export function rangeErrors(value: number, low: number, high: number): readonly string[] {
  return value >= low && value <= high ? FINE : [`must be between ${low} and ${high}, inclusive`];
}

/** A TCP or UDP port number. */
export function portNumberErrors(port: number): readonly string[] {
  return rangeErrors(port, 1, 65535);
}

/** An IANA service name. */
export function portNameErrors(name: string): readonly string[] {
  if (/^[a-z0-9]([a-z0-9]|-(?!-)){0,13}[a-z0-9]?$/.test(name) && /[a-z]/.test(name) && !name.endsWith('-')) return FINE;
  const errors: string[] = [];
  if (name.length > 15) errors.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) errors.push('must contain at least one letter (a-z)');
  if (name.includes('--')) errors.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** The name of an environment variable: any printable ASCII but `=`. */
export function envNameErrors(name: string): readonly string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  if (/^[\x20-\x3c\x3e-\x7e]+$/.test(name)) return FINE;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** `25%`. */
export function percentErrors(value: string): readonly string[] {
  if (/^[0-9]+%$/.test(value)) return FINE;
  return [
    regexMessage("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%'),
  ];
}

/** The name of an HTTP header. */
export function headerNameErrors(name: string): readonly string[] {
  if (/^[-A-Za-z0-9]+$/.test(name)) return FINE;
  return [
    regexMessage(
      "a valid HTTP header must consist of alphanumeric characters or '-'",
      '[-A-Za-z0-9]+',
      'X-Header-Name',
    ),
  ];
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const WILDCARD = `\\*\\.${SUBDOMAIN}`;
const WILDCARD_REGEX = new RegExp(`^${WILDCARD}$`);
const UNDERSCORE_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const UNDERSCORE = `${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*`;
const UNDERSCORE_REGEX = new RegExp(`^${UNDERSCORE}$`);

/** `*.example.com`. */
export function wildcardSubdomainErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 253) errors.push('must be no more than 253 characters');
  if (!WILDCARD_REGEX.test(value)) {
    const message =
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
    errors.push(regexMessage(message, WILDCARD, '*.example.com'));
  }
  return errors;
}

/** A DNS subdomain in which labels may carry underscores (search paths). */
export function underscoreSubdomainErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 253) errors.push('must be no more than 253 characters');
  if (!UNDERSCORE_REGEX.test(value)) {
    const message =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
    errors.push(regexMessage(message, UNDERSCORE, 'example.com'));
  }
  return errors;
}
