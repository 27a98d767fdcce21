import type { Place, Repo } from '../model.js';

/** What to write instead, by stem; the first pattern that matches a word names its replacement. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/tell|told/i, 'report, set, describe, observed or recorded; events are emitted'],
  [/hear/i, 'receive, watch, be notified'],
  [/world/i, 'inputs, snapshot or state; the simulation or the environment'],
  [/stor(?:y|ies)|theatre/i, 'scenario, fixture or golden'],
  [/lane/i, 'shard'],
  [/patience/i, 'backoff, debounce or minimum interval'],
  [/twin/i, 'private CRD, mirrored CRD or counterpart'],
  [/whoever|somebody/i, 'the client, the owner or the caller: name it'],
  [/mend|right$/i, 'fix, repair or correct'],
  [/rights/i, 'permissions or RBAC'],
  [/essence/i, 'smoke subset'],
  [/judg/i, 'check, decide or verdict'],
  [/sa(?:ys|id|ying)/i, 'report, name, answer or contain'],
  [/beside/i, 'next to, in the same namespace or sidecar'],
  [/after/i, 'reconcile or manage'],
  [/true/i, 'the condition is met'],
  [/field/i, 'upstream; name it'],
  [/away/i, 'delete or remove'],
  [/anew/i, 'again, or the verb: recreate, restart, regenerate'],
];

/** Found as words, and as parts of names in camelCase, kebab-case and UPPER_CASE. */
const words =
  'told tells telling tellings retell untold hears heard unheard world worlds story stories theatre lane lanes patience twin twins whoever somebody mend mends mended mending essence judge judges judged judging judgement says said saying beside anew'.split(
    ' ',
  );
const capitalised = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));

const pattern = new RegExp(
  [
    `(?<![a-zA-Z])(?:${words.join('|')})(?![a-z])`,
    `(?<![A-Z])(?:${capitalised.join('|')})(?![a-z])`,
    `(?<![A-Z])(?:${words.join('|').toUpperCase()})(?![A-Z])`,
    // `tell a from b` and `tell them apart` are plain English.
    '(?<![a-zA-Z])tell(?! (?:\\S+ )?apart)(?! \\S+ from)(?![a-z])',
    '(?<![a-z])Tell(?![a-z])',
    '\\b[Hh]ear\\b',
    '\\b[Rr]ights\\b',
    '\\b[Ll]ook(?:s|ed|ing)? after\\b',
    '\\b[Cc][oa]mes? true\\b',
    '\\b[Pp]uts? right\\b',
    '\\bof the field\\b',
    '\\b[Tt](?:ak(?:e|es|en|ing)|ook) away\\b',
    "\\b[Tt]he field's\\b",
  ].join('|'),
);

/** Texts of others, quoted as they are: by file, what the line contains. */
const quotations: readonly (readonly [RegExp, RegExp])[] = [];

const checked = /\.(?:[cm]?[jt]s|md|json|ya?ml|txt|sh)$|^\.ci\/run$/;

/** This list itself, lock files and licences, and tables and pages generated from upstream's texts. */
const exempt =
  /^(?:LICENSE|package-lock\.json|tools\/src\/tidy\/rules\/dialect\.ts|docs\/contributing\/(?:words|vocabulary)\.md)$|(?:^|\/)(?:tables|testing-cases)\/|^docs\/reference\/api\/|^api\/crds\//;

/** Lines and file names with words that no Kubernetes engineer would search for. */
export function dialectPlaces(repo: Repo): Place[] {
  const places: Place[] = [];
  for (const [path, text] of repo.files) {
    if (!checked.test(path) || exempt.test(path)) continue;
    const inName = pattern.exec(path);
    if (inName !== null) places.push({ path, note: advise(inName[0]) });
    // One search over the whole file: most files have nothing to split.
    if (!pattern.test(text)) continue;
    text.split('\n').forEach((line, at) => {
      const found = pattern.exec(line);
      if (found === null || isQuotation(path, line)) return;
      places.push({ path, line: at + 1, note: advise(found[0]) });
    });
  }
  return places;
}

function isQuotation(path: string, line: string): boolean {
  return quotations.some(([file, text]) => file.test(path) && text.test(line));
}

function advise(word: string): string {
  const instead = replacements.find(([stem]) => stem.test(word))?.[1];
  return `"${word}", instead: ${instead ?? 'plain words'}`;
}
