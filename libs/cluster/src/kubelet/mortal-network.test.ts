import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { MemoryLink } from '../pod-network/memory-link.js';
import type { ProgramNetwork } from '../pod-network/pod-network.js';
import { mortalNetwork } from './mortal-network.js';

const IP = '10.0.0.1';

function networkOn(link: MemoryLink): ProgramNetwork {
  const listen: ProgramNetwork['listen'] = (port, accept) => link.listen(IP, port, accept);
  return {
    ip: IP,
    listen,
    serve: (port, server) => listen(port, (connection) => void server.emit('connection', connection)),
    dial: (_host, port) => link.dial(IP, port),
  };
}

describe('the network of a run', () => {
  it('gives its ports back when the run ends, to a successor that keeps them', async () => {
    const link = new MemoryLink();
    const [first, second] = [new AbortController(), new AbortController()];
    const old = await mortalNetwork(networkOn(link), first.signal).listen(80, () => undefined);
    first.abort();
    await mortalNetwork(networkOn(link), second.signal).listen(80, () => undefined);
    await old.close();
    await expect(link.dial(IP, 80)).resolves.toBeDefined();
  });

  it('closes its connections when the run ends, also one that was opened meanwhile', async () => {
    const link = new MemoryLink();
    const ending = new AbortController();
    await link.listen(IP, 80, () => undefined);
    const network = mortalNetwork(networkOn(link), ending.signal);
    const open = await network.dial(IP, 80);
    const opening = network.dial(IP, 80);
    ending.abort();
    const late = await opening;
    for (const connection of [open, late]) {
      if (!connection.closed) await once(connection, 'close');
      expect(connection.destroyed).toBe(true);
    }
  });

  it('takes no port after its end', async () => {
    const ending = new AbortController();
    ending.abort();
    const link = new MemoryLink();
    await mortalNetwork(networkOn(link), ending.signal).serve(80, { emit: () => true });
    await expect(link.dial(IP, 80)).rejects.toThrow('connection refused');
  });
});
