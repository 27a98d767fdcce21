import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { hostingPlatforms } from '../platforms.js';
import { TestIo } from '../testing-io.js';
import { createArguments } from './testing-platforms.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-create-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pull = file('pull.json', '{"auths":{"quay.io":{"auth":"c2VjcmV0"}}}');
const COMMON = [
  '--name=example',
  '--base-domain=fleet.example.com',
  '--infra-id=example-x7k2p',
  '--release-image=quay.io/openshift-release-dev/ocp-release:4.22.0-multi',
  `--pull-secret=${pull}`,
];

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(argv, io);
  return { code, out: io.stdout, err: io.stderr };
}

/** The example of a command's help, with values where it has words in capitals or the name of a file. */
async function exampleOf(command: readonly string[], values: readonly string[]): Promise<string[]> {
  const { out } = await run(...command, '--help');
  const words = (/Examples:\n.*\n {2}capstan (.*)/.exec(out)?.[1] ?? '').split(' ');
  const given = values.flatMap((each) => each.split(/=(.*)/s, 2));
  return words.map((word, at) =>
    /^[A-Z]+$|\.json$/.test(word) ? (given[given.indexOf(words[at - 1] ?? '') + 1] ?? word) : word,
  );
}

const platforms = [...(await hostingPlatforms())];

describe.each(platforms.map((platform) => [platform.key, platform] as const))('create … %s', (key, platform) => {
  it('renders a cluster and a pool', async () => {
    const { cluster, pool } = await createArguments(platform, folder);
    const made = await run('create', 'cluster', key, ...COMMON, ...cluster, '--render');
    expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: '' });
    const release = ['--release-image', 'quay.io/openshift-release-dev/ocp-release:4.22.1-multi'];
    const names = ['--cluster-name', 'example', '--name', 'more', '--infra-id', 'example-x7k2p'];
    const more = await run('create', 'nodepool', key, ...names, ...release, ...pool, '--render', '--replicas', '3');
    expect({ code: more.code, err: more.err }).toEqual({ code: 0, err: '' });
    await expect(`${made.out}${more.out}`).toMatchFileSnapshot(`golden/${key}.txt`);
  });

  it('shows examples that need no other flag', async () => {
    const { cluster, pool } = await createArguments(platform, folder);
    const whole = await exampleOf(['create', 'cluster', key], [...COMMON, ...cluster]);
    expect(await run(...whole)).toMatchObject({ code: 0, err: '' });
    const named = [
      '--release-image=quay.io/openshift-release-dev/ocp-release:4.22.1-multi',
      '--infra-id=example-x7k2p',
    ];
    const more = await exampleOf(['create', 'nodepool', key], pool);
    expect(await run(...more, ...named, '--render')).toMatchObject({ code: 0, err: '' });
  });
});

describe('create cluster', () => {
  const none = ['create', 'cluster', 'none', ...COMMON];

  it('renders Secrets only when asked to', async () => {
    const kinds = ({ out }: { out: string }): string[] =>
      [...out.matchAll(/^kind: (.*)$/gm)].map(([, kind = '']) => kind);
    expect(kinds(await run(...none, '--render'))).toEqual(['Namespace', 'HostedCluster', 'NodePool']);
    const ssh = ['--ssh-key', file('id.pub', 'ssh-ed25519 AAAA')];
    const whole = await run(...none, '--render', '--render-sensitive', ...ssh);
    expect(kinds(whole)).toEqual(['Namespace', 'Secret', 'Secret', 'Secret', 'HostedCluster', 'NodePool']);
    expect(whole.out).toContain('id_rsa.pub: c3NoLWVkMjU1MTkgQUFBQQ==');
  });

  it('renders into a file that only its owner reads', async () => {
    const into = join(folder, 'out.yaml');
    expect(await run(...none, '--render-into', into, '--no-node-pool', '-o', 'name')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(readFileSync(into, 'utf8')).toBe('namespace/clusters\nhostedcluster.hypershift.openshift.io/example\n');
  });

  it('gives each cluster an infrastructure of its own', async () => {
    const argv = none.filter((each) => !each.startsWith('--infra-id'));
    const infra = ({ out }: { out: string }): string => /^ {2}infraID: (.*)$/m.exec(out)?.[1] ?? '';
    const [first, second] = [infra(await run(...argv, '--render')), infra(await run(...argv, '--render'))];
    expect(first).toMatch(/^example-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(second).not.toBe(first);
  });

  it.each<[string, readonly string[], number, string]>([
    ['a platform that is not there', ['create', 'cluster', 'moon'], 2, 'error: moon is no platform'],
    ['it with options', ['create', 'nodepool', 'moon', '--name', 'a'], 2, 'choose one of '],
    ['no platform', ['create', 'cluster'], 2, 'Usage: capstan create cluster [options] [command]'],
    ['options alone', ['create', 'cluster', '--name', 'a'], 2, 'Usage: capstan create cluster [options] [command]'],
    [
      'a name that is none',
      [...none, '--name', 'A_b', '--render'],
      2,
      "option '--name <name>' argument 'A_b' is invalid.",
    ],
    [
      'no pull secret',
      [...none, '--pull-secret', file('empty.json', '{}'), '--render'],
      2,
      'empty.json is no pull secret\ngive JSON with "auths", as registries hand it out, with --pull-secret',
    ],
    [
      'a file that is not there',
      [...none, '--pull-secret', '/nonexistent/pull', '--render'],
      1,
      'error: cannot use /nonexistent/pull as pull secret: there is no place for it\nname a file that can be read with --pull-secret',
    ],
    [
      '--wait with --render',
      [...none, '--wait', '--render'],
      2,
      'error: --render creates nothing\nleave out --wait and --dry-run',
    ],
    [
      'an architecture without machines',
      [...none, '--arch', 's390x'],
      2,
      "argument 's390x' is invalid. Allowed choices are amd64, arm64.",
    ],
    [
      'what a platform lacks',
      ['create', 'cluster', 'agent', ...COMMON, '--render'],
      2,
      'error: --agent-namespace: say in which namespace the hosts of the platform are\nnothing was created: change what the message names and try again',
    ],
    ['no cluster to create in', none, 1, 'choose a configuration with --kubeconfig'],
  ])('refuses %s', async (_, argv, code, message) => {
    const ran = await run(...argv);
    expect({ code: ran.code, out: ran.out }).toEqual({ code, out: '' });
    expect(ran.err).toContain(message);
  });
});

describe('create nodepool', () => {
  it('without a cluster needs a release image', async () => {
    expect(await run('create', 'nodepool', 'none', '--cluster-name', 'a', '--name', 'b', '--render')).toEqual({
      code: 2,
      out: '',
      err: 'error: --render asks no cluster\nset the release of the nodes with --release-image\n',
    });
  });
});
