import { gzipSync } from 'node:zlib';
import { errorText, writeWholeFile } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { printYaml } from '@capstan/translate/mirror';
import { unusable } from '../files.js';
import { OutputFolder } from '../output-folder.js';
import { redacted } from './redact.js';

/** A kind whose name may not be known. */
export type Listed = ResourceRef & { readonly kind?: string | undefined };

const HINT = 'name another folder with --artifact-dir';

/** A folder that is written to, and what could not be. */
export class DumpFolder {
  readonly problems: string[] = [];
  readonly #path: string;
  readonly #folder: OutputFolder;

  constructor(path: string) {
    this.#path = path;
    this.#folder = new OutputFolder(path, { what: 'a part of the dump', hint: HINT });
  }

  /** Writes a file; its folders and its own name may be what a server calls things. */
  async write(names: readonly string[], extension: string, content: Uint8Array | string): Promise<void> {
    await this.#folder.write(names, extension, content);
  }

  async objects(names: readonly string[], objects: readonly KubeObject[]): Promise<void> {
    await this.write(names, '.yaml', printYaml(objects.map((object) => redacted(object))));
  }

  /** All objects of a kind, in a file of their own; nothing where there are none. */
  async list(client: Client, ref: Listed, namespace?: string, below: readonly string[] = []): Promise<void> {
    const what = ref.group === '' ? ref.plural : `${ref.plural}.${ref.group}`;
    const place = namespace === undefined ? ['cluster'] : ['namespaces', namespace];
    await this.attempt(`${what}${namespace === undefined ? '' : ` in ${namespace}`}`, async () => {
      const { items } = await client.list(ref, namespace === undefined ? {} : { namespace });
      const objects = items.map((item) => typed(item, ref));
      if (objects.length > 0) await this.objects([...below, ...place, what], objects);
    });
  }

  /** Something that may fail without an end to all else. A folder that cannot be written to is another matter. */
  async attempt(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof Error && error.name === 'CliError') throw error;
      this.problems.push(`${what} could not be read: ${errorText(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.write(['summary'], '.txt', [`${this.#folder.files.length} files`, ...this.problems, ''].join('\n'));
  }

  /** Packs what this run has written; what else lies in the folder is nobody's business. */
  async archive(): Promise<string> {
    const { packTar } = await import('modern-tar');
    const entries = await Promise.all(
      this.#folder.files.map(async (name) => {
        const body = await this.#folder.read(name);
        return { header: { name, size: body.length, mode: 0o600, type: 'file' as const }, body };
      }),
    );
    const archive = `${this.#path.replace(/\/+$/, '')}.tar.gz`;
    try {
      writeWholeFile(archive, gzipSync(await packTar(entries)), { followsLinks: false });
    } catch (error) {
      throw unusable('the archive', archive, error, HINT);
    }
    return archive;
  }
}

/** An object with its type, which servers leave out of the items of a list. What is asked for as Secrets are Secrets. */
export function typed(object: KubeObject, { group, version, ...ref }: Listed): KubeObject {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const kind = group === '' && ref.plural === 'secrets' ? 'Secret' : (object.kind ?? ref.kind ?? ref.plural);
  return { ...object, apiVersion: object.apiVersion ?? apiVersion, kind };
}
