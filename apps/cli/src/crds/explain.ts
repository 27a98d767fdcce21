import { explain, rules } from '@capstan/crd-compat';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';
import { suggestion } from '../suggest.js';
import { tableText } from '../text-table.js';

/** Prints what a rule means, or all there are. */
export async function runExplain(id: string | undefined, output: 'json' | undefined, io: Io): Promise<void> {
  const chosen = id === undefined ? [...rules.values()] : [ruleOf(id)];
  if (output === 'json') {
    io.out(await formatObject(id === undefined ? chosen : chosen[0], 'json'));
    return;
  }
  if (id === undefined) {
    io.out(tableText([['RULE', 'SEVERITY', 'TITLE'], ...chosen.map((rule) => [rule.id, rule.severity, rule.title])]));
    return;
  }
  for (const { example, explanation, severity, title } of chosen)
    io.out(`${id} (${severity}): ${title}\n\n${explanation}\n\nExample:\n  ${example}\n`);
}

function ruleOf(id: string): NonNullable<ReturnType<typeof explain>> {
  const rule = explain(id);
  if (rule === undefined) {
    const meant = suggestion(id, rules.keys());
    throw new CliError(
      `there is no rule ${JSON.stringify(id)}`,
      meant === undefined ? "see 'capstan crd explain' for all of them" : `did you mean ${meant}?`,
    );
  }
  return rule;
}
