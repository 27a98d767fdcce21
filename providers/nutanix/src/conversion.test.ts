import { providerMap } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { checkMalformed, conversionConformance, TRIAL_LIMIT_MS } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversion } from './conversion/index.js';
import { conversionExamples as examples } from './testing/conversion-examples.js';
import { machines } from './testing/machines.js';

const map = providerMap(conversion);
const { context } = examples;

function changed(side: 'left' | 'right', changes: JsonObject): JsonObject {
  const source = structuredClone(machines.worker[side]) as JsonObject;
  const place = side === 'left' ? ['spec', 'providerSpec', 'value'] : ['infrastructure', 'spec'];
  Object.assign(
    place.reduce((record, name) => record[name] as JsonObject, source),
    changes,
  );
  return source;
}

/** The errors and warnings of a source with these fields changed. */
function issuesOf(side: 'left' | 'right', changes: JsonObject): string[] {
  const { errors, warnings } = map.convert(side, changed(side, changes), context);
  const prefix = side === 'left' ? 'spec.providerSpec.value.' : 'infrastructure.spec.';
  return [...errors, ...warnings].map(({ message, path }) => `${path.replace(prefix, '')}: ${message}`);
}

it.each(conversionConformance(conversion, examples).map(({ name, run }) => [name, run] as const))(
  'machines %s',
  { timeout: TRIAL_LIMIT_MS },
  (_, run) => {
    run();
  },
);

describe('a machine', () => {
  it.each(Object.entries(machines))('of the kind %s is written in both APIs', (_name, { left, right }) => {
    expect(map.forward(left, context)).toEqual({ value: right, errors: [], warnings: [] });
    expect(map.backward(right, context)).toEqual({ value: left, errors: [], warnings: [] });
  });

  it.each(
    Object.entries(machines).flatMap(([name, { left, right }]) => [
      [name, 'left', left] as const,
      [name, 'right', right] as const,
    ]),
  )('of the kind %s with odd values is refused or comes back, from the %s', (_name, side, object) => {
    checkMalformed(conversion, side, object, context);
  });

  it('with the empty project, boot type and lists that Go writes converts', () => {
    const source = changed('left', {
      project: { type: '' },
      bootType: '',
      categories: null,
      gpus: null,
      dataDisks: null,
      failureDomain: null,
      metadata: { creationTimestamp: null },
    });
    expect(map.forward(source, context)).toEqual({ value: machines.worker.right, errors: [], warnings: [] });
  });

  it('without a bootstrap secret has no reference to one', () => {
    const { value, errors } = map.forward(changed('left', { userDataSecret: { name: '' } }), context);
    expect(errors).toEqual([]);
    expect(value).not.toHaveProperty('infrastructure.spec.bootstrapRef');
  });

  it('has quantities as text, also when they are numbers', () => {
    const { value } = map.backward(changed('right', { memorySize: 17_179_869_184 }), context);
    expect(value).toHaveProperty('spec.providerSpec.value.memorySize', '17179869184');
  });
});

const uuid = '0005b0f1-8f43-a0f2-02b7-3cecef193712';
const disk = (change: JsonObject): JsonObject => ({ dataDisks: [{ diskSize: '1Gi', ...change }] });
const types = 'supported values: "uuid", "name"';

describe('of Machine API', () => {
  it.each<[string, JsonObject, string[]]>([
    [
      'metadata',
      { metadata: { name: 'a' } },
      ['metadata: has no place in Cluster API: set labels and annotations on the machine itself'],
    ],
    [
      'other credentials',
      { credentialsSecret: { name: 'mine' } },
      [
        'credentialsSecret.name: is "mine": only "nutanix-credentials" can be kept, as Cluster API has credentials on the infrastructure cluster',
      ],
    ],
    [
      'secure boot',
      { bootType: 'SecureBoot' },
      ['bootType: is SecureBoot, which Cluster API cannot: use UEFI, or keep the machine in Machine API'],
    ],
    [
      'an unknown boot type',
      { bootType: 'PXE' },
      ['bootType: Unsupported value: "PXE": supported values: "Legacy", "UEFI"'],
    ],
    ['no cluster', { cluster: undefined }, [`cluster.type: Unsupported value: "": ${types}`]],
    ['no image', { image: {} }, [`image.type: Unsupported value: "": ${types}`]],
    [
      'an identifier of another type',
      { image: { type: 'url', name: 'a' } },
      [`image.type: Unsupported value: "url": ${types}`],
    ],
    [
      'an identifier without its value',
      { image: { type: 'name', name: '' } },
      ['image.name: must be a string that is not empty, as the type is "name"'],
    ],
    ['a UUID that is none', { image: { type: 'uuid', uuid: 'a' } }, ['image.uuid: must be a UUID, and is "a"']],
    [
      'a value that the type does not name',
      { image: { type: 'uuid', uuid, name: 'a' } },
      ['image.name: is not read where the type is "uuid": remove it'],
    ],
    [
      'a subnet twice',
      {
        subnets: [
          { type: 'name', name: 'a' },
          { name: 'a', type: 'name' },
        ],
      },
      ['subnets[1]: Duplicate value: {"name":"a","type":"name"}'],
    ],
    [
      'too many subnets',
      { subnets: Array.from({ length: 33 }, (_, at) => ({ type: 'name', name: `n${at}` })) },
      ['subnets: Too many: 33: must have at most 32 items'],
    ],
    ['no CPUs', { vcpuSockets: 0 }, ['vcpuSockets: must be a whole number from 1 to 2147483647, and is 0']],
    ['a size that is none', { memorySize: '16 GB' }, ['memorySize: must be a quantity such as 16Gi, and is "16 GB"']],
    ['no size', { systemDiskSize: undefined }, ['systemDiskSize: must be a quantity such as 16Gi, and is null']],
    [
      'a category without a value',
      { categories: [{ key: 'a' }] },
      ['categories[0].value: must be a string of 1 to 64 characters, and is null'],
    ],
    [
      'a category twice',
      {
        categories: [
          { key: 'a', value: 'b' },
          { key: 'a', value: 'c' },
        ],
      },
      ['categories[1].key: Duplicate value: "a"'],
    ],
    [
      'a GPU of another type',
      { gpus: [{ type: 'name', name: 'a' }] },
      ['gpus[0].type: Unsupported value: "name": supported values: "Name", "DeviceID"'],
    ],
    [
      'a GPU without its number',
      { gpus: [{ type: 'DeviceID' }] },
      ['gpus[0].deviceID: must be a whole number of 32 bits, and is null'],
    ],
    [
      'a GPU with both',
      { gpus: [{ type: 'Name', name: 'a', deviceID: 1 }] },
      ['gpus[0].deviceID: is not read where the type is "Name": remove it'],
    ],
    [
      'a GPU with a name as well',
      { gpus: [{ type: 'DeviceID', name: 'a', deviceID: 1 }] },
      ['gpus[0].name: is not read where the type is "DeviceID": remove it'],
    ],
    [
      'a CD-ROM on SCSI',
      disk({ deviceProperties: { deviceType: 'CDRom', adapterType: 'SCSI' } }),
      ['dataDisks[0].deviceProperties.adapterType: Unsupported value: "SCSI": supported values: "IDE", "SATA"'],
    ],
    [
      'a device of another type',
      disk({ deviceProperties: { deviceType: 'Tape', adapterType: 'SCSI' } }),
      ['dataDisks[0].deviceProperties.deviceType: Unsupported value: "Tape": supported values: "Disk", "CDRom"'],
    ],
    [
      'a place before the first',
      disk({ deviceProperties: { adapterType: 'SCSI', deviceIndex: -1 } }),
      ['dataDisks[0].deviceProperties.deviceIndex: must be a whole number from 0 to 2147483647, and is -1'],
    ],
    [
      'a mode of another name',
      disk({ storageConfig: { diskMode: 'Fast' } }),
      ['dataDisks[0].storageConfig.diskMode: Unsupported value: "Fast": supported values: "Standard", "Flash"'],
    ],
  ])('%s cannot be kept, and gives an error', (_name, changes, expected) => {
    expect(issuesOf('left', changes)).toEqual(expected);
  });

  it('a provider ID of another cloud is refused', () => {
    const source = changed('left', {});
    (source['spec'] as JsonObject)['providerID'] = 'aws:///i-1';
    expect(map.forward(source, context).errors).toEqual([
      expect.objectContaining({ path: 'spec.providerID', message: 'names no VM of Nutanix: nutanix://<uuid>' }),
    ]);
  });
});

describe('of Cluster API', () => {
  it.each<[string, JsonObject, string[]]>([
    [
      'an image that is looked up',
      { image: undefined, imageLookup: { baseOS: 'rhcos' } },
      [
        `image.type: Unsupported value: "": ${types}`,
        'imageLookup: finds an image by the version of Kubernetes, which Machine API cannot: name the image itself',
      ],
    ],
    [
      'a container by name',
      disk({ storageConfig: { diskMode: 'Flash', storageContainer: { type: 'name', name: 'a' } } }),
      ['dataDisks[0].storageConfig.storageContainer.name: is by name, which Machine API cannot: name it by its UUID'],
    ],
    [
      'a category with two values',
      {
        additionalCategories: [
          { key: 'a', value: 'b' },
          { key: 'a', value: 'c' },
        ],
      },
      ['additionalCategories[1].key: Duplicate value: "a"'],
    ],
    [
      'a GPU of a large number',
      { gpus: [{ type: 'deviceID', deviceID: 2 ** 31 }] },
      [`gpus[0].deviceID: must be a whole number of 32 bits, and is ${2 ** 31}`],
    ],
    [
      'a boot type of another name',
      { bootType: 'UEFI' },
      ['bootType: Unsupported value: "UEFI": supported values: "legacy", "uefi"'],
    ],
    [
      'another bootstrap',
      { bootstrapRef: { kind: 'Image', name: 'worker-user-data' } },
      ['bootstrapRef.kind: is "Image", which cannot be kept: by the bootstrap secret of the Machine it is "Secret"'],
    ],
    [
      'a reference by UID',
      { bootstrapRef: { uid: 'u' } },
      ['bootstrapRef.uid: is "u", which cannot be kept: by the bootstrap secret of the Machine it is nothing'],
    ],
  ])('%s cannot be kept, and gives an error', (_name, changes, expected) => {
    expect(issuesOf('right', changes)).toEqual(expected);
  });
});

describe('failure domains', () => {
  it('are known by their names', () => {
    const { failureDomains } = conversion;
    expect(failureDomains?.toName({ name: 'fd-1' }, context)).toEqual({ name: 'fd-1' });
    expect(failureDomains?.toName({ name: 7 }, context)).toEqual({
      path: 'name',
      message: 'must be a string that is not empty',
    });
    expect(failureDomains?.toDomain('fd-1', context)).toEqual({ domain: { name: 'fd-1' } });
  });
});
