import { Client } from '@capstan/kube';
import type { Transport } from '@capstan/meta';
import { embeddedServer } from '../src/conformance/backend.js';
import { installHostedDefinitions } from './definitions.js';

let started: Promise<Transport> | undefined;

/** An embedded server with the CRDs of hosted clusters: one for all suites of a worker, for these are large. */
export function hostedServer(): Promise<Transport> {
  started ??= start();
  return started;
}

async function start(): Promise<Transport> {
  const server = embeddedServer();
  await installHostedDefinitions(new Client(server));
  return server;
}
