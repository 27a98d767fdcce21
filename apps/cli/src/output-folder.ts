import { constants } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '@capstan/kube/basics';
import { CliError } from './errors.js';
import { fileNameOf } from './file-names.js';
import { makeDirectories, unusable } from './files.js';

const OWNER_ONLY = 0o700;

/** What a folder is used as, and the option that names it. */
export interface FolderPurpose {
  readonly what: string;
  readonly hint: string;
}

/**
 * A folder with file names derived from names of objects. Nothing is written outside of it: names become safe file names,
 * and symbolic links found in it are replaced or refused, never followed.
 */
export class OutputFolder {
  readonly #root: string;
  readonly #purpose: FolderPurpose;
  readonly #files: string[] = [];

  constructor(root: string, purpose: FolderPurpose) {
    this.#root = root;
    this.#purpose = purpose;
  }

  /** What was written, by path from the folder. */
  get files(): readonly string[] {
    return this.#files;
  }

  /** Writes a file below the folders of these names; the last is that of the file. Replaces a file that is there. */
  async write(names: readonly string[], extension: string, content: Uint8Array | string): Promise<void> {
    const last = names.length - 1;
    const segments = names.map((name, at) => fileNameOf(name, at === last ? extension : ''));
    const path = segments.join('/');
    try {
      makeDirectories(this.#root, OWNER_ONLY);
      let folder = this.#root;
      for (const segment of segments.slice(0, -1)) await this.#enter((folder = join(folder, segment)));
      writeWholeFile(join(this.#root, path), content, { isDurable: false, followsLinks: false });
    } catch (error) {
      const { hint, what } = this.#purpose;
      throw unusable(what, join(this.#root, path), error, hint);
    }
    this.#files.push(path);
  }

  /** What was written, read back; not whatever lies there by now. */
  async read(path: string): Promise<Buffer> {
    const file = await open(join(this.#root, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  async #enter(folder: string): Promise<void> {
    try {
      await mkdir(folder, OWNER_ONLY);
    } catch (error) {
      const found = await lstat(folder).catch(() => undefined);
      if (found?.isSymbolicLink() === true)
        throw new CliError(`${folder} is a symbolic link, and would lead elsewhere`, this.#purpose.hint);
      if (found?.isDirectory() !== true) throw error;
    }
  }
}
