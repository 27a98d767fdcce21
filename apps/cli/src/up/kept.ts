import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAuthority } from '@capstan/kube';
import type { CertificateAuthority, Logger } from '@capstan/kube';
import type { CloudState, GuestIdentity, KeptGuest, NodeDisk } from '@capstan/simulation';
import { writeWhole } from '../data/directory.js';
import type { DataJournal } from '../data/data-journal.js';
import { openData } from '../data/open.js';
import { CliError } from '../errors.js';

/** What is kept of the world around the management cluster, between one run and the next. */
export interface WorldFile {
  readonly guestsAuthority: { readonly certPem: string; readonly keyPem: string };
  readonly guestsPort: number;
  /** Releases are named by it. */
  readonly registryPort: number;
  /** Where the management cluster was served, now and before: instances go on looking for it there. */
  readonly urls: readonly string[];
  readonly cloud: CloudState;
  readonly disks: Readonly<Record<string, NodeDisk>>;
}

const WORLD_FILE = 'world.json';
const IDENTITY_FILE = 'identity.json';

/** A directory with the clouds, the disks of instances and the guest clusters of a management cluster. */
export class KeptWorld {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #journals: DataJournal[] = [];
  readonly #guests = new Map<string, KeptGuest>();
  readonly file: WorldFile | undefined;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.file = read<WorldFile>(path, WORLD_FILE);
  }

  get authority(): CertificateAuthority | undefined {
    return this.file === undefined ? undefined : loadAuthority(this.file.guestsAuthority);
  }

  /** Must be done before whoever asked for the change is told: what is not written down did not happen. */
  save(file: WorldFile): void {
    writeWhole(this.#path, WORLD_FILE, `${JSON.stringify(file)}\n`);
  }

  /** The guests there were. */
  guests(): { readonly namespace: string; readonly name: string }[] {
    const root = join(this.#path, 'guests');
    if (!existsSync(root)) return [];
    return readdirSync(root).flatMap((namespace) =>
      readdirSync(join(root, namespace)).map((name) => ({ namespace, name })),
    );
  }

  /** Makes ready to keep a guest; {@link guest} has it then. */
  async open(namespace: string, name: string): Promise<void> {
    if (this.guest(namespace, name) !== undefined) return;
    const path = join(this.#path, 'guests', namespace, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const durable = await openData(path, (reason) =>
      this.#logger.error('cannot store writes of a guest, refusing them', { namespace, name, reason }),
    );
    this.#journals.push(durable.journal);
    const save = (identity: GuestIdentity): void => writeWhole(path, IDENTITY_FILE, `${JSON.stringify(identity)}\n`);
    this.#guests.set(`${namespace}/${name}`, { identity: read<GuestIdentity>(path, IDENTITY_FILE), save, durable });
  }

  guest(namespace: string, name: string): KeptGuest | undefined {
    return this.#guests.get(`${namespace}/${name}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#journals.map((journal) => journal.close()));
  }
}

function read<T>(folder: string, file: string): T | undefined {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    throw new CliError(`${path} is not what was written there`, 'restore it from a backup, or remove the directory', {
      cause: error,
    });
  }
}
