import { sleep } from '@capstan/kube';
import type { ContainerContext, RunningProgram } from './program.js';
import type { ExecCall } from './streams.js';

/** What a command of the shell writes to. */
interface Output {
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
}

/** The program of the container, to those who call it by its number. */
export type FirstProcess = Pick<RunningProgram, 'kill' | 'stop'>;

interface ShellCall extends Output {
  /** Absent where the shell itself is the program. */
  readonly first?: FirstProcess | undefined;
  readonly context: ContainerContext;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
}

type Command = (call: ShellCall) => number | Promise<number>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['true', () => 0],
  [':', () => 0],
  ['false', () => 1],
  ['exit', ({ args }) => Number(args[0] ?? 0) & 255],
  ['echo', echo],
  ['printenv', printEnv],
  ['env', printEnv],
  ['pwd', ({ out }) => (out('/\n'), 0)],
  ['hostname', ({ context, out }) => (out(`${context.env['HOSTNAME'] ?? context.pod.name}\n`), 0)],
  ['date', ({ context, out }) => (out(`${new Date(context.clock.now()).toUTCString().replace('GMT', 'UTC')}\n`), 0)],
  ['whoami', ({ out }) => (out('root\n'), 0)],
  ['cat', cat],
  ['ls', list],
  ['sleep', pause],
  ['kill', kill],
]);

const SIGNALS: Readonly<Record<string, keyof FirstProcess>> = { TERM: 'stop', 15: 'stop', KILL: 'kill', 9: 'kill' };

/** Of a container there is one process to be seen. A kernel would spare it `-KILL` from within; here it is a fault to try. */
function kill({ args, err, first }: ShellCall): number {
  const [signal = '', process = ''] = args.length === 1 ? ['-TERM', ...args] : args;
  const how = SIGNALS[signal.replace(/^-(?:SIG)?/, '')];
  if (how === undefined || args.length > 2) {
    err(`kill: bad signal name '${signal.replace(/^-/, '')}'\n`);
    return 1;
  }
  if (process !== '1' || first === undefined) {
    err(`kill: can't kill pid ${process}: No such process\n`);
    return 1;
  }
  first[how]();
  return 0;
}

function echo({ args, out }: ShellCall): number {
  const bare = args[0] === '-n';
  out(`${(bare ? args.slice(1) : args).join(' ')}${bare ? '' : '\n'}`);
  return 0;
}

function printEnv({ args: [name], context, out }: ShellCall): number {
  if (name !== undefined) {
    const value = Object.hasOwn(context.env, name) ? context.env[name] : undefined;
    if (value === undefined) return 1;
    out(`${value}\n`);
    return 0;
  }
  for (const [key, value] of Object.entries(context.env)) out(`${key}=${value}\n`);
  return 0;
}

async function cat({ args, context, err, out }: ShellCall): Promise<number> {
  let code = 0;
  for (const path of args) {
    try {
      out(await context.mounts.read(path));
    } catch {
      err(`cat: can't open '${path}': No such file or directory\n`);
      code = 1;
    }
  }
  return code;
}

function list({ args, context, err, out }: ShellCall): number {
  const paths = args.filter((argument) => !argument.startsWith('-'));
  let code = 0;
  for (const path of paths.length === 0 ? ['/'] : paths) {
    try {
      for (const name of context.mounts.list(path)) out(`${name}\n`);
    } catch {
      err(`ls: ${path}: No such file or directory\n`);
      code = 1;
    }
  }
  return code;
}

async function pause({ args, context, signal }: ShellCall): Promise<number> {
  const [text = '0'] = args;
  const seconds = text === 'infinity' ? Number.MAX_SAFE_INTEGER / 1e4 : Number.parseFloat(text);
  const unit = { m: 60, h: 3600, d: 86_400 }[text.at(-1) ?? ''] ?? 1;
  return (await sleep(context.clock, seconds * unit * 1000, signal)) === 'elapsed' ? 0 : 143;
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'ash']);
/** What the shell makes no attempt at. */
const HARD = /[|<>`(){}*?[\]\\\n]|\b(?:while|for|if|case|trap|exec|until|function)\b/;

interface Step {
  readonly words: readonly string[];
  /** Only when what is before went well. */
  readonly onSuccess: boolean;
}

/** The simple commands a command line comes to; undefined when it asks for more than the shell can. */
function plan(command: readonly string[], env: Readonly<Record<string, string>>): Step[] | undefined {
  const [program = '', option, script] = command;
  if (!SHELLS.has(base(program))) return [{ words: command, onSuccess: false }];
  if (option !== '-c' || script === undefined || HARD.test(script.replaceAll(/\$\{\w+\}/g, ''))) return undefined;
  return splitSteps(script, env);
}

/** At `;` and `&&`, but not within quotes. A lone `&` is beyond this shell. */
function splitSteps(script: string, env: Readonly<Record<string, string>>): Step[] | undefined {
  const steps: Step[] = [];
  let [text, onSuccess] = ['', false];
  const add = (): void => {
    if (text.trim() !== '') steps.push({ words: splitWords(text, env), onSuccess });
    text = '';
  };
  for (const [part] of script.matchAll(/'[^']*'|"[^"]*"|&&|[&;]|[^'"&;]+/g)) {
    if (part === '&') return undefined;
    if (part === '&&' || part === ';') {
      add();
      onSuccess = part === '&&';
    } else text += part;
  }
  add();
  return steps;
}

function splitWords(text: string, env: Readonly<Record<string, string>>): string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    words.push(
      whole.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single?: string, double?: string, plain?: string) =>
        single === undefined ? substitute(double ?? plain ?? '', env) : single,
      ),
    );
  }
  return words;
}

function substitute(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (_, braced?: string, bare?: string) => env[braced ?? bare ?? ''] ?? '',
  );
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function run(steps: readonly Step[], call: Omit<ShellCall, 'args'>): Promise<number> {
  let code = 0;
  for (const { onSuccess, words } of steps) {
    if (onSuccess && code !== 0) continue;
    const [name = '', ...args] = words;
    const command = commands.get(base(name));
    if (command === undefined) {
      call.err(`sh: ${name}: not found\n`);
      code = 127;
    } else code = await command({ ...call, args });
    if (call.signal.aborted || name === 'exit') return code;
  }
  return code;
}

/** Runs a command in a container that has no shell of its own: a few commands, 127 for any other. */
export async function shellExec(context: ContainerContext, call: ExecCall, first?: FirstProcess): Promise<number> {
  const output: Output = {
    out: (text) => void call.stdout?.write(text),
    err: (text) => void (call.tty ? call.stdout : (call.stderr ?? call.stdout))?.write(text),
  };
  const steps = plan(call.command, context.env);
  if (steps === undefined) {
    output.err(`sh: ${call.command.slice(2).join(' ') || call.command[0] || ''}: not found\n`);
    return 127;
  }
  const signal = AbortSignal.any([call.signal, context.signal]);
  return run(steps, { ...output, context, first, signal });
}

/** Images whose arguments are a command. */
const SHELL_IMAGES: ReadonlySet<string> = new Set(['busybox', 'alpine', 'ubuntu', 'debian', 'bash']);

/** The steps of an unknown image's command line; undefined when there is none that the shell understands. */
function commandSteps({ args, command, env, image }: ContainerContext): Step[] | undefined {
  const name = base(image.split('@')[0]?.split(':')[0] ?? '');
  const words = command.length > 0 ? [...command, ...args] : SHELL_IMAGES.has(name) ? args : [];
  if (words.length === 0) return undefined;
  const steps = plan(words, env);
  return steps?.every(({ words }) => commands.has(base(words[0] ?? ''))) === true ? steps : undefined;
}

/** What an unregistered image does: runs the few commands the shell knows, else sleeps, healthy, until stopped. */
export function sleeper(context: ContainerContext): RunningProgram {
  const ending = new AbortController();
  let finish: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const steps = commandSteps(context);
  if (steps !== undefined) {
    const out = (text: string | Uint8Array): void => void context.stdout.write(text);
    const err = (text: string): void => void context.stderr.write(text);
    run(steps, { context, out, err, signal: ending.signal }).then(finish, () => finish(1));
  }
  const end = (code: number) => (): void => {
    ending.abort();
    finish(code);
  };
  const first = { stop: end(steps === undefined ? 0 : 143), kill: end(137) };
  return { exited, ...first, exec: (call) => shellExec(context, call, first) };
}
