/*
 * Expressions by the type they have. `<int>` is an expression of that type, `<int|string>` of one of them; `$int` is a
 * new variable of that type, which what follows may use and `#1` names; `S` is the object the expression is about.
 */

export interface Production {
  /** What needs nothing else. */
  readonly leaves: readonly string[];
  readonly forms: readonly string[];
}

const each = (words: string, template: string): string[] =>
  words.split(' ').map((word) => template.replaceAll('~', () => word));

const TIME_PARTS =
  'getFullYear getMonth getDayOfYear getDate getDayOfMonth getDayOfWeek getHours getMinutes getSeconds getMilliseconds';

const BOOL: Production = {
  leaves: ['true', 'false', 'S.b', 'has(S.o.s)', 'has(S.o.o)', 'has(S.m.a)', 'S.i > 2', "S.s == 'hello'"],
  forms: [
    '<bool> && <bool>',
    '<bool> || <bool>',
    '!(<bool>)',
    '(<bool> ? <bool> : <bool>)',
    ...['int', 'string', 'double', 'uint', 'ts', 'dur', 'bytes', 'bool'].flatMap((type) =>
      each('< <= > >= == !=', `<${type}> ~ <${type}>`),
    ),
    ...['li', 'ls', 'mi', 'm', 'ld', 'obj', 'lo', 'opt', 'set'].flatMap((type) =>
      each('== !=', `<${type}> ~ <${type}>`),
    ),
    ...each('< >=', '<int|double|uint> ~ <int|double|uint>'),
    '<int> in <li>',
    "<string> in ['a', 'hello']",
    '<string> in <ls|m|set>',
    ...each('startsWith endsWith contains', '<string>.~(<string>)'),
    ...["'^[a-z]+$'", "'l+'", "'(?i)HELLO'", "'[[:alpha:]]'"].map((pattern) => `<string>.matches(${pattern})`),
    ...each('all exists exists_one', '<li>.~($int, <bool>)'),
    ...each('all exists exists_one', '<ls>.~($string, <bool>)'),
    ...each('all exists exists_one', 'S.lo.~($obj, <bool>)'),
    ...each('all exists', '<m>.~($string, <bool>)'),
    ...each('all exists existsOne', '<mi>.~($string, $int, <bool>)'),
    '<ls>.all($int, $string, <bool>)',
    '<li|ls|ld>.isSorted()',
    '<opt>.hasValue()',
    ...each('int string list map double bool', 'type(<int|string|dyn|li|opt>) == ~'),
    ...each('contains equivalent intersects', 'sets.~(<li>, <li>)'),
    'isQuantity(<string>) || isIP(<string>) || isURL(<string>) || isCIDR(<string>)',
    'dyn(<int|double|string|li>) == dyn(<int|double|string|ld>)',
    ...each('i s', 'has(<obj>.~)'),
    'quantity(<string>).isLessThan(quantity(<string>))',
    'format.dns1123Label().validate(<string>).hasValue()',
  ],
};

const INT: Production = {
  leaves: ['0', '1', '-1', '7', '100', '9223372036854775807', 'S.i', 'S.j', 'S.o.i', 'S.li[0]', 'S.mi.one'],
  forms: [
    ...each('+ - * / %', '<int> ~ <int>'),
    ...each('+ - *', '(<int> ~ <int>)'),
    'size(<string|ls|mi|bytes>)',
    '<string|li|m>.size()',
    '<li>[<int>]',
    ...each('sum max min', '<li>.~()'),
    '<string>.indexOf(<string>)',
    '<ls>.indexOf(<string>)',
    'int(<int|double|uint|string|ts|dur>)',
    '-<int>',
    '(<bool> ? <int> : <int>)',
    '<mi>[<string>]',
    '<opt>.orValue(<int>)',
    ...each(TIME_PARTS, '<ts>.~()'),
    ...each(TIME_PARTS, "<ts>.~('Europe/Berlin')"),
    ...each('getHours getMinutes getSeconds getMilliseconds', '<dur>.~()'),
    '<obj>.i',
    'S.mi[?<string>].orValue(<int>)',
    'lists.range(3)[<int>]',
  ],
};

const STRING: Production = {
  leaves: ["''", "'a'", "'hello'", "'1'", "'x-y'", "'héé😀'", "'10.0.0.1'", "'1.5Gi'", 'S.s', 'S.u', 'S.o.s', 'S.m.a'],
  forms: [
    '<string> + <string>',
    ...each('lowerAscii upperAscii trim', '<string>.~()'),
    '<string>.substring(<int>)',
    '<string>.substring(1, <int>)',
    '<string>.charAt(<int>)',
    '<string>.replace(<string>, <string>)',
    '<string>.replace(<string>, <string>, 1)',
    '<ls>.join()',
    "<ls>.join('-')",
    'string(<int|double|bool|bytes|ts|dur|uint|string>)',
    '(<bool> ? <string> : <string>)',
    "<string>.find('[a-z]+')",
    "'%s|%s|%d'.format([<string>, <li|m|bool|dur|double>, <int>])",
    'strings.quote(<string>)',
    '<ls>[<int>]',
    '<m>[<string>]',
    '<ls>.max()',
    'string(ip(<string>))',
  ],
};

const LISTS: Readonly<Record<string, Production>> = {
  li: {
    leaves: ['[]', '[1, 2, 3]', '[3]', 'S.li'],
    forms: [
      '<li>.map($int, <int>)',
      '<li>.map($int, <bool>, <int>)',
      '<li>.filter($int, <bool>)',
      '<li> + <li>',
      '[<int>, <int>]',
      ...each('sort reverse distinct', '<li>.~()'),
      'S.lo.map($obj, <int>)',
      '<li>.sortBy($int, <int|string>)',
      '<mi>.transformList($string, $int, <int>)',
      '<li>.slice(0, 1)',
      '[<li>, <li>].flatten()',
      '[?<opt>, <int>]',
      '(<bool> ? <li> : <li>)',
      'lists.range(4)',
    ],
  },
  ls: {
    leaves: ["['a', 'b']", 'S.ls', 'S.set'],
    forms: [
      '<string>.split(<string>)',
      '<string>.split(<string>, 2)',
      '<ls>.map($string, <string>)',
      '<ls> + <ls>',
      ...each("'[a-z]+' 'l' ''", '<string>.findAll(~)'),
      ...each('sort reverse distinct', '<ls>.~()'),
    ],
  },
  ld: { leaves: ['[1.5]', 'S.ld'], forms: ['<ld>.map($double, <double>)', '<ld> + <ld>'] },
  lo: { leaves: ['S.lo'], forms: ['S.lo.filter($obj, <bool>)', 'S.lo + S.lo'] },
  set: { leaves: ['S.set'], forms: ['S.set + <ls>'] },
};

/** What expressions are made of. */
export const GRAMMAR: Readonly<Record<string, Production>> = {
  bool: BOOL,
  int: INT,
  string: STRING,
  ...LISTS,
  uint: {
    leaves: ['0u', '1u', '5u'],
    forms: [...each('+ - * / %', '<uint> ~ <uint>'), 'uint(<int|double|string|uint>)'],
  },
  double: {
    leaves: ['0.0', '1.5', '-2.25', '1e10', 'S.d', 'S.ld[1]', 'S.md.x'],
    forms: [
      ...each('+ - * /', '<double> ~ <double>'),
      'double(<int|uint|string|double>)',
      ...each('sum max min', '<ld>.~()'),
      '-<double>',
      '(<bool> ? <double> : <double>)',
      'quantity(<string>).asApproximateFloat()',
    ],
  },
  bytes: { leaves: ["b''", "b'abc'", 'S.y'], forms: ['bytes(<string>)', '<bytes> + <bytes>'] },
  ts: {
    leaves: ['S.t', "timestamp('2020-01-01T00:00:00Z')", "timestamp('2020-06-01T00:00:00+02:00')", 'S.lt[0]'],
    forms: ['<ts> + <dur>', '<ts> - <dur>', 'timestamp(<int|string|ts>)', '<dur> + <ts>'],
  },
  dur: {
    leaves: ['S.r', "duration('1h')", "duration('-1.5s')"],
    forms: ['<dur> + <dur>', '<ts> - <ts>', 'duration(<string|dur>)', '<dur> - <dur>'],
  },
  mi: {
    leaves: ["{'one': 1}", '{}', 'S.mi'],
    forms: ['{<string>: <int>}', '<mi>.transformMap($string, $int, <int>)', '{?<string>: <opt>}'],
  },
  m: { leaves: ["{'a': 'x'}", 'S.m'], forms: ['{<string>: <string>}'] },
  obj: { leaves: ['S.o', 'S.lo[0]', 'S.lo[2]'], forms: ['S.lo[<int>]', '(<bool> ? S.lo[0] : S.lo[1])'] },
  opt: {
    leaves: ['optional.of(3)', 'optional.none()', 'S.?i', 'S.li[?1]', 'S.?o.?i', 'S.?o.i'],
    forms: [
      'optional.of(<int>)',
      'optional.ofNonZeroValue(<int>)',
      '<li>[?<int>]',
      '<mi>[?<string>]',
      '<opt>.optMap($int, <int>)',
      '<opt>.optFlatMap($int, <opt>)',
      '<opt>.or(<opt>)',
      ...each('first last', '<li>.~()'),
      '<obj>.?i',
    ],
  },
  dyn: { leaves: ['dyn(1)', "dyn('a')", 'dyn([1])', 'S.x'], forms: ['dyn(<int|string|li|double|m|obj|ts>)'] },
};
