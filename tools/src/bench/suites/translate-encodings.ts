import { protobufOfJson } from '@capstan/apiserver';
import { CLUSTER_API_RULES, GroupMapping, fieldsOf } from '@capstan/translate';
import { ProtobufTranslator } from '@capstan/translate/protobuf';
import { rewriteYaml } from '@capstan/translate/yaml';
import { parseAllDocuments } from 'yaml';
import type { BenchRow, BenchSuite } from '../model.js';

const MEGABYTE = 1e6;
const ITEMS = 2000;
const YAML_BYTES = 100 * 1024;
const PRIVATE = 'cluster.hypershift.openshift.io';
const UID = '5d3f1a2b-0000-4000-8000-000000000001';

const metadata = (name: string, group: string): object => ({
  name,
  namespace: 'default',
  uid: UID,
  labels: { app: 'x' },
  ownerReferences: [{ apiVersion: `${group}/v1beta2`, kind: 'Machine', name: 'm', uid: UID, controller: true }],
  managedFields: [
    {
      manager: 'm',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:x': {} } },
    },
  ],
});

const secret = (index: number, group: string): object => ({
  metadata: metadata(`s-${index}`, group),
  type: 'Opaque',
  data: { value: Buffer.from('abcdefghij'.repeat(300)).toString('base64') },
});

const pod = (index: number, group: string): object => ({
  metadata: metadata(`p-${index}`, group),
  spec: {
    containers: [
      {
        name: 'c',
        image: 'registry/image:tag',
        args: ['--flag=1', '--other=2'],
        env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
      },
    ],
    volumes: [{ name: 'v', secret: { secretName: 'x' } }],
    tolerations: [{ key: 'a', operator: 'Exists' }],
  },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], podIP: '10.0.0.1' },
});

function listOf(kind: string, item: (index: number, group: string) => object, group: string): Buffer {
  const items = Array.from({ length: ITEMS }, (_, index) => item(index, group));
  return Buffer.from(
    protobufOfJson({ apiVersion: 'v1', kind, metadata: {}, items } as { apiVersion: string; kind: string }),
  );
}

/** Machines as written by hand. */
function manifests(): Buffer {
  let source = 'items:\n';
  for (let index = 0; source.length < YAML_BYTES; index += 1) {
    source += `- apiVersion: cluster.x-k8s.io/v1beta2\n  kind: Machine\n  metadata:\n    name: m-${index}\n    labels:\n      cluster.x-k8s.io/cluster-name: c\n  spec:\n    clusterName: c # a comment\n    bootstrap: {dataSecretName: "x"}\n    text: |\n      hello\n      there\n`;
  }
  return Buffer.from(source);
}

function protobufRow(translator: ProtobufTranslator, name: string, body: Buffer): BenchRow {
  const size = body.length / MEGABYTE;
  return {
    name: `protobuf: ${name}`,
    unit: 'MB/s',
    better: 'higher',
    reference: {
      name: 'Buffer.includes, nothing found',
      run: (bench) => bench.rate(() => body.includes('not in it anywhere')) * size,
    },
    run: (bench) => bench.rate(() => translator.body(body)) * size,
  };
}

function yamlRow(mapping: GroupMapping): BenchRow {
  const { anywhere } = fieldsOf(mapping);
  const body = manifests();
  const size = body.length / MEGABYTE;
  return {
    name: 'YAML: 100 KB of machines',
    unit: 'MB/s',
    better: 'higher',
    reference: {
      name: 'parsing it with yaml',
      run: (bench) => bench.rate(() => parseAllDocuments(body.toString())) * size,
    },
    run: (bench) => bench.rate(() => rewriteYaml(body, anywhere)) * size,
  };
}

/** Groups renamed in encodings other than JSON. */
export const translateEncodingsSuite: BenchSuite = {
  name: 'translate-encodings',
  open: () => {
    const mapping = new GroupMapping(CLUSTER_API_RULES);
    const translator = new ProtobufTranslator({ mapping, direction: 'response' });
    const rows = [
      protobufRow(translator, 'Secrets without a group', listOf('SecretList', secret, 'apps')),
      protobufRow(translator, 'Secrets, a group in each', listOf('SecretList', secret, PRIVATE)),
      protobufRow(translator, 'Pods without a group', listOf('PodList', pod, 'apps')),
      protobufRow(translator, 'Pods, a group in each', listOf('PodList', pod, PRIVATE)),
      yamlRow(mapping),
    ];
    return { rows };
  },
};
