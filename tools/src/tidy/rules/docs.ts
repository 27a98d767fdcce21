import { posix } from 'node:path';

import type { Finding, Repo, Rule } from '../model.js';

const rootFolder = /^(?:api|libs|apps|operators|providers|test|tools|docs|\.ci)\/[\w./*<>{},-]*$/;
const rootFile =
  /^(?:README|ARCHITECTURE|CONTRIBUTING|LICENSE|package|package-lock|tsconfig(?:\.base)?|vitest(?:\.real)?\.config)(?:\.md|\.json|\.ts)?$/;

/** One line of a document that is text, not part of a code block. */
interface DocLine {
  readonly line: number;
  readonly text: string;
}

function proseLines(text: string): DocLine[] {
  const lines: DocLine[] = [];
  let fenced = false;
  text.split('\n').forEach((each, at) => {
    if (/^\s*(?:```|~~~)/.test(each)) fenced = !fenced;
    else if (!fenced) lines.push({ line: at + 1, text: each });
  });
  return lines;
}

function documents(repo: Repo): (readonly [string, string])[] {
  return [...repo.files].filter(([path]) => path.endsWith('.md'));
}

/** Code spans that look like a path of this repository, and the targets of relative links. */
function namedPaths(doc: string, text: string): string[] {
  const spans = [...text.matchAll(/`([^`\s]+)`/g)].map((match) => match[1] ?? '');
  const paths = spans.filter((span) => rootFolder.test(span) || rootFile.test(span));
  // A pattern in a code span may look like a link.
  for (const [, target = ''] of text.replaceAll(/(`+)[^`]+\1/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
    const file = target.replace(/#.*$/, '');
    if (file !== '' && !/^[a-z]+:/.test(file)) paths.push(posix.join(posix.dirname(doc), file));
  }
  return paths;
}

function exists(repo: Repo, named: string): boolean {
  // A name with a hole in it (`providers/<platform>`) stands for many; the part before the hole must be there.
  const path = named.replace(/[<{*].*$/, '').replace(/\/$/, '');
  // Compiled files exist only after a build; their source must be there.
  const source = path.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
  return [path, source].some((each) => repo.files.has(each) || repo.folders.has(each));
}

/** A document names no file, folder or npm script that does not exist, unless the line contains "planned". */
export const docPaths: Rule = {
  name: 'doc-paths',
  check: (repo) => {
    const findings: Finding[] = [];
    for (const [doc, text] of documents(repo)) {
      for (const { line, text: prose } of proseLines(text)) {
        if (/\bplanned\b/i.test(prose)) continue;
        for (const named of namedPaths(doc, prose)) {
          if (exists(repo, named)) continue;
          findings.push({ rule: 'doc-paths', path: doc, line, message: `names ${named}, which is not there` });
        }
      }
    }
    return findings;
  },
};

/** Commands in documents, code blocks included, are scripts that exist. */
export const docCommands: Rule = {
  name: 'doc-commands',
  check: (repo) =>
    documents(repo).flatMap(([doc, text]) =>
      text.split('\n').flatMap((each, at) =>
        [...each.matchAll(/\bnpm run ([\w:-]+)/g)]
          .map((match) => match[1] ?? '')
          .filter((script) => !repo.scripts.has(script))
          .map((script) => ({
            rule: 'doc-commands',
            path: doc,
            line: at + 1,
            message: `names \`npm run ${script}\`, which package.json does not have`,
          })),
      ),
    ),
};

/** One title per document, on its first line. */
export const docTitles: Rule = {
  name: 'doc-titles',
  check: (repo) =>
    documents(repo).flatMap(([doc, text]) => {
      const lines = proseLines(text);
      const titles = lines.filter((each) => /^# \S/.test(each.text));
      const first = lines.find((each) => each.text.trim() !== '');
      if (titles.length === 1 && titles[0] === first) return [];
      const message = `has ${titles.length} lines of the form "# Title"; one is wanted, at the top`;
      return [{ rule: 'doc-titles', path: doc, message }];
    }),
};
