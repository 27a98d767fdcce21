/** What kind of value a flag takes. */
export type FlagKind = 'boolean' | 'duration' | 'list' | 'number' | 'repeated' | 'string';

interface FlagTypes {
  readonly boolean: boolean;
  /** Milliseconds; written as Go does: `1h30m`, `15s`. */
  readonly duration: number;
  /** Given several times, or separated by commas. */
  readonly list: readonly string[];
  readonly number: number;
  /** Given several times, each whole: commas are part of the value. */
  readonly repeated: readonly string[];
  readonly string: string;
}

/** The flags of a program by name, without dashes. */
export type FlagKinds = Readonly<Record<string, FlagKind>>;

/** What was given; absent flags are undefined. */
export type FlagValues<K extends FlagKinds> = { readonly [N in keyof K]?: FlagTypes[K[N]] };

/** Values, or what is wrong with the arguments in the words of the originals. */
export type ParsedFlags<K extends FlagKinds> = { readonly values: FlagValues<K> } | { readonly problem: string };

const DURATION = /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

class BadFlag extends Error {}

/** Reads arguments as the programs of Kubernetes do: `--name=value`, `--name value`, one dash or two. */
export function parseFlags<K extends FlagKinds>(kinds: K, args: readonly string[]): ParsedFlags<K> {
  const values: Record<string, unknown> = {};
  try {
    const left = args.includes('--') ? args.slice(0, args.indexOf('--')) : [...args];
    for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
      if (!argument.startsWith('-')) continue;
      const [, name = '', given] = /^--?([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
      const kind = kindOf(kinds, name);
      const value = valueOf(kind, name, given ?? followingValue(kind, name, left));
      values[name] =
        kind === 'list' || kind === 'repeated'
          ? [...((values[name] ?? []) as string[]), ...(value as string[])]
          : value;
    }
  } catch (error) {
    if (error instanceof BadFlag) return { problem: error.message };
    throw error;
  }
  return { values: values as FlagValues<K> };
}

function kindOf(kinds: FlagKinds, name: string): FlagKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) throw new BadFlag(`unknown flag: --${name}`);
  return kind;
}

/** The value of a flag that was given none with `=`; taken off what is left. */
function followingValue(kind: FlagKind, name: string, left: string[]): string {
  const text = kind === 'boolean' ? 'true' : left.shift();
  if (text === undefined) throw new BadFlag(`flag needs an argument: --${name}`);
  return text;
}

function valueOf(kind: FlagKind, name: string, text: string): unknown {
  const bad = (why: string): BadFlag => new BadFlag(`invalid argument "${text}" for "--${name}" flag: ${why}`);
  switch (kind) {
    case 'string':
      return text;
    case 'repeated':
      return [text];
    case 'list':
      return text.split(',').filter((item) => item !== '');
    case 'boolean':
      if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
      if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false;
      throw bad(`strconv.ParseBool: parsing "${text}": invalid syntax`);
    case 'number':
      if (!/^[+-]?\d+$/.test(text)) throw bad(`strconv.ParseInt: parsing "${text}": invalid syntax`);
      return Number(text);
    case 'duration':
      if (text !== '0' && !DURATION.test(text)) throw bad(`time: invalid duration "${text}"`);
      return durationMs(text);
  }
}

function durationMs(text: string): number {
  let total = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    total += Number(amount) * (UNITS_MS[unit] ?? 0);
  return text.startsWith('-') ? -total : total;
}
