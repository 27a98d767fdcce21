import { expect } from 'vitest';
import { API_RESOURCES } from '../api-resources.js';
import type { Scenario } from '../scenario.js';
import { CONFIG_MAPS, configMap } from '../objects.js';
import { block } from '../text.js';

interface VersionAnswer {
  readonly clientVersion: { readonly minor: string };
  readonly serverVersion: { readonly major: string; readonly gitVersion: string };
}

/** The fields an explanation lists, with their types. */
function explained(text: string): string[] {
  return [...text.matchAll(/^ {2}(\S+)\t(<.*)$/gm)].map(([, name, type]) => `${String(name)} ${String(type)}`);
}

/** What kubectl learns about the server before it does anything. */
export const discoveryScenarios: readonly Scenario[] = [
  {
    name: 'version names both sides',
    smoke: true,
    run: async (k) => {
      const answer = JSON.parse((await k.raw('version -o json')).stdout) as VersionAnswer;
      expect(Number.parseInt(answer.clientVersion.minor, 10)).toBe(k.minor);
      expect(answer.serverVersion).toMatchObject({ major: '1', gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/) });
    },
  },
  {
    name: 'api-resources -o wide lists resources the way Kubernetes does',
    smoke: true,
    serverSince: { minor: 36, because: 'the list is of 1.36' },
    run: async (k) => {
      const rows = (await k.output('api-resources -o wide'))
        .trimEnd()
        .split('\n')
        .map((row) => row.split(/\s+/).join(' ').trim())
        // Other scenarios define resources meanwhile.
        .filter((row) => !row.includes('.example.com/'));
      expect(rows.shift()).toBe('NAME SHORTNAMES APIVERSION NAMESPACED KIND VERBS CATEGORIES');
      const served = new Set(rows);
      // The embedded server serves fewer kinds; those it serves look the same and come in the same order.
      expect(rows).toEqual(API_RESOURCES.filter((row) => served.has(row)));
      expect(rows.length).toBeGreaterThanOrEqual(k.cluster.backend === 'real' ? API_RESOURCES.length : 50);
    },
  },
  {
    name: 'api-versions prints the same with a cold and with a warm cache',
    smoke: true,
    run: async (k) => {
      const first = await k.output('api-versions');
      expect(first.split('\n')).toEqual(
        expect.arrayContaining(['apiextensions.k8s.io/v1', 'apps/v1', 'autoscaling/v1', 'autoscaling/v2', 'v1']),
      );
      await k.prints('api-versions', first);
    },
  },
  {
    name: 'cluster-info finds the control plane and no add-ons',
    run: (k) =>
      k.prints(
        'cluster-info',
        block`
          Kubernetes control plane is running at <server>

          To further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.
        `,
      ),
  },
  {
    name: 'get --raw shows answers as they are and errors as usual',
    smoke: true,
    run: async (k) => {
      await k.prints('get --raw /readyz', 'ok');
      await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const path = `/api/v1/namespaces/${k.namespace}/configmaps`;
      expect(JSON.parse(await k.output(`get --raw ${path}`))).toMatchObject({
        kind: 'ConfigMapList',
        items: [{ data: { a: '1' } }],
      });
      await k.fails(`get --raw ${path}/absent`, 'Error from server (NotFound): configmaps "absent" not found\n');
      const unserved = 'Error from server (NotFound): the server could not find the requested resource\n';
      await k.fails(`get --raw /api/v1/namespaces/${k.namespace}/nopes`, unserved);
      await k.fails('get --raw /nope', unserved);
    },
  },
  {
    name: 'explain knows the fields of built-in kinds',
    run: async (k) => {
      const field = await k.output('explain deployment.spec.replicas');
      expect(field).toMatch(/^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: replicas <integer>\n/);
      const kind = await k.output('explain cm');
      expect(kind).toMatch(/^KIND: +ConfigMap\nVERSION: +v1\n\nDESCRIPTION:\n/);
      expect(explained(kind)).toEqual([
        'apiVersion <string>',
        'binaryData <map[string]string>',
        'data <map[string]string>',
        'immutable <boolean>',
        'kind <string>',
        'metadata <ObjectMeta>',
      ]);
      expect(explained(await k.output('explain deployment.spec'))).toEqual([
        'minReadySeconds <integer>',
        'paused <boolean>',
        'progressDeadlineSeconds <integer>',
        'replicas <integer>',
        'revisionHistoryLimit <integer>',
        'selector <LabelSelector> -required-',
        'strategy <DeploymentStrategy>',
        'template <PodTemplateSpec> -required-',
      ]);
    },
  },
  {
    name: 'explain refuses fields and kinds that do not exist',
    run: async (k) => {
      const unknownField = await k.run('explain cm.nope');
      expect(unknownField).toMatchObject({ code: 1, stderr: 'error: field "nope" does not exist\n' });
      const unknownKind = await k.run('explain nope');
      expect(unknownKind).toMatchObject({ code: 1, stdout: '' });
      expect(unknownKind.stderr).toContain(`the server doesn't have a resource type "nope"`);
    },
  },
];
