import { Converger, errorText } from '@capstan/kube';
import type { Client, EventRecorder, Logger } from '@capstan/kube';
import { ApiError, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS, DEFINITIONS, SECRETS } from '../kinds.js';
import { verdictOf } from './decide.js';
import type { CrdVerdict } from './decide.js';
import { PRIVATE_CRDS_CONFIG_MAP, readRecord } from './record.js';
import type { InstalledCrd, InstalledCrds } from './record.js';

/** The private CRDs that come with the program, and who installs them. */
export interface PrivateCrds {
  readonly version: string;
  /** As whom install writes. */
  readonly fieldOwner: string;
  readonly shim: string;
  /** The Secret of the certificate of the shim; `ca.crt` is in it where install has created the CA. */
  readonly shimSecret: string;
  /** As install applies them; `caBundle` is PEM in base64, undefined where the service CA injects it. */
  readonly render: (place: {
    readonly namespace: string;
    readonly caBundle: string | undefined;
  }) => Promise<readonly KubeObject[]>;
}

export interface RestoreOptions {
  readonly crds: PrivateCrds;
  /** Asks the server itself: the proxy shows private CRDs under standard names. */
  readonly client: Client;
  /** Of the operator and the shim. */
  readonly namespace: string;
  readonly logger: Logger;
  /** Default: no events. */
  readonly recorder?: EventRecorder | undefined;
}

type ReadOptions = { readonly signal?: AbortSignal | undefined };

interface Wanted {
  readonly installed: InstalledCrds;
  readonly caBundle: string | undefined;
  readonly shipped: ReadonlyMap<string, KubeObject>;
}

/** Restores private CRDs that were changed or deleted since they were installed; without them nothing private can be read. */
export class CrdRestorer {
  readonly #options: RestoreOptions;
  /** What was reported last of each CRD: the same is not reported again. */
  readonly #reported = new Map<string, string>();
  #rendered: { readonly caBundle: string | undefined; readonly crds: Promise<readonly KubeObject[]> } | undefined;

  constructor(options: RestoreOptions) {
    this.#options = options;
  }

  /** Checks one CRD, or all that are installed. */
  async restore(name: string | undefined, { signal }: ReadOptions = {}): Promise<void> {
    const wanted = await this.#wanted(signal);
    if (wanted === undefined) return;
    const { crds } = wanted.installed;
    const names = name === undefined ? [...crds.keys()] : [name];
    for (const each of names) {
      const installed = crds.get(each);
      if (installed !== undefined) await this.#restoreOne(each, installed, wanted, signal);
    }
  }

  async #wanted(signal: AbortSignal | undefined): Promise<Wanted | undefined> {
    const { client, crds, namespace } = this.#options;
    const at = { namespace, signal };
    const found = await client.get(CONFIG_MAPS, PRIVATE_CRDS_CONFIG_MAP, at).catch(ignoreNotFound);
    const installed = found === undefined ? undefined : readRecord(found);
    if (installed === undefined) return undefined;
    const secret = await client.get(SECRETS, crds.shimSecret, at).catch(ignoreNotFound);
    const caBundle = (secret?.['data'] as Readonly<Record<string, string>> | undefined)?.['ca.crt'];
    if (this.#rendered?.caBundle !== caBundle || this.#rendered === undefined)
      this.#rendered = { caBundle, crds: crds.render({ namespace, caBundle }) };
    const shipped = await this.#rendered.crds;
    return { installed, caBundle, shipped: new Map(shipped.map((each) => [each.metadata.name ?? '', each])) };
  }

  async #restoreOne(
    name: string,
    installed: InstalledCrd,
    { caBundle, installed: { areShipped }, shipped }: Wanted,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { client, crds, namespace } = this.#options;
    const live = await client.get(DEFINITIONS, name, { signal }).catch(ignoreNotFound);
    const target = { shim: { namespace, name: crds.shim }, ...(caBundle === undefined ? {} : { caBundle }) };
    const { version } = crds;
    const verdict = verdictOf({ installed, areShipped, shipped: shipped.get(name), live, version, target });
    if (verdict.do === 'nothing') this.#reported.delete(name);
    else if (verdict.do === 'report') this.#report(name, live, `cannot be restored: ${verdict.problem}`);
    else await this.#write(name, verdict, signal);
  }

  async #write(
    name: string,
    verdict: Extract<CrdVerdict, { readonly because: string }>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { client, crds } = this.#options;
    try {
      const after = await new Converger({ client, signal }).perform(
        verdict.do === 'apply'
          ? { verb: 'apply', kind: DEFINITIONS, object: verdict.object, fieldOwner: crds.fieldOwner }
          : { verb: 'patch', kind: DEFINITIONS, before: verdict.before, after: verdict.after },
      );
      this.#report(name, after, `restored: ${verdict.because}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#report(name, undefined, `cannot be restored: ${verdict.because}, and ${errorText(error)}`);
      throw error;
    }
  }

  #report(name: string, crd: KubeObject | undefined, what: string): void {
    if (this.#reported.get(name) === what) return;
    this.#reported.set(name, what);
    const { logger, recorder } = this.#options;
    logger.warn('Private CRD differs from its installation', { name, what });
    const { uid } = crd?.metadata ?? {};
    if (uid === undefined) return;
    const subject = { apiVersion: 'apiextensions.k8s.io/v1', kind: DEFINITIONS.kind, name, uid };
    recorder?.record(subject, { type: 'Warning', reason: 'PrivateCrdDiffers', message: `The private CRD is ${what}` });
  }
}
