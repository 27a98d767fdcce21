import { count, since, text } from './format.js';
import { printer, type TablePrinter, type View } from './printer.js';

const modeNames: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModes(modes: readonly string[] | undefined): string {
  return modeNames
    .filter(([mode]) => modes?.includes(mode) === true)
    .map(([, short]) => short)
    .join(',');
}

function phaseOf({ metadata }: View, phase: string | undefined): string {
  return metadata.deletionTimestamp === undefined || metadata.deletionTimestamp === null
    ? (phase ?? '')
    : 'Terminating';
}

function classOf({ metadata }: View, name: string | undefined): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? name ?? '';
}

interface VolumeView extends View {
  readonly spec?: {
    readonly capacity?: { readonly storage?: string };
    readonly accessModes?: readonly string[];
    readonly persistentVolumeReclaimPolicy?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: { readonly phase?: string; readonly reason?: string };
}

/** Persistent volumes. */
export const persistentVolumes: TablePrinter = printer<VolumeView>(
  `Name
   Capacity              | string  | How much it holds.
   Access Modes          | string  | How it may be mounted.
   Reclaim Policy        | string  | What becomes of it once released.
   Status                | string  | The phase of the volume.
   Claim                 | string  | The claim it is bound to.
   StorageClass          | string  | Its storage class.
   VolumeAttributesClass | string  | Its volume attributes class.
   Reason                | string  | Why it failed, if so.
   Age
   VolumeMode            | string+ | Block device or file system.`,
  (volume, now) => {
    const { metadata, spec = {}, status = {} } = volume;
    return [
      text(metadata.name),
      spec.capacity?.storage ?? '0',
      accessModes(spec.accessModes),
      text(spec.persistentVolumeReclaimPolicy),
      phaseOf(volume, status.phase),
      spec.claimRef === undefined ? '' : `${text(spec.claimRef.namespace)}/${text(spec.claimRef.name)}`,
      classOf(volume, spec.storageClassName),
      spec.volumeAttributesClassName ?? '<unset>',
      text(status.reason),
      since(metadata.creationTimestamp, now),
      spec.volumeMode ?? '<unset>',
    ];
  },
);

interface ClaimView extends View {
  readonly spec?: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: { readonly storage?: string };
  };
}

/** Persistent volume claims; what they were given shows only once they are bound. */
export const persistentVolumeClaims: TablePrinter = printer<ClaimView>(
  `Name
   Status                | string  | The phase of the claim.
   Volume                | string  | The volume it is bound to.
   Capacity              | string  | How much that volume holds.
   Access Modes          | string  | How it may be mounted.
   StorageClass          | string  | Its storage class.
   VolumeAttributesClass | string  | Its volume attributes class.
   Age
   VolumeMode            | string+ | Block device or file system.`,
  (claim, now) => {
    const { metadata, spec = {}, status = {} } = claim;
    const volume = text(spec.volumeName);
    return [
      text(metadata.name),
      phaseOf(claim, status.phase),
      volume,
      volume === '' ? '' : (status.capacity?.storage ?? '0'),
      volume === '' ? '' : accessModes(status.accessModes),
      classOf(claim, spec.storageClassName),
      spec.volumeAttributesClassName ?? '<unset>',
      since(metadata.creationTimestamp, now),
      spec.volumeMode ?? '<unset>',
    ];
  },
);

interface StorageClassView extends View {
  readonly provisioner?: string;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
}

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Storage classes. */
export const storageClasses: TablePrinter = printer<StorageClassView>(
  `Name
   Provisioner          | string | Who makes the volumes.
   ReclaimPolicy        | string | What becomes of them once released.
   VolumeBindingMode    | string | When they are made and bound.
   AllowVolumeExpansion | string | Whether they can grow.
   Age`,
  ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, now) => [
    `${metadata.name ?? ''}${defaultClass.some((key) => metadata.annotations?.[key] === 'true') ? ' (default)' : ''}`,
    provisioner ?? '',
    reclaimPolicy ?? 'Delete',
    volumeBindingMode ?? 'Immediate',
    allowVolumeExpansion ?? false,
    since(metadata.creationTimestamp, now),
  ],
);

interface VolumeAttachmentView extends View {
  readonly spec?: {
    readonly attacher?: string;
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string };
  };
  readonly status?: { readonly attached?: boolean };
}

/** Volume attachments. */
export const volumeAttachments: TablePrinter = printer<VolumeAttachmentView>(
  `Name
   Attacher | name    | The driver that attaches it.
   PV       | string  | The volume.
   Node     | string  | The node.
   Attached | boolean | Whether it is attached.
   Age`,
  ({ metadata, spec, status }, now) => [
    metadata.name ?? '',
    spec?.attacher ?? '',
    spec?.source?.persistentVolumeName ?? '',
    spec?.nodeName ?? '',
    status?.attached ?? false,
    since(metadata.creationTimestamp, now),
  ],
);

interface CsiNodeView extends View {
  readonly spec?: { readonly drivers?: readonly unknown[] | null };
}

/** What CSI drivers a node has. */
export const csiNodes: TablePrinter = printer<CsiNodeView>(
  `Name
   Drivers | integer | How many drivers the node has.
   Age`,
  ({ metadata, spec }, now) => [
    metadata.name ?? '',
    count(spec?.drivers?.length),
    since(metadata.creationTimestamp, now),
  ],
);

interface CsiDriverView extends View {
  readonly spec?: {
    readonly attachRequired?: boolean;
    readonly podInfoOnMount?: boolean;
    readonly storageCapacity?: boolean;
    readonly tokenRequests?: readonly { readonly audience?: string }[];
    readonly requiresRepublish?: boolean;
    readonly volumeLifecycleModes?: readonly string[];
  };
}

/** CSI drivers. */
export const csiDrivers: TablePrinter = printer<CsiDriverView>(
  `Name
   AttachRequired    | boolean | Whether volumes are attached before they are mounted.
   PodInfoOnMount    | boolean | Whether mounting passes the pod's data to the driver.
   StorageCapacity   | boolean | Whether the driver publishes how much room it has.
   TokenRequests     | string  | The audiences of the tokens it is given.
   RequiresRepublish | boolean | Whether it is called again and again while mounted.
   Modes             | string  | The kinds of volumes it serves.
   Age`,
  ({ metadata, spec = {} }, now) => [
    text(metadata.name),
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience }) => text(audience)).join(',') ?? '<unset>',
    spec.requiresRepublish ?? false,
    spec.volumeLifecycleModes?.join(',') || '<none>',
    since(metadata.creationTimestamp, now),
  ],
);
