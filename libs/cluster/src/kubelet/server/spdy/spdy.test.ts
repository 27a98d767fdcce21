import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { constants, inflateSync } from 'node:zlib';
import { systemClock } from '@capstan/kube';
import { waitUntilSteady } from '@capstan/kube/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpdyConnection } from './connection.js';
import { SPDY_DICTIONARY, SPDY_DICTIONARY_ID } from './dictionary.js';
import {
  controlFrame,
  dataHead,
  FRAME,
  FrameReader,
  numbersFrame,
  type ControlFrame,
  type DataPiece,
} from './frames.js';
import { HeaderReader, HeaderWriter } from './header-blocks.js';
import type { SpdyStream } from './stream.js';
import { duplexPair } from './testing-pair.js';

/** Frames as the Go library of Kubernetes writes them, in this order on one connection. */
const GO_FRAMES = {
  syn1: '80030001000000290000000100000000000078f9e3c6a7c26260606004a7b392a2d4c45c6851c29a0a0a6800000000ffff',
  syn3: '800300010000002f0000000300000000000002a5470c295029930829b08bc079c3c2c0c280818181b30812c199a084cf6800000000ffff',
  syn5: '800300010100001f00000005000000000000821acb5ea19b5b9a5392092e6c199200000000ffff',
  reply1: '800300020000000e000000016260606000000000ffff',
  rst3: '80030003000000080000000300000003',
  ping1: '800300060000000400000001',
  goAway: '80030007000000080000000500000000',
  window: '80030009000000080000000300010000',
  data: '000000030000000568656c6c6f',
  dataFin: '0000000301000000',
  settings: '800300040000000c000000010000000400000064',
  headers: '80030008000000120000000382cab0e440720ba321000000ffff',
};

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function adler32(bytes: Buffer): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

describe('frames', () => {
  it('know the dictionary by its checksum', () => {
    expect(SPDY_DICTIONARY).toHaveLength(1423);
    expect(adler32(SPDY_DICTIONARY)).toBe(SPDY_DICTIONARY_ID);
  });

  it('are written as the Go library writes them', () => {
    expect(numbersFrame(FRAME.rstStream, 3, 3).toString('hex')).toBe(GO_FRAMES.rst3);
    expect(numbersFrame(FRAME.ping, 1).toString('hex')).toBe(GO_FRAMES.ping1);
    expect(numbersFrame(FRAME.goAway, 5, 0).toString('hex')).toBe(GO_FRAMES.goAway);
    expect(`${dataHead(3, 5, false).toString('hex')}68656c6c6f`).toBe(GO_FRAMES.data);
    expect(dataHead(3, 0, true).toString('hex')).toBe(GO_FRAMES.dataFin);
  });

  it('are read the same wherever the chunks end', () => {
    const bytes = hex(Object.values(GO_FRAMES).join(''));
    const expected = summary([...new FrameReader().push(bytes)]);
    expect(expected.controls).toEqual([
      [1, 0, 41],
      [1, 0, 47],
      [1, 1, 31],
      [2, 0, 14],
      [3, 0, 8],
      [6, 0, 4],
      [7, 0, 8],
      [9, 0, 8],
      [4, 0, 12],
      [8, 0, 18],
    ]);
    expect(expected.data).toEqual({ text: 'hello', ends: 1 });
    fc.assert(
      fc.property(fc.array(fc.nat(30)), (cuts) => {
        const reader = new FrameReader();
        const frames: (ControlFrame | DataPiece)[] = [];
        let at = 0;
        for (const cut of cuts) {
          frames.push(...reader.push(bytes.subarray(at, at + cut)));
          at += cut;
        }
        frames.push(...reader.push(bytes.subarray(at)));
        expect(summary(frames)).toEqual(expected);
      }),
    );
  });

  it('of another version or without end are refused', () => {
    expect(() => [...new FrameReader().push(hex('8002000600000004'))]).toThrow('frame of version 2');
    expect(() => [...new FrameReader().push(hex('8003000600ffffff'))]).toThrow('control frame of 16777215 bytes');
  });
});

function summary(frames: readonly (ControlFrame | DataPiece)[]): {
  controls: number[][];
  data: { text: string; ends: number };
} {
  const data = frames.filter((frame) => frame.kind === 'data');
  const controls = frames.filter((frame) => frame.kind === 'control');
  return {
    controls: controls.map(({ type, flags, payload }) => [type, flags, payload.length]),
    data: {
      text: Buffer.concat(data.map(({ bytes }) => bytes)).toString(),
      ends: data.filter(({ isLast }) => isLast).length,
    },
  };
}

describe('header blocks', () => {
  it('of the Go library are read, one after the other', async () => {
    const reader = new HeaderReader();
    expect(await reader.read(hex(GO_FRAMES.syn1).subarray(18))).toEqual({ streamtype: 'error' });
    expect(await reader.read(hex(GO_FRAMES.syn3).subarray(18))).toEqual({
      streamtype: 'data',
      port: '8080',
      requestid: '0',
    });
    expect(await reader.read(hex(GO_FRAMES.syn5).subarray(18))).toEqual({ 'x-multi': 'a, b' });
    expect(await reader.read(hex(GO_FRAMES.reply1).subarray(12))).toEqual({});
    expect(await reader.read(hex(GO_FRAMES.headers).subarray(12))).toEqual({ late: '1' });
    reader.close();
  });

  it('of ours are one zlib stream with the dictionary', () => {
    const writer = new HeaderWriter();
    const stream = Buffer.concat([writer.write({ 'Stream-Type': 'x' }), writer.write({})]);
    const plain = inflateSync(stream, { dictionary: SPDY_DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });
    expect(plain.toString('latin1')).toBe('\0\0\0\x01\0\0\0\x0bstream-type\0\0\0\x01x\0\0\0\0');
  });

  it('survive the way, however long', async () => {
    const reader = new HeaderReader();
    const writer = new HeaderWriter();
    for (const headers of [{ a: 'b' }, {}, { long: 'x'.repeat(200_000), __proto__x: 'ä' }]) {
      expect(await reader.read(writer.write(headers))).toEqual(headers);
    }
    reader.close();
  });

  it('that are cut short or nonsense are refused', async () => {
    const short = new HeaderReader();
    const block = new HeaderWriter().write({ name: 'value' });
    await expect(short.read(block.subarray(0, block.length - 8))).rejects.toThrow('header block ends early');
    await expect(new HeaderReader().read(Buffer.from('nonsense'))).rejects.toThrow('header block cannot be inflated');
  });
});

interface Linked {
  readonly client: SpdyConnection;
  readonly server: SpdyConnection;
  readonly wires: readonly [Duplex, Duplex];
  /** The next stream the server is given. */
  readonly accepted: () => Promise<SpdyStream>;
}

function linked(accepts: (stream: SpdyStream) => boolean = () => true): Linked {
  const wires = duplexPair();
  const waiting: ((stream: SpdyStream) => void)[] = [];
  const early: SpdyStream[] = [];
  const server = new SpdyConnection(wires[1], 'server', (stream) => {
    if (!accepts(stream)) return false;
    const next = waiting.shift();
    if (next === undefined) early.push(stream);
    else next(stream);
    return true;
  });
  const client = new SpdyConnection(wires[0], 'client', () => false);
  const accepted = (): Promise<SpdyStream> => {
    const stream = early.shift();
    return stream === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(stream);
  };
  return { client, server, wires, accepted };
}

async function textOf(stream: SpdyStream): Promise<string> {
  const pieces: Buffer[] = [];
  // Iterating would destroy the other half too.
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(stream, 'end');
  return Buffer.concat(pieces).toString();
}

function gone(stream: SpdyStream): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}

describe('a connection', () => {
  it('carries streams both ways, each closed by halves', async () => {
    const { client, server, accepted } = linked();
    const ours = client.open({ streamtype: 'stdin' });
    const theirs = await accepted();
    expect(theirs.headers).toEqual({ streamtype: 'stdin' });
    ours.end('question');
    expect(await textOf(theirs)).toBe('question');
    theirs.end('answer');
    expect(await textOf(ours)).toBe('answer');
    server.close();
    await Promise.all([client.closed, server.closed]);
  });

  it('waits for a reader that is slow, and loses nothing', async () => {
    const { client, accepted } = linked();
    const ours = client.open({});
    const theirs = await accepted();
    const piece = Buffer.alloc(100_000, 7);
    let written = 0;
    const all = (async () => {
      for (let count = 0; count < 100; count += 1) {
        await new Promise((resolve) => ours.write(piece, resolve));
        written += piece.length;
      }
      ours.end();
    })();
    const limits = { clock: systemClock(), limitMs: 10_000, everyMs: 20 };
    expect(await waitUntilSteady('bytes written', () => written, limits)).toBeLessThan(2_000_000);
    let size = 0;
    theirs.on('data', (chunk: Buffer) => (size += chunk.length));
    await Promise.all([all, once(theirs, 'end')]);
    expect(size).toBe(10_000_000);
  });

  it('refuses the streams nobody wants, and goes on', async () => {
    const { client, accepted } = linked((stream) => stream.headers['ok'] === 'yes');
    const refused = client.open({ ok: 'no' });
    await gone(refused);
    const good = client.open({ ok: 'yes' });
    (await accepted()).end('fine');
    expect(await textOf(good)).toBe('fine');
  });

  it('notifies both ends of a stream that is reset', async () => {
    const { client, accepted } = linked();
    const ours = client.open({});
    const theirs = await accepted();
    ours.destroy();
    await gone(theirs);
    expect(theirs.errored?.message).toBe('the peer reset the stream');
  });

  it('takes its streams with it when it breaks', async () => {
    const { client, wires, accepted } = linked();
    client.open({});
    const theirs = await accepted();
    wires[0].destroy();
    await gone(theirs);
    expect(theirs.errored?.message).toBe('the connection was lost');
  });

  it('answers pings, and reads over what it does not use', async () => {
    const [wire, end] = duplexPair();
    const connection = new SpdyConnection(end, 'server', () => true);
    wire.write(hex(GO_FRAMES.settings + GO_FRAMES.window + GO_FRAMES.ping1));
    const [answer] = (await once(wire, 'data')) as [Buffer];
    expect(answer.toString('hex')).toBe(GO_FRAMES.ping1);
    // A ping with a number of ours would be an answer, and gets none.
    wire.write(numbersFrame(FRAME.ping, 2));
    wire.write(controlFrame(99, 0, Buffer.alloc(0)));
    wire.end();
    await connection.closed;
    expect(wire.readableLength).toBe(0);
  });

  it('is cut at the first nonsense', async () => {
    const { client, server, wires } = linked();
    wires[0].write(Buffer.from('80ff000600000004', 'hex'));
    await Promise.all([client.closed, server.closed]);
  });
});
