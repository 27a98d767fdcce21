import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { ProgramRegistry } from '@capstan/cluster';
import type { ContainerContext, ExecCall, RunningProgram } from '@capstan/cluster';

/** A program that runs until it is stopped. */
function lasting(context: ContainerContext, exec?: RunningProgram['exec']): RunningProgram {
  let finish: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => (finish = resolve));
  context.signal.addEventListener('abort', () => finish(137), { once: true });
  return { exited, stop: () => finish(0), kill: () => finish(137), ...(exec === undefined ? {} : { exec }) };
}

/** Serves a page on port 8080 and logs who asked for what. */
async function web(context: ContainerContext): Promise<RunningProgram> {
  const server = createServer((request, response) => {
    context.stdout.write(`${request.method} ${request.url}\n`);
    response.end(`${context.pod.name} answers ${request.method} ${request.url}\n`);
  });
  await context.network.serve(8080, server);
  context.stdout.write('listening on 8080\n');
  return lasting(context);
}

/** Repeats what those who attach say, and ends at `bye`. */
function parrot(context: ContainerContext): RunningProgram {
  let finish: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => (finish = resolve));
  let input = '';
  context.stdin.on('data', (piece: Buffer) => {
    input += piece.toString();
    for (let end = input.indexOf('\n'); end >= 0; end = input.indexOf('\n')) {
      const line = input.slice(0, end);
      input = input.slice(end + 1);
      if (line === 'bye') finish(3);
      else context.stdout.write(`you wrote ${line}\n`);
    }
  });
  return { exited, stop: () => finish(0), kill: () => finish(137) };
}

async function readAll(stream: Readable | undefined): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream ?? []) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const BLOCK = 512;

/** A tar archive of one file. */
function archive(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0);
  head.write('0000644\0'.padEnd(24, '0'), 100);
  head.write(`${content.length.toString(8).padStart(11, '0')} 00000000000 `, 124);
  head.write('        0', 148);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const rest = (BLOCK - (content.length % BLOCK)) % BLOCK;
  return Buffer.concat([head, content, Buffer.alloc(rest + 2 * BLOCK)]);
}

/** The first file of a tar archive. */
function unpacked(tar: Buffer): { name: string; content: Buffer } {
  const name = tar.toString('utf8', 0, 100).replace(/\0.*$/s, '');
  const size = Number.parseInt(tar.toString('utf8', 124, 135), 8);
  return { name, content: tar.subarray(BLOCK, BLOCK + size) };
}

type Files = Map<string, Buffer>;

/** What the folder's programs do with its files; each gives its exit code. */
const FILE_PROGRAMS: Readonly<Record<string, (files: Files, call: ExecCall) => number | Promise<number>>> = {
  cat: (files, { command, stdout }) => {
    stdout?.write(files.get(command.at(-1) ?? '') ?? '');
    return 0;
  },
  tar: async (files, { command, stdin, stdout }) => {
    const last = command.at(-1) ?? '';
    if (command[1] === 'cf') stdout?.write(archive(last.slice(1), files.get(last) ?? Buffer.alloc(0)));
    else {
      const { name, content } = unpacked(await readAll(stdin));
      files.set(`${last}/${name}`, content);
    }
    return 0;
  },
  wc: async (_files, { stdin, stdout }) => {
    stdout?.write(`${(await readAll(stdin)).length}\n`);
    return 0;
  },
  // For `test -d`: no path is a folder.
  test: () => 1,
};

/** Keeps files in a folder, as far as `tar` of one file and `cat` know them. */
function folder(context: ContainerContext): RunningProgram {
  const files: Files = new Map([['/tmp/given', Buffer.from('was here before\n')]]);
  return lasting(context, async (call) => {
    const run = FILE_PROGRAMS[call.command[0] ?? ''];
    if (run !== undefined) return run(files, call);
    call.stderr?.write(`${call.command[0]}: not found\n`);
    return 127;
  });
}

/** Prints its name, then fails. */
function crash({ name, stdout }: ContainerContext): RunningProgram {
  stdout.write(`${name} is about to crash\n`);
  return { exited: Promise.resolve(2), stop: () => {}, kill: () => {} };
}

/** What the images of scenarios do. */
export function scenarioPrograms(): ProgramRegistry {
  return new ProgramRegistry()
    .register('web', web)
    .register('parrot', parrot)
    .register('folder', folder)
    .register('crash', crash);
}
