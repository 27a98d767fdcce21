import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { completionScript } from './run.js';

/** A tree with what the real one has not yet: commands two deep, quotes and brackets in texts. */
function program(): Command {
  const root = new Command('ship').description('A ship.').helpOption('-h, --help', "it's [help]");
  const crew = root.command('crew').description("Crew: it's [many].");
  crew
    .command('hire')
    .description('Hire.')
    .addOption(new Option('-r, --rank <rank>', 'rank').choices(['mate', 'cook']));
  root
    .command('load')
    .alias('stow')
    .description('Load.')
    .option('--manifest <file>', 'list')
    .option('--weight <tons>', 'weight')
    .option('-n, --namespace <name>', 'namespace');
  root.command('get').description('Get.').command('kubeconfig <name>').description('Get a kubeconfig.');
  return root;
}

function has(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

/** Stands for the program, which a script asks for names: as a function of bash. */
const ASKED = 'ship() { [[ "$1 $3" == "__complete --" ]] && printf "%s\\n" "$2-1" "$2-2"; }';

describe.runIf(has('bash'))('bash completes', () => {
  const script = completionScript(program(), 'bash');

  it.each([
    [
      ['ship', ''],
      ['crew', 'load', 'get', 'help'],
    ],
    [
      ['ship', '-'],
      ['-h', '--help'],
    ],
    [['ship', 'l'], ['load']],
    [
      ['ship', 'crew', ''],
      ['hire', 'help'],
    ],
    [['ship', 'stow', '--w'], ['--weight']],
    [['ship', 'crew', 'hire', '--rank', '=', 'c'], ['cook']],
    [
      ['ship', 'crew', 'hire', '--rank', '='],
      ['mate', 'cook'],
    ],
    [
      ['ship', 'get', 'kubeconfig', ''],
      ['hostedclusters-1', 'hostedclusters-2'],
    ],
    [['ship', 'get', 'kubeconfig', 'hostedclusters-2', ''], []],
    [
      ['ship', 'get', 'kubeconfig', '-'],
      ['-h', '--help'],
    ],
    [
      ['ship', 'load', '-n', ''],
      ['namespaces-1', 'namespaces-2'],
    ],
    [
      ['ship', 'crew', 'hire', '-'],
      ['-r', '--rank', '-h', '--help'],
    ],
    [
      ['ship', 'crew', 'hire', '--rank', ''],
      ['mate', 'cook'],
    ],
    [['ship', 'crew', 'hire', '-r', 'c'], ['cook']],
    [['ship', 'load', '--weight', ''], []],
    [['ship', 'load', '--manifest', '/dev/nul'], ['/dev/null']],
    [['ship', '--other', 'load', '--w'], ['--weight']],
  ])('%j', (words, expected) => {
    const setup = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
    // compopt works only while bash itself completes.
    const text = `compopt() { :; }\n${ASKED}\n${script}\n${setup}\n_ship\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', text], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.split('\n').filter((word) => word !== '')).toEqual(expected);
  });
});

describe.runIf(has('fish'))('fish completes', () => {
  const script = completionScript(program(), 'fish');

  it.each([
    ['ship stow --w', ['--weight']],
    ['ship crew hire --rank ', ['cook', 'mate']],
    ['ship get kubeconfig ', ['hostedclusters-1', 'hostedclusters-2']],
    ['ship load -n ', ['namespaces-1', 'namespaces-2']],
  ])('%j', (line, expected) => {
    const asked =
      'function ship; test "$argv[1] $argv[3]" = "__complete --"; and printf "%s\\n" $argv[2]-1 $argv[2]-2; end';
    const text = `${asked}\n${script}\ncomplete -C '${line}'`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', text], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const words = stdout.split('\n').filter((each) => each !== '');
    expect(words.map((each) => each.split('\t')[0])).toEqual(expected);
  });
});

describe.each(['bash', 'zsh', 'fish', 'powershell'])('capstan completion %s', (shell) => {
  it('prints a script that knows every command and option', async () => {
    const io = new TestIo();
    expect(await main(['completion', shell], io)).toBe(0);
    for (const word of ['apiserver', 'completion', 'version', 'kubeconfig-out', 'no-controllers', 'output']) {
      expect(io.stdout).toContain(word);
    }
    expect(io.stdout).toMatch(/json yaml|'json', 'yaml'/);
  });

  const checks: Record<string, string[]> = {
    bash: ['bash', '-n'],
    zsh: ['zsh', '-n'],
    fish: ['fish', '--no-execute'],
  };
  const [command = '', ...flags] = checks[shell] ?? [];

  it.runIf(command !== '' && has(command))('prints what the shell can read', () => {
    // Of a file: fish does not read what is no pipe.
    const folder = mkdtempSync(join(tmpdir(), 'capstan-completion-'));
    const file = join(folder, 'script');
    writeFileSync(file, completionScript(program(), shell));
    const { status, stderr } = spawnSync(command, [...flags, file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('texts are quoted for', () => {
  it.each([
    ['zsh', "'crew:Crew\\: it'\\''s \\[many\\].'", "'(-h --help)'{-h,--help}'[it'\\''s \\[help\\]]'"],
    ['fish', "-a crew -d 'Crew: it\\'s [many].'", "-s h -l help -d 'it\\'s [help]'"],
    ['powershell', "'ship crew' = @('hire', 'help', '-h', '--help')", "'ship crew hire --rank' = @('mate', 'cook')"],
  ])('%s', (shell, ...lines) => {
    const script = completionScript(program(), shell);
    for (const line of lines) expect(script).toContain(line);
  });
});
