import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Whether a bundle (base64 of PEM) names certificates that can be read; none at all means those of the system. */
export function isTrustworthyBundle(bundle: string | undefined): boolean {
  if (bundle === undefined || bundle === '') return true;
  const blocks = Buffer.from(bundle, 'base64').toString('latin1').match(BLOCK);
  if (blocks === null) return false;
  try {
    for (const block of blocks) new X509Certificate(block);
    return true;
  } catch {
    return false;
  }
}
