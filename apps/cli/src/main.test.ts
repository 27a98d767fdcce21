import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clientVersion } from './client-version.js';
import { main } from './main.js';
import { createProgram } from './program.js';
import { TestIo } from './testing-io.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A server that answers everything with this. */
async function answering(text: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(argv, io);
  return { code, out: io.stdout, err: io.stderr };
}

function kubeconfig(server: string): string {
  const file = join(folder, `${server.replaceAll(/\W/g, '-')}.yaml`);
  const clusters = `clusters: [{name: a, cluster: {server: '${server}'}}]`;
  writeFileSync(file, `${clusters}\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n`);
  return file;
}

const FLAGS: Readonly<Record<string, string>> = {
  '--host': '--host <address>',
  '--data': '--data <directory>',
  '--kubeconfig-out': '--kubeconfig-out <file>',
  '--token': '--token <token>',
};

describe('the command line', () => {
  it.each(['--version', '-V'])('%s prints the version alone', async (flag) => {
    expect(await run(flag)).toEqual({ code: 0, out: `${clientVersion()}\n`, err: '' });
  });

  it('without arguments prints help, as with --help', async () => {
    const bare = await run();
    expect(bare.code).toBe(0);
    expect(bare.out).toMatch(/^Usage: capstan \[options\] \[command\]\n/);
    expect(await run('--help')).toEqual(bare);
  });

  it('prints the help of a command below another by help, too', async () => {
    const asked = await run('help', 'get', 'versions');
    expect(asked.out).toMatch(/^Usage: capstan get versions /);
    expect(asked).toEqual(await run('get', 'versions', '--help'));
  });

  it('marks required options in the help', async () => {
    const { out } = await run('dump', 'cluster', '--help');
    expect(out).toMatch(/--artifact-dir <folder> +folder to write to \(required\)\n/);
    expect(out).toMatch(/--archive +also pack the folder into FOLDER.tar.gz\n/);
  });

  it('lists every command in a group, as kubectl does', () => {
    const program = createProgram({ io: new TestIo(), exitCode: 0, command: main });
    const visible = program.commands.filter((command) => !command.name().startsWith('__'));
    for (const line of program.helpInformation().split('\n')) expect(line.length).toBeLessThan(130);
    expect(visible.filter((command) => command.helpGroup() === '').map((command) => command.name())).toEqual([]);
    expect([...new Set(visible.map((command) => command.helpGroup()))]).toEqual([
      'Basic Commands:',
      'Hosted Cluster Commands:',
      'CRD and Machine Commands:',
      'Installation Commands:',
      'Operator and Server Commands:',
    ]);
  });

  it('has examples in the help of every command', () => {
    const program = createProgram({ io: new TestIo(), exitCode: 0, command: main });
    const commands = program.commands.filter((command) => !command.name().startsWith('__'));
    expect(commands.map((command) => command.name()).toSorted()).toEqual([
      'apiserver',
      'capi-operator',
      'completion',
      'control-plane-operator',
      'conversion-shim',
      'convert',
      'crd-compatibility',
      'crds',
      'create',
      'destroy',
      'dump',
      'get',
      'hosted-cluster-config-operator',
      'install',
      'machine-api',
      'manifests',
      'migration',
      'observability',
      'operator',
      'proxy',
      'uninstall',
      'up',
      'version',
    ]);
    for (const command of [program, ...commands]) {
      let text = '';
      command.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp();
      expect(text).toMatch(/\nExamples:\n {2}\S/);
      expect(command.description()).toMatch(/\.$/);
    }
  });

  it.each([
    [['frob'], "error: unknown command 'frob'\nSee 'capstan --help' for usage.\n"],
    ...[
      ['frob', '--help'],
      ['frob', '-n', 'x', '-h'],
      ['help', 'frob'],
    ].map((argv): [string[], string] => [argv, "error: unknown command 'frob'\nSee 'capstan --help' for usage.\n"]),
    [
      ['get', 'kubeconfg', '--help'],
      "error: unknown command 'kubeconfg'\n(Did you mean kubeconfig?)\nSee 'capstan get --help' for usage.\n",
    ],
    [['versions'], "error: unknown command 'versions'\n'capstan versions' is 'capstan get versions'.\n"],
    [
      ['hosted-cluster-config-operator'],
      "error: required options '-n, --namespace <name>' and '--target-kubeconfig <file>' not specified\nSee 'capstan hosted-cluster-config-operator --help' for usage.\n",
    ],
    [['aipserver'], "error: unknown command 'aipserver'\n(Did you mean apiserver?)\nSee 'capstan --help' for usage.\n"],
    [['version', '--frob'], "error: unknown option '--frob'\nSee 'capstan version --help' for usage.\n"],
    [
      ['version', 'x'],
      "error: too many arguments for 'version'. Expected 0 arguments but got 1.\nSee 'capstan version --help' for usage.\n",
    ],
    [
      ['version', '-o', 'xml'],
      "error: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are json, yaml.\nSee 'capstan version --help' for usage.\n",
    ],
    [
      ['apiserver', '--port', '65536'],
      "error: option '--port <number>' argument '65536' is invalid. It must be a whole number from 0 to 65535.\nSee 'capstan apiserver --help' for usage.\n",
    ],
    ...['--host', '--data', '--kubeconfig-out', '--token'].map((flag): [string[], string] => [
      ['apiserver', flag, ' '],
      `error: option '${FLAGS[flag]}' argument ' ' is invalid. It may not be empty.\nSee 'capstan apiserver --help' for usage.\n`,
    ]),
    [
      ['apiserver', '--prot', '1'],
      "error: unknown option '--prot'\n(Did you mean --port?)\nSee 'capstan apiserver --help' for usage.\n",
    ],
    [
      ['apiserver', '--history-min-age', '5'],
      "error: option '--history-min-age <duration>' argument '5' is invalid. It must be a duration such as 500ms, 75s or 1h30m.\nSee 'capstan apiserver --help' for usage.\n",
    ],
    [
      ['completion', 'tcsh'],
      "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish, powershell.\nSee 'capstan completion --help' for usage.\n",
    ],
  ])('%j is a usage error: exit code 2, a message and a hint', async (argv, err) => {
    expect(await run(...argv)).toEqual({ code: 2, out: '', err });
  });
});

describe('capstan version', () => {
  const client = {
    version: `v${clientVersion()}`,
    node: process.version,
    platform: `${process.platform}/${process.arch}`,
  };

  it('without a kubeconfig prints the client alone', async () => {
    expect(await run('version')).toEqual({ code: 0, out: `Client Version: ${client.version}\n`, err: '' });
  });

  it('prints JSON and YAML', async () => {
    expect(JSON.parse((await run('version', '--client', '-o', 'json')).out)).toEqual({ clientVersion: client });
    const yaml = `clientVersion:\n  version: ${client.version}\n  node: ${client.node}\n  platform: ${client.platform}\n`;
    expect((await run('version', '--client', '-o', 'yaml')).out).toBe(yaml);
  });

  it('asks the server of the kubeconfig', async () => {
    const server = await answering('{"gitVersion":"v1.33.0"}');
    const file = kubeconfig(server.url);
    expect((await run('version', '--kubeconfig', file)).out).toBe(
      `Client Version: ${client.version}\nServer Version: v1.33.0\n`,
    );
    const { out } = await run('version', '--kubeconfig', file, '-o', 'json');
    expect(JSON.parse(out)).toEqual({ clientVersion: client, serverVersion: { gitVersion: 'v1.33.0' } });
    expect((await run('version', '--client', '--kubeconfig', file)).out).toBe(`Client Version: ${client.version}\n`);
    server.close();
  });

  it('prints the client and fails when the server is no API server', async () => {
    const server = await answering('{"hello":1}');
    const { url } = server;
    expect(await run('version', '--kubeconfig', kubeconfig(url))).toEqual({
      code: 1,
      out: `Client Version: ${client.version}\n`,
      err: `error: ${url} does not answer like a Kubernetes API server\ncheck the server address in the kubeconfig\n`,
    });
    server.close();
  });

  it('prints the client and fails when the server does not answer', async () => {
    expect(await run('version', '--kubeconfig', kubeconfig('http://127.0.0.1:1'))).toEqual({
      code: 1,
      out: `Client Version: ${client.version}\n`,
      err: 'error: connect ECONNREFUSED 127.0.0.1:1\ncheck that the server runs and that the kubeconfig names its address\n',
    });
  });

  it('shows where an error comes from only when CAPSTAN_DEBUG is set', async () => {
    const io = new TestIo({ env: { CAPSTAN_DEBUG: '1' } });
    expect(await main(['version', '--kubeconfig', '/nonexistent/file'], io)).toBe(1);
    expect(io.stderr).toMatch(
      /^error: \/nonexistent\/file: no such file\nchoose a configuration [^\n]*\nConfigError: [^\n]*\n +at /,
    );
    const quiet = await run('version', '--kubeconfig', '/nonexistent/file');
    expect(quiet.err.split('\n')).toHaveLength(3);
  });
});
