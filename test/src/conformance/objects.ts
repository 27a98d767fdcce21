import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Session } from './session.js';
import { eventually, SERVER_LIMITS } from '../wait.js';

/** Where config maps of the test live. */
export const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
export const PODS = '/api/v1/namespaces/{ns}/pods';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';

type Fields = Record<string, unknown>;

/** So much of it must be left for a few requests. */
const MOST_OF_A_SECOND_MS = 700;

/** A config map; `metadata` and further fields are merged in. */
export function configMap(name: string, data: Fields = { a: '1' }, metadata: Fields = {}): Fields {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** A pod of one container. */
export function pod(name: string, metadata: Fields = {}, spec: Fields = {}): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
  };
}

/** A deployment of one container. */
export function deployment(name: string, spec: Fields = {}): Fields {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  };
}

/** Creates without writing it down; throws unless it worked. */
export async function given(s: Session, collection: string, object: Fields): Promise<Answer> {
  const answer = await s.quiet('POST', collection, { body: object });
  if (answer.status !== 201) throw new Error(`could not create in ${collection}: ${answer.text}`);
  return answer;
}

/** Waits until a real server's cache has seen a version, which reads of "any" state go to. */
export async function cached(s: Session, collection: string, version: string): Promise<void> {
  const target = `${collection}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
  await eventually(
    `a cache as new as ${version}`,
    async () => {
      const { status, text } = await s.quiet('GET', target);
      // It waits for no more than three seconds.
      if (status !== 200 && status !== 504) throw new Error(`the cache does not follow: ${text}`);
      return status === 200;
    },
    SERVER_LIMITS,
  );
}

/** The version of an answered object. */
export function versionOf(answer: Answer): string {
  const { resourceVersion } = answer.object().metadata;
  if (resourceVersion === undefined) throw new Error(`no version in ${answer.text}`);
  return resourceVersion;
}

/** Where times are those of a clock that goes on: what follows is done within one second of it. */
export async function withinSecond(s: Session): Promise<void> {
  const left = 1000 - (Date.now() % 1000);
  if (s.backend.kind === 'real' && left < MOST_OF_A_SECOND_MS) await delay(left);
}
