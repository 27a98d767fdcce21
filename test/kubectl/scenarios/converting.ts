import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { Converter, hostSpec } from '../../src/conformance/converter.js';
import { deleted } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const CRDS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Hosts in two versions, with a webhook between them that is there as long as the scenario. */
async function withHosts(k: Session, run: (converter: Converter) => Promise<void>): Promise<void> {
  const group = `${k.namespace}.example.com`;
  const converter = await Converter.start();
  const { url, caBundle } = converter;
  const names = { plural: 'hosts', kind: 'Host', shortNames: [k.namespace] };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `hosts.${group}` },
    spec: { group, scope: 'Namespaced', names, ...hostSpec({ url, caBundle }) },
  };
  await k.create(CRDS, definition as KubeObject);
  const crd = `crd/hosts.${group}`;
  try {
    await k.run(`wait --for=condition=Established ${crd} --timeout=20s`);
    for (const version of ['v1', 'v2'])
      for (let attempt = 0; (await k.raw(`get hosts.${version}.${group}`)).code !== 0; attempt += 1)
        if (attempt > 20) throw new Error(`hosts of ${version} are not served`);
    await run(converter);
  } finally {
    await k.raw(`delete ${crd} --wait=false --ignore-not-found`);
    await converter.stop();
  }
}

/** Kinds that a webhook converts. */
export const convertingScenarios: readonly Scenario[] = [
  {
    name: 'a kind converted by webhook is got and applied in either version',
    smoke: true,
    run: (k) =>
      withHosts(k, async (converter) => {
        const group = `${k.namespace}.example.com`;
        const host = (version: string, spec: object): KubeObject =>
          ({ apiVersion: `${group}/${version}`, kind: 'Host', metadata: { name: 'one' }, spec }) as KubeObject;
        const first = k.file('first.json', [host('v1', { address: 'x:1' })]);
        const second = k.file('second.json', [host('v2', { host: 'y', port: '2' })]);
        await k.prints(`create --save-config -f ${first}`, 'host.<ns>.example.com/one created\n');
        await k.prints(`get hosts.v2.${group}`, 'NAME  HOST\none  x\n');
        await k.prints(['get', `hosts.v2.${group}`, 'one', '-o', 'jsonpath={.spec}'], '{"host":"x","port":"1"}');
        await k.prints(`apply -f ${second}`, 'host.<ns>.example.com/one configured\n');
        await k.prints(['get', `hosts.v1.${group}`, 'one', '-o', 'jsonpath={.spec}'], '{"address":"y:2"}');
        await k.prints(`scale hosts.v2.${group} one --replicas=3`, 'host.<ns>.example.com/one scaled\n');
        converter.refuse('out of order');
        const failed =
          'Error from server: conversion webhook for <ns>.example.com/v1, Kind=Host failed: out of order\n';
        await k.fails(`get hosts.v2.${group} one`, failed);
        expect((await k.run(`get hosts.v1.${group} one`)).code).toBe(0);
        await k.fails(`delete hosts.v2.${group} one`, failed);
        converter.honest();
        await k.prints(`delete hosts.v2.${group} one`, deleted(k, 'host.<ns>.example.com "one"'));
      }),
  },
];
