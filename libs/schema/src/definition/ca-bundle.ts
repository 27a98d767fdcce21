import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** What is wrong with a bundle (base64 of PEM) of certificates; none at all means those of the system. */
export function bundleProblem(bundle: string | undefined): string | undefined {
  if (bundle === undefined || bundle === '') return undefined;
  const blocks = Buffer.from(bundle, 'base64').toString('latin1').match(BLOCK);
  if (blocks === null) return 'unable to parse bytes as PEM block';
  try {
    for (const block of blocks) new X509Certificate(block);
    return undefined;
  } catch {
    return 'failed to parse certificate: x509: malformed certificate';
  }
}
