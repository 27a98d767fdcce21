import { describe, expect, it } from 'vitest';
import { cutAt, MAPPING } from '../testing/exchange.js';
import { fieldsOf } from '../surfaces/fields.js';
import { customObject } from '../surfaces/objects.js';
import { responseShape } from '../surfaces/responses.js';
import { HOLD_LIMIT } from './output.js';
import { JsonRewriter } from './rewriter.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const fields = fieldsOf(MAPPING);
const surface = customObject(fields, 'machines');
const listShape = responseShape(fields, surface, { isList: true, isWatch: false, isTable: false });
const watchShape = responseShape(fields, surface, { isList: false, isWatch: true, isTable: false });

const machine = (group: string, index: number): string =>
  `{"apiVersion":"${group}/v1beta2","kind":"Machine","metadata":{"labels":{"${S}/x":"${P}"},"name":"m${index}","note":"${'é\\"'.repeat(index % 50)}","ownerReferences":[{"apiVersion":"${group}/v1"}]},"spec":{"ref":{"apiGroup":"infrastructure.${group}"}}}`;
const list = (group: string, count: number): Buffer =>
  Buffer.from(
    `{"apiVersion":"${group}/v1beta2","items":[${Array.from({ length: count }, (_, index) => machine(group, index)).join()}],"kind":"MachineList"}`,
  );

function chunksOf(bytes: Buffer, size: number): Uint8Array[] {
  return cutAt(
    bytes,
    Array.from({ length: Math.ceil(bytes.length / size) - 1 }, (_, index) => (index + 1) * size),
  );
}

describe('what is larger than anything held', () => {
  const given = list(P, 3000);
  const expected = list(S, 3000);

  it.each([977, 4096, 65_535, 65_536, 65_537, 81_919, 81_920, 81_921, 10_000_000])(
    'a list in chunks of %i bytes',
    (size) => {
      const rewriter = new JsonRewriter(listShape);
      const out = Buffer.concat([...chunksOf(given, size).flatMap((chunk) => rewriter.push(chunk)), ...rewriter.end()]);
      expect(out.equals(expected)).toBe(true);
      expect(rewriter.peak).toBeLessThanOrEqual(2048);
    },
  );

  it('28: an event of 16 MiB', () => {
    const event = (group: string): Buffer =>
      Buffer.from(
        `{"type":"ADDED","object":{"apiVersion":"${group}/v1","data":"${'x'.repeat(16 * 1024 * 1024)}","spec":{"apiGroup":"${group}"}}}\n`,
      );
    const rewriter = new JsonRewriter(watchShape);
    let largest = 0;
    let sent = 0;
    let size = 0;
    for (const chunk of chunksOf(event(P), 65_536)) {
      sent += chunk.length;
      for (const part of rewriter.push(chunk)) size += part.length;
      largest = Math.max(largest, sent - size);
    }
    expect(size).toBe(event(S).length);
    expect(largest).toBeLessThanOrEqual(HOLD_LIMIT);
    expect(rewriter.end()).toEqual([]);
  });

  it('keeps nothing of a chunk that may be written over', () => {
    const rewriter = new JsonRewriter(listShape);
    const reused = Buffer.alloc(1000);
    const out: Buffer[] = [];
    for (const chunk of chunksOf(given, 1000)) {
      reused.set(chunk);
      for (const part of rewriter.push(reused.subarray(0, chunk.length))) out.push(Buffer.from(part));
    }
    expect(Buffer.concat([...out, ...rewriter.end()]).equals(expected)).toBe(true);
  });
});
