import type { ScalarTag, Tags } from 'yaml';

/** What stays of the tags of YAML 1.1: the shapes of values. What a scalar means is decided here. */
const SHAPES: ReadonlySet<string> = new Set(['map', 'seq', 'str', 'merge']);
const PREFIX = 'tag:yaml.org,2002:';

const INTEGER = /^[-+]?(?:0x[0-9A-Fa-f]+|0b[01]+|0o?[0-7]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const LEAST_INT64 = -(2n ** 63n);
const MOST_INT64 = 2n ** 63n - 1n;

/**
 * The number that sigs.k8s.io/yaml reads in a plain scalar; the text itself where it reads none. Integers are exact to 64
 * bits and floats beyond.
 */
export function numberOf(text: string): number | bigint | string {
  // Behind a point underscores stand between digits alone.
  const plain = text.startsWith('.') ? text.replaceAll(/(?<=[0-9])_(?=[0-9])/g, '') : text.replaceAll('_', '');
  if (INTEGER.test(plain)) {
    const value = integerOf(plain);
    if (value < LEAST_INT64 || value > MOST_INT64) return Number(value);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (!FLOAT.test(plain)) return text;
  const number = Number(plain);
  return Number.isFinite(number) ? number : text;
}

function integerOf(plain: string): bigint {
  const digits = plain.replace(/^[-+]/, '').replace(/^0(?=[0-7])/, '0o');
  return plain.startsWith('-') ? -BigInt(digits) : BigInt(digits);
}

function scalar(name: string, test: RegExp | undefined, resolve: ScalarTag['resolve']): ScalarTag {
  return { tag: `${PREFIX}${name}`, default: test !== undefined, ...(test === undefined ? {} : { test }), resolve };
}

const SCALARS: readonly ScalarTag[] = [
  scalar('null', /^(?:~|[Nn]ull|NULL)?$/, () => null),
  scalar('bool', /^(?:[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/, () => true),
  scalar('bool', /^(?:[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/, () => false),
  scalar('float', /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/, (text, onError) => {
    onError(`${text} is not a number that JSON can hold`);
    return text;
  }),
  scalar('int', /^(?:[-+]_*)?[0-9.][0-9A-Fa-fxo_.+-]*$/, numberOf),
  scalar('float', undefined, numberOf),
  scalar('binary', undefined, (text) => Buffer.from(text, 'base64').toString('utf8')),
];

/** The tags of YAML as Kubernetes reads it: `yes` and `on` are booleans, dates and hours are texts. */
export function kubernetesTags(tags: Tags): Tags {
  const shapes = tags.filter((tag) =>
    typeof tag === 'string' ? SHAPES.has(tag) : SHAPES.has(tag.tag.replace(PREFIX, '')),
  );
  return [...shapes, ...SCALARS];
}
