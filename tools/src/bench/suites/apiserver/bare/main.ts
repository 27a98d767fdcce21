/**
 * The yardstick: node:https with no API behind it. It reads what it is sent and answers 2 KB, or a long list; with
 * `--keep` it keeps what it was sent, read and as text.
 */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCa } from '@capstan/kube';

const object = Buffer.from(
  JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'x' }, data: { k: 'v'.repeat(1900) } }),
);
const LISTED = 10_000;
/** Made when first asked for: it is no part of what an idle server takes. */
let list: Buffer | undefined;
const isKeeping = process.argv.includes('--keep');
const kept: unknown[] = [];

const ca = createCa({ commonName: 'bench' });
const { certPem, keyPem } = ca.issueServing({ commonName: 'localhost', ipAddresses: ['127.0.0.1'] });

const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) {
      const text = Buffer.concat(chunks).toString('utf8');
      const value: unknown = JSON.parse(text);
      if (isKeeping) kept.push(text, value);
    }
    if (request.url === '/list') list ??= Buffer.concat(Array.from({ length: LISTED }, () => object));
    const body = request.url === '/list' && list !== undefined ? list : object;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `https://127.0.0.1:${port}`, caPem: ca.certPem })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
