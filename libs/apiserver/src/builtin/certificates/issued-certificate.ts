import { X509Certificate } from 'node:crypto';
import { goQuote, pemBlocks } from '@capstan/meta';

/** What is wrong with the certificate (base64 of PEM) that a signer issued; undefined: nothing, or there is none. */
export function certificateFault(base64: string): string | undefined {
  if (base64 === '') return undefined;
  let blocks = 0;
  for (const { type, hasHeaders, der } of pemBlocks(Buffer.from(base64, 'base64').toString('latin1'))) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    blocks += 1;
    if (der.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    try {
      new X509Certificate(der);
    } catch {
      return 'x509: malformed certificate';
    }
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
