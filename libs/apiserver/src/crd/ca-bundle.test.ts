import { expect, it } from 'vitest';
import { testCertificates } from '../http/testing-certificates.js';
import { isTrustworthyBundle } from './ca-bundle.js';

const encode = (text: string): string => Buffer.from(text).toString('base64');
const { ca, server } = testCertificates;

it.each([
  ['nothing', undefined, true],
  ['an empty one', '', true],
  ['a certificate', encode(ca), true],
  ['two certificates with words between', encode(`${ca}\nand\n${server.cert}`), true],
  ['no certificate', encode('abc'), false],
  ['a key alone', encode(server.key), false],
  ['a certificate that cannot be read', encode(ca.replace('MIIB', 'XXXX')), false],
])('a bundle of %s', (_, bundle, isTrustworthy) => {
  expect(isTrustworthyBundle(bundle)).toBe(isTrustworthy);
});
