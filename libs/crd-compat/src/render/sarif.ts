import { rules } from '../catalogue.js';
import type { Rule } from '../catalogue.js';
import type { Finding } from '../report.js';
import type { Checked } from './checked.js';
import { placeOf } from './checked.js';

/** Where a finding is shown: the file of a CRD and the line in it; undefined where it is in no file. */
export type FindingPlace = (
  checked: Checked,
  finding: Finding,
) => { readonly file: string; readonly line?: number | undefined } | undefined;

const ownPlace: FindingPlace = ({ line, source }) => ({ file: source, line });
const REFERENCE = 'docs/reference/crd-compat-rules.md';

/** What a rule means, as code hosts show it with its findings. */
function helpOf({ example, explanation, id, title }: Rule): { readonly text: string; readonly markdown: string } {
  const command = `capstan crd explain ${id}`;
  return {
    text: `${title}. ${explanation} Example: ${example}. See '${command}'.`,
    markdown: `**${title}.** ${explanation}\n\n    ${example}\n\nSee \`${command}\` and [the reference](${REFERENCE}#${id}).`,
  };
}

/** The result as SARIF 2.1.0, which code hosts show at the lines of a change. */
export function sarifLog(
  checked: readonly Checked[],
  tool: { readonly name: string; readonly version: string },
  place: FindingPlace = ownPlace,
): object {
  const used = new Set(checked.flatMap(({ report }) => report.findings.map(({ rule }) => rule)));
  const described = [...rules.values()].filter(({ id }) => used.has(id));
  const index = new Map(described.map(({ id }, at) => [id as string, at]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            ...tool,
            rules: described.map((rule) => ({
              id: rule.id,
              shortDescription: { text: rule.title },
              fullDescription: { text: rule.explanation },
              help: helpOf(rule),
              defaultConfiguration: { level: rule.severity },
            })),
          },
        },
        results: checked.flatMap((each) =>
          each.report.findings.map((finding) => resultOf(each, finding, index, place)),
        ),
      },
    ],
  };
}

function resultOf(
  checked: Checked,
  finding: Finding,
  index: ReadonlyMap<string, number>,
  placeOfFinding: FindingPlace,
): object {
  const { definition, requirement } = checked;
  const found = placeOfFinding(checked, finding);
  const { message, path, rule, severity, version } = finding;
  const at = index.get(rule);
  return {
    ruleId: rule,
    ...(at === undefined ? {} : { ruleIndex: at }),
    level: severity,
    message: { text: `${definition} for ${requirement}: ${placeOf(finding)}: ${message}` },
    locations: [
      {
        ...(found === undefined
          ? {}
          : {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(found.file.replaceAll('\\', '/')) },
                ...(found.line === undefined ? {} : { region: { startLine: found.line } }),
              },
            }),
        logicalLocations: [
          { fullyQualifiedName: [definition, version, path].filter(Boolean).join('.'), kind: 'member' },
        ],
      },
    ],
    // The same finding of the next run is the same to the host, whatever moved around it.
    partialFingerprints: { 'capstan/finding': [requirement, definition, version ?? '', path, rule].join('/') },
  };
}
