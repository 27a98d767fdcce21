import { describe, expect, it } from 'vitest';
import { TransportError } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';
import { SOURCE_WEBHOOK_ANNOTATION } from '@capstan/translate/mirror';
import { Bench, boxes, CORE, json } from './testing/bench.js';
import type { DelegateAnswer } from './testing/bench.js';
import { convertedBy, P, reviewOf, S } from './testing/reviews.js';

const notConverted = `Box of ${P}/v1beta1 could not be converted to ${P}/v1beta2 by capi/boxes: `;

describe('a conversion review', () => {
  it.each([
    ['v1', 1],
    ['v1beta1', 1],
    ['v1', 500],
  ])(
    '27: of %s with %i objects is asked under standard names and answered under private ones',
    async (version, count) => {
      const bench = new Bench();
      const reply = await bench.send(reviewOf(boxes(P, 'v1beta1', count), { version }));
      expect(bench.asked.map(({ delegate }) => delegate)).toEqual([
        { name: 'capi/boxes', server: 'https://boxes.capi.svc:443', path: '/convert' },
      ]);
      const standard = JSON.stringify(reviewOf(boxes(S, 'v1beta1', count), { version, desired: `${S}/v1beta2` }));
      expect(bench.asked[0]?.body).toBe(standard);
      const { response } = convertedBy(reviewOf(boxes(P, 'v1beta1', count), { version }));
      expect({ ...reply, body: String(reply.body) }).toEqual({
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}`, response }),
      });
      expect(bench.metrics.requests.value(['v1beta1', 'v1beta2', 'box', 'success'])).toBe(1);
      expect(bench.log).toEqual([]);
    },
  );

  it('27: without objects is answered by itself', async () => {
    const bench = new Bench();
    expect(JSON.parse(String((await bench.send(reviewOf([]))).body))).toEqual({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      response: { uid: 'U', convertedObjects: [], result: { metadata: {}, status: 'Success' } },
    });
    expect(bench.asked).toEqual([]);
  });

  it('27: passes bytes that nobody translates as they are', async () => {
    const bench = new Bench();
    const exact = '"big":9007199254740993,"one":1.0,"twice":1,"twice":2,"escaped":"\\u002e"';
    bench.answer = (review) => json(JSON.stringify(convertedBy(review)).replace('"spec":{', `"spec":{${exact},`));
    expect(String((await bench.send(reviewOf(boxes(P, 'v1beta1', 1)))).body)).toContain(`"spec":{${exact},`);
  });

  it('of a core kind is answered by the shim itself, with references looked up at private CRDs', async () => {
    const bench = new Bench();
    const machine = {
      apiVersion: `${CORE}/v1beta2`,
      kind: 'Machine',
      metadata: { name: 'm', namespace: 'ns', uid: 'x' },
      spec: { clusterName: 'c', bootstrap: {}, infrastructureRef: { apiGroup: P, kind: 'Box', name: 'b' } },
    };
    const { body } = await bench.send(reviewOf([machine], { desired: `${CORE}/v1beta1` }));
    expect(JSON.parse(String(body))).toMatchObject({
      response: {
        convertedObjects: [{ spec: { infrastructureRef: { apiVersion: `${P}/v1beta7`, kind: 'Box', name: 'b' } } }],
        result: { status: 'Success' },
      },
    });
    expect(bench.asked).toEqual([]);
  });

  it('goes to the delegate of its group, core kinds too', async () => {
    const bench = new Bench({ delegates: ['cluster.x-k8s.io=https://elsewhere:8443/c?x=1', `${P}=ns/svc:9443`] });
    const machine = { apiVersion: `${CORE}/v1beta2`, kind: 'Machine', metadata: { name: 'm' } };
    await bench.send(reviewOf([machine], { desired: `${CORE}/v1beta1` }));
    await bench.send(reviewOf(boxes(P, 'v1beta1', 1)));
    expect(bench.asked.map(({ delegate }) => delegate)).toEqual([
      { name: 'https://elsewhere:8443/c?x=1', server: 'https://elsewhere:8443', path: '/c?x=1' },
      { name: 'ns/svc', server: 'https://svc.ns.svc:9443', path: '/convert' },
    ]);
  });
});

describe('standard conversion webhook failure', () => {
  it('is overcome by asking again', async () => {
    const bench = new Bench();
    bench.answer = (review, tries) => {
      if (tries === 1) throw new TransportError('ECONNREFUSED', 'connect ECONNREFUSED', false);
      if (tries === 2) return json('overloaded', 503);
      return tries === 3 ? json('panic', 500) : json(convertedBy(review));
    };
    expect((await bench.send(reviewOf(boxes(P, 'v1beta1', 1)))).status).toBe(200);
    expect(bench.asked.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => bench.asked[0]?.body));
    expect(bench.log).toEqual([]);
  });

  it.each<[string, DelegateAnswer]>([
    ['connect ECONNREFUSED', () => Promise.reject(new TransportError('ECONNREFUSED', 'connect ECONNREFUSED', false))],
    ['it answered with HTTP 503: come later', () => json('come later', 503)],
  ])('that lasts is answered with 503 and Retry-After: %s', async (reason, answer) => {
    const bench = new Bench();
    bench.answer = answer;
    const { body, headers, status } = await bench.send(reviewOf(boxes(P, 'v1beta1', 1)));
    expect({ status, headers }).toEqual({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.parse(String(body))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: notConverted + reason,
      reason: 'ServiceUnavailable',
      details: { retryAfterSeconds: 1 },
      code: 503,
    });
    expect(bench.asked).toHaveLength(4);
    expect(bench.log).toEqual([`ERROR Upstream webhook unavailable: ${reason}`]);
    expect(bench.metrics.requests.value(['v1beta1', 'v1beta2', 'box', 'failure'])).toBe(1);
    bench.answer = (review) => json(convertedBy(review));
    expect((await bench.send(reviewOf(boxes(P, 'v1beta1', 1)))).status).toBe(200);
  });

  const converted = (
    change: (response: JsonObject & { convertedObjects: JsonObject[] }) => JsonObject,
  ): DelegateAnswer => {
    return (review) => {
      const answer = convertedBy(review) as { response: JsonObject & { convertedObjects: JsonObject[] } };
      return json({ ...answer, response: { ...answer.response, ...change(answer.response) } });
    };
  };

  it.each<[string, number, string, DelegateAnswer]>([
    ['500', 4, 'it answered with HTTP 500: panic', () => json('panic', 500)],
    ['404', 1, 'it answered with HTTP 404: no page', () => json('no page', 404)],
    ['a timeout', 1, 'it did not answer within 15 s', () => new Promise(() => {})],
    [
      'a certificate of an untrusted CA',
      1,
      'its certificate is not trusted: self-signed certificate',
      () => Promise.reject(new TransportError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', false)),
    ],
    ['malformed', 1, 'it answered with something that is no JSON', () => json('{"response":')],
    ['nothing', 1, 'it answered with something that is no JSON', () => json('')],
    [
      'another object',
      1,
      'it answered with something else than a ConversionReview of apiextensions.k8s.io/v1',
      () => json({ kind: 'Status' }),
    ],
    [
      'another version of reviews',
      1,
      'it answered with something else than a ConversionReview of apiextensions.k8s.io/v1',
      (review) => json({ ...convertedBy(review), apiVersion: 'apiextensions.k8s.io/v1beta1' }),
    ],
    ['another uid', 1, 'it answered to "V" where "U" was asked', converted(() => ({ uid: 'V' }))],
    [
      'fewer objects',
      1,
      'it answered with 1 objects where 2 were asked for',
      converted(({ convertedObjects }) => ({ convertedObjects: convertedObjects.slice(1) })),
    ],
    [
      'no objects',
      1,
      'it answered with 0 objects where 2 were asked for',
      converted(() => ({ convertedObjects: null })),
    ],
    [
      'another order',
      1,
      'response.convertedObjects[0] has name "box-1" where "box-0" was asked for',
      converted(({ convertedObjects }) => ({ convertedObjects: convertedObjects.toReversed() })),
    ],
    [
      'another group',
      1,
      `response.convertedObjects[0] has apiVersion "${S}/v1beta2" where "${P}/v1beta2" was asked for`,
      converted(({ convertedObjects }) => ({
        convertedObjects: convertedObjects.map((object) => ({ ...object, apiVersion: `${P}/v1beta2` })),
      })),
    ],
    [
      'objects without metadata',
      1,
      'response.convertedObjects[0] has no metadata',
      converted(({ convertedObjects }) => ({
        convertedObjects: convertedObjects.map((object) => ({ ...object, metadata: undefined })),
      })),
    ],
    [
      'a failure',
      1,
      `no matches for kind "Box" in version "${P}/v1"`,
      converted(() => ({ result: { status: 'Failure', message: `no matches for kind "Box" in version "${S}/v1"` } })),
    ],
    ['no result', 1, 'it answered with the status nothing', converted(() => ({ result: null }))],
  ])('27: %s becomes a failure with its cause', async (_case, tries, reason, answer) => {
    const bench = new Bench();
    bench.answer = answer;
    expect(await bench.message(reviewOf(boxes(P, 'v1beta1', 2)))).toBe(notConverted + reason);
    expect(bench.asked).toHaveLength(tries);
    const isAway = bench.metrics.errors.value(['upstream-webhook-unavailable']) === 1;
    expect(isAway).toBe(/certificate|within/.test(reason));
    expect(bench.log).toEqual([
      `ERROR ${isAway ? 'Upstream webhook unavailable' : 'Conversion request failed'}: ${reason}`,
    ]);
  });

  it('gets a Failure for kinds without a converter', async () => {
    const bench = new Bench();
    const by = notConverted.replace('capi/boxes', 'the shim');
    bench.annotations = {};
    expect(await bench.message(reviewOf(boxes(P, 'v1beta1', 1)))).toBe(
      `${by}no webhook converts it: its CRD names no webhook in ${SOURCE_WEBHOOK_ANNOTATION}, and no --delegate is for ${S}`,
    );
    bench.annotations = undefined;
    expect(await bench.message(reviewOf(boxes(P, 'v1beta1', 1)))).toBe(
      `${by}no webhook converts it: it has no CRD here, and no --delegate is for ${S}`,
    );
  });

  it('gets no Failure for a kind whose CRD is about to be known', async () => {
    const bench = new Bench();
    const { annotations } = bench;
    bench.annotations = undefined;
    bench.clock.after(700, () => (bench.annotations = annotations));
    expect((await bench.send(reviewOf(boxes(P, 'v1beta1', 1)))).status).toBe(200);
    expect(bench.asked).toHaveLength(1);
    expect(bench.log).toEqual([]);
  });

  it('answers with 503 and Retry-After while the CRDs are not known', async () => {
    const bench = new Bench();
    bench.whenSynced = () => new Promise(() => {});
    const { body, status } = await bench.send(reviewOf(boxes(P, 'v1beta1', 1)));
    expect(status).toBe(503);
    expect(String(body)).toContain('the CRDs of the cluster are not known yet');
    expect(bench.asked).toEqual([]);
  });
});

describe('version mismatches', () => {
  it('are those of the converter: a version it does not know', async () => {
    const machine = { apiVersion: `${CORE}/v1alpha3`, kind: 'Machine', metadata: { name: 'm', namespace: 'ns' } };
    expect(await new Bench().message(reviewOf([machine], { desired: `${CORE}/v1beta1` }))).toBe(
      `Machine of ${CORE}/v1alpha3 could not be converted to ${CORE}/v1beta1 by the shim: there is no conversion of Machine ns/m from cluster.x-k8s.io/v1alpha3 to cluster.x-k8s.io/v1beta1`,
    );
  });
});
