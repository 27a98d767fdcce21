import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/fixture.js';
import { DEFINITIONS_PATH, GROUP, Fixture, widget, widgetsPath } from './testing.js';
import { FAILED_V1, FakeConverter, convertedWidgets, establishedWidgets } from './testing-converter.js';

const APPLY = 'application/apply-patch+yaml';

describe('apply by a conversion webhook', () => {
  it('takes fields from managers of other versions', async () => {
    const { fixture } = await establishedWidgets();
    await fixture.send('PATCH', `${widgetsPath()}/a?fieldManager=one`, widget('a', { address: 'x:1' }), APPLY);
    const conflict = await fixture.send(
      'PATCH',
      `${widgetsPath('v2')}/a?fieldManager=two`,
      widget('a', { host: 'y' }, 'v2'),
      APPLY,
    );
    expect([conflict.status, conflict.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "one": .spec.address',
    ]);
    const target = `${widgetsPath('v2')}/a?fieldManager=two&force=true`;
    const forced = await fixture.send('PATCH', target, widget('a', { host: 'y' }, 'v2'), APPLY);
    expect([forced.status, forced.body.spec]).toEqual([200, { host: 'y', port: '1' }]);
    expect(forced.body.metadata.managedFields?.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
      ['two', `${GROUP}/v2`],
    ]);
  });

  it('fails with the words for where it failed', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', `${widgetsPath('v2')}?fieldManager=one`, widget('a', { host: 'x', port: '1' }, 'v2'));
    converter.fail('out of order');
    const apply = await fixture.send(
      'PATCH',
      `${widgetsPath()}/a?fieldManager=m`,
      widget('a', { address: 'q:1' }),
      APPLY,
    );
    expect([apply.status, apply.body.message]).toEqual([500, `${FAILED_V1}out of order`]);
    // An update goes through, and nobody knows any more who owns what.
    const updated = await fixture.merge(`${widgetsPath()}/a`, { spec: { address: 'q:1' } });
    expect([updated.status, updated.body.metadata.managedFields]).toEqual([200, undefined]);
  });
});

describe('a watch by a conversion webhook', () => {
  interface Seen {
    readonly events: [type: string, object: JsonObject][];
    readonly ended: () => boolean;
    stop(): void;
  }

  async function watching(fixture: Fixture, query = ''): Promise<Seen> {
    const target = `${widgetsPath('v2')}?watch=1${query}`;
    const { body } = await fixture.server.send({ method: 'GET', target, headers: {} });
    if (body.type !== 'watch') expect.unreachable('no watch');
    const events: Seen['events'] = [];
    let isOver = false;
    body.start({
      frame: (frame) => {
        expect(JSON.parse(new TextDecoder().decode(frame.bytes()))).toEqual({
          type: frame.type,
          object: frame.object(),
        });
        events.push([frame.type, frame.object() as JsonObject]);
      },
      end: () => {
        isOver = true;
      },
    });
    return { events, ended: () => isOver, stop: () => body.stop() };
  }

  const hosts = ({ events }: Seen): unknown[] =>
    events.map(([type, object]) => [type, (object['spec'] as JsonObject | undefined)?.['host']]);
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };

  it('shows events in order, each converted once for all', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    const watches = await Promise.all(Array.from({ length: 50 }, () => watching(fixture)));
    await settled();
    converter.reviews.length = 0;
    const answer = converter.hold();
    await fixture.merge(`${widgetsPath()}/a`, { spec: { address: 'y:1' } });
    await settled();
    await fixture.merge(`${widgetsPath()}/a`, { spec: { address: 'z:1' } });
    await fixture.send('DELETE', `${widgetsPath()}/a`);
    answer();
    await settled();
    for (const watch of watches)
      expect(hosts(watch)).toEqual([
        ['ADDED', 'x'],
        ['MODIFIED', 'y'],
        ['MODIFIED', 'z'],
        ['DELETED', 'z'],
      ]);
    expect(converter.reviews.map(({ request }) => request.objects.length)).toEqual([1, 2]);
  });

  it('waits for a webhook that fails, and loses nothing', async () => {
    const clock = new ManualClock();
    const converter = new FakeConverter();
    const fixture = new Fixture({ webhooks: converter, clock });
    await fixture.send('POST', DEFINITIONS_PATH, convertedWidgets());
    const watch = await watching(
      fixture,
      '&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    );
    await settled();
    converter.fail('out of order');
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    await fixture.send('POST', widgetsPath(), widget('b', { address: 'y:1' }));
    await settled();
    clock.advance(100);
    await settled();
    expect([hosts(watch), watch.ended(), converter.reviews.length]).toEqual([[['BOOKMARK', undefined]], false, 2]);
    converter.lie = undefined;
    clock.advance(200);
    await settled();
    expect(hosts(watch).slice(1)).toEqual([
      ['ADDED', 'x'],
      ['ADDED', 'y'],
    ]);
    watch.stop();
  });

  it('ends with the error when it cannot show what is there', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a'));
    converter.fail('out of order');
    const watch = await watching(fixture);
    await settled();
    expect(watch.events).toEqual([
      ['ERROR', expect.objectContaining({ kind: 'Status', code: 500, message: `${FAILED_V1}out of order` })],
    ]);
    expect(watch.ended()).toBe(true);
  });

  it('selects by the converted object', async () => {
    const { fixture } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    const watch = await watching(fixture, '&fieldSelector=spec.host%3Dy');
    await settled();
    for (const address of ['y:1', 'y:2', 'x:2']) {
      await fixture.merge(`${widgetsPath()}/a`, { spec: { address } });
      await settled();
    }
    await fixture.send('DELETE', `${widgetsPath()}/a`);
    await settled();
    expect(hosts(watch)).toEqual([
      ['ADDED', 'y'],
      ['MODIFIED', 'y'],
      ['DELETED', 'y'],
    ]);
    const left = watch.events[2]?.[1] as { metadata: JsonObject };
    const before = watch.events[1]?.[1] as { metadata: JsonObject };
    expect(Number(left.metadata['resourceVersion'])).toBeGreaterThan(Number(before.metadata['resourceVersion']));
  });

  it('ends when the CRD changes under it', async () => {
    const { fixture } = await establishedWidgets();
    const watch = await watching(fixture);
    const clientConfig = { url: 'https://elsewhere.example/' };
    await fixture.merge(`${DEFINITIONS_PATH}/widgets.${GROUP}`, {
      spec: { conversion: { webhook: { clientConfig } } },
    });
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    await settled();
    expect([watch.events, watch.ended()]).toEqual([[], true]);
  });
});
