import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'vitest';
import { builtBin } from '../durability/server-process.js';
import { expectAudited, inFolder, runScenario } from './audit-scenario.js';
import { findKubectls } from './binaries.js';

const [kubectl] = findKubectls();

/** Runs our program with its log on for as long as the work takes, and lets it end in peace. */
async function audited(log: string, kubeconfig: string, work: () => Promise<void>): Promise<void> {
  const bin = builtBin(import.meta.url, '../../');
  const args = [bin, 'apiserver', '--audit-log-path', log, '--kubeconfig-out', kubeconfig];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    await once(createInterface({ input: child.stdout }), 'line');
    await work();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

it.skipIf(kubectl === undefined)(
  'the audit log of a scenario run with kubectl has all of it',
  { timeout: 60_000 },
  () =>
    inFolder(async (folder) => {
      if (kubectl === undefined) throw new Error('no kubectl');
      const [log, kubeconfig] = [join(folder, 'audit.log'), join(folder, 'kubeconfig')];
      const cluster = { kubeconfig, log, me: 'capstan-admin', namespace: 'audited' };
      await audited(log, kubeconfig, () => runScenario(kubectl, cluster));
      expectAudited(cluster);
    }),
);
