import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import type { Body } from '@capstan/translate';
import { describe, expect, it, vi } from 'vitest';
import type { Reply } from './client.js';
import { Relay } from './relay.js';

const STANDARD = '{"kind":"Machine","apiVersion":"cluster.x-k8s.io/v1beta2"}';
const PRIVATE = '{"kind":"Machine","apiVersion":"cluster.hypershift.openshift.io/v1beta2"}';
const WHOLE_BYTES = 64 * 1024;
const OTHER = '{"kind":"ConfigMap","apiVersion":"v1"}';

/** Keeps what it is given, as a network does that is slow. */
class KeptReply implements Reply {
  listener: undefined;
  hasBegun = false;
  isSent = false;
  isGone = false;
  isFlushed = false;
  isWaiting = false;
  length: number | undefined;
  pieces: Uint8Array[] = [];

  goOn(): void {}
  interim(): void {}
  flush(): void {}
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
  }

  begin({ length }: { readonly length?: number | undefined }): void {
    this.length = length;
  }

  write(piece: Uint8Array): boolean {
    this.pieces.push(piece);
    return true;
  }

  end(piece?: Uint8Array): void {
    if (piece !== undefined) this.pieces.push(piece);
  }

  get text(): string {
    return Buffer.concat(this.pieces).toString();
  }
}

function jsonBody(): Body {
  const translator = translate(new GroupMapping(CLUSTER_API_RULES));
  const request = translator.request({ method: 'GET', target: '/api/v1/pods/x', headers: {} });
  if ('refuse' in request) throw new TypeError('refused');
  return request.changes(200, { 'content-type': 'application/json' }).body;
}

describe('A short body', () => {
  it.each<[name: string, body: () => Body, sent: string, received: string]>([
    ['that passes', () => 'pass', PRIVATE, PRIVATE],
    ['in which nothing is changed', jsonBody, OTHER, OTHER],
    ['in which a name is changed', jsonBody, PRIVATE, STANDARD],
  ])('%s is not what the next read brings, whole or in pieces', (_name, body, sent, received) => {
    for (let cut = 0; cut < sent.length; cut += 1) {
      const reply = new KeptReply();
      const source = { pause: () => {}, resume: () => {}, broke: (error: unknown) => expect(error).toBeUndefined() };
      const head = {
        status: 200,
        headers: [],
        body: body(),
        sentBytes: sent.length,
        isBodiless: false,
        isCompressed: false,
        isWatch: false,
      };
      const relay = new Relay(reply, source, head);
      const buffer = Buffer.alloc(200);
      for (const piece of [sent.slice(0, cut), sent.slice(cut)].filter((text) => text !== '')) {
        relay.data(buffer.subarray(0, buffer.write(piece)));
        relay.flush(false);
      }
      relay.end(undefined);
      buffer.fill('x');
      expect([reply.text, reply.length]).toEqual([received, received.length]);
    }
  });
});

/** What a client has received of a watch after each read; reads that end with `…` are a part of one write. */
function sentAfter(reads: readonly string[]): string[] {
  const reply = new KeptReply();
  const source = { pause: () => {}, resume: () => {}, broke: (error: unknown) => expect(error).toBeUndefined() };
  const relay = new Relay(reply, source, {
    status: 200,
    headers: [],
    body: 'pass',
    sentBytes: undefined,
    isBodiless: false,
    isCompressed: false,
    isWatch: true,
  });
  const sent = reads.map((read) => {
    relay.data(Buffer.from(read.replace('…', '')));
    relay.flush(read.endsWith('…'));
    const { text } = reply;
    reply.pieces = [];
    return text;
  });
  relay.end(undefined);
  return [...sent, reply.text];
}

describe('A watch', () => {
  it('passes on an event once all is there that the server wrote with it', () => {
    expect(sentAfter(['on…', 'e…', ' event\n', 'two', ' thr…', 'ee', 'cut…'])).toEqual([
      '',
      '',
      'one event\n',
      'two',
      '',
      ' three',
      '',
      'cut',
    ]);
  });

  it('holds no event back for the beginning of the next', () => {
    expect(sentAfter(['one\ntw…', 'o\n'])).toEqual(['one\ntw', 'o\n', '']);
  });

  it('holds no more of an event than others hold of a body', () => {
    const [first = '', second, third] = sentAfter([`${'x'.repeat(WHOLE_BYTES)}…`, 'y…', 'z\n']);
    expect([first.length, second, third]).toEqual([WHOLE_BYTES, '', 'yz\n']);
  });
});

/** Held whole until its end, as protobuf is. */
function heldBody(): Body {
  const chunks: Uint8Array[] = [];
  return {
    get peak(): number {
      return chunks.reduce((size, chunk) => size + chunk.length, 0);
    },
    push: (chunk) => {
      chunks.push(Buffer.from(chunk));
      return [];
    },
    end: () => chunks,
  };
}

describe('An answer that is kept for a client which does not take it', () => {
  const MIB = 1024 * 1024;
  const source = { pause: () => {}, resume: () => {}, broke: () => {} };

  it.each<[name: string, body: () => Body, cutAfterMs: number]>([
    ['is given up after a minute and a second per MiB', heldBody, 63_000],
    ['is not while it is held by the server', () => 'pass', Infinity],
  ])('%s', (_name, body, cutAfterMs) => {
    vi.useFakeTimers();
    try {
      const reply = new KeptReply();
      const head = { status: 200, headers: [], sentBytes: undefined, isBodiless: false, isCompressed: false };
      const relay = new Relay(reply, source, { ...head, body: body(), isWatch: false });
      relay.data(Buffer.alloc(3 * MIB));
      relay.end(undefined);
      vi.advanceTimersByTime(62_000);
      expect(reply.isDestroyed).toBe(false);
      vi.advanceTimersByTime(3_600_000);
      expect(reply.isDestroyed).toBe(cutAfterMs < Infinity);
    } finally {
      vi.useRealTimers();
    }
  });
});
