import type { Random } from '@capstan/meta';

/** No vowels and no digits that look like letters, so that chance makes no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_NAME_LENGTH = 63;
const MAX_BASE_LENGTH = MAX_NAME_LENGTH - SUFFIX_LENGTH;

/** Five letters by chance. */
export function randomSuffix(random: Random): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length))).join('');
}

/** A name from a base, cut so that the suffix has its place. */
export function nameWithSuffix(base: string, suffix: string): string {
  return `${base.slice(0, MAX_BASE_LENGTH)}${suffix}`;
}

/** A template for names cannot be used. */
export class BadNameTemplate extends Error {
  override readonly name = 'BadNameTemplate';
}

const DEFAULT_TEMPLATE = '{{ .machineSet.name }}-{{ .random }}';

/** The name of a new machine of a set. */
export function machineName(
  template: string | undefined,
  names: { readonly cluster: string; readonly machineSet: string },
  random: Random,
): string {
  const text = template === undefined || template === '' ? DEFAULT_TEMPLATE : template;
  if (!text.includes('{{ .random }}'))
    throw new BadNameTemplate('cannot generate Machine name: {{ .random }} is missing in machineNaming.template');
  const values: Readonly<Record<string, string>> = {
    '.random': randomSuffix(random),
    '.cluster.name': names.cluster,
    '.machineSet.name': names.machineSet,
  };
  const name = text.replaceAll(/\{\{-?\s*(\S+?)\s*-?\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new BadNameTemplate(`cannot generate Machine name: there is no ${key}`);
    return value;
  });
  return name.length > MAX_NAME_LENGTH ? nameWithSuffix(name, randomSuffix(random)) : name;
}
