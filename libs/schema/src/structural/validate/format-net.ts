/** String formats about addresses, accepting exactly what Go's parsers accept. */

/** How many hexadecimal digits an address group may have, and whether an octet may start with zeros. */
interface AddressRules {
  readonly group: RegExp;
  readonly octet: RegExp;
}

/** As Go parsed addresses before 1.17; Kubernetes keeps that for stored data. */
const lenient: AddressRules = { group: /^0*[0-9a-f]{1,4}$/i, octet: /^0*[0-9]{1,3}$/ };
const strict: AddressRules = { group: /^[0-9a-f]{1,4}$/i, octet: /^(?:0|[1-9][0-9]{0,2})$/ };

function isV4(text: string, rules: AddressRules): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => rules.octet.test(octet) && Number(octet) <= 255);
}

/** The number of 16-bit groups a colon-separated run stands for (a trailing IPv4 counts two), or -1. */
function groupsIn(text: string, rules: AddressRules, mayEndInV4: boolean): number {
  if (text === '') return 0;
  const parts = text.split(':');
  let groups = 0;
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    if (rules.group.test(part)) groups += 1;
    else if (last && mayEndInV4 && isV4(part, rules)) groups += 2;
    else return -1;
  }
  return groups;
}

function isV6(text: string, rules: AddressRules): boolean {
  const gap = text.indexOf('::');
  if (gap < 0) return groupsIn(text, rules, true) === 8;
  const head = groupsIn(text.slice(0, gap), rules, false);
  const tail = groupsIn(text.slice(gap + 2), rules, true);
  return head >= 0 && tail >= 0 && head + tail < 8;
}

/** Go's `net.ParseIP` accepts it. */
export function isAddress(text: string): boolean {
  return text.includes(':') ? isV6(text, strict) : isV4(text, strict);
}

/** Format `ipv4`; an IPv4 in IPv6 notation counts because it has a dot. */
export function isIpv4(text: string): boolean {
  if (!text.includes('.')) return false;
  return text.includes(':') ? isV6(text, lenient) : isV4(text, lenient);
}

/** Format `ipv6`. */
export function isIpv6(text: string): boolean {
  return text.includes(':') && isV6(text, strict);
}

/** Format `cidr`. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  const bits = isV4(address, lenient) ? 32 : isV6(address, lenient) ? 128 : -1;
  return /^[0-9]+$/.test(length) && Number(length) <= bits;
}

const macSizes: ReadonlySet<number> = new Set([6, 8, 20]);

/** Format `mac`: EUI-48, EUI-64 or a 20-byte InfiniBand address, with `:`, `-`, `.` or nothing in between. */
export function isMac(text: string): boolean {
  const separator = text[2];
  if (separator === ':' || separator === '-') {
    const groups = text.split(separator);
    return macSizes.has(groups.length) && groups.every((group) => /^[0-9a-f]{2}$/i.test(group));
  }
  if (text[4] !== '.') return macSizes.has(text.length / 2) && /^[0-9a-f]+$/i.test(text);
  const groups = text.split('.');
  return macSizes.has(groups.length * 2) && groups.every((group) => /^[0-9a-f]{4}$/i.test(group));
}

const badEscape = /%(?![0-9a-f]{2})/i;
/** In a host only bytes beyond ASCII may be escaped, and the percent sign itself. */
const badHostEscape = /%(?![89a-f][0-9a-f]|25)/i;
const badHostByte = /[^\x80-\u{10ffff}A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%]/u;
/** In a zone an escape may stand for what a host may hold, for a blank, or for the percent sign. */
const badZoneEscape = /%(?!20|25|[89a-f][0-9a-f]|2[1246-9a-e]|3[0-9a-e]|4[1-9a-f]|5[0-9abdf]|6[1-9a-f]|7[0-9ae])/i;

function isHost(text: string): boolean {
  return !badHostEscape.test(text) && !badHostByte.test(text);
}

function isBracketedHost(host: string, close: number): boolean {
  const inside = host.slice(1, close);
  const zone = inside.indexOf('%25');
  if (zone < 0) return isHost(inside) && isIpv6(inside);
  const identifier = inside.slice(zone);
  return (
    isIpv6(inside.slice(0, zone)) &&
    identifier.length > 3 &&
    !badZoneEscape.test(identifier) &&
    !badHostByte.test(identifier)
  );
}

function isHostAndPort(scheme: string, host: string): boolean {
  const open = host.lastIndexOf('[');
  if (open > 0) return false;
  if (open === 0) {
    const close = host.lastIndexOf(']');
    return close > 0 && /^(?::[0-9]*)?$/.test(host.slice(close + 1)) && isBracketedHost(host, close);
  }
  // Only web schemes are held to one colon; database URLs list several hosts.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  return isHost(host) && (colon < 0 || /^:[0-9]*$/.test(host.slice(colon)));
}

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf('@');
  if (!isHostAndPort(scheme, authority.slice(at + 1))) return false;
  if (at < 0) return true;
  const user = authority.slice(0, at);
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) && !badEscape.test(user);
}

/** What follows the scheme, up to the query. */
function isHierarchy(scheme: string, rest: string): boolean {
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !badEscape.test(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(scheme.toLowerCase(), authority) && (slash < 0 || !badEscape.test(rest.slice(slash)));
}

/** Format `uri`: what Go's `url.ParseRequestURI` accepts, that is an absolute URI or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === '' || text.startsWith(':') || /[\x00-\x1f\x7f]/.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1] ?? '';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  return isHierarchy(scheme, question < 0 ? rest : rest.slice(0, question));
}
