import { setOwn } from '@capstan/meta';
import { parse, stringify, type ScalarTag, type Tags } from 'yaml';

/** `0o17`, which YAML 1.1 does not have but Kubernetes' reader does. */
const octalTag: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^0o[0-7]+$/,
  resolve: (text: string) => BigInt(text),
};

const TIME_TAG = /timestamp$/;

/** Kubernetes reads YAML 1.1 (`yes` is true, `0777` octal), but times and sexagesimals stay texts. */
function kubernetesTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) => typeof tag !== 'object' || !('test' in tag) || !(isTime(tag) || TIME_TAG.test(tag.tag)),
  );
  return [...kept, octalTag];
}

function isTime(tag: { format?: string }): boolean {
  return tag.format === 'TIME';
}

/** Integers beyond 2^53 stay exact, all others are plain numbers, as the JSON reader has it. */
function plainNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (value === null || typeof value !== 'object') return value;
  const object: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setOwn(object, key, plainNumbers(child));
  return object;
}

/** A YAML text as Kubernetes reads it. */
export function readYaml(text: string): unknown {
  const options = {
    version: '1.1',
    intAsBigInt: true,
    uniqueKeys: false,
    maxAliasCount: 100,
    customTags: kubernetesTags,
    // What is odd about a client's text is no business of the server's log.
    logLevel: 'error',
  } as const;
  return plainNumbers(parse(text, options));
}

/** A value as YAML. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
