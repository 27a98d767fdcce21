import { describe, expect, it } from 'vitest';
import { receivedBody, refusedWith, sentBody, targetOf } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

describe('definitions', () => {
  const labels = `"labels":{"cluster.x-k8s.io/v1beta1":"v1beta1","cluster.x-k8s.io/provider":"x"}`;
  const metadata = (name: string, uid: string): string => `"metadata":{"name":"${name}","uid":"${uid}",${labels}}`;
  const partial = (name: string, uid: string): string => `{${metadata(name, uid)}}`;

  it('5: a CRD is shown by its standard name, as metadata alone too; its labels stay', () => {
    const body = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",${metadata(`machines.${P}`, 'u')}}`;
    expect(receivedBody({ target: `${CRDS}/machines.${S}` }, body)).toBe(
      body.replace(`machines.${P}`, `machines.${S}`),
    );
    const whole = `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",${metadata(`machines.${P}`, 'u')},"spec":{"group":"${P}","names":{"plural":"machines"},"versions":[{"schema":{"openAPIV3Schema":{"description":"${S}","properties":{"apiVersion":{"type":"string","default":"${S}/v1"}}}}}]}}`;
    const expected = whole.replace(`machines.${P}`, `machines.${S}`).replace(`"group":"${P}"`, `"group":"${S}"`);
    expect(receivedBody({ target: `${CRDS}/machines.${S}` }, whole)).toBe(expected);
    expect(sentBody({ target: CRDS, method: 'POST', body: expected })).toBe(whole);
  });

  it('6: of a list, those of the platform are left out', () => {
    const list = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"items":[${partial(`machines.${S}`, 's')},${partial(`machines.${P}`, 'p')},${partial('widgets.example.com', 'w')}]}`;
    const expected = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"items":[${partial(`machines.${S}`, 'p')},${partial('widgets.example.com', 'w')}]}`;
    expect(receivedBody({ target: CRDS }, list)).toBe(expected);
  });

  it('7: of a watch, events of those of the platform are swallowed, and bookmarks pass at once', () => {
    const target = `${CRDS}?watch=1`;
    const bookmark =
      '{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"12","annotations":{"k8s.io/initial-events-end":"true"}}}}\n';
    const gone =
      '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (2)","reason":"Expired","code":410}}\n';
    const event = (type: string, name: string): string => `{"type":"${type}","object":${partial(name, 'u')}}\n`;
    const stream =
      event('MODIFIED', `machines.${S}`) +
      event('ADDED', `machines.${P}`) +
      bookmark +
      event('DELETED', `machines.${S}`) +
      gone;
    expect(receivedBody({ target }, stream)).toBe(event('ADDED', `machines.${S}`) + bookmark + gone);
  });

  it('18: so are rows of tables, with objects and without', () => {
    const row = (name: string, object: string): string => `{"cells":["${name}","2026-01-01"]${object}}`;
    const table = (rows: readonly string[]): string =>
      `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"columnDefinitions":[{"name":"Name","description":"${S}"}],"rows":[${rows.join()}]}`;
    for (const object of [(): string => '', (name: string): string => `,"object":${partial(name, 'u')}`]) {
      const [standard, hidden] = [`machines.${S}`, `machines.${P}`];
      const shown = table([row(standard, object(standard)), row('a.example.com', object('a.example.com'))]);
      const given = table([
        row(standard, object(standard)),
        row(hidden, object(hidden)),
        row('a.example.com', object('a.example.com')),
      ]);
      expect(receivedBody({ target: CRDS, headers: TABLE }, given)).toBe(shown);
      const event = (rows: readonly string[]): string => `{"type":"ADDED","object":${table(rows)}}\n`;
      const events = event([row(standard, object(standard))]) + event([row(hidden, object(hidden))]);
      expect(receivedBody({ target: `${CRDS}?watch=true`, headers: TABLE }, events)).toBe(
        event([row(standard, object(standard))]),
      );
    }
  });

  it('of storage versions name the versions that are stored', () => {
    const body = (group: string): string =>
      `{"metadata":{"name":"${group}.machines"},"status":{"storageVersions":[{"apiServerID":"${P}","encodingVersion":"${group}/v1","decodableVersions":["${group}/v1"],"servedVersions":["${group}/v1"]}],"commonEncodingVersion":"${group}/v1"}}`;
    const target = `/apis/internal.apiserver.k8s.io/v1alpha1/storageversions/${S}.machines`;
    expect(receivedBody({ target }, body(P))).toBe(body(S));
  });

  it('are not found, made or deleted by private names', () => {
    expect(refusedWith({ target: `${CRDS}/machines.${P}` })).toMatchObject({
      message: `customresourcedefinitions.apiextensions.k8s.io "machines.${P}" not found`,
      code: 404,
    });
    const body = `{"metadata":{"name":"machines.${P}"}}`;
    expect(refusedWith({ target: CRDS, method: 'POST', body })).toMatchObject({
      message: `forbidden: the API group "${P}" is not served here`,
      reason: 'Forbidden',
      code: 403,
    });
    const collection = {
      message: expect.stringContaining('is forbidden: a collection that holds hidden objects cannot be deleted'),
      code: 403,
    };
    expect(refusedWith({ target: CRDS, method: 'DELETE' })).toMatchObject(collection);
    expect(refusedWith({ target: `${CRDS}?fieldSelector=metadata.name%3Dm.${P}`, method: 'DELETE' })).toMatchObject(
      collection,
    );
    expect(targetOf(`${CRDS}?fieldSelector=metadata.name%3Dm.${S}`, 'DELETE')).toBe(
      `${CRDS}?fieldSelector=metadata.name%3Dm.${P}`,
    );
  });
});
