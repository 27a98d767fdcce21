/**
 * A server that costs next to nothing, to see what proxies cost: objects of 0.9 KB over TLS, lists as long as is asked for
 * with `?bytes=`, and watches that have nothing to tell.
 */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@capstan/kube';

const JSON_TYPE = { 'content-type': 'application/json' };
const owner = { apiVersion: 'cluster.hypershift.openshift.io/v1beta2', kind: 'Machine', name: 'm', uid: 'u' };
const metadata = { name: 'x', namespace: 'default', ownerReferences: [owner] };
const object = Buffer.from(
  JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { k: 'v'.repeat(700) } }),
);
const item = `${object.toString()},`;
const block = Buffer.from(item.repeat(Math.ceil((64 * 1024) / item.length)));

/** A list of at least so many bytes, no faster than it is read. */
function sendList(response: ServerResponse, bytes: number): void {
  response.writeHead(200, JSON_TYPE);
  response.write('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[');
  let left = bytes;
  const more = (): void => {
    while (left > 0) {
      left -= block.length;
      if (!response.write(block)) {
        response.once('drain', more);
        return;
      }
    }
    response.end(`${item.slice(0, -1)}]}`);
  };
  more();
}

const authority = createAuthority({ commonName: 'bench' });
const { certPem, keyPem } = authority.issueServing({
  commonName: 'localhost',
  dnsNames: ['localhost'],
  ipAddresses: ['127.0.0.1'],
});

const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
  request.resume();
  request.on('end', () => {
    const { searchParams } = new URL(request.url ?? '/', 'https://upstream');
    if (searchParams.has('watch')) {
      response.writeHead(200, JSON_TYPE);
      response.flushHeaders();
    } else if (searchParams.has('bytes')) sendList(response, Number(searchParams.get('bytes')));
    else {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': object.length });
      response.end(object);
    }
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `https://127.0.0.1:${port}`, caPem: authority.certPem })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
