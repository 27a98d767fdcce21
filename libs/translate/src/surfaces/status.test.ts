import { describe, expect, it } from 'vitest';
import { receivedBody, receivedHeaders } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

describe('what servers say', () => {
  const target = `/apis/${S}/v1beta2/namespaces/n/machines/x`;
  const status = (message: string, group: string, code: number, name = 'x'): string =>
    JSON.stringify(
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'R',
        details: { name, group, kind: 'machines', causes: [{ message: S }] },
        code,
      },
      null,
      2,
    );

  it.each([
    [404, (group: string) => `machines.${group} "x" not found`],
    [409, (group: string) => `machines.${group} "x" already exists`],
    [
      409,
      (group: string) =>
        `Operation cannot be fulfilled on machines.${group} "x": the object has been modified; please apply your changes to the latest version and try again`,
    ],
    [
      422,
      (group: string) =>
        `Machine.${group} "x" is invalid: metadata.finalizers: Invalid value: "machine.${S}": Machine.${S} must be qualified`,
    ],
    [
      403,
      (group: string) =>
        `machines.${group} is forbidden: User "u" cannot list resource "machines" in API group "${group}" in the namespace "n"`,
    ],
    [
      400,
      (group: string) =>
        `the API version in the data (${group}/v1) does not match the expected API version (${group}/v2)`,
    ],
    [400, (group: string) => `no matches for kind "Machine" in version "${group}/v1beta1"`],
    [
      500,
      (group: string) => `conversion webhook for ${group}/v1beta1, Kind=Machine failed: Post "https://x.${S}": refused`,
    ],
    [500, (group: string) => `request to convert CR from an invalid group/version: ${group}/v1beta1`],
    [410, () => 'too old resource version: 1 (2)'],
  ])('19: %i %#: the groups of a message are renamed, and nothing else of it', (code, message) => {
    expect(receivedBody({ target }, status(message(P), P, code), { status: code })).toBe(status(message(S), S, code));
  });

  it('19: a message about a definition names it by its standard name', () => {
    const message = (group: string): string =>
      `customresourcedefinitions.apiextensions.k8s.io "machines.${group}" not found`;
    const shown = receivedBody(
      { target: `${CRDS}/machines.${S}` },
      status(message(P), 'apiextensions.k8s.io', 404, `machines.${P}`),
      { status: 404 },
    );
    expect(shown).toBe(status(message(S), 'apiextensions.k8s.io', 404, `machines.${S}`));
  });

  it('19: an event of an error is a Status, of a watch of events too', () => {
    const event = (group: string): string =>
      `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"machines.${group} \\"x\\" not found","details":{"group":"${group}"},"code":410}}\n`;
    expect(receivedBody({ target: '/api/v1/events?watch=1' }, event(P))).toBe(event(S));
    const lines = `{"type":"ADDED","object":{"kind":"Event","apiVersion":"v1","involvedObject":{"apiVersion":"v1"},"message":"machines.${P} \\"x\\" not found"}}\n`;
    expect(receivedBody({ target: '/api/v1/events?watch=1' }, lines)).toBe(lines);
  });

  it('19: plain text passes, and so does what is deleted', () => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': '19' };
    expect(receivedBody({ target }, '404 page not found\n', { status: 404, headers })).toBe('404 page not found\n');
    expect(receivedHeaders({ target }, headers, 404)).toEqual(headers);
    const deleted = (group: string): string =>
      `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"x","group":"${group}","kind":"machines","uid":"u"}}`;
    expect(receivedBody({ target, method: 'DELETE' }, deleted(P))).toBe(deleted(S));
  });

  it('20: a warning that a version is deprecated is renamed, one that quotes a finalizer is not', () => {
    const deprecated = (group: string): string =>
      `299 - "${group}/v1beta1 Machine is deprecated; use ${group}/v1beta2 Machine"`;
    const finalizer = `299 - "metadata.finalizers: \\"machine.${S}\\": prefer a domain-qualified finalizer name"`;
    expect(receivedHeaders({ target }, { warning: [deprecated(P), finalizer] }).warning).toEqual([
      deprecated(S),
      finalizer,
    ]);
    expect(receivedHeaders({ target }, { warning: `${deprecated(P)}, ${finalizer}` }).warning).toBe(
      `${deprecated(S)}, ${finalizer}`,
    );
    const short = `299 - "t1.${P}/v1beta1 Gadget is deprecated"`;
    expect(receivedHeaders({ target }, { warning: short }).warning).toBe(short.replace(P, S));
  });

  it('18: tables of machines keep their cells', () => {
    const table = (group: string): string =>
      `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[],"rows":[{"cells":["${P}/v1"],"object":{"apiVersion":"${group}/v1","kind":"Machine","spec":{"x":{"apiGroup":"${group}"}}}}]}`;
    const sent = { target: `/apis/${S}/v1beta2/machines?includeObject=Object`, headers: TABLE };
    expect(receivedBody(sent, table(P))).toBe(table(S));
    expect(receivedBody({ ...sent, target: `${sent.target}&watch=1` }, `{"type":"ADDED","object":${table(P)}}\n`)).toBe(
      `{"type":"ADDED","object":${table(S)}}\n`,
    );
  });

  it('refuses answers that it cannot read rather than let them through', () => {
    for (const [name, value] of [
      ['content-type', 'application/vnd.kubernetes.protobuf'],
      ['content-type', 'application/yaml'],
      ['content-encoding', 'gzip'],
    ] as const) {
      const headers = { 'content-type': 'application/json', [name]: value };
      expect(() => receivedHeaders({ target }, headers)).toThrow(
        `the server answers in ${value}, which was not asked for`,
      );
    }
  });
});
