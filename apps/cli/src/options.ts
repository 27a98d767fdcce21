import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

/** How a command may print objects. */
export type OutputFormat = 'json' | 'yaml' | 'name' | 'wide';

/** Which cluster a command talks to. */
export interface ClusterOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** `--kubeconfig` and `--context`, as kubectl has them. */
export function addClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig to use instead of $KUBECONFIG or ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig to use instead of the current one');
}

/** `-n`, as kubectl has it. */
export function addNamespaceOption(command: Command): Command {
  return command.option('-n, --namespace <name>', "namespace to work in instead of the context's own");
}

/** `-o` with the formats this command knows. */
export function addOutputOption(command: Command, formats: readonly OutputFormat[]): Command {
  return command.addOption(new Option('-o, --output <format>', 'output format').choices(formats));
}

/** How requests and the audit log wait for each other, as kube-apiserver names it. */
export const AUDIT_LOG_MODES = ['batch', 'blocking', 'blocking-strict'] as const;

/** `--audit-log-mode`, as kube-apiserver has it. */
export function auditLogMode(): Option {
  const meaning =
    'write events soon after (batch), before the answer (blocking), or refuse what cannot be written when it is received (blocking-strict)';
  return new Option('--audit-log-mode <mode>', meaning).choices(AUDIT_LOG_MODES).default('blocking');
}

/** Examples at the end of the help, and where to find that help when the command line is wrong. */
export function addExamples(
  command: Command,
  examples: readonly (readonly [line: string, meaning: string])[],
): Command {
  const lines = examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`);
  let path = command.name();
  for (let parent = command.parent; parent !== null; parent = parent.parent) path = `${parent.name()} ${path}`;
  return command
    .addHelpText('after', `\nExamples:\n${lines.join('\n\n')}`)
    .showHelpAfterError(`See '${path} --help' for usage.`);
}

/** Reads a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** Reads a text that is not empty. */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It may not be empty.');
  return text;
}

/** Reads the URL of something that a browser opens. */
export function webUrl(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new InvalidArgumentError('It must be a URL such as https://example.com/runbooks.');
  return text;
}

/** For an option that may be given several times: its values in order. */
export function eachText(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, someText(text)];
}

/** An option that may be given several times, each time with one of some values; completion offers them. */
export function eachChoice(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description).choices(choices);
  return option.argParser((text, before: readonly string[] = []) => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    // What is given replaces the default instead of being added to it.
    return before === option.defaultValue ? [text] : [...before, text];
  });
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads a duration such as `75s` or `1h30m` as milliseconds. */
export function durationMs(text: string): number {
  if (text === '0') return 0;
  const terms = [...text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)];
  const whole = terms.map(([term]) => term).join('');
  if (whole !== text || text === '')
    throw new InvalidArgumentError('It must be a duration such as 500ms, 75s or 1h30m.');
  return terms.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

/** An option for a duration, with what holds without it in the words that users write. */
export function durationOption(flags: string, description: string, fallback: string): Option {
  return new Option(flags, description).argParser(durationMs).default(durationMs(fallback), fallback);
}
