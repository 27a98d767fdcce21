import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import type { UserInfo } from '@capstan/meta';
import type { CertificateSubject, HttpOptions } from './options.js';

/** Whose connection it is; `refused` when it came with a certificate nobody vouches for. */
export type ConnectionUser = UserInfo | 'refused' | undefined;

/** Reads the client certificate of each connection once. */
export class CertificateReader {
  readonly #name: ((subject: CertificateSubject) => UserInfo | undefined) | undefined;
  readonly #vouch: ((certificate: X509Certificate) => UserInfo | undefined) | undefined;
  readonly #known = new WeakMap<Socket, { readonly user: ConnectionUser }>();

  constructor(options: Pick<HttpOptions, 'userFromCertificate' | 'vouchForCertificate'>) {
    this.#name = options.userFromCertificate;
    this.#vouch = options.vouchForCertificate;
  }

  /** The user of the connection, by its certificate. */
  userOf(socket: Socket): ConnectionUser {
    let known = this.#known.get(socket);
    if (known === undefined) {
      known = { user: this.#read(socket) };
      this.#known.set(socket, known);
    }
    return known.user;
  }

  #read(socket: Socket): ConnectionUser {
    if (!(socket instanceof TLSSocket)) return undefined;
    // An empty object when the client sent none.
    const { subject } = socket.getPeerCertificate() as { subject?: Readonly<Record<string, unknown>> };
    if (subject === undefined) return undefined;
    if (this.#vouch !== undefined) return this.#vouched(socket, this.#vouch);
    if (!socket.authorized) return 'refused';
    return this.#name?.({ commonName: values(subject['CN']).at(-1) ?? '', organizations: values(subject['O']) });
  }

  #vouched(socket: TLSSocket, vouch: (certificate: X509Certificate) => UserInfo | undefined): ConnectionUser {
    const certificate = socket.getPeerX509Certificate();
    return certificate === undefined ? undefined : (vouch(certificate) ?? 'refused');
  }
}

/** An attribute that occurs more than once comes as a list. */
function values(attribute: unknown): readonly string[] {
  if (Array.isArray(attribute)) return attribute.map(String);
  return typeof attribute === 'string' ? [attribute] : [];
}
