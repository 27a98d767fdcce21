import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CliError } from '../errors.js';
import { unusable } from '../files.js';

type Fields = Readonly<Record<string, unknown>>;

/** How a file that an earlier run wrote is read. */
export interface KeptFile {
  readonly path: string;
  /** What is wrong with it, in a few words; undefined when it is intact. An exception counts as damage, too. */
  readonly problem: (fields: Fields) => string | undefined;
  /** What to do when it cannot be used. */
  readonly hint: string;
}

/** What an earlier run wrote; undefined when there is no such file. A file that is not whole is an error in words. */
export function readKept<T>({ hint, path, problem }: KeptFile): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable('the data of an earlier run', path, error, hint);
  }
  const [value, found] = checked(text, problem);
  if (found === undefined) return value as T;
  throw new CliError(`${path} is not what was written there: ${found}`, hint);
}

function checked(text: string, problem: KeptFile['problem']): [unknown, string | undefined] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not in the words of the parser: they quote what the file holds, which may be a key.
    return [undefined, text.trim() === '' ? 'it is empty' : 'it is no JSON'];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [undefined, 'it is no JSON object'];
  return [value, problem(value as Fields)];
}

/** The first of these fields that is no text. */
export function missingText(fields: Fields, names: readonly string[]): string | undefined {
  const name = names.find((each) => typeof fields[each] !== 'string' || fields[each] === '');
  return name === undefined ? undefined : `${name} is missing`;
}

/** What makes a pair no CA, in words. */
export function caProblem(
  load: (pair: { readonly certPem: string; readonly keyPem: string }) => unknown,
  pair: { readonly certPem: string; readonly keyPem: string },
  names: string,
): string | undefined {
  try {
    load(pair);
    return undefined;
  } catch {
    return `${names} are no CA with its key in PEM`;
  }
}

/** Whether service account tokens can be signed with it. */
export function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPrivateKey(pem);
    return asymmetricKeyType === 'rsa' || asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
