import { Recent } from '@capstan/meta';
import { X509Certificate } from 'node:crypto';

/** Whom a certificate was issued to, and between when and when it is good, in milliseconds since the epoch. */
export interface IssuedTo {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Whether it may be shown by a client; a certificate of a server alone authenticates nobody. */
  readonly isForClients: boolean;
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';

interface Issued {
  readonly caPem: string;
  readonly to: IssuedTo;
}

/** A certificate that was signed in this very process need not be verified by it afterwards. */
const remembered = new Recent<string, Issued>(4_096);
/** Names with other characters are read back escaped. */
const PLAIN = /^[\w:.-]+$/;

/** Remembers what was issued in this process. */
export function rememberIssued(certPem: string, caPem: string, to: IssuedTo): void {
  if (![to.commonName, ...to.organizations].every((name) => PLAIN.test(name))) return;
  remembered.set(certPem, { caPem, to });
}

/** Whom a certificate was issued to; undefined unless the CA vouches for it. */
export function readIssued(certificate: string | X509Certificate, caPem: string): IssuedTo | undefined {
  const known = typeof certificate === 'string' ? remembered.get(certificate) : undefined;
  return known?.caPem === caPem ? known.to : readCertificate(certificate, caPem);
}

function readCertificate(certificate: string | X509Certificate, caPem: string): IssuedTo | undefined {
  const read = typeof certificate === 'string' ? new X509Certificate(certificate) : certificate;
  if (!read.verify(ca(caPem).publicKey)) return undefined;
  const values = (attribute: string): string[] =>
    read.subject
      .split('\n')
      .filter((line) => line.startsWith(`${attribute}=`))
      .map((line) => line.slice(attribute.length + 1));
  return {
    commonName: values('CN').at(-1) ?? '',
    organizations: values('O'),
    from: Date.parse(read.validFrom),
    to: Date.parse(read.validTo),
    isForClients: isForClients(read.keyUsage as readonly string[] | undefined),
  };
}

/** As Go and OpenSSL read extended key usages: a certificate that lists none is good for all. */
function isForClients(usages: readonly string[] | undefined): boolean {
  return usages === undefined || usages.includes(CLIENT_AUTH) || usages.includes(ANY_USAGE);
}

let lastAuthority: { readonly pem: string; readonly certificate: X509Certificate } | undefined;

/** Many certificates of one CA are read one after the other. */
function ca(pem: string): X509Certificate {
  if (lastAuthority?.pem !== pem) lastAuthority = { pem, certificate: new X509Certificate(pem) };
  return lastAuthority.certificate;
}

/** Certificates know no shorter times. */
export function wholeSeconds(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}
