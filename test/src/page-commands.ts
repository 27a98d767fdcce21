/** A command of a page, and what the page shows of its output. */
export interface PageCommand {
  readonly line: string;
  /** Lines of a `text` block right after it; `…` stands for what differs from run to run. */
  readonly shows: readonly string[];
}

/** The commands of a page in their order: the lines of its blocks without a language. */
export function commandsOn(page: string): readonly PageCommand[] {
  const commands: { line: string; shows: string[] }[] = [];
  for (const [, language = '', text = ''] of page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)) {
    const lines = text.split('\n').filter((line) => line !== '');
    if (language === '') for (const line of lines) commands.push({ line, shows: [] });
    if (language === 'text') commands.at(-1)?.shows.push(...lines);
  }
  return commands;
}

/** A command line as words. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
}

/** Which of the lines that a page shows are not in an output. */
export function unseen(shows: readonly string[], output: string): string[] {
  const lines = output.split('\n').map((line) => words(line));
  return shows.filter((shown) => {
    const parts = words(shown)
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    const pattern = new RegExp(`^${parts.join('.*')}$`);
    return !lines.some((line) => pattern.test(line));
  });
}

/** Columns are as wide as what is in them. */
function words(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ');
}
