import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';

const MOST_NAME = 63;
/** Letters and digits that are not taken for one another, nor make words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** Reads the name of a cluster or pool. Names of namespaces are made of it, so it is a label and no more. */
export function clusterName(text: string): string {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) || text.length > MOST_NAME)
    throw new InvalidArgumentError(`It must be lower case letters, digits and dashes, at most ${MOST_NAME} of them.`);
  return text;
}

/** An infrastructure ID, different from that of an earlier cluster of the same name. */
export function newInfraID(name: string): string {
  const suffix = [...randomBytes(SUFFIX_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${name.slice(0, MOST_NAME - SUFFIX_LENGTH - 1)}-${suffix}`;
}

/** Reads `key=value`; may be given several times. */
export function keyValue(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be written key=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
