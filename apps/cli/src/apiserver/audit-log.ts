import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { AuditOptions, AuditPolicy } from '@capstan/apiserver';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';

const OWNER_FILE = 0o600;
/** Lines are handed to the system together, but none is older than this. */
const FLUSH_MS = 100;

/** An audit log that is open. */
export interface AuditLog {
  readonly options: AuditOptions;
  /** Writes what is left. */
  close(): void;
}

export interface AuditLogOptions {
  /** `-` is standard output. */
  readonly auditLogPath?: string | undefined;
  readonly auditPolicyFile?: string | undefined;
}

/** Opens the log and reads the policy; undefined when none is asked for. */
export async function openAuditLog(options: AuditLogOptions, io: Pick<Io, 'out'>): Promise<AuditLog | undefined> {
  const { auditLogPath, auditPolicyFile } = options;
  if (auditLogPath === undefined) {
    if (auditPolicyFile === undefined) return undefined;
    throw new CliError('an audit policy without a log to write', 'name the log with --audit-log-path');
  }
  const policy = auditPolicyFile === undefined ? undefined : await readPolicy(auditPolicyFile);
  const lines = auditLogPath === '-' ? standardOutput(io) : lineFile(auditLogPath);
  const sink = (event: unknown): void => lines.write(`${JSON.stringify(event)}\n`);
  return { options: policy === undefined ? { sink } : { sink, policy }, close: () => lines.close() };
}

async function readPolicy(path: string): Promise<AuditPolicy> {
  // Loaded here: most servers have no policy, and nobody wants to wait for them.
  const [{ parseAuditPolicy }, { parse }] = await Promise.all([import('@capstan/apiserver'), import('yaml')]);
  try {
    return parseAuditPolicy(parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new CliError(
      `cannot use the audit policy ${path}: ${reason}`,
      'correct the file, or leave out --audit-policy-file',
      {
        cause: error,
      },
    );
  }
}

interface Lines {
  write(line: string): void;
  close(): void;
}

function standardOutput(io: Pick<Io, 'out'>): Lines {
  return { write: (line) => io.out(line), close: () => {} };
}

/** Appends to a file. Waiting lines go in one write, so that a log costs requests next to nothing. */
function lineFile(path: string): Lines {
  const file = openSync(path, 'a', OWNER_FILE);
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const text = waiting.join('');
    waiting = [];
    if (text !== '') writeSync(file, text);
  };
  return {
    write: (line) => {
      waiting.push(line);
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    close: () => {
      clearTimeout(timer);
      flush();
      closeSync(file);
    },
  };
}
