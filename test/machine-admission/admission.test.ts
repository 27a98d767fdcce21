import { serveHttp } from '@capstan/apiserver';
import { createCa } from '@capstan/kube';
import { embeddedServer } from '../src/conformance/backend.js';
import { AUTHENTICATE, TOKEN } from '../src/conformance/servers.js';
import { describeAdmission } from './suite.js';

describeAdmission('the embedded server', async () => {
  const server = embeddedServer({ authenticate: AUTHENTICATE, authorization: 'rbac' });
  const ca = createCa({ commonName: 'machine-admission' });
  const pair = ca.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  return { url: http.url, ca: ca.certPem, token: TOKEN, stop: () => http.close() };
});
