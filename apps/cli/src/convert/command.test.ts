import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { conversionPlatforms } from '../platforms.js';
import { TestIo } from '../testing-io.js';
import { documents, printed, TestFolder } from './testing-folder.js';
import { healthCheck, machine } from './testing-fleet.js';

const folder = new TestFolder();
afterAll(() => folder.remove());

async function capstan(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(['convert', ...argv], io);
  return { code, out: io.stdout, err: folder.here(io.stderr) };
}

describe('capstan convert', () => {
  const good = folder.yaml('good.yaml', healthCheck('workers'));
  const bad = folder.yaml('bad.yaml', healthCheck('workers'), machine('boat'));

  it('ends with 0 when all is converted', async () => {
    const { code, err, out } = await capstan('-f', good);
    expect({ code, objects: printed(out), err }).toEqual({
      code: 0,
      objects: ['MachineHealthCheck/workers'],
      err: '1 object of 1 converts to Cluster API\n',
    });
  });

  it('exits with 1 when an object cannot be converted, and knows the platforms of this program', async () => {
    const { code, err, out } = await capstan('-f', bad);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const known = (await conversionPlatforms()).providerSpecKinds;
    expect(err.split('\n').slice(0, 2)).toEqual([
      'error: Machine boat: spec.providerSpec.value.kind: is HarbourMachineProviderSpec, which no platform here writes',
      `  to do: write one of ${known.join(', ')}`,
    ]);
    expect(await capstan('-f', bad, '--check')).toMatchObject({ code: 1, err: '' });
    expect(await capstan('-f', bad, '--keep-going')).toMatchObject({ code: 1 });
  });

  it('exits with 2 when the input or the cluster cannot be read', async () => {
    expect(await capstan('-f', `${folder.path}/none`)).toEqual({
      code: 2,
      out: '',
      err: 'error: there is no none\nname a file, a directory or - with -f\n',
    });
    expect(await capstan('--check')).toMatchObject({ code: 2, out: '' });
  });

  it('converts a machine as an installer writes it', async () => {
    const filter = (name: string): object => ({ filters: [{ name: 'tag:Name', values: [name] }] });
    const value = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AWSMachineProviderConfig',
      ami: { id: 'ami-0123456789abcdef0' },
      blockDevices: [{ ebs: { encrypted: true, iops: 0, volumeSize: 120, volumeType: 'gp3' } }],
      credentialsSecret: { name: 'aws-cloud-credentials' },
      deviceIndex: 0,
      iamInstanceProfile: { id: 'fleet-worker-profile' },
      instanceType: 'm6i.xlarge',
      metadataServiceOptions: {},
      placement: { availabilityZone: 'eu-central-1a', region: 'eu-central-1' },
      securityGroups: [filter('fleet-node')],
      subnet: filter('fleet-private-eu-central-1a'),
      tags: [{ name: 'kubernetes.io/cluster/fleet', value: 'owned' }],
      userDataSecret: { name: 'worker-user-data' },
    };
    const worker = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'worker', namespace: 'openshift-machine-api' },
      spec: { providerID: 'aws:///eu-central-1a/i-0123456789abcdef0', providerSpec: { value } },
    };
    const cluster = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSCluster',
      metadata: { name: 'fleet', namespace: 'openshift-cluster-api' },
      spec: { region: 'eu-central-1', identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' } },
    };
    const { code, err, out } = await capstan('-f', folder.yaml('worker.yaml', worker, cluster));
    expect({ code, err }).toEqual({
      code: 0,
      err: 'Secrets that have to exist: openshift-cluster-api/worker-user-data\n1 object of 1 converts to Cluster API\n',
    });
    // What becomes of each field is for the platform's own tests.
    const providerID = worker.spec.providerID;
    expect(documents(out)).toMatchObject([
      { kind: 'AWSMachine', spec: { ami: value.ami, instanceType: 'm6i.xlarge', subnet: value.subnet, providerID } },
      {
        kind: 'Machine',
        spec: {
          clusterName: 'fleet',
          failureDomain: 'eu-central-1a',
          bootstrap: { dataSecretName: 'worker-user-data' },
          infrastructureRef: { kind: 'AWSMachine', name: 'worker' },
          providerID,
        },
      },
    ]);
    const made = folder.text('made.yaml', out);
    const alone = await capstan('-f', made, '--to', 'machine-api');
    expect(alone.code).toBe(1);
    expect(alone.err).toContain('spec.region of the infrastructure cluster is needed, and not given\n');
    expect(alone.err).toContain('to do: give the infrastructure cluster and the Infrastructure with --infrastructure');
    expect(await capstan('-f', made, '--infrastructure', folder.yaml('cluster.yaml', cluster))).toMatchObject({
      code: 0,
    });
  });

  it.each([
    [[], 'error: there is nothing to convert\n'],
    [['-f', good, 'machines'], 'error: give either -f or live objects\n'],
    [['-f', good, '--to', 'nowhere'], "error: option '--to <api>' argument 'nowhere' is invalid."],
    [['-f', good, '--report', 'pdf'], "error: option '--report <format>' argument 'pdf' is invalid."],
    [['-f', ''], "error: option '-f, --filename <file>' argument '' is invalid."],
  ])('ends with 2 when it is not understood: %j', async (argv, message) => {
    const { code, err, out } = await capstan(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.slice(0, message.length)).toBe(message);
  });
});
