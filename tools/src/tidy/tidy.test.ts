import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { withoutProvider } from '../without-provider/edit.js';
import type { Repo, Rule } from './model.js';
import { operatorCases } from './operators.fixture.js';
import { parseModule } from './parse.js';
import { RATCHET_PATH, loadRepo, makeRepo } from './repo.js';
import { ambientUse } from './rules/ambient.js';
import { countRatchets, fileSizes, ratchets } from './rules/budgets.js';
import { scanIsReal } from './rules/coverage.js';
import { deadFiles } from './rules/dead-files.js';
import { dependencyReasons } from './rules/dependencies.js';
import { docCommands, docPaths, docTitles } from './rules/docs.js';
import { hostingOnce } from './rules/hosting.js';
import { allowedImports, importCycles, importDirections, noExportAll } from './rules/imports.js';
import { trustedKubeconfigs } from './rules/kubeconfigs.js';
import { loneFiles } from './rules/lone-files.js';
import { platformNames, platformRegistry } from './rules/platforms.js';
import { boundedYaml, spreadCalls } from './rules/unbounded.js';
import { forbiddenWords } from './rules/words.js';
import { formatFinding, rules, runTidy } from './tidy.js';

type Files = Readonly<Record<string, string>>;

function manifest(name: string, dependencies: readonly string[] = []): string {
  return JSON.stringify({
    name: `@capstan/${name}`,
    exports: { '.': { source: './src/index.ts' } },
    dependencies: Object.fromEntries(dependencies.map((each) => [each, '0.1.0'])),
  });
}

const base: Files = {
  'docs/decisions/dependencies.md': '# Dependencies\n\n| undici 0.1.0 | a reason |\n',
  'package.json': JSON.stringify({ scripts: { check: 'x' } }),
  'libs/meta/package.json': manifest('meta'),
  'libs/meta/src/index.ts': `export { a } from './a.js';\n`,
  'libs/meta/src/a.ts': `export const a = 1;\n`,
  'libs/kube/package.json': manifest('kube', ['@capstan/meta', 'undici']),
  'libs/kube/src/index.ts': `import { a } from '@capstan/meta';\nexport const b = a;\n`,
};

/** A provider of that name and type. */
function provider(name: string, type: string): Files {
  return {
    [`providers/${name}/package.json`]: manifest(`provider-${name}`),
    [`providers/${name}/src/index.ts`]: `export const hosting = {\n  type: '${type}',\n};\n`,
  };
}

function findings(rule: Rule, planted: Files): string[] {
  return rule.check(makeRepo(new Map(Object.entries({ ...base, ...planted })))).map(formatFinding);
}

/** Pieces, so that the check of this very repository does not stumble over them. */
const words = {
  away: 'taken' + ' away',
  again: 'an' + 'ew',
  unfinished: 'TO' + 'DO',
  machine: '/wo' + 'rk/main',
  workplace: 'ag' + 'ent',
  dialect: 'to' + 'ld',
};
const advice = `"${words.dialect}", instead: report, set, describe, observed or recorded; events are emitted`;
const oddName = `libs/kube/src/${words.dialect}-once.ts`;

const cases: readonly (readonly [string, Rule, Files, readonly string[]])[] = [
  ...operatorCases,
  [
    'a folder of one file',
    loneFiles,
    {
      'libs/meta/src/time/clock.ts': 'export const a = 1;\n',
      'libs/meta/src/time/zones/zone.ts': 'export const a = 1;\n',
      'libs/meta/src/json/read.ts': 'export const a = 1;\n',
      'libs/meta/src/json/read.test.ts': 'export const a = 1;\n',
      'libs/meta/src/worker/main.ts': 'export const a = 1;\n',
      'libs/meta/src/tables/a.ts': 'export const a = 1;\n',
    },
    ['libs/meta/src/time/zones/zone.ts: [lone-files] is alone in its folder: move it to libs/meta/src/time'],
  ],
  [
    "the loader of the user's own kubeconfig where it is not listed",
    trustedKubeconfigs,
    {
      'apps/cli/src/hosted/cluster-access.ts': `import { loadConnection } from '@capstan/kube';\n`,
      'apps/cli/src/hosted/dump.ts': `const { loadConnection } = await import('@capstan/kube');\nloadConnection;\n`,
      'apps/cli/src/hosted/dump.test.ts': `import { loadConnection } from '@capstan/kube';\n`,
    },
    [
      'apps/cli/src/hosted/dump.ts:1: [kubeconfigs] uses loadConnection; kubeconfigs that a cluster holds are data: use untrustedConnection or untrustedKubeconfig of @capstan/kube; a command that reads the file its user names is listed in tools/src/tidy/rules/kubeconfigs.ts',
    ],
  ],
  [
    'YAML read by the library itself',
    boundedYaml,
    {
      'libs/kube/src/a.ts': `import { parse as read, stringify } from 'yaml';\nimport type { Parser } from 'yaml';\n`,
      'libs/kube/src/b.ts': `const { parse } = await import('yaml');\n`,
      'libs/kube/src/c.test.ts': `import { parse } from 'yaml';\n`,
      'libs/meta/src/yaml/read.ts': `import { Composer } from 'yaml';\n`,
    },
    [
      'libs/kube/src/a.ts:1: [yaml] reads YAML by parse of the library, in quadratic time; use readYaml of @capstan/meta/yaml',
      'libs/kube/src/b.ts:1: [yaml] reads YAML by import of the library, in quadratic time; use readYaml of @capstan/meta/yaml',
    ],
  ],
  [
    'lists as the arguments of calls',
    spreadCalls,
    {
      'libs/kube/src/a.ts': [
        'list.push(...others);',
        `list.push(...[1, 2], ...(a ? ['b'] : []));`,
        'Math.max(0, ...[a, b].map(timeOf));',
        'Math.min(...times);',
        'list.splice(0, 1, ...[...others]);',
        'String.fromCharCode(...bytes);',
        'record(...others);',
      ].join('\n'),
      'libs/kube/src/a.test.ts': 'list.push(...others);\n',
    },
    [1, 4, 5, 6].map(
      (line) =>
        `libs/kube/src/a.ts:${line}: [spread-calls] spreads a list into the arguments of a call, which over 120,000 elements throws; use pushAll, maxOf or minOf of @capstan/meta, or a loop`,
    ),
  ],
  [
    'a platform that core names',
    platformNames,
    {
      ...provider('aws', 'AWS'),
      ...provider('kubevirt', 'KubeVirt'),
      ...provider('agent', 'Agent'),
      'operators/hypershift/src/a.ts': [
        `if (platform === 'AWS') draws('laws');`,
        'const awsCluster = 1;',
        'interface NewAwsThing {}',
        `if (platform.type === 'Agent') konnectivityAgent('agent');`,
        `const agent = 'konnectivity-agent';`,
      ].join('\n'),
      'libs/provider/src/hosting/a.ts': '/** As KubeVirt does. */\n',
      'libs/hosting/src/annotations/a.ts': `export const AWS = 'aws';\n`,
      'libs/kube/src/a.ts': `export const AWS = 'aws';\n`,
    },
    [
      'operators/hypershift/src/a.ts:1: [platform-names] core names the platform aws; ask the platform instead, through libs/provider',
      'operators/hypershift/src/a.ts:2: [platform-names] core names the platform aws; ask the platform instead, through libs/provider',
      'operators/hypershift/src/a.ts:3: [platform-names] core names the platform aws; ask the platform instead, through libs/provider',
      'operators/hypershift/src/a.ts:4: [platform-names] core names the platform agent; ask the platform instead, through libs/provider',
      'libs/provider/src/hosting/a.ts:1: [platform-names] core names the platform KubeVirt; ask the platform instead, through libs/provider',
    ],
  ],
  [
    'a second definition of what libs/hosting defines',
    hostingOnce,
    {
      'libs/hosting/src/annotations/a.ts': `export const SCOPE_ANNOTATION = 'hypershift.openshift.io/scope';\n`,
      'libs/hosting/src/pause.ts': `const untilMs = parseTime(pausedUntil);\n`,
      'operators/hypershift/src/a.ts': [
        `const SCOPE = 'hypershift.openshift.io/scope';`,
        'const scope = `${PREFIX}/scope`;',
        `const other = 'hypershift.openshift.io/other';`,
        'const untilMs = Date.parse(spec.pausedUntil);',
        `const isPaused = spec.pausedUntil === 'true';`,
        'const pause = pauseOf(spec.pausedUntil, nowMs);',
        `const reason = 'ReconciliationPaused';`,
      ].join('\n'),
      'operators/hypershift/src/a.test.ts': `const SCOPE = 'hypershift.openshift.io/scope';\n`,
      'libs/simulation/src/a.ts': `const SCOPE = 'hypershift.openshift.io/scope';\n`,
    },
    [
      'operators/hypershift/src/a.ts:1: [hosting-once] defines hypershift.openshift.io/scope a second time; import it from @capstan/hosting',
      'operators/hypershift/src/a.ts:2: [hosting-once] defines hypershift.openshift.io/scope a second time; import it from @capstan/hosting',
      'operators/hypershift/src/a.ts:4: [hosting-once] defines how spec.pausedUntil is read (pauseOf, nodePoolPause) a second time; import it from @capstan/hosting',
      'operators/hypershift/src/a.ts:5: [hosting-once] defines how spec.pausedUntil is read (pauseOf, nodePoolPause) a second time; import it from @capstan/hosting',
      'operators/hypershift/src/a.ts:7: [hosting-once] defines the reasons and texts of ReconciliationActive (reconciliationActive) a second time; import it from @capstan/hosting',
    ],
  ],
  [
    'an import of a platform past the registry',
    platformRegistry,
    {
      ...provider('aws', 'AWS'),
      'providers/aws/src/b.ts': `import { hosting } from './index.js';\nexport const b = hosting;\n`,
      'apps/cli/package.json': manifest('cli', ['@capstan/provider-aws']),
      'apps/cli/src/platforms.ts': `export const load = () => import('@capstan/provider-aws');\n`,
      'apps/cli/src/other.ts': `import type { hosting } from '@capstan/provider-aws';\n`,
    },
    [
      'apps/cli/src/other.ts:1: [platform-registry] imports @capstan/provider-aws; only apps/cli/src/platforms.ts may, so that a platform can be taken out',
    ],
  ],
  [
    'an import against the direction',
    importDirections,
    {
      'libs/apiserver/package.json': manifest('apiserver', ['@capstan/kube']),
      'libs/apiserver/src/index.ts': `import '@capstan/kube';\n`,
    },
    ['libs/apiserver/src/index.ts:1: [imports] libs/apiserver may not import libs/kube'],
  ],
  [
    'an import against the direction that only takes a type',
    importDirections,
    { 'libs/meta/src/a.ts': `export type T = import('@capstan/kube').X;\n` },
    ['libs/meta/src/a.ts:1: [imports] libs/meta may not import libs/kube'],
  ],
  [
    'an operator that imports another',
    importDirections,
    {
      'operators/one/package.json': manifest('one', ['@capstan/two']),
      'operators/one/src/index.ts': `\nexport { x } from '@capstan/two';\n`,
      'operators/two/package.json': manifest('two'),
      'operators/two/src/index.ts': `export const x = 1;\n`,
    },
    ['operators/one/src/index.ts:2: [imports] operators/one may not import operators/two'],
  ],
  [
    'shipped code that imports the tools',
    importDirections,
    {
      'tools/package.json': manifest('tools'),
      'tools/src/index.ts': 'export {};\n',
      'libs/kube/src/index.ts': `await import('@capstan/tools');\n`,
    },
    ['libs/kube/src/index.ts:1: [imports] libs/kube may not import tools'],
  ],
  [
    'a relative path into another package',
    importDirections,
    { 'libs/kube/src/index.ts': `import { a } from '../../meta/src/a.js';\n` },
    ['libs/kube/src/index.ts:1: [imports] reaches into libs/meta by a relative path; import @capstan/meta'],
  ],
  [
    'a package that is not declared, outside tests',
    importDirections,
    {
      'libs/kube/src/b.ts': `import 'left-pad';\nimport 'undici';\nimport 'node:fs';\n`,
      'libs/kube/src/b.test.ts': `import 'vitest';\n`,
    },
    ['libs/kube/src/b.ts:1: [imports] left-pad is not among the dependencies of the package'],
  ],
  [
    'a file or export that is not there',
    importDirections,
    { 'libs/kube/src/index.ts': `import './gone.js';\nimport '@capstan/meta/inner';\n` },
    [
      'libs/kube/src/index.ts:1: [imports] imports libs/kube/src/gone.js, which is no file and no export of its package',
      'libs/kube/src/index.ts:2: [imports] imports @capstan/meta/inner, which is no file and no export of its package',
    ],
  ],
  [
    'a package without a line in the table',
    importDirections,
    { 'libs/unlisted/package.json': manifest('unlisted') },
    ['libs/unlisted/package.json: [imports] the table of import directions does not know this package; add its line'],
  ],
  [
    'a circle of imports, but not one of types alone',
    importCycles,
    {
      'libs/meta/src/a.ts': `import { c } from './c.js';\nexport const a = c;\n`,
      'libs/meta/src/c.ts': `import { a } from './a.js';\nexport const c = a;\n`,
      'libs/meta/src/d.ts': `import type { E } from './e.js';\nexport type D = E;\n`,
      'libs/meta/src/e.ts': `import type { D } from './d.js';\nexport type E = D;\n`,
    },
    ['libs/meta/src/a.ts: [cycles] imports in a circle: libs/meta/src/a.ts, libs/meta/src/c.ts'],
  ],
  [
    'an inline type import, which the compiler keeps, in a circle',
    importCycles,
    {
      'libs/meta/src/a.ts': `import { type B } from './b.js';\nexport const a = 1;\n`,
      'libs/meta/src/b.ts': `import './a.js';\n`,
    },
    ['libs/meta/src/a.ts: [cycles] imports in a circle: libs/meta/src/a.ts, libs/meta/src/b.ts'],
  ],
  [
    'export *',
    noExportAll,
    { 'libs/meta/src/index.ts': `export * from './a.js';\nexport * as named from './a.js';\n` },
    ['libs/meta/src/index.ts:1: [export-all] `export *` hides what is public; name each export'],
  ],
  [
    'a dependency without a reason, of another version than the reason is for, or not pinned',
    dependencyReasons,
    {
      'package.json': JSON.stringify({
        devDependencies: { undici: '0.2.0', alias: 'npm:other@1.0.0', loose: '^1.0.0' },
      }),
      'libs/meta/package.json': manifest('meta', ['left-pad']),
    },
    [
      'package.json: [dependencies] undici 0.2.0 has no line in docs/decisions/dependencies.md with the reason for it and against its rival',
      'package.json: [dependencies] alias 1.0.0 has no line in docs/decisions/dependencies.md with the reason for it and against its rival',
      'package.json: [dependencies] loose is asked for as ^1.0.0; pin one exact version',
      'libs/meta/package.json: [dependencies] left-pad 0.1.0 has no line in docs/decisions/dependencies.md with the reason for it and against its rival',
    ],
  ],
  [
    'files that nothing or only a test imports',
    deadFiles,
    {
      'libs/meta/src/lost.ts': 'export const lost = 1;\n',
      'libs/meta/src/tried.ts': 'export const tried = 1;\n',
      'libs/meta/src/expected.table.ts': 'export const expected = 1;\n',
      'libs/meta/src/tried.test.ts': `import './tried.js';\nimport './expected.table.js';\nimport './testing-tried.js';\n`,
      'libs/meta/src/testing-tried.ts': 'export const help = 1;\n',
    },
    [
      'libs/meta/src/lost.ts: [dead-files] nothing imports this file; use it or delete it',
      'libs/meta/src/tried.ts: [dead-files] only tests import this file; use it or delete it',
    ],
  ],
  [
    'time, chance and the machine in a pure core, but not in its front end, in tests, strings or comments',
    ambientUse,
    {
      'libs/meta/src/a.ts': [
        `import { readFileSync } from 'node:fs';`,
        `import { createHash, randomUUID } from 'node:crypto';`,
        `export const a = [Date.now(), new Date(), new Date(0), Math.random()];`,
        `setTimeout(() => {}, 1); 'a'.localeCompare('b'); new Intl.Collator();`,
        `// Date.now()`,
        `export const text = 'Math.random()';`,
        `import { createHash as h } from 'node:crypto';`,
      ].join('\n'),
      'libs/meta/src/a.test.ts': 'Date.now();\n',
      'libs/apiserver/src/http/server.ts': 'Date.now();\n',
      'libs/apiserver/src/builtin/batch/cron-job.ts': 'new Intl.DateTimeFormat();\n',
      'libs/kube/src/index.ts': 'Date.now();\n',
    },
    [
      'libs/meta/src/a.ts:1: [ambient] node:fs in a pure core; leave it to the front end or the caller',
      'libs/meta/src/a.ts:2: [ambient] randomUUID in a pure core; take a Random',
      'libs/meta/src/a.ts:3: [ambient] Date.now in a pure core; take a Clock and ask its now()',
      'libs/meta/src/a.ts:3: [ambient] new Date() in a pure core; take a Clock and ask its now()',
      'libs/meta/src/a.ts:3: [ambient] Math.random in a pure core; take a Random',
      'libs/meta/src/a.ts:4: [ambient] setTimeout in a pure core; take a Clock and use its after()',
      'libs/meta/src/a.ts:4: [ambient] localeCompare in a pure core; compare code units or bytes: a locale changes the answer from machine to machine',
      'libs/meta/src/a.ts:4: [ambient] Intl.Collator in a pure core; compare code units or bytes: a locale changes the answer from machine to machine',
    ],
  ],
  [
    'more bare errors than the ratchet allows',
    ratchets,
    {
      [RATCHET_PATH]: JSON.stringify({ 'bare-errors': { 'libs/meta': 1 } }),
      'libs/meta/src/a.ts': `throw new Error('a');\n`,
      'libs/kube/src/index.ts': `\nthrow new Error('b');\nthrow new RangeError('c');\n`,
      'libs/kube/src/index.test.ts': `throw new Error('d');\n`,
    },
    [
      `libs/kube: [ratchet] bare-errors: 1, 0 allowed by ${RATCHET_PATH}; throw an error of the package's catalogue instead of a bare Error (libs/kube/src/index.ts:2)`,
    ],
  ],
  [
    'a file over the soft budget, unless it is a table',
    ratchets,
    {
      'libs/meta/src/a.ts': '\n'.repeat(301),
      'libs/meta/src/tables/b.ts': '\n'.repeat(301),
      'libs/meta/src/c.ts': '\n'.repeat(300),
    },
    [
      `libs/meta: [ratchet] long-files: 1, 0 allowed by ${RATCHET_PATH}; split files of more than 300 lines (libs/meta/src/a.ts:300)`,
    ],
  ],
  [
    'sibling folders that import each other, types included, but not from tests',
    ratchets,
    {
      'libs/meta/src/a.ts': `import type { One } from './one/one.js';\n`,
      'libs/meta/src/one/one.ts': `import type { Two } from '../two/two.js';\nexport type One = Two;\n`,
      'libs/meta/src/two/two.ts': `export type Two = 1;\n`,
      'libs/meta/src/two/deep.ts': `import type { One } from '../one/one.js';\nexport type Deep = One;\n`,
      'libs/kube/src/one/one.ts': `import '../two/two.js';\n`,
      'libs/kube/src/two/two.ts': 'export {};\n',
      'libs/kube/src/two/two.test.ts': `import '../one/one.js';\n`,
    },
    [
      `libs/meta: [ratchet] folders: 2, 0 allowed by ${RATCHET_PATH}; sibling folders import one way: move files or types to cut a circle (` +
        ['one/', 'two/']
          .map(
            (folder) =>
              `libs/meta/src/${folder} libs/meta/src/one/one.ts imports libs/meta/src/two/two.ts, libs/meta/src/two/deep.ts imports libs/meta/src/one/one.ts`,
          )
          .join('; ') +
        ')',
    ],
  ],
  [
    'words that nobody searches for in code, strings, documents and file names',
    ratchets,
    {
      [RATCHET_PATH]: JSON.stringify({ dialect: { 'libs/meta': 1 } }),
      'libs/meta/src/a.ts': `// The server ${words.dialect} us.\n`,
      [`libs/kube/src/${words.dialect}-once.ts`]: [
        `const ${words.dialect}Once = 1;`,
        `const history = 'we tell pods from nodes, and planes apart';`,
        `const text = 'as it is ${words.dialect}';`,
      ].join('\n'),
      'docs/a.md': `# T\n\nIt is ${words.dialect}.\n`,
      'libs/kube/src/tables/a.ts': `// ${words.dialect}\n`,
    },
    [
      `docs: [ratchet] dialect: 1, 0 allowed by ${RATCHET_PATH}; use the vocabulary of Kubernetes (docs/a.md:3 ${advice})`,
      `libs/kube: [ratchet] dialect: 3, 0 allowed by ${RATCHET_PATH}; use the vocabulary of Kubernetes (` +
        [`${oddName} ${advice}`, `${oddName}:1 ${advice}`, `${oddName}:3 ${advice}`].join('; ') +
        ')',
    ],
  ],
  [
    'a word that has a better one, also as a part of a name',
    ratchets,
    {
      'libs/kube/src/a.ts': `// Made ${words.again}, and ${words.away}.\nconst made${words.again.replace('a', 'A')} = 1;\n`,
    },
    [
      `libs/kube: [ratchet] dialect: 2, 0 allowed by ${RATCHET_PATH}; use the vocabulary of Kubernetes (` +
        [1, 2]
          .map((line) => {
            const word = line === 1 ? words.again : words.again.replace('a', 'A');
            return `libs/kube/src/a.ts:${line} "${word}", instead: again, or the verb: recreate, restart, regenerate`;
          })
          .join('; ') +
        ')',
    ],
  ],
  [
    'a file too big to review',
    fileSizes,
    { 'libs/meta/data.json': ' '.repeat(400_001), 'package-lock.json': ' '.repeat(400_001) },
    ['libs/meta/data.json: [file-size] is bigger than 400000 bytes'],
  ],
  [
    'documents that name what is not there',
    docPaths,
    {
      'README.md': [
        '# T',
        '`libs/meta/src/a.ts` `libs/gone` [x](docs/none.md) [y](libs/meta/) `node_modules/x` `libs/*/src` `[-a](z)*`',
        '`libs/later` is planned',
        '`libs/meta/dist/a.js` `ARCHITECTURE.md`',
        '```',
        '`libs/in-a-block`',
        '```',
      ].join('\n'),
    },
    [
      'README.md:2: [doc-paths] names libs/gone, which is not there',
      'README.md:2: [doc-paths] names docs/none.md, which is not there',
      'README.md:4: [doc-paths] names ARCHITECTURE.md, which is not there',
    ],
  ],
  [
    'a command that is not a script',
    docCommands,
    { 'docs/a.md': '# T\n```\nnpm run check\nnpm run gone:now -- --x\n```\n' },
    ['docs/a.md:4: [doc-commands] names `npm run gone:now`, which package.json does not have'],
  ],
  [
    'a document with no title, two titles, or text before it',
    docTitles,
    { 'a.md': 'text\n', 'b.md': '# One\n# Two\n', 'c.md': 'text\n# Late\n', 'd.md': '# Good\n```\n# comment\n```\n' },
    [
      'a.md: [doc-titles] has 0 lines of the form "# Title"; one is wanted, at the top',
      'b.md: [doc-titles] has 2 lines of the form "# Title"; one is wanted, at the top',
      'c.md: [doc-titles] has 1 lines of the form "# Title"; one is wanted, at the top',
    ],
  ],
  [
    'unfinished work, machine paths, and words about the workplace outside code',
    forbiddenWords,
    {
      'libs/meta/src/a.ts': [
        `// ${words.unfinished}: later`,
        `const path = '${words.machine}';`,
        `const ${words.workplace} = new Thing();`,
        `// the ${words.workplace} wrote this`,
        `// the User-Agent header`,
        `// see issue 12`,
        `// opens a session of its own`,
      ].join('\n'),
    },
    [
      'libs/meta/src/a.ts:1: [words] unfinished work does not go in: finish it, or write it down where work is planned',
      `libs/meta/src/a.ts:2: [words] a path of one person's machine`,
      'libs/meta/src/a.ts:4: [words] a word about how the work is done; the files speak of the project',
      'libs/meta/src/a.ts:6: [words] an issue number means nothing to a reader; write the reason itself',
    ],
  ],
  [
    'a scan that read nothing',
    scanIsReal,
    {
      'libs/kube/src/index.ts': 'export {};\n',
      'libs/empty/package.json': manifest('empty'),
      'libs/meta/src/index.ts': 'export {};\n',
    },
    [
      'libs/empty: [scan] no module of this package was read',
      '.: [scan] 3 packages, 3 modules, 0 imports: the scan misses most of the code',
    ],
  ],
];

describe('tidy', () => {
  it.each(cases)('finds %s', (_name, rule, planted, expected) => {
    expect(findings(rule, planted)).toEqual(expected);
  });

  it('finds nothing in a repository that keeps the rules', () => {
    expect(runTidy(makeRepo(new Map(Object.entries(base))))).toEqual([]);
  });

  it('has a planted violation for every rule', () => {
    const planted = new Set(cases.map(([, rule]) => rule));
    expect(rules.filter((rule) => !planted.has(rule)).map((rule) => rule.name)).toEqual([]);
  });

  it('writes counts that its own ratchet then accepts', () => {
    const files = new Map(Object.entries({ ...base, 'libs/meta/src/a.ts': `throw new Error('a');\n` }));
    const counts = countRatchets(makeRepo(files));
    expect(counts).toEqual({
      'bare-errors': { 'libs/meta': 1 },
      'long-files': {},
      folders: {},
      reconcilers: {},
      'raw-writes': {},
      dialect: {},
    });
    files.set(RATCHET_PATH, JSON.stringify(counts));
    expect(ratchets.check(makeRepo(files))).toEqual([]);
  });

  it('has a table of directions without circles', () => {
    const done = new Set<string>();
    let rest = [...allowedImports];
    while (rest.length > 0) {
      const ready = rest.filter(([, allowed]) => allowed.every((each) => done.has(each)));
      expect(ready, `circle among ${rest.map(([name]) => name).join(', ')}`).not.toEqual([]);
      for (const [name] of ready) done.add(name);
      rest = rest.filter(([name]) => !done.has(name));
    }
  });
});

describe('this repository', () => {
  const repo = loadRepo(fileURLToPath(new URL('../../..', import.meta.url)));

  it('is tidy', () => {
    expect(runTidy(repo).map(formatFinding)).toEqual([]);
  });

  const ofPlatforms = (of: Repo): string[] =>
    [importDirections, importCycles, deadFiles, platformNames, platformRegistry]
      .flatMap((rule) => rule.check(of))
      .map(formatFinding);
  const before = ofPlatforms(repo);

  it.each(repo.packages.flatMap(({ dir }) => (dir.startsWith('providers/') ? [dir.slice('providers/'.length)] : [])))(
    'is tidy without providers/%s and its line of the registry',
    (name) => {
      const files = withoutProvider(repo.files, name);
      const modules = new Map([...repo.modules].filter(([path]) => files.has(path)));
      for (const [path, text] of files)
        if (modules.has(path) && text !== repo.files.get(path)) modules.set(path, parseModule(path, text));
      const left = {
        ...repo,
        files,
        modules,
        packages: repo.packages.filter(({ dir }) => dir !== `providers/${name}`),
      };
      // Nothing is left that imports it, and everything else still finds what it imports.
      expect(ofPlatforms(left).filter((finding) => !before.includes(finding))).toEqual([]);
    },
  );

  it('is read whole', () => {
    expect(repo.packages.length).toBeGreaterThanOrEqual(8);
    expect(repo.modules.size).toBeGreaterThan(200);
    expect(repo.modules.get('tools/src/tidy/tidy.test.ts')?.imports.length).toBeGreaterThan(10);
  });
});
