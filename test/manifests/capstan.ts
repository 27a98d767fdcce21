import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));

/** The objects that `capstan manifests` prints. */
export function rendered(args: readonly string[], input = ''): readonly KubeObject[] {
  const { status, stderr, stdout } = spawnSync(process.execPath, [PROGRAM, 'manifests', ...args, '-o', 'json'], {
    input,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return (JSON.parse(stdout) as { readonly items: readonly KubeObject[] }).items;
}

/** A program of ours at work. */
export interface RunningCapstan {
  readonly url: string;
  readonly healthUrl: string;
  end(): Promise<void>;
}

/** Runs what a container would, with some of its arguments replaced for this machine. */
export async function runContainer(
  args: readonly string[],
  instead: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCapstan> {
  const more = Object.entries(instead).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [PROGRAM, ...args, ...more, '-o', 'json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PATH: process.env['PATH'], HOME: '/nonexistent' },
  });
  const exited = once(child, 'exit');
  let [output, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve(output);
    });
    child.once('exit', (code) => reject(new TypeError(`capstan ${args.join(' ')} ended with ${code}: ${errors}`)));
  });
  const { healthUrl, url } = JSON.parse(line) as { readonly healthUrl: string; readonly url: string };
  return {
    url,
    healthUrl,
    end: async () => {
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    },
  };
}
