import type { Rule } from './model.js';
import { RATCHET_PATH } from './repo.js';
import { ratchets } from './rules/budgets.js';
import { convergedWrites } from './rules/writes.js';

const manifest = (name: string): string => JSON.stringify({ name: `@capstan/${name}` });

/** Violations of the rules about operators: what it is, the rule, the files with it, and what is found. */
export const operatorCases: readonly (readonly [string, Rule, Readonly<Record<string, string>>, readonly string[]])[] =
  [
    [
      'operators that write past the converge library',
      convergedWrites,
      {
        'operators/capi/src/a.ts': [
          `import { apply as send, Converger, patchFrom } from '@capstan/kube';`,
          'await patchFrom(client, KIND, { before, after });',
          'await send(client, KIND, object);',
          'await guest.client.update(KIND, object);',
          'await this.#client.delete(KIND, name);',
          'await new Converger({ client }).patch(KIND, before, after);',
          'seen.delete(name);',
          'await client.get(KIND, name);',
        ].join('\n'),
        'operators/capi/src/apply.ts': 'apply(1);\n',
        'operators/capi/src/a.test.ts': 'await client.update(KIND, object);\n',
        'operators/hypershift/package.json': manifest('hypershift'),
        'operators/hypershift/src/migration/a.ts': 'await client.update(KIND, object);\n',
        'operators/crd-compatibility/package.json': manifest('crd-compatibility'),
        'operators/crd-compatibility/src/webhooks/probe.ts': 'await client.patch(KIND, name, patch);\n',
        'libs/kube/src/b.ts': 'await client.update(KIND, object);\n',
      },
      [
        ...[2, 3, 4, 5].map(
          (line) =>
            `operators/capi/src/a.ts:${line}: [writes] writes past the converge library: use Converger of @capstan/kube, or list the file with its reason in tools/src/tidy/rules/writes.ts`,
        ),
        'operators/crd-compatibility/src/topology/reconcile.ts: [writes] is listed in writes.ts and writes nothing: remove it',
      ],
    ],
    [
      'reconcilers that are built in their own way',
      ratchets,
      {
        [RATCHET_PATH]: JSON.stringify({ reconcilers: { 'operators/capi': 1 } }),
        'operators/capi/package.json': manifest('capi'),
        'operators/capi/src/old/reconcile.ts': 'export const a = 1;\n',
        'operators/hypershift/package.json': manifest('hypershift'),
        'operators/hypershift/src/pool/controller.ts': 'export const a = 1;\n',
        'operators/hypershift/src/pool/reconcile.ts': 'export const a = 1;\n',
        'operators/hypershift/src/pool/decide.ts': 'export const a = 1;\n',
        'operators/hypershift/src/migration/reconcile.ts': 'export const a = 1;\n',
        'operators/hypershift/src/cluster/controller.ts': 'export const a = 1;\n',
        'operators/hypershift/src/cluster/reconcile.ts': 'export const a = 1;\n',
        'operators/hypershift/src/cluster/gather.ts': 'export const a = 1;\n',
        'operators/hypershift/src/cluster/decide.ts': 'export const a = 1;\n',
        'operators/hypershift/src/cluster/decide.test.ts': `import { a } from './decide.js';\na;\n`,
      },
      [
        `operators/hypershift: [ratchet] reconcilers: 2, 0 allowed by ${RATCHET_PATH}; reconcile in one idiom: gather, decide (pure, tested), act (operators/hypershift/src/pool has a decide.ts that no test imports; operators/hypershift/src/pool has no gather.ts)`,
      ],
    ],
  ];
