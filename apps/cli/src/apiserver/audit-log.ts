import { readFileSync } from 'node:fs';
import type { AuditEvent, AuditOptions, AuditPolicy } from '@capstan/apiserver';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import type { AUDIT_LOG_MODES } from '../options.js';
import { AuditLines } from './audit-lines.js';
import { lineLogger } from './log.js';

type AuditLogMode = (typeof AUDIT_LOG_MODES)[number];

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
  /**
   * `batch`: events are written soon after. `blocking`, the default: before the answer, whatever becomes of them.
   * `blocking-strict`: a request whose receipt cannot be written is refused.
   */
  readonly auditLogMode?: AuditLogMode | undefined;
}

/** Of what was received, too: without it nothing could be refused in time. */
const STRICT_POLICY: AuditPolicy = { rules: [{ level: 'Metadata' }] };

/** Opens the log and reads the policy; undefined when none is asked for. */
export async function openAuditLog(
  options: AuditLogOptions,
  io: Pick<Io, 'out' | 'err'>,
): Promise<AuditLog | undefined> {
  const { auditLogMode: mode = 'blocking', auditLogPath, auditPolicyFile } = options;
  if (auditLogPath === undefined) {
    if (auditPolicyFile === undefined) return undefined;
    throw new CliError('an audit policy without a log to write', 'name the log with --audit-log-path');
  }
  const given = auditPolicyFile === undefined ? undefined : await readPolicy(auditPolicyFile);
  const policy = given ?? (mode === 'blocking-strict' ? STRICT_POLICY : undefined);
  const lines = new AuditLines(auditLogPath, io, lineLogger(io, false));
  const sink = sinkOf(lines, mode);
  const { metrics } = lines;
  return { options: policy === undefined ? { sink, metrics } : { sink, metrics, policy }, close: () => lines.close() };
}

function sinkOf(lines: AuditLines, mode: AuditLogMode): AuditOptions['sink'] {
  const lineOf = (event: AuditEvent): string => `${JSON.stringify(event)}\n`;
  if (mode === 'batch') return (event) => lines.later(lineOf(event));
  if (mode === 'blocking') return (event) => lines.now(lineOf(event), 'keep') || true;
  // Nobody is to find a request in the log that was refused since it could not be there.
  return (event) => lines.now(lineOf(event), event.stage === 'RequestReceived' ? 'forget' : 'keep');
}

async function readPolicy(path: string): Promise<AuditPolicy> {
  // Loaded here: most servers have no policy, and nobody wants to wait for them.
  const [{ parseAuditPolicy }, { readYaml }] = await Promise.all([
    import('@capstan/apiserver'),
    import('@capstan/meta/yaml'),
  ]);
  try {
    return parseAuditPolicy(readYaml(readFileSync(path, 'utf8'))[0]?.value);
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
