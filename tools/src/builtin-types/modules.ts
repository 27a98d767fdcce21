import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DOWNLOAD_LIMIT_MS = 300_000;
const OUTPUT_LIMIT_BYTES = 4 << 20;

/** Downloads Go modules into Go's own cache and returns the folder of each. */
export async function moduleDirectories(modules: readonly string[]): Promise<Map<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'builtin-types-'));
  try {
    await writeFile(join(directory, 'go.mod'), 'module builtin-types\n');
    const output = await go(['mod', 'download', '-json', ...modules], directory);
    const found = new Map<string, string>();
    // Go prints one JSON document after the other.
    for (const text of output.split(/(?<=^\})\n/m)) {
      if (text.trim() === '') continue;
      const { Path, Dir, Error: problem } = JSON.parse(text) as { Path: string; Dir?: string; Error?: string };
      if (Dir === undefined)
        throw new Error(`go mod download ${Path}: ${problem?.replaceAll(/\s+/g, ' ') ?? 'no directory'}`);
      found.set(Path, Dir);
    }
    return found;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function go(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' };
  return new Promise((resolve, reject) => {
    execFile(
      'go',
      args,
      { cwd, env, timeout: DOWNLOAD_LIMIT_MS, maxBuffer: OUTPUT_LIMIT_BYTES },
      (error, stdout, stderr) => {
        // A module that cannot be downloaded fails the command, which names it in its output.
        if (error === null || (args.includes('-json') && /"Error": /.test(stdout))) resolve(stdout);
        else if (error.code === 'ENOENT')
          reject(
            new Error('Go is not on PATH: the type tables are made from Go sources. Install Go (https://go.dev/dl/).'),
          );
        else reject(new Error(`go ${args.join(' ')} failed: ${stderr.trim() || stdout.trim() || error.message}`));
      },
    );
  });
}
