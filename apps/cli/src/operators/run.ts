import { readFile } from 'node:fs/promises';
import { BadUsage, Client, loadConnection } from '@capstan/kube';
import type {
  COMMON_FLAGS,
  FlagKinds,
  FlagValues,
  OperatorContext,
  OperatorDefinition,
  ResourceKind,
} from '@capstan/kube';
import { lineLogger } from '../apiserver/log.js';
import { UsageError } from '../errors.js';
import { unusable } from '../files.js';
import { staySmall } from '../heap.js';
import type { Io } from '../io.js';
import { listenForStop } from '../lifetime.js';
import type { ClusterOptions } from '../options.js';
import { expectDefinitions, localContext } from './context.js';

/** Options that every command has which runs an operator. */
export interface ServingOptions extends ClusterOptions {
  readonly namespace?: string | undefined;
  readonly leaderElect?: boolean | undefined;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly verbose?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

/** An operator, its settings, and how its start is announced. */
export interface Run<K extends FlagKinds> {
  readonly operator: OperatorDefinition<K>;
  readonly flags: OperatorContext<K>['flags'];
  readonly options: ServingOptions;
  /** What it does, followed by the address of the server. */
  readonly announcement: string;
  /** Without the CRDs of these it would wait for ever. */
  readonly needed: readonly ResourceKind[];
}

/** The flags that the options of every command come to. */
export function servingFlags(options: ServingOptions): FlagValues<typeof COMMON_FLAGS> {
  const { healthProbeBindAddress, leaderElect, metricsBindAddress, namespace } = options;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    'leader-elect': leaderElect === true,
    'metrics-bind-address': metricsBindAddress,
    'health-probe-bind-address': healthProbeBindAddress,
  };
}

/** Runs an operator against the cluster the options name, until asked to stop. */
export async function runOperator<K extends FlagKinds>(
  { flags, needed, operator, options, announcement }: Run<K>,
  io: Io,
): Promise<void> {
  staySmall(io);
  const stop = listenForStop(io);
  try {
    const { context: of, kubeconfig, namespace = 'hypershift', output, verbose } = options;
    const { env, machine } = io;
    const { clock, files } = machine ?? {};
    const connection = await loadConnection({
      path: kubeconfig,
      context: of,
      env,
      home: env['HOME'],
      files,
      clock,
    });
    const logger = lineLogger(io, verbose === true);
    const { name } = operator;
    const { close, context } = localContext<K>({ name, connection, flags, env, namespace, logger, machine });
    try {
      // Building may restore them.
      const manager = await built(() => operator.build(context));
      await expectDefinitions(new Client(context.options.transport), needed);
      const ended = manager.run(stop.signal);
      const { server } = connection;
      announce(
        { isElected: options.leaderElect === true, leads: manager.whenLeading(), output, announcement, server },
        io,
      );
      await ended;
    } finally {
      await close();
    }
  } finally {
    stop.release();
  }
}

interface Announced {
  readonly isElected: boolean;
  readonly leads: Promise<void>;
  readonly output: 'json' | undefined;
  readonly announcement: string;
  readonly server: string;
}

/** Reports where it runs, and what it does only once it does that: of several replicas one leads. */
function announce({ isElected, leads, output, announcement, server }: Announced, io: Io): void {
  if (output === 'json') {
    io.out(`${JSON.stringify({ server, pid: process.pid })}\n`);
    return;
  }
  if (isElected) io.out(`Waiting for the lease on ${server}: another replica may lead\n`);
  void leads.then(() => io.out(`${announcement} ${server}\n`));
}

/** Building it, with its refusals in the words of the command line. */
async function built<T>(build: () => T | Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error;
    throw new UsageError(error.message, "See 'capstan --help' for usage.", { cause: error });
  }
}

/** The CAs of registries, from the file that `--registry-ca-file` names. */
export async function registryCas(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusable('file of CAs', path, error, 'name a PEM file with --registry-ca-file');
  }
}
