import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { makeDirectories, unusable } from '../files.js';
import { kindOf, nameOf } from './model.js';
import { printYamlDocument } from './print-yaml.js';
import type { Progress } from './progress.js';

/** Texts are put together up to this length, so that few of them are written, and none is as large as the whole. */
const CHUNK_CHARACTERS = 1 << 18;
const SHOW_EVERY = 100;
/** Names of files may have 255 bytes. */
const MAX_NAME = 200;

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
  try {
    makeDirectories(directory, 0o777);
    const [there] = readdirSync(directory);
    if (there !== undefined) throw new CliError(`${directory} is not empty: ${there} is in it`, HINT);
    const width = String(objects.length).length;
    objects.forEach((object, index) => {
      const number = String(index + 1).padStart(width, '0');
      const name = `${number}-${fileName(`${kindOf(object).toLowerCase()}-${nameOf(object)}`)}.${output}`;
      const text = output === 'yaml' ? printYamlDocument(object) : `${stringifyJson(object)}\n`;
      writeFileSync(join(directory, name), text);
    });
  } catch (error) {
    throw unusable('directory of the output', directory, error, HINT);
  }
}

/** Names are read from files, and may be anything there. */
function fileName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(0, MAX_NAME);
}
