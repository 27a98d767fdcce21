import { describe, expect, it } from 'vitest';
import { receivedBody, refusedWith, targetOf } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OURS = `fieldSelector=metadata.name%3Dmachines.${S}`;
const many = (count: number): string => '&a=1'.repeat(count);

/** What a client reads of a refusal. */
function refused(target: string, method = 'GET'): { code: number; message: string } {
  return refusedWith({ target, method }) as { code: number; message: string };
}

describe('queries that two readers understand in two ways', () => {
  it.each([
    [`${OURS};`, 'it has a semicolon: write %3B'],
    ['watch=1;', 'it has a semicolon: write %3B'],
    ['a=1;b=2&limit=1', 'it has a semicolon: write %3B'],
    ['watch=%zz', 'it has a percent sign without two hexadecimal digits: write %25'],
    [`${OURS}%`, 'it has a percent sign without two hexadecimal digits: write %25'],
    ['%zz=1', 'it has a percent sign without two hexadecimal digits: write %25'],
    ['=1', 'it has a parameter without a name'],
    ['watch=%ff', 'it is not UTF-8'],
    ['watch=\u00e9', 'it has characters other than printable ASCII: encode them'],
    ['watch=%00', 'it has a NUL character'],
    [`fieldSelector=&${OURS}`, 'it has fieldSelector more than once'],
    [`${OURS}&field%53elector=`, 'it has fieldSelector more than once'],
    ['watch=0&watch=1', 'it has watch more than once'],
    [`${OURS}${many(10_000)}`, 'it has more than 10000 parameters'],
  ])('%.40s is refused', (query, why) => {
    for (const method of ['GET', 'DELETE'])
      expect(refused(`${CRDS}?${query}`, method)).toMatchObject({
        code: 400,
        message: `the query can be read in two ways: ${why}`,
      });
    expect(refused(`/apis/${S}/v1beta2/machines?${query}`)).toMatchObject({ code: 400 });
  });

  it('is nobody\u2019s business where bytes pass as they are', () => {
    const target = '/api/v1/namespaces/n/services/s/proxy/x?a=1;b=%zz&a=2';
    expect(targetOf(target)).toBe(target);
  });
});

describe('queries that are written in another way', () => {
  it.each([
    ['limit=1&&watch=1&', 'limit=1&watch=1'],
    ['labelSelector=a+in+(b)', 'labelSelector=a%20in%20(b)'],
    ['labelSelector=a%2Bb', 'labelSelector=a%2Bb'],
    ['w%61tch=1', 'watch=1'],
    ['labelSelector=a#b', 'labelSelector=a%23b'],
    ['labelSelector=a?b', 'labelSelector=a%3Fb'],
    ['dryRun=All&dryRun=All', 'dryRun=All&dryRun=All'],
    ['unknown=1&unknown=%32', 'unknown=1&unknown=2'],
    ['Watch=1&WATCH=1', 'Watch=1&WATCH=1'],
    [`a=1${many(9_999)}`, `a=1${many(9_999)}`],
  ])('%.40s goes as %.40s', (query, expected) => {
    expect(targetOf(`${CRDS}?${query}`)).toBe(`${CRDS}?${expected}`);
  });
});

describe('a collection of which some objects are hidden', () => {
  it.each([
    '',
    'fieldSelector=',
    'fieldSelector=,',
    'fieldSelector=metadata.name%3D',
    `fieldSelector=%20metadata.name%3Dmachines.${S}`,
    `fieldSelector=metadata.name!%3Dmachines.${S}`,
    `fieldSelector=metadata.name%3Dmachines.${S}%3D`,
    `fieldSelector=metadata.name%3Dmachines.${S}%5C`,
    `fieldSelector=metadata%5C.name%3Dmachines.${S}`,
    `fieldSelector=metadata.name%3Dmachines.${P}`,
    `fieldSelector=metadata.name%3Dmachines.${S}%2Cmetadata.name%3Dmachines.${P}`,
    `FieldSelector=metadata.name%3Dmachines.${S}`,
    `labelSelector=metadata.name%3Dmachines.${S}`,
  ])('is not deleted by %s', (query) => {
    expect(refused(`${CRDS}?${query}`, 'DELETE').code).toBe(403);
  });

  it('is deleted from by a name', () => {
    expect(targetOf(`${CRDS}?${OURS}`, 'DELETE')).toBe(`${CRDS}?fieldSelector=metadata.name%3Dmachines.${P}`);
  });
});

describe('tables', () => {
  const row = (group: string): string => `{"cells":["machines.${group}"]}`;
  const table = (...rows: string[]): string =>
    `{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[${rows.join(',')}]}`;

  it.each([
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    'application/json;as =Table;g=meta.k8s.io;v=v1',
    'application/json; as= Table ;g=meta.k8s.io;v=v1',
    'application/json',
  ])('lose the rows of the platform, however they were asked for: %s', (accept) => {
    const sent = { target: CRDS, headers: { accept } };
    expect(receivedBody(sent, table(row(S), row(P)))).toBe(table(row(S)));
  });
});

it('a GET of one object is no watch, whatever its query contains', () => {
  const target = `/apis/${S}/v1beta2/namespaces/n/machines/m?watch=1`;
  const object = (group: string): string => `{"apiVersion":"${group}/v1beta2","kind":"Machine"}`;
  expect(receivedBody({ target }, object(P))).toBe(object(S));
});
