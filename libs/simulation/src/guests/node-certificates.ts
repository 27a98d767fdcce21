import { X509Certificate } from 'node:crypto';
import { createCertificateRequest, sleep } from '@capstan/kube';
import type { Client, Credentials, CredentialSource, KeyPair } from '@capstan/kube';
import type { Clock, Random } from '@capstan/meta';
import { CLIENT_SIGNER, SERVING_SIGNER } from '@capstan/upstream';
import type { Instance } from '@capstan/upstream';
import { SimulationError } from '../errors.js';
import { askForCertificate } from './certificate-requests.js';
import type { NodeDisk } from './node-agent.js';

/** What a certificate of a node is for. */
export type CertificateUse = 'client' | 'serving';

export interface NodeCertificatesOptions {
  readonly instance: Instance;
  readonly disk: NodeDisk;
  readonly diskChanged?: (() => void) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly isSimulated?: boolean | undefined;
  /**
   * Called with the name of the request by which a node whose client certificate has expired asks to be let in again:
   * its Node exists, so no approver of machines approves it.
   */
  readonly rejoins?: ((requestName: string) => Promise<void>) | undefined;
}

const NODE_GROUP = 'system:nodes';
/** How often the clock is read: timers do not run while a machine sleeps. */
const LOOK_MS = 3_600_000;
const NO_HEADERS = {};

/** When a certificate is renewed: as by a kubelet after 70 to 90 % of its life, by chance between 0 and 1. */
export function renewalAt({ from, to }: { readonly from: number; readonly to: number }, chance: number): number {
  return from + (to - from) * (0.7 + 0.2 * chance);
}

interface Validity {
  readonly pair: KeyPair;
  readonly renewAt: number;
  readonly endsAt: number;
}

/** The certificates of a node: asked for, kept on its disk, renewed in time. */
export class NodeCertificates {
  readonly #options: NodeCertificatesOptions;
  readonly #known = new Map<CertificateUse, Validity>();

  constructor(options: NodeCertificatesOptions) {
    this.#options = options;
  }

  /** Authenticates by the client certificate that the disk holds at the moment. */
  get credentials(): CredentialSource {
    const { disk } = this.#options;
    let last: Credentials | undefined;
    return {
      get: () => {
        if (last?.certificate !== disk.client) last = { headers: NO_HEADERS, certificate: disk.client };
        return last ?? { headers: NO_HEADERS };
      },
      refresh: () => false,
    };
  }

  /** Whether there is one, and it has not expired. */
  isGood(use: CertificateUse): boolean {
    const validity = this.#validity(use);
    return validity !== undefined && this.#options.clock.now() < validity.endsAt;
  }

  /** Asks for a certificate and writes it to the disk. Throws when none is issued. */
  async renew(use: CertificateUse, client: Client, signal: AbortSignal): Promise<true> {
    const { clock, disk, diskChanged, instance, isSimulated = false, random, rejoins } = this.#options;
    const isBack = use === 'client' && disk.client !== undefined && !this.isGood('client');
    const { keyPem, requestPem } = createCertificateRequest({
      commonName: `system:node:${instance.hostname}`,
      organizations: [NODE_GROUP],
      ...(use === 'client' ? {} : servingNames(instance)),
      keyFrom: isSimulated ? random.split(`${use} key at ${clock.monotonic()}`) : undefined,
    });
    const certPem = await askForCertificate({
      client,
      clock,
      requestPem,
      signerName: use === 'client' ? CLIENT_SIGNER : SERVING_SIGNER,
      usages: ['digital signature', use === 'client' ? 'client auth' : 'server auth'],
      asked: isBack ? rejoins : undefined,
      signal,
    });
    if (certPem === undefined)
      throw new SimulationError('NOT_CERTIFIED', `no ${use} certificate was issued to ${instance.hostname}`);
    disk[use] = { certPem, keyPem };
    diskChanged?.();
    return true;
  }

  /** Resolves when a certificate is missing or due to be renewed, or the signal aborts. */
  async untilDue(use: CertificateUse, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const left = (this.#validity(use)?.renewAt ?? 0) - clock.now();
      if (left <= 0) return;
      await sleep(clock, Math.min(left, LOOK_MS), signal);
    }
  }

  #validity(use: CertificateUse): Validity | undefined {
    const { disk, random } = this.#options;
    const pair = disk[use];
    if (pair === undefined) return undefined;
    const known = this.#known.get(use);
    if (known?.pair === pair) return known;
    const certificate = new X509Certificate(pair.certPem);
    const life = { from: Date.parse(certificate.validFrom), to: Date.parse(certificate.validTo) };
    const chance = random.split(`${use} renewal after ${life.from}`).next();
    const validity = { pair, renewAt: renewalAt(life, chance), endsAt: life.to };
    this.#known.set(use, validity);
    return validity;
  }
}

function servingNames({ addresses }: Instance): { dnsNames: string[]; ipAddresses: string[] } {
  const of = (isIp: boolean): string[] => [
    ...new Set(addresses.filter(({ type }) => type.endsWith('IP') === isIp).map(({ address }) => address)),
  ];
  return { dnsNames: of(false), ipAddresses: of(true) };
}
