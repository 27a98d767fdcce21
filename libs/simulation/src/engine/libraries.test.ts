import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Loading is slow here: it takes longer than all that happens in the simulation. */
const SLOW = `
export async function resolve(specifier, context, next) {
  if (specifier === 'yaml') await new Promise((done) => setTimeout(done, 500));
  return next(specifier, context);
}`;

/** Reads YAML as the first of its process to do so. */
const FIRST_READER = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(SLOW)}));
const { readYamlDocuments, untrustedConnection } = await import('@capstan/kube');
const { Simulation } = await import('@capstan/simulation');
const simulation = new Simulation({ seed: 1 });
simulation.spawn({
  name: 'clock',
  start: async ({ clock }) => {
    const tick = () => clock.after(1, tick);
    tick();
  },
});
const server = 'https://example.com';
const kubeconfig = 'clusters: [{ name: a, cluster: { server: ' + JSON.stringify(server) + ' } }]\\n' +
  'contexts: [{ name: a, context: { cluster: a } }]\\ncurrent-context: a\\n';
simulation.spawn({
  name: 'reader',
  start: async ({ clock }) => {
    const before = clock.monotonic();
    const [{ a }] = await readYamlDocuments('a: 1', 'first');
    const connection = await untrustedConnection(kubeconfig, { origin: 'text' });
    console.log(a, connection.server, clock.monotonic() - before);
  },
});
await simulation.runUntil(1_000);
simulation.end();
`;

// In a process of its own: another test may have read YAML in this one before.
it('takes no virtual time to load what a controller loads when it first needs it', { timeout: 60_000 }, async () => {
  const args = ['--input-type=module', '--eval', FIRST_READER];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(stdout).toBe('1 https://example.com 0\n');
});
