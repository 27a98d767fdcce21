import { rules } from '../catalogue.js';
import type { Finding } from '../report.js';
import type { Checked } from './checked.js';
import { placeOf } from './checked.js';

/** The result as SARIF 2.1.0, which code hosts show beside the lines of a change. */
export function sarifLog(
  checked: readonly Checked[],
  tool: { readonly name: string; readonly version: string },
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
            rules: described.map(({ explanation, id, severity, title }) => ({
              id,
              shortDescription: { text: title },
              fullDescription: { text: explanation },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        results: checked.flatMap((each) => each.report.findings.map((finding) => resultOf(each, finding, index))),
      },
    ],
  };
}

function resultOf(
  { definition, line, requirement, source }: Checked,
  finding: Finding,
  index: ReadonlyMap<string, number>,
): object {
  const { message, path, rule, severity, version } = finding;
  const at = index.get(rule);
  return {
    ruleId: rule,
    ...(at === undefined ? {} : { ruleIndex: at }),
    level: severity,
    message: { text: `${definition} for ${requirement}: ${placeOf(finding)}: ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: source.replaceAll('\\', '/') },
          ...(line === undefined ? {} : { region: { startLine: line } }),
        },
        logicalLocations: [
          { fullyQualifiedName: [definition, version, path].filter(Boolean).join('.'), kind: 'member' },
        ],
      },
    ],
    // The same finding of the next run is the same to the host, whatever moved around it.
    partialFingerprints: { 'capstan/finding': [requirement, definition, version ?? '', path, rule].join('/') },
  };
}
