import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { printYamlDocument } from './print-yaml.js';

/** A folder for the files of a test. */
export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'capstan-convert-'));

  /** A file of a text or bytes. */
  text(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  yaml(name: string, ...objects: readonly object[]): string {
    return this.text(name, objects.map(printYamlDocument).join(''));
  }

  json(name: string, value: unknown): string {
    return this.text(name, JSON.stringify(value));
  }

  /** Without where the files are. */
  here(text: string): string {
    return text.replaceAll(`${this.path}/`, '').replaceAll(this.path, '.');
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** A List. */
export function list(...items: readonly unknown[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

/** The documents of a text of YAML. */
export function documents(text: string): Record<string, unknown>[] {
  return parseAllDocuments(text).map((each) => each.toJS() as Record<string, unknown>);
}

/** Kinds and names of what was printed. */
export function printed(text: string): string[] {
  return documents(text).map(({ kind, metadata }) => `${String(kind)}/${(metadata as { name: string }).name}`);
}
