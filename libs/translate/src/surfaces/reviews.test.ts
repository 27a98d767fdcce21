import { describe, expect, it } from 'vitest';
import { JsonRewriter } from '../json/rewriter.js';
import type { Shape } from '../json/shape.js';
import { cutAt, MAPPING, run } from '../testing/exchange.js';
import { fieldsOf } from './fields.js';
import { admissionReviewShape, conversionReviewShape } from './reviews.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const admission = admissionReviewShape(fieldsOf(MAPPING));
const conversion = conversionReviewShape(fieldsOf(MAPPING));

function rewritten(shape: Shape, text: string): string {
  const bytes = Buffer.from(text);
  const whole = run(new JsonRewriter(shape), [bytes]);
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 64))
    expect(run(new JsonRewriter(shape), cutAt(bytes, [at])).equals(whole)).toBe(true);
  expect(run(new JsonRewriter(shape), [whole]).equals(bytes)).toBe(true);
  return whole.toString();
}

const machine = (group: string, ref: string): string =>
  `{"apiVersion":"${group}/v1beta1","kind":"Machine","metadata":{"name":"x","annotations":{"${S}/conversion-data":"{\\"spec\\":{\\"apiGroup\\":\\"${S}\\"}}"},"finalizers":["machine.${S}"],"ownerReferences":[{"apiVersion":"${group}/v1beta1"}],"managedFields":[{"apiVersion":"${group}/v1beta1","fieldsV1":{"f:${S}/x":{}}}]},"spec":{"infrastructureRef":{"${ref}":"infrastructure.${group}${ref === 'apiVersion' ? '/v1beta1' : ''}"}}}`;

describe('AdmissionReview', () => {
  it('asks about the standard group', () => {
    const review = (group: string): string =>
      `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","kind":{"group":"${group}","version":"v1beta1","kind":"Machine"},"resource":{"group":"${group}","resource":"machines"},"requestKind":{"group":"${group}"},"requestResource":{"group":"${group}"},"name":"x","userInfo":{"username":"${S}"},"object":${machine(group, 'apiGroup')},"oldObject":${machine(group, 'apiVersion')},"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1"}}}`;
    expect(rewritten(admission, review(P))).toBe(review(S));
  });

  it('answers for the private one, in patches too', () => {
    const patch = (group: string): string =>
      Buffer.from(
        `[{"op":"add","path":"/metadata/ownerReferences","value":[{"apiVersion":"${group}/v1"}]},{"op":"add","path":"/metadata/labels/${S}~1x","value":"${S}"}]`,
      ).toString('base64');
    const review = (group: string): string =>
      `{"response":{"uid":"u","allowed":true,"patchType":"JSONPatch","patch":"${patch(group)}","warnings":["${S}/v1 Machine is deprecated"],"status":{"message":"machines.${group} \\"x\\" not found","details":{"group":"${group}"}}}}`;
    expect(rewritten(admission, review(S))).toBe(review(P));
  });

  it('reads patches that are long', () => {
    const patch = (group: string): string => {
      const operation = `{"op":"add","path":"/metadata/ownerReferences/-","value":{"apiVersion":"${group}/v1"}}`;
      return Buffer.from(`[${Array.from({ length: 4000 }, () => operation).join()}]`).toString('base64');
    };
    const review = (group: string): string => `{"response":{"patch":"${patch(group)}"}}`;
    const bytes = Buffer.from(review(S));
    const chunks = cutAt(
      bytes,
      Array.from({ length: 7 }, (_, index) => (index + 1) * 60_000),
    );
    expect(run(new JsonRewriter(admission), chunks).toString()).toBe(review(P));
  });

  it('refuses a patch that is no base64', () => {
    expect(() => run(new JsonRewriter(admission), [Buffer.from('{"response":{"patch":"!"}}')])).toThrow(
      'the patch of an admission response is no base64',
    );
  });
});

describe('ConversionReview', () => {
  const review = (version: string, group: string, count: number): string =>
    `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/${version}","request":{"uid":"U","desiredAPIVersion":"${group}/v1beta2","objects":[${Array.from({ length: count }, (_, index) => machine(group, index % 2 === 0 ? 'apiGroup' : 'apiVersion')).join()}]},"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}`;

  it.each([
    ['v1', 0],
    ['v1', 1],
    ['v1beta1', 1],
    ['v1', 500],
  ])('27: %s asks about %i objects of the standard group', (version, count) => {
    expect(rewritten(conversion, review(version, P, count))).toBe(review(version, S, count));
  });

  it('27: answers for the private one, failures with their message', () => {
    const answer = (group: string): string =>
      `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"U","convertedObjects":[${machine(group, 'apiGroup')}],"result":{"status":"Success"}}}`;
    expect(rewritten(conversion, answer(S))).toBe(answer(P));
    const failure = (group: string): string =>
      `{"response":{"uid":"U","result":{"status":"Failure","message":"no matches for kind \\"X\\" in version \\"${group}/v1\\""}}}`;
    expect(rewritten(conversion, failure(S))).toBe(failure(P));
  });

  it('27: what is malformed passes as it came', () => {
    for (const text of ['', '{"request":', '[]', '{"request":{"objects":{"a":1}}}', 'nonsense'])
      expect(rewritten(conversion, text)).toBe(text);
  });
});
