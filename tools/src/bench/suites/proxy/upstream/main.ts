/**
 * A server that costs next to nothing, to see what proxies cost: objects of 0.9 KB over TLS, lists as long as is asked for
 * with `?bytes=`, and watches without events.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createCa } from '@capstan/kube';

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

const ca = createCa({ commonName: 'bench' });
const { certPem, keyPem } = ca.issueServing({
  commonName: 'localhost',
  dnsNames: ['localhost'],
  ipAddresses: ['127.0.0.1'],
});

/** Everything but the objects that are asked for thousands of times. */
const others = createServer((request, response) => {
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

const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${object.length}\r\nDate: ${new Date().toUTCString()}\r\nConnection: keep-alive\r\n\r\n`;
const answer = Buffer.concat([Buffer.from(head, 'latin1'), object]);
/** Objects are called `x`, `x1`, `x2`. */
const OBJECT_LINE = 'GET /api/v1/namespaces/default/configmaps/x';

/** Answers the object by hand as long as nothing else is asked: Node takes longer to read a request than all else here. */
const server = createTlsServer({ cert: certPem, key: keyPem }, (socket) => {
  const onData = (chunk: Buffer): void => {
    const isWhole = chunk.indexOf('\r\n\r\n') === chunk.length - 4;
    if (isWhole && chunk.toString('latin1', 0, OBJECT_LINE.length) === OBJECT_LINE) {
      socket.write(answer);
      return;
    }
    socket.removeListener('data', onData).removeListener('error', onError);
    socket.unshift(chunk);
    others.emit('connection', socket);
  };
  const onError = (): unknown => socket.destroy();
  socket.on('data', onData).on('error', onError);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `https://127.0.0.1:${port}`, caPem: ca.certPem })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
