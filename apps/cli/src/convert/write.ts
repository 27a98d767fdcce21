import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeFile } from '@capstan/kube/basics';
import { stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { fileNameOf } from '../file-names.js';
import { makeDirectories, unusable } from '../files.js';
import { kindOf, nameOf } from './model.js';
import { printYamlDocument } from './print-yaml.js';
import type { Progress } from './progress.js';

/** Texts are put together up to this length, so that few of them are written, and none is as large as the whole. */
const CHUNK_CHARACTERS = 1 << 18;
const SHOW_EVERY = 100;

/** Writes objects one after the other: as documents of YAML, or as a List in JSON with a line for each. */
export function writeManifests(
  objects: readonly JsonObject[],
  output: 'yaml' | 'json',
  { out, progress }: { readonly out: (text: string) => void; readonly progress: Progress },
): void {
  let chunk = output === 'json' ? '{"apiVersion":"v1","kind":"List","items":[' : '';
  objects.forEach((object, index) => {
    if (output === 'yaml') chunk += printYamlDocument(object);
    else chunk += `${index === 0 ? '' : ','}\n${stringifyJson(object)}`;
    if (chunk.length < CHUNK_CHARACTERS) return;
    out(chunk);
    chunk = '';
    if (index % SHOW_EVERY === 0) progress.show('writing', index, objects.length);
  });
  out(output === 'json' ? `${chunk}\n]}\n` : chunk);
}

const HINT = 'name a directory that is empty or not yet there with --output-dir';

/** One file for each object, named so that the order of names is the order in which they are to be applied. */
export function writeDirectory(objects: readonly JsonObject[], output: 'yaml' | 'json', directory: string): void {
  const written: string[] = [];
  try {
    makeDirectories(directory, 0o777);
    const [there] = readdirSync(directory);
    if (there !== undefined) throw new CliError(`${directory} is not empty: ${there} is in it`, HINT);
    const width = String(objects.length).length;
    objects.forEach((object, index) => {
      const number = String(index + 1).padStart(width, '0');
      const name = fileNameOf(`${number}-${kindOf(object).toLowerCase()}-${nameOf(object)}`, `.${output}`);
      const text = output === 'yaml' ? printYamlDocument(object) : `${stringifyJson(object)}\n`;
      // The directory was empty: a link that has that name now was put there by another, and is not written through.
      writeWholeFile(join(directory, name), text, { mode: 0o666, isDurable: false, followsLinks: false });
      written.push(join(directory, name));
    });
  } catch (error) {
    // Some of the objects without the others are not what anybody asked for.
    for (const path of written) rmSync(path, { force: true });
    throw unusable('directory of the output', directory, error, HINT);
  }
}
