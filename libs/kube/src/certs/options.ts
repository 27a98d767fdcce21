import type { Random } from '@capstan/meta';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
}

/** What any certificate may be given; the defaults are the real clock, real chance and a fitting life time. */
export interface CertificateOptions {
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined;
  readonly validForMs?: number | undefined;
  /** Draws the serial number. */
  readonly random?: Random | undefined;
  /** Draws the key, for simulations: who knows the seed knows the key. Default: P-256 from the system. */
  readonly keyFrom?: Random | undefined;
}

/** What a requested certificate may be used for. */
export interface SigningOptions extends Omit<CertificateOptions, 'keyFrom'> {
  readonly usages: readonly ('client' | 'server')[];
}

export interface CaOptions extends CertificateOptions {
  readonly commonName: string;
}

export interface ServingCertificateOptions extends CertificateOptions {
  readonly commonName: string;
  readonly dnsNames?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
}

/** A certificate of any use, with a fresh key. */
export interface IssueOptions extends ServingCertificateOptions {
  readonly organizations?: readonly string[] | undefined;
  readonly usages: readonly ('client' | 'server')[];
}

export interface ClientCertificateOptions extends CertificateOptions {
  /** Becomes the common name, which Kubernetes reads as the user name. */
  readonly user: string;
  /** Become organizations, which Kubernetes reads as groups. */
  readonly groups?: readonly string[] | undefined;
}
