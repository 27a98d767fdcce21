import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, keptCa, loadCa, writeWholeFile } from '@capstan/kube';
import type { CertificateAuthority, Logger } from '@capstan/kube';
import type { GuestIdentity, KeptGuest, NodeDisk } from '@capstan/simulation';
import type { CloudState } from '@capstan/upstream';
import { logReport, openData } from '../data/index.js';
import type { DataJournal } from '../data/index.js';
import { caProblem, missingText, readKept } from '../data/kept-file.js';
import { fileNameOf, nameOfFile } from '../file-names.js';
import { makeDirectories, unusable } from '../files.js';

/** The stored state around the management cluster, between one run and the next. */
export interface EnvironmentFile {
  readonly guestsAuthority: { readonly certPem: string; readonly keyPem: string };
  readonly guestsPort: number;
  /** Releases are named by it. */
  readonly registryPort: number;
  /** Where the management cluster was served, now and before: instances go on looking for it there. */
  readonly urls: readonly string[];
  readonly cloud: CloudState;
  readonly disks: Readonly<Record<string, NodeDisk>>;
}

/** Below the data directory. */
export const ENVIRONMENT_FOLDER = 'environment';
const ENVIRONMENT_FILE = 'environment.json';
const IDENTITY_FILE = 'identity.json';
const RETRY_MS = 1_000;
const OWNER_ONLY = 0o700;
const RESTORE_HINT = 'restore it from a backup, or remove the directory';
const HINT = 'make the disk of --data writable, or name another directory with it';

/** A directory with the clouds, the disks of instances and the guest clusters of a management cluster. */
export class KeptEnvironment {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #journals: DataJournal[] = [];
  readonly #guests = new Map<string, KeptGuest>();
  #isFailing = false;
  #retry: NodeJS.Timeout | undefined;
  readonly file: EnvironmentFile | undefined;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
    ownDirectory(path);
    this.file = readEnvironment(path);
  }

  /** Written down by the next save; renewed when it is near its end. */
  get ca(): CertificateAuthority | undefined {
    return this.file === undefined ? undefined : keptCa(this.file.guestsAuthority, Date.now());
  }

  /**
   * Must be called before the client gets its answer: a change that is not on disk did not happen. Returns false if it could
   * not be written: it is then retried until it can be, which is logged once.
   */
  save(file: () => EnvironmentFile): boolean {
    clearTimeout(this.#retry);
    try {
      writeWholeFile(join(this.#path, ENVIRONMENT_FILE), `${JSON.stringify(file())}\n`);
    } catch (error) {
      if (!this.#isFailing)
        this.#logger.error('cannot store the list of instances, refusing changes', {
          path: join(this.#path, ENVIRONMENT_FILE),
          reason: errorText(error),
        });
      this.#isFailing = true;
      this.#retry = setTimeout(() => this.save(file), RETRY_MS);
      this.#retry.unref();
      return false;
    }
    if (this.#isFailing) this.#logger.warn('the list of instances is stored again');
    this.#isFailing = false;
    return true;
  }

  /** The guests there were. */
  guests(): { readonly namespace: string; readonly name: string }[] {
    const root = join(this.#path, 'guests');
    if (!existsSync(root)) return [];
    return readdirSync(root).flatMap((namespace) =>
      readdirSync(join(root, namespace)).map((name) => ({ namespace: nameOfFile(namespace), name: nameOfFile(name) })),
    );
  }

  /** Makes ready to keep a guest; {@link guest} has it then. */
  async open(namespace: string, name: string): Promise<void> {
    if (this.guest(namespace, name) !== undefined) return;
    const path = join(this.#path, 'guests', fileNameOf(namespace), fileNameOf(name));
    ownDirectory(path);
    const durable = await openData(path, logReport(this.#logger, path, { namespace, name }));
    this.#journals.push(durable.journal);
    const save = (identity: GuestIdentity): void => {
      try {
        writeWholeFile(join(path, IDENTITY_FILE), `${JSON.stringify(identity)}\n`);
      } catch (error) {
        throw unusable('place of a cluster', path, error, HINT);
      }
    };
    this.#guests.set(`${namespace}/${name}`, { identity: readIdentity(path), save, durable });
  }

  guest(namespace: string, name: string): KeptGuest | undefined {
    return this.#guests.get(`${namespace}/${name}`);
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    await Promise.all(this.#journals.map((journal) => journal.close()));
  }
}

/** Makes a directory for the owner alone, without what a kill in the midst of writing left there. */
function ownDirectory(path: string): void {
  try {
    makeDirectories(path, OWNER_ONLY);
    for (const name of readdirSync(path)) if (name.endsWith('.tmp')) rmSync(join(path, name), { force: true });
  } catch (error) {
    if (existsSync(path)) return;
    throw unusable('environment directory', path, error, HINT);
  }
}

function readEnvironment(folder: string): EnvironmentFile | undefined {
  return readKept<EnvironmentFile>({
    path: join(folder, ENVIRONMENT_FILE),
    problem: environmentProblem,
    hint: RESTORE_HINT,
  });
}

function environmentProblem(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { cloud, disks, guestsAuthority, guestsPort, registryPort, urls } = fields as Partial<EnvironmentFile>;
  if (typeof guestsPort !== 'number' || typeof registryPort !== 'number') return 'the ports are missing';
  if (!Array.isArray(urls)) return 'urls is missing';
  if (typeof cloud !== 'object' || cloud === null) return 'cloud is missing';
  if (typeof disks !== 'object' || disks === null) return 'disks is missing';
  if (typeof guestsAuthority !== 'object' || guestsAuthority === null) return 'guestsAuthority is missing';
  return caProblem(loadCa, guestsAuthority, 'certPem and keyPem of guestsAuthority');
}

function readIdentity(folder: string): GuestIdentity | undefined {
  return readKept<GuestIdentity>({ path: join(folder, IDENTITY_FILE), problem: identityProblem, hint: RESTORE_HINT });
}

function identityProblem(fields: Readonly<Record<string, unknown>>): string | undefined {
  const missing = missingText(fields, ['caCertPem', 'caKeyPem', 'adminToken', 'bootstrapToken']);
  if (missing !== undefined) return missing;
  const { caCertPem: certPem, caKeyPem: keyPem } = fields as unknown as GuestIdentity;
  return caProblem(loadCa, { certPem, keyPem }, 'caCertPem and caKeyPem');
}
