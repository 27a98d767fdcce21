import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@capstan/cli';
import { kubeconfigJson } from '@capstan/kube';
import { expect } from 'vitest';
import { kindOf } from '../capi-operator/fixture.js';
import { ACTIVE, BOTH, FUTURE, name, nameAndFlag, SHIPS, spec, text } from './kinds.js';
import { outputOf } from './output.js';
import type { Scenario, Workflows } from './workflows.js';

const CASES = [
  nameAndFlag,
  name,
  spec({ name: text, flag: { type: 'integer' } }),
  spec({ name: { ...text, maxLength: 3 }, flag: text }),
  spec({ name: text, flag: text, harbour: text }),
  spec({ name: { ...text, enum: ['a'] }, flag: text }),
  // What the server itself refuses.
  spec({ name: {}, flag: text }),
  spec({ name: { type: 'array', items: text, uniqueItems: true }, flag: text }),
  spec({ name: { ...text, 'x-kubernetes-validations': [{ rule: 'self.nothing' }] }, flag: text }),
];

/** Requirements of what runs, which deny, and of the future, which warn. */
async function setUp(flow: Workflows): Promise<void> {
  const { fixture } = flow;
  expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
  await fixture.carry('core', [kindOf('Ship', { v1: nameAndFlag })]);
  await fixture.carry('core-next', [kindOf('Ship', { v1: spec({ name: text, harbour: text }) })], {
    role: 'future',
    release: '4.23.0',
  });
  await fixture.list(SHIPS);
  await fixture.run(BOTH);
  await flow.enforced(ACTIVE);
  await flow.enforced(FUTURE);
}

async function compare(flow: Workflows, folder: string): Promise<void> {
  const { ca, token, url } = flow.access;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigJson({ server: url, caPem: ca, token, name: 'admin', namespace: 'default' }), {
    mode: 0o600,
  });
  for (const [at, properties] of CASES.entries()) {
    const file = join(folder, `case-${at}.json`);
    writeFileSync(file, JSON.stringify(kindOf('Ship', { v1: properties })));
    const args = ['crd', 'preflight', '--kubeconfig', kubeconfig, '-f', file, '-o', 'json'];
    const here = await outputOf(main, args);
    const there = await outputOf(main, [...args, '--server-side']);
    expect([at, plain(here.out), here.code]).toEqual([at, plain(there.out), there.code]);
  }
}

/** The command reports what the server reports. */
export const preflight: Scenario = [
  'a preflight reports for every CRD what a dry run on the server reports',
  async (flow) => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-preflight-'));
    try {
      await setUp(flow);
      await compare(flow, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
];

interface Answers {
  readonly answers: readonly {
    readonly verdict: string;
    readonly refusal?: string;
    readonly warnings: readonly string[];
  }[];
}

/** The server prefixes a refusal with the webhook it comes from; the rest is the checker's. */
function plain(json: string): unknown {
  return (JSON.parse(json) as Answers).answers.map(({ refusal, verdict, warnings }) => ({
    verdict,
    refusal: refusal?.replace(/^admission webhook "[^"]*" denied the request: /, ''),
    warnings,
  }));
}
