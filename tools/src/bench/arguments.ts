/** What a command line asks for. */
export interface BenchArguments {
  /** Empty stands for all. */
  readonly suites: readonly string[];
  readonly quick: boolean;
  readonly update: boolean;
  readonly json?: string;
}

/** How to call the command. */
export const USAGE = `usage: npm run bench -- [suite ...] [--quick] [--json FILE] [--update]
  --quick      a short slice of every row
  --json FILE  writes the results there as well
  --update     stores the ratios of this run as those to compare with
`;

/** Reads a command line; a string is what is wrong with it. */
export function parseArguments(args: readonly string[], known: readonly string[]): BenchArguments | string {
  const suites: string[] = [];
  let quick = false;
  let update = false;
  let json: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--quick') quick = true;
    else if (arg === '--update') update = true;
    else if (arg === '--json') {
      at += 1;
      json = args[at];
      if (json === undefined || json.startsWith('-')) return '--json needs the name of a file';
    } else if (arg.startsWith('-')) return `unknown option ${arg}`;
    else if (known.includes(arg)) suites.push(arg);
    else return `no suite ${arg}; there are ${known.join(', ')}`;
  }
  return { suites, quick, update, ...(json === undefined ? {} : { json }) };
}
