import { expect, it } from 'vitest';
import { testCertificates } from '../http/testing-certificates.js';
import { bundleProblem } from '@capstan/schema';

const encode = (text: string): string => Buffer.from(text).toString('base64');
const { ca, server } = testCertificates;

it.each([
  ['nothing', undefined, undefined],
  ['an empty one', '', undefined],
  ['a certificate', encode(ca), undefined],
  ['two certificates with words between', encode(`${ca}\nand\n${server.cert}`), undefined],
  ['no certificate', encode('abc'), 'unable to parse bytes as PEM block'],
  ['a key alone', encode(server.key), 'unable to parse bytes as PEM block'],
  [
    'a certificate that cannot be read',
    encode(ca.replace('MIIB', 'XXXX')),
    'failed to parse certificate: x509: malformed certificate',
  ],
])('a bundle of %s', (_, bundle, problem) => {
  expect(bundleProblem(bundle)).toBe(problem);
});
