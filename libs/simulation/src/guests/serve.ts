import { serveHttp } from '@capstan/apiserver';
import { createCa } from '@capstan/kube';
import type { CertificateAuthority, Logger } from '@capstan/kube';
import type { Clock, Random } from '@capstan/meta';
import { Guests } from './guests.js';
import type { GuestsOptions } from './guests.js';
import type { KnownServers } from './known-servers.js';

export interface ServeGuestsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger | undefined;
  /** 0 takes any free one. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Names and addresses a client may dial besides. */
  readonly names?: { readonly dns?: readonly string[]; readonly ips?: readonly string[] } | undefined;
  readonly known?: KnownServers | undefined;
  /** Issues the certificate they are served with. Default: a new one. */
  readonly ca?: CertificateAuthority | undefined;
  readonly keep?: GuestsOptions['keep'];
}

/** Guests that are served. */
export interface ServedGuests {
  readonly guests: Guests;
  readonly url: string;
  /** CA of the certificate they are served with, PEM. */
  readonly caPem: string;
  readonly ca: CertificateAuthority;
  close(): Promise<void>;
}

/** Serves every guest over one HTTPS listener, each below a path of its own. */
export async function serveGuests(options: ServeGuestsOptions): Promise<ServedGuests> {
  const { clock, host = '127.0.0.1', known, logger, names, port, random } = options;
  const { ca = createCa({ commonName: 'capstan-guests-ca', now: clock.now() }), keep } = options;
  const serving = ca.issueServing({
    commonName: 'capstan-guests',
    dnsNames: ['localhost', ...(names?.dns ?? [])],
    ipAddresses: [...new Set(['127.0.0.1', host, ...(names?.ips ?? [])])],
    now: clock.now(),
  });
  const caPem = ca.certPem;
  const base = { url: '' };
  const guests = new Guests({ clock, random, logger, known, keep, servingCaPem: caPem, baseUrl: () => base.url });
  const served = await serveHttp(guests, {
    port,
    host,
    tls: { cert: serving.certPem, key: serving.keyPem },
    vouchForCertificate: (certificate) => guests.vouchFor(certificate),
  });
  const { url } = served;
  base.url = url;
  return {
    guests,
    url,
    caPem,
    ca,
    close: () => {
      guests.stop();
      return served.close();
    },
  };
}
