import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAPPING, refusedWith } from '../testing/exchange.js';
import { translate } from './translator.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const translator = translate(MAPPING);

/** Whatever may stand between two slashes, and what clients do to it. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'apis',
      'api',
      'v1',
      'v1beta2',
      S,
      P,
      `infrastructure.${S}`,
      `infrastructure.${P}`,
      'openapi',
      'v3',
      'watch',
      'namespaces',
      'n',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'apiextensions.k8s.io',
      'customresourcedefinitions',
      `machines.${S}`,
      `machines.${P}`,
      'apiregistration.k8s.io',
      'apiservices',
      `v1.${P}`,
      'storageversions',
      `${P}.x`,
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('..', '.', '', 'pods', 'proxy', 'http:', 'status', 'http://h') },
);
const spelled = fc
  .tuple(piece, fc.array(fc.tuple(fc.nat(40), fc.boolean()), { maxLength: 3 }))
  .map(([text, changes]) => {
    const chars = [...text];
    for (const [at, isUpper] of changes) {
      const char = chars[at];
      const code = char?.length === 1 ? (char.codePointAt(0) ?? 0).toString(16) : '';
      if (code.length === 2) chars[at] = `%${isUpper ? code.toUpperCase() : code}`;
    }
    return chars.join('');
  });
const path = fc
  .tuple(
    fc.constantFrom('/', '//', '/apis/', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/', ''),
    fc.array(spelled, { maxLength: 7 }),
    fc.constantFrom('/', '//', '%2F', '%2f'),
  )
  .map(([first, pieces, slash]) => first + pieces.join(slash));

/** What a server would make of a path, dots resolved or not. */
function readings(target: string): string[] {
  const decoded = decodeURIComponent(target.split('?')[0] ?? '').replaceAll(/\/+/g, '/');
  return [decoded, new URL(decoded.replaceAll('%', '%25'), 'http://host').pathname];
}

const HIDDEN = [
  /^\/(?:openapi\/v3\/)?apis\/(?:[^/]+\.)?cluster\.x-k8s\.io(?:\/|$)/,
  /^\/apis\/apiextensions\.k8s\.io\/[^/]+\/(?:watch\/)?customresourcedefinitions\/[^./]+\.(?:[^/]+\.)?cluster\.x-k8s\.io(?:\/|$)/,
  /^\/apis\/apiregistration\.k8s\.io\/[^/]+\/(?:watch\/)?apiservices\/[^./]+\.(?:[^/]+\.)?cluster\.x-k8s\.io(?:\/|$)/,
];

it('lets no path lead to what is of the platform', () => {
  fc.assert(
    fc.property(path, fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH'), (target, method) => {
      const request = translator.request({ method, target, headers: {} });
      if ('refuse' in request) return;
      // One assertion for all: a hundred thousand of them would take longer than what they look at.
      const led = readings(request.target).filter((reading) => HIDDEN.some((hidden) => hidden.test(reading)));
      if (led.length > 0) expect(led).toEqual([]);
    }),
    { numRuns: 20_000 },
  );
});

it('refuses whole URLs, which would lead past it', () => {
  expect(refusedWith({ target: `http://host/apis/${S}/v1beta2/machines` })).toMatchObject({
    code: 400,
    message: 'the path cannot be read',
  });
  expect(refusedWith({ target: '*', method: 'OPTIONS' })).toMatchObject({ code: 400 });
});
