// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  kind,
  named,
  object,
  optional,
  string,
} from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const imageStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  downloadAttempts: optional(int32()),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    hash: optional(object({
      algorithm: string({ enum: ['md5', 'sha1', 'sha256', 'sha512'] }),
      value: string({ maxLength: 1024, minLength: 1, pattern: '^[0-9a-f]+$' }),
    })),
    name: optional(string({ maxLength: 1024 })),
    protected: optional(boolean()),
    sizeB: optional(int64()),
    status: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    virtualSizeB: optional(int64()),
    visibility: optional(string({ maxLength: 1024 })),
  })),
});

/** A value of the shape ImageStatus. */
export interface ImageStatus extends Infer<typeof imageStatusShape> {}

/** The shape ImageStatus. */
export const imageStatus: Schema<ImageStatus> = named('ImageStatus', imageStatusShape);

const imageSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
            visibility: optional(string({ enum: ['public', 'private', 'shared', 'community'] })),
          },
          { minProperties: 1 },
        )),
        id: optional(string({ format: 'uuid', maxLength: 36 })),
      },
      { maxProperties: 1, minProperties: 1 },
    )),
    managedOptions: optional(object({ onDelete: optional(string({ default: 'delete', enum: ['delete', 'detach'] })) })),
    managementPolicy: optional(string({
      default: 'managed',
      enum: ['managed', 'unmanaged'],
      rules: [{ message: 'managementPolicy is immutable', rule: 'self == oldSelf' }],
    })),
    resource: optional(object({
      content: optional(object(
        {
          containerFormat: optional(string({ default: 'bare', enum: ['ami', 'ari', 'aki', 'bare', 'ovf', 'ova', 'docker', 'compressed'] })),
          diskFormat: string({ enum: ['ami', 'ari', 'aki', 'vhd', 'vhdx', 'vmdk', 'raw', 'qcow2', 'vdi', 'ploop', 'iso'] }),
          download: object({
            decompress: optional(string({ enum: ['xz', 'gz', 'bz2'] })),
            hash: optional(object(
              {
                algorithm: string({ enum: ['md5', 'sha1', 'sha256', 'sha512'] }),
                value: string({ maxLength: 1024, minLength: 1, pattern: '^[0-9a-f]+$' }),
              },
              { rules: [{ message: 'hash is immutable', rule: 'self == oldSelf' }] },
            )),
            url: string({ format: 'uri', maxLength: 2048 }),
          }),
        },
        { rules: [{ message: 'content is immutable', rule: 'self == oldSelf' }] },
      )),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      properties: optional(object(
        {
          architecture: optional(string({
            enum: [
              'aarch64',
              'alpha',
              'armv7l',
              'cris',
              'i686',
              'ia64',
              'lm32',
              'm68k',
              'microblaze',
              'microblazeel',
              'mips',
              'mipsel',
              'mips64',
              'mips64el',
              'openrisc',
              'parisc',
              'parisc64',
              'ppc',
              'ppc64',
              'ppcemb',
              's390',
              's390x',
              'sh4',
              'sh4eb',
              'sparc',
              'sparc64',
              'unicore32',
              'x86_64',
              'xtensa',
              'xtensaeb',
            ],
          })),
          hardware: optional(object({
            cdromBus: optional(string({ enum: ['scsi', 'virtio', 'uml', 'xen', 'ide', 'usb', 'lxc'] })),
            cpuCores: optional(int32({ minimum: 1 })),
            cpuPolicy: optional(string({ enum: ['shared', 'dedicated'] })),
            cpuSockets: optional(int32({ minimum: 1 })),
            cpuThreadPolicy: optional(string({ enum: ['prefer', 'isolate', 'require'] })),
            cpuThreads: optional(int32({ minimum: 1 })),
            diskBus: optional(string({ enum: ['scsi', 'virtio', 'uml', 'xen', 'ide', 'usb', 'lxc'] })),
            qemuGuestAgent: optional(boolean()),
            rngModel: optional(string({ maxLength: 255 })),
            scsiModel: optional(string({ enum: ['virtio-scsi'] })),
            vifModel: optional(string({ enum: ['e1000', 'e1000e', 'ne2k_pci', 'pcnet', 'rtl8139', 'virtio', 'vmxnet3'] })),
          })),
          hypervisorType: optional(string({ enum: ['hyperv', 'ironic', 'lxc', 'qemu', 'uml', 'vmware', 'xen'] })),
          minDiskGB: optional(int32({ minimum: 1 })),
          minMemoryMB: optional(int32({ minimum: 1 })),
          operatingSystem: optional(object({
            distro: optional(string({
              enum: [
                'arch',
                'centos',
                'debian',
                'fedora',
                'freebsd',
                'gentoo',
                'mandrake',
                'mandriva',
                'mes',
                'msdos',
                'netbsd',
                'netware',
                'openbsd',
                'opensolaris',
                'opensuse',
                'rocky',
                'rhel',
                'sled',
                'ubuntu',
                'windows',
              ],
            })),
            version: optional(string({ maxLength: 255 })),
          })),
        },
        { rules: [{ message: 'properties is immutable', rule: 'self == oldSelf' }] },
      )),
      protected: optional(boolean()),
      tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
      visibility: optional(string({ enum: ['public', 'private', 'shared', 'community'] })),
    })),
  },
  {
    rules: [
      {
        message: 'resource must be specified when policy is managed',
        rule: "self.managementPolicy == 'managed' ? has(self.resource) : true",
      },
      {
        message: 'import may not be specified when policy is managed',
        rule: "self.managementPolicy == 'managed' ? !has(self.__import__) : true",
      },
      {
        message: 'resource may not be specified when policy is unmanaged',
        rule: "self.managementPolicy == 'unmanaged' ? !has(self.resource) : true",
      },
      {
        message: 'import must be specified when policy is unmanaged',
        rule: "self.managementPolicy == 'unmanaged' ? has(self.__import__) : true",
      },
      {
        message: 'managedOptions may only be provided when policy is managed',
        rule: "has(self.managedOptions) ? self.managementPolicy == 'managed' : true",
      },
      {
        message: 'resource content must be specified when not importing',
        rule: '!has(self.__import__) ? has(self.resource.content) : true',
      },
    ],
  },
);

/** A value of the shape ImageSpec. */
export interface ImageSpec extends Infer<typeof imageSpecShape> {}

/** The shape ImageSpec. */
export const imageSpec: Schema<ImageSpec> = named('ImageSpec', imageSpecShape);

/** The kind Image. */
export const image = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Image',
  plural: 'images',
  categories: ['openstack'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'ID', type: 'string', jsonPath: '.status.id' },
        { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type=='Available')].status" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: imageSpec, status: optional(imageStatus) }),
    },
  ],
});

/** Image in `openstack.k-orc.cloud/v1alpha1`. */
export type Image = KindOf<typeof image, 'v1alpha1'>;
