import { HttpTransport, silentLogger } from '@capstan/kube';
import { mappingFrom, startProxy } from '@capstan/proxy';
import type { RunningProxy } from '@capstan/proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRDS } from '../translate/scenarios.js';
import { directly } from '../translate/through.js';
import type { Ask } from '../translate/through.js';
import { askOverHttp, Lines, open } from './ask.js';
import type { Opened } from './ask.js';
import type { Behind } from './suite.js';
import { eventually } from '../src/wait.js';

const S = 'crowd.cluster.x-k8s.io';
const P = 'crowd.cluster.hypershift.openshift.io';
const THINGS = `/apis/${S}/v1/namespaces/default/things`;
const WRITES = 12;

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${P}` },
  spec: {
    group: P,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const thing = (name: string, n: number): string =>
  JSON.stringify({ apiVersion: `${S}/v1`, kind: 'Thing', metadata: { name }, n, ref: { apiGroup: S } });

interface Event {
  readonly type: string;
  readonly object: { readonly apiVersion: string; readonly n: number; readonly ref: { readonly apiGroup: string } };
}

/** Many watches at once, each of which must see everything, once, in order. */
export function describeCrowd(name: string, watches: number, start: () => Promise<Behind>): void {
  describe(`${watches} watches through a proxy before ${name}`, () => {
    let behind: Behind | undefined;
    let proxy: RunningProxy | undefined;
    let transport: HttpTransport | undefined;
    let direct: Ask | undefined;

    beforeAll(async () => {
      behind = await start();
      transport = new HttpTransport(behind.connection);
      direct = directly(transport);
      const { connection } = behind;
      proxy = await startProxy({
        listen: { host: '127.0.0.1', port: 0 },
        connection,
        mapping: mappingFrom(),
        logger: silentLogger(),
        drainMs: 0,
      });
      const ask = askOverHttp(proxy.url);
      await ask(CRDS, { method: 'POST', body: definition.replaceAll(P, S) });
      await eventually('it is served', async () => ((await ask(THINGS)).status === 200 ? true : undefined));
    }, 60_000);

    afterAll(async () => {
      await proxy?.close();
      await direct?.(`${CRDS}/things.${P}`, { method: 'DELETE' });
      await transport?.close();
      await behind?.stop();
    });

    it('lose nothing, repeat nothing, change no order, and ordinary requests pass between them', async () => {
      const { url } = proxy as RunningProxy;
      const ask = askOverHttp(url);
      const list = JSON.parse((await ask(THINGS)).text) as { readonly metadata: { readonly resourceVersion: string } };
      const { resourceVersion } = list.metadata;
      const opened: Opened[] = [];
      // A wave at a time: it is about watches that are open at once, not about how many handshakes a machine can do.
      while (opened.length < watches) {
        const wave = Array.from({ length: Math.min(100, watches - opened.length) }, () =>
          open(url, `${THINGS}?watch=1&resourceVersion=${resourceVersion}`),
        );
        opened.push(...(await Promise.all(wave)));
      }
      expect(new Set(opened.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
      const streams = opened.map(({ response }) => new Lines(response));
      for (let n = 0; n < WRITES; n += 1)
        expect((await ask(THINGS, { method: 'POST', body: thing(`t-${n}`, n) })).status).toBe(201);
      const expected = Array.from({ length: WRITES }, (_, n) => `ADDED ${S}/v1 ${n} ${S}`);
      for (const stream of streams) {
        await stream.until((lines, end) => lines.length >= WRITES || end !== undefined);
        const seen = stream.all.map((line) => {
          const { type, object } = JSON.parse(line) as Event;
          return `${type} ${object.apiVersion} ${object.n} ${object.ref.apiGroup}`;
        });
        expect(seen).toEqual(expected);
      }
      for (const { request } of opened) request.destroy();
    }, 120_000);
  });
}
