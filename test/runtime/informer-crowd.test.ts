import { serveHttp } from '@capstan/apiserver';
import { createCa } from '@capstan/kube';
import { AUTHENTICATE, embeddedServer, TOKEN } from '../src/conformance/servers.js';
import { describeCrowds } from './informer-crowd.js';

describeCrowds('the server behind TLS', 10_000, async () => {
  const ca = createCa({ commonName: 'crowd' });
  const pair = ca.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const tls = { cert: pair.certPem, key: pair.keyPem };
  let server = embeddedServer({ authenticate: AUTHENTICATE });
  let http = await serveHttp(server, { port: 0, tls, limits: { closeMs: 100 } });
  return {
    url: http.url,
    caPem: ca.certPem,
    token: TOKEN,
    restart: async () => {
      await http.close();
      server = embeddedServer({ authenticate: AUTHENTICATE, snapshot: server.store.snapshot({ history: false }) });
      http = await serveHttp(server, { port: http.port, tls, limits: { closeMs: 100 } });
    },
    stop: () => http.close(),
  };
});
