import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** The certificate does not belong to the host; the text is Go's. */
export class WrongHost extends Error {
  override readonly name = 'WrongHost';
}

/** Names in the order of the certificate. */
function namesOf(certificate: PeerCertificate, type: 'DNS' | 'IP Address'): string[] {
  const prefix = `${type}:`;
  return (certificate.subjectaltname ?? '')
    .split(', ')
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length));
}

/** Like Go and unlike Node, the common name does not count. */
export function verifyHost(host: string, certificate: PeerCertificate): Error | undefined {
  const refused = (reason: string): Error => new WrongHost(`tls: failed to verify certificate: x509: ${reason}`);
  const dnsNames = namesOf(certificate, 'DNS');
  if (isIP(host) !== 0) {
    const addresses = namesOf(certificate, 'IP Address');
    if (addresses.length === 0)
      return refused(`cannot validate certificate for ${host} because it doesn't contain any IP SANs`);
    const isFound = checkServerIdentity(host, certificate) === undefined;
    return isFound ? undefined : refused(`certificate is valid for ${addresses.join(', ')}, not ${host}`);
  }
  if (dnsNames.length > 0) {
    const isFound = checkServerIdentity(host, certificate) === undefined;
    return isFound ? undefined : refused(`certificate is valid for ${dnsNames.join(', ')}, not ${host}`);
  }
  if (certificate.subjectaltname === undefined && certificate.subject?.CN)
    return refused('certificate relies on legacy Common Name field, use SANs instead');
  return refused(`certificate is not valid for any names, but wanted to match ${host}`);
}
