import { countText, markdownReport, placeOf, sarifLog } from '@capstan/crd-compat';
import type { Checked, Finding, FindingPlace, Witness } from '@capstan/crd-compat';
import { requirementText } from '@capstan/crd-compatibility';
import { stringifyJson } from '@capstan/meta';
import { clientVersion } from '../client-version.js';
import { oneLine, printable } from '../errors.js';
import { formatObject } from '../output.js';
import { schemaDiff } from './diff.js';
import { githubCommand } from './github.js';
import { findingLines } from './locate.js';
import type { Pair } from './pair.js';
import { fileOf } from './place.js';
import { findingsTable } from './table.js';

/** How a result is printed. */
export interface PrintOptions {
  readonly output?: 'github' | 'json' | 'markdown' | 'sarif' | 'table' | 'yaml' | undefined;
  /** Shows, for each error, the request that proves it. */
  readonly witness?: boolean | undefined;
  /** Shows how the schemas differ. */
  readonly diff?: boolean | undefined;
}

/** The result in the form that was asked for. */
export async function print(
  checked: readonly Checked[],
  { diff, output = 'table', witness }: PrintOptions,
  pairs: readonly Pair[] = [],
): Promise<string> {
  switch (output) {
    case 'json':
    case 'yaml':
      return formatObject({ results: checked }, output);
    case 'sarif': {
      const tool = { name: 'capstan', version: clientVersion() };
      return formatObject(sarifLog(checked, tool, await placer(checked, pairs)), 'json');
    }
    case 'github':
      return github(checked, await placer(checked, pairs));
    case 'markdown':
    case 'table': {
      const body =
        output === 'markdown' ? markdownReport(checked) : `${findingsTable(checked)}${summary(checked, pairs)}`;
      const proofs = witness === true ? await witnesses(checked) : '';
      const diffs = diff === true ? (await Promise.all(pairs.map(schemaDiff))).join('') : '';
      // Names and values of a CRD are a stranger's, and this is for terminals.
      return printable(`${body}${proofs}${diffs}`);
    }
  }
}

/** Finds the file and line of a finding; the texts are read once more for that, where there is something to find. */
async function placer(checked: readonly Checked[], pairs: readonly Pair[]): Promise<FindingPlace> {
  const lines = new Map<Checked, (finding: Finding) => number | undefined>();
  for (const [at, each] of checked.entries()) {
    const source = pairs[at]?.definition;
    if (source !== undefined && each.report.findings.length > 0) lines.set(each, await findingLines(source));
  }
  return (each, finding) => {
    const file = fileOf(each.source);
    return file === undefined ? undefined : { file, line: (lines.get(each) ?? (() => each.line))(finding) };
  };
}

function github(checked: readonly Checked[], place: FindingPlace): string {
  const commands = checked.flatMap((each) =>
    each.report.findings.map((finding) => githubCommand(each, finding, place(each, finding)?.line)),
  );
  return `${commands.join('')}${countText(checked)}\n`;
}

/** How many findings there are, and what to do about them. */
function summary(checked: readonly Checked[], pairs: readonly Pair[]): string {
  const count = `${countText(checked)}\n`;
  const [first] = checked.flatMap(({ report }) => report.findings);
  if (first === undefined) return count;
  const explain = `See 'capstan crd explain ${first.rule}' for what a rule means, and --witness for requests that prove errors.\n`;
  return `${count}${explain}${whomToAsk(checked, pairs)}`;
}

/** Who can give up a requirement that is not met. */
function whomToAsk(checked: readonly Checked[], pairs: readonly Pair[]): string {
  const asked = checked.flatMap(({ report }, at) => {
    const object = pairs[at]?.requirement.object;
    return report.verdict === 'Incompatible' && object !== undefined ? [requirementText(object)] : [];
  });
  const names = [...new Set(asked)];
  return names.length === 0 ? '' : `To change what is required, ask the owner: ${names.join(', ')}.\n`;
}

async function witnesses(checked: readonly Checked[]): Promise<string> {
  const parts: string[] = [];
  for (const { definition, report, requirement } of checked)
    for (const finding of report.findings)
      if (typeof finding.proof === 'object')
        parts.push(
          `\n# ${oneLine(`${definition} for ${requirement}: ${placeOf(finding)}: ${finding.rule}`)}\n# ${oneLine(outcome(finding.proof))}\n${await formatObject(withoutOutcome(finding.proof), 'yaml')}`,
        );
  return parts.join('');
}

function outcome({ outcome: of, request }: Witness): string {
  const verb = `this ${request.verb} is fine for the requirement`;
  switch (of.kind) {
    case 'rejected':
      return `${verb}; the CRD refuses it: ${of.message}`;
    case 'pruned':
      return `${verb}; the CRD drops ${of.paths.join(', ')}`;
    case 'changed':
      return `${verb}; the CRD makes ${of.path} ${stringifyJson(of.got)} instead of ${stringifyJson(of.expected)}`;
  }
}

function withoutOutcome(proof: Witness): object {
  const { outcome: _, ...rest } = proof;
  return rest;
}
