/** A failure in the user's terms, with the next step. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly hint: string;
  readonly exitCode: number = 1;

  constructor(message: string, hint: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.hint = hint;
  }
}

/** The command line itself is wrong. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
  override readonly exitCode = 2;
}

/** A command that gives a verdict has none: what it was given could not be read or reached. 1 would be a verdict. */
export class NoVerdictError extends CliError {
  override readonly name = 'NoVerdictError';
  override readonly exitCode = 2;
}

/** Whatever was thrown, as the reason why there is no verdict. */
export function noVerdict(error: unknown): NoVerdictError {
  const { message, hint } = explain(error);
  const reason = new NoVerdictError(message, hint, { cause: error });
  if (error instanceof Error && error.stack !== undefined) reason.stack = error.stack;
  return reason;
}

/** What is printed of an error. */
export interface Explanation {
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
}

const DEBUG_HINT = 'set CAPSTAN_DEBUG=1 to see where this comes from';

/** By the error's name: asking by class would load the packages they come from. */
const HINTS: Readonly<Record<string, string>> = {
  ConfigError: 'choose a configuration with --kubeconfig, --context or the KUBECONFIG environment variable',
  UntrustedConfigError: 'find out who changed it, then delete the Secret: its operator creates it again',
  TransportError: 'check that the server runs and that the kubeconfig names its address',
  ApiError: 'the server refused the request: see its message for the reason',
};

const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'choose another port with --port, or --port 0 for any free one',
  EADDRNOTAVAIL: 'choose an address of this machine with --host',
  ENOTFOUND: 'choose an address of this machine with --host',
  EACCES: 'choose a port above 1023, or a file you may write',
  ENOENT: 'check that the folder exists',
};

/** The single way from anything thrown to what the user reads. */
export function explain(error: unknown): Explanation {
  if (error instanceof CliError) return { message: error.message, hint: error.hint, exitCode: error.exitCode };
  if (!(error instanceof Error)) return { message: String(error), hint: DEBUG_HINT, exitCode: 1 };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const hint = HINTS[error.name] ?? SYSTEM_HINTS[code] ?? DEBUG_HINT;
  const [firstLine = ''] = error.message.split('\n');
  return { message: firstLine === '' ? error.name : firstLine, hint, exitCode: 1 };
}

/** A text of others without what a terminal would obey: control characters are written out. Line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same in one line: a line end of others begins no line of ours. */
export function oneLine(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}
