import type { Duplex } from 'node:stream';
import { loneContainer } from '@capstan/cluster/testing';
import type { ContainerContext } from '@capstan/cluster';
import { expect, it } from 'vitest';
import { main } from '../main.js';
import { capstanProgram } from './capstan-program.js';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** A pod without a cluster: its ports are remembered, and whatever is dialled answers nothing. */
function pod(args: readonly string[]): { context: ContainerContext; ports: Map<number, unknown> } {
  const ports = new Map<number, unknown>();
  const serve = (port: number, server: unknown): Promise<{ close(): Promise<void> }> => {
    ports.set(port, server);
    return Promise.resolve({
      close: () => {
        ports.delete(port);
        return Promise.resolve();
      },
    });
  };
  const refuse = (): Promise<Duplex> => Promise.reject(new TypeError('nobody is there'));
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const network = { ip: '10.1.0.1', listen: () => Promise.reject(new TypeError('unused')), serve, dial: refuse };
  const { context } = loneContainer({ command: ['capstan'], args, env, network });
  for (const [file, text] of Object.entries({ token: 't', 'ca.crt': 'PEM', namespace: 'clusters-a' }))
    context.mounts.write(`${ACCOUNT}/${file}`, text);
  return { context, ports };
}

it('is there once it has taken the ports of its pod, and gives them back', async () => {
  const { context, ports } = pod(['proxy', '--listen=127.0.0.1:8080', '--health-listen=0.0.0.0:8081']);
  const program = await capstanProgram(context, main);
  expect([...ports.keys()]).toEqual([8080, 8081]);
  program.stop();
  expect([await program.exited, [...ports.keys()]]).toEqual([0, []]);
});

it('is over at once when it is killed', async () => {
  const { context, ports } = pod(['proxy', '--listen=127.0.0.1:8080', '--health-listen=-']);
  const program = await capstanProgram(context, main);
  program.kill();
  expect([await program.exited, [...ports.keys()]]).toEqual([137, []]);
});

it('is over once when it is killed while it stops', async () => {
  const { context, ports } = pod(['proxy', '--listen=127.0.0.1:8080', '--health-listen=-']);
  const program = await capstanProgram(context, main);
  program.stop();
  program.kill();
  expect([await program.exited, [...ports.keys()]]).toEqual([137, []]);
});

it('does not let a pod act on the machine beneath', async () => {
  const { context } = pod(['up']);
  const program = await capstanProgram(context, main);
  expect(await program.exited).toEqual({ exitCode: 1, message: 'capstan up does not run in a pod of this cluster' });
});

it('ends like the command when that is wrong', async () => {
  const { context } = pod(['proxy', '--listen=nowhere']);
  const program = await capstanProgram(context, main);
  expect(await program.exited).toBe(2);
});
