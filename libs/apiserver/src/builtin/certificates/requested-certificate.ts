import { CertificateRequestError, readCertificateRequest } from '@capstan/meta';
import type { CertificateRequest } from '@capstan/meta';

/** What a `spec.request` (base64 of PEM) asks for, or what is wrong with it. */
export function requestedCertificate(base64: string): CertificateRequest | { readonly fault: string } {
  try {
    return readCertificateRequest(Buffer.from(base64, 'base64').toString('latin1'));
  } catch (error) {
    if (error instanceof CertificateRequestError) return { fault: error.message };
    throw error;
  }
}
