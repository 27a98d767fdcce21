import { Client } from '@capstan/kube';
import type { ApiResponse, Clock, Transport } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ApiServers, urlsOf } from './api-servers.js';
import { Probe, probeAnswer } from './probe.js';

function answer(value: unknown, warning: readonly string[] = []): ApiResponse {
  return { status: 200, headers: { warning }, body: { type: 'payload', chunks: () => [], value: () => value } };
}

/** An API server that uses a content of the configuration `c`; undefined: it cannot be reached. */
class Server implements Transport {
  asked = 0;
  uses: string | undefined;

  constructor(uses: string | undefined) {
    this.uses = uses;
  }

  async send(): Promise<ApiResponse> {
    this.asked += 1;
    if (this.uses === undefined) throw new TypeError('no way there');
    return answer({ metadata: {} }, [`299 - "${probeAnswer(`/probe/c/${this.uses}`)}"`]);
  }
}

const slice = (addresses: readonly string[]): object => ({
  metadata: {},
  endpoints: addresses.map((address) => ({ addresses: [address] })),
  ports: [{ name: 'https', port: 6443 }],
});

/** Some servers, and whichever of them answers. */
function fixture(
  servers: Readonly<Record<string, Server>>,
  main: Server,
): { probe: Probe; pass: (ms: number) => void } {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now } as Clock;
  const list: Transport = { send: async () => answer({ metadata: {}, items: [slice(Object.keys(servers))] }) };
  const connect = (url: string): Transport => servers[new URL(url).hostname] as Server;
  const found = new ApiServers({ client: new Client(list), clock, main, connect });
  return { probe: new Probe(found, clock), pass: (ms) => (now += ms) };
}

const wanted = { name: 'c', hash: 'new' };

describe('a configuration is in use', () => {
  it('when every server uses it, and is not asked after again', async () => {
    const [a, b, main] = [new Server('new'), new Server('old'), new Server('new')];
    const { probe } = fixture({ '10.0.0.1': a, '10.0.0.2': b }, main);
    expect(await probe.ask(wanted)).toBe(false);
    b.uses = 'new';
    expect(await probe.ask(wanted)).toBe(true);
    expect(await probe.ask(wanted)).toBe(true);
    expect([a.asked, b.asked, main.asked]).toEqual([1, 2, 1]);
    probe.forget('c');
    expect(probe.isUsed(wanted)).toBe(false);
  });

  it('where one that was never reached by itself is not waited for, but tried again later', async () => {
    const [a, b] = [new Server('new'), new Server(undefined)];
    const { pass, probe } = fixture({ '10.0.0.1': a, '10.0.0.2': b }, new Server('new'));
    expect(await probe.ask(wanted)).toBe(true);
    b.uses = 'old';
    pass(300_000);
    expect(await probe.ask(wanted)).toBe(false);
  });

  it('and one that was reached before must answer', async () => {
    const [a, b] = [new Server('new'), new Server('old')];
    const { probe } = fixture({ '10.0.0.1': a, '10.0.0.2': b }, new Server('new'));
    expect(await probe.ask(wanted)).toBe(false);
    b.uses = undefined;
    await expect(probe.ask(wanted)).rejects.toThrow('no way there');
  });

  it('as the only server answers, which is reached by the main transport', async () => {
    const [a, main] = [new Server('old'), new Server('new')];
    const { probe } = fixture({ '10.0.0.1': a }, main);
    expect(await probe.ask(wanted)).toBe(true);
    expect([a.asked, main.asked]).toEqual([0, 1]);
  });
});

it('servers are found by what they say of themselves', () => {
  const slices = [slice(['10.0.0.2', '10.0.0.1']), slice(['fd00::1', '10.0.0.1'])] as Parameters<typeof urlsOf>[0];
  expect(urlsOf(slices)).toEqual(['https://10.0.0.1:6443', 'https://10.0.0.2:6443', 'https://[fd00::1]:6443']);
});
