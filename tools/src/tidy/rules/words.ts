import type { Finding, Repo, Rule } from '../model.js';

interface Ban {
  readonly pattern: RegExp;
  /** The whole line is let through when it also matches this. */
  readonly unless?: RegExp;
  readonly message: string;
  /** Only in documents and comments; elsewhere the word is part of an upstream API. */
  readonly proseOnly?: boolean;
}

/** Written in pieces, so that this file does not contain what it looks for. */
const join = (...parts: readonly string[]): string => parts.join('');

const bans: readonly Ban[] = [
  {
    pattern: new RegExp(join('\\b(?:TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK)\\b')),
    message: 'unfinished work does not go in: finish it, or write it down where work is planned',
  },
  {
    pattern: new RegExp(join('(?:^|[\\s"\'`(=:])/(?:wo', 'rk|ro', 'ot|home/\\w+|Users/\\w+)/')),
    message: "a path of one person's machine",
  },
  {
    pattern: new RegExp(
      join(
        '\\b(?:ag',
        'ents?|sub-?ag',
        'ents?|assist',
        'ants?|(?:this|previous|earlier|next|last|another) sess',
        'ions?)\\b',
      ),
      'i',
    ),
    unless: /user-?\s?agent|https?\b|undici|socket|connection|affinity|\btls\b|platform|provider|planned|kubelet/i,
    message: 'a word about how the work is done; the files speak of the project',
    proseOnly: true,
  },
  {
    pattern: /\bissues? #?\d+|(?:^|\s)\(?#\d{2,}\b/i,
    message: 'an issue number means nothing to a reader; write the reason itself',
    proseOnly: true,
  },
  {
    pattern:
      /\b(?:https?:)?\/\/(?!registry\.npmjs\.org)[\w.-]*(?:registry|artifactory|nexus|npm-proxy|goproxy)[\w.-]*\.[a-z]+/i,
    unless: /registry\.k8s\.io|registry\.example|registry\.redhat\.io|registry\.ci\.openshift\.org/,
    message: 'a registry of a private network',
  },
];

/** Lock files hold package names; licences are quoted as they are; tables, and pages made of them, hold others' names. */
const exempt = /^(?:LICENSE|package-lock\.json|docs\/reference\/cli\.md)$|(?:^|\/)tables\/|^docs\/reference\/api\//;

function isProse(path: string, line: string): boolean {
  return path.endsWith('.md') || /^\s*(?:\/\*|\*|\/\/|#)|\s\/\/\s/.test(line);
}

/** Words that have no place in the repository. */
export const forbiddenWords: Rule = {
  name: 'words',
  check: (repo: Repo) => {
    const findings: Finding[] = [];
    for (const [path, text] of repo.files) {
      if (exempt.test(path)) continue;
      text.split('\n').forEach((line, at) => {
        for (const ban of bans) {
          if (!ban.pattern.test(line) || ban.unless?.test(line) === true) continue;
          if (ban.proseOnly === true && !isProse(path, line)) continue;
          findings.push({ rule: 'words', path, line: at + 1, message: ban.message });
        }
      });
    }
    return findings;
  },
};
