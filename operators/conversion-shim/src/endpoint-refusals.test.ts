import { describe, expect, it } from 'vitest';
import { Bench, boxes, CORE, json } from './testing/bench.js';
import { box, convertedBy, P, reviewOf, S } from './testing/reviews.js';

describe('malformed requests', () => {
  it.each([
    ['{"kind":', /^the review is no JSON: /],
    ['[]', /^the review is no object$/],
    ['{"kind":"Pod"}', /^expected ConversionReview of apiextensions.k8s.io\/v1 or v1beta1, found Pod of undefined$/],
    [JSON.stringify({ ...reviewOf([]), request: undefined }), /^the review has no request$/],
    [JSON.stringify(reviewOf([], { uid: '' })), /^the request has no uid$/],
  ])('are refused: %s', async (body, message) => {
    const bench = new Bench();
    const reply = await bench.send(body);
    expect(reply.status).toBe(400);
    expect(JSON.parse(String(reply.body))).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
    expect((JSON.parse(String(reply.body)) as { message: string }).message).toMatch(message);
    expect(bench.log).toHaveLength(1);
    expect(bench.log[0]).toMatch(/^WARN Invalid conversion review request: /);
    expect(bench.metrics.errors.value(['invalid-review'])).toBe(1);
  });

  const one = box(P, 'v1beta1', 0);
  it.each<[unknown, string]>([
    [reviewOf([one], { desired: '' }), 'request.desiredAPIVersion must be a string'],
    [reviewOf({} as []), 'request.objects must be a list'],
    [reviewOf([one, 'x']), 'request.objects[1] is no object'],
    [reviewOf([{ ...one, kind: undefined }]), 'request.objects[0] has no kind'],
    [reviewOf([{ ...one, apiVersion: 1 }]), 'request.objects[0] has no apiVersion'],
    [reviewOf([{ ...one, metadata: [] }]), 'request.objects[0] has no metadata'],
    [
      reviewOf([box(S, 'v1beta1', 0)], { desired: `${S}/v1beta2` }),
      `${S}/v1beta2 is not of a private group: the shim converts private kinds alone`,
    ],
    [
      reviewOf([{ ...one, apiVersion: `${CORE}/v1` }]),
      `request.objects[0] is of ${CORE}/v1 and cannot become one of ${P}`,
    ],
    [
      reviewOf([one, { ...one, kind: 'Crate' }]),
      'request.objects[1] is a Crate, and the first a Box: one kind at a time',
    ],
  ])('are answered without asking anybody %#', async (review, message) => {
    const bench = new Bench();
    expect(await bench.message(review)).toBe(message);
    expect(bench.asked).toEqual([]);
    expect(bench.log).toEqual([`WARN Invalid conversion review request: ${message}`]);
  });
});

describe('high load', () => {
  it('queues up to its limit and answers the others with 503 and Retry-After', async () => {
    const bench = new Bench({ concurrent: 1, queued: 1 });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    bench.answer = async (review) => {
      await held;
      return json(convertedBy(review));
    };
    const review = reviewOf(boxes(P, 'v1beta1', 1));
    const first = bench.sendNow(review);
    const leaving = new AbortController();
    const second = bench.sendNow(review, leaving.signal);
    const { body, headers, status } = await bench.sendNow(review);
    expect({ status, headers }).toEqual({ status: 503, headers: { 'retry-after': '1' } });
    expect(String(body)).toContain('1 reviews are being converted and 1 wait: ask again');
    expect(bench.metrics.errors.value(['overloaded'])).toBe(1);
    leaving.abort();
    await second;
    const third = bench.sendNow(review);
    release();
    expect([(await first).status, (await third).status]).toEqual([200, 200]);
    expect(bench.asked).toHaveLength(2);
  });
});
