// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import {
  anyObject,
  array,
  boolean,
  int32,
  int64,
  intOrString,
  integer,
  labelSelector,
  map,
  named,
  nullable,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../../model/index.js';

const pvcShape = object({ name: string(), namespace: string() });

/** A value of the shape Pvc. */
export interface Pvc extends Infer<typeof pvcShape> {}

/** The shape Pvc. */
export const pvc: Schema<Pvc> = named('Pvc', pvcShape);

const pitShape = object({ present: optional(boolean()), tickPolicy: optional(string()) });

/** A value of the shape Pit. */
export interface Pit extends Infer<typeof pitShape> {}

/** The shape Pit. */
export const pit: Schema<Pit> = named('Pit', pitShape);

const memoryDumpShape = object({ claimName: string(), hotpluggable: optional(boolean()), readOnly: optional(boolean()) });

/** A value of the shape MemoryDump. */
export interface MemoryDump extends Infer<typeof memoryDumpShape> {}

/** The shape MemoryDump. */
export const memoryDump: Schema<MemoryDump> = named('MemoryDump', memoryDumpShape);

const dataSourceShape = object({ apiGroup: optional(string()), kind: string(), name: string() }, { mapType: 'atomic' });

/** A value of the shape DataSource. */
export interface DataSource extends Infer<typeof dataSourceShape> {}

/** The shape DataSource. */
export const dataSource: Schema<DataSource> = named('DataSource', dataSourceShape);

const dataSourceRefShape = object({ apiGroup: optional(string()), kind: string(), name: string(), namespace: optional(string()) });

/** A value of the shape DataSourceRef. */
export interface DataSourceRef extends Infer<typeof dataSourceRefShape> {}

/** The shape DataSourceRef. */
export const dataSourceRef: Schema<DataSourceRef> = named('DataSourceRef', dataSourceRefShape);

const matchExpressionShape = object({ key: string(), operator: string(), values: optional(array(string(), { listType: 'atomic' })) });

/** A value of the shape MatchExpression. */
export interface MatchExpression extends Infer<typeof matchExpressionShape> {}

/** The shape MatchExpression. */
export const matchExpression: Schema<MatchExpression> = named('MatchExpression', matchExpressionShape);

const preferenceShape = object({
  inferFromVolume: optional(string()),
  inferFromVolumeFailurePolicy: optional(string()),
  kind: optional(string()),
  name: optional(string()),
  revisionName: optional(string()),
});

/** A value of the shape Preference. */
export interface Preference extends Infer<typeof preferenceShape> {}

/** The shape Preference. */
export const preference: Schema<Preference> = named('Preference', preferenceShape);

const legacyConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape LegacyCondition. */
export interface LegacyCondition extends Infer<typeof legacyConditionShape> {}

/** The shape LegacyCondition. */
export const legacyCondition: Schema<LegacyCondition> = named('LegacyCondition', legacyConditionShape);

const infraClusterSecretRefShape = object(
  {
    apiVersion: optional(string()),
    fieldPath: optional(string()),
    kind: optional(string()),
    name: optional(string()),
    namespace: optional(string()),
    resourceVersion: optional(string()),
    uid: optional(string()),
  },
  { mapType: 'atomic' },
);

/** A value of the shape InfraClusterSecretRef. */
export interface InfraClusterSecretRef extends Infer<typeof infraClusterSecretRefShape> {}

/** The shape InfraClusterSecretRef. */
export const infraClusterSecretRef: Schema<InfraClusterSecretRef> = named('InfraClusterSecretRef', infraClusterSecretRefShape);

const resourcesShape = object({ limits: optional(map(quantity())), requests: optional(map(quantity())) });

/** A value of the shape Resources. */
export interface Resources extends Infer<typeof resourcesShape> {}

/** The shape Resources. */
export const resources: Schema<Resources> = named('Resources', resourcesShape);

const cloudInitNoCloudShape = object({
  networkData: optional(string()),
  networkDataBase64: optional(string()),
  networkDataSecretRef: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  secretRef: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  userData: optional(string()),
  userDataBase64: optional(string()),
});

/** A value of the shape CloudInitNoCloud. */
export interface CloudInitNoCloud extends Infer<typeof cloudInitNoCloudShape> {}

/** The shape CloudInitNoCloud. */
export const cloudInitNoCloud: Schema<CloudInitNoCloud> = named('CloudInitNoCloud', cloudInitNoCloudShape);

const nodeSelectorTermShape = object(
  {
    matchExpressions: optional(array(matchExpression, { listType: 'atomic' })),
    matchFields: optional(array(matchExpression, { listType: 'atomic' })),
  },
  { mapType: 'atomic' },
);

/** A value of the shape NodeSelectorTerm. */
export interface NodeSelectorTerm extends Infer<typeof nodeSelectorTermShape> {}

/** The shape NodeSelectorTerm. */
export const nodeSelectorTerm: Schema<NodeSelectorTerm> = named('NodeSelectorTerm', nodeSelectorTermShape);

const livenessProbeShape = object({
  exec: optional(object({ command: optional(array(string(), { listType: 'atomic' })) })),
  failureThreshold: optional(int32()),
  guestAgentPing: optional(object({})),
  httpGet: optional(object({
    host: optional(string()),
    httpHeaders: optional(array(object({ name: string(), value: string() }), { listType: 'atomic' })),
    path: optional(string()),
    port: intOrString(),
    scheme: optional(string()),
  })),
  initialDelaySeconds: optional(int32()),
  periodSeconds: optional(int32()),
  successThreshold: optional(int32()),
  tcpSocket: optional(object({ host: optional(string()), port: intOrString() })),
  timeoutSeconds: optional(int32()),
});

/** A value of the shape LivenessProbe. */
export interface LivenessProbe extends Infer<typeof livenessProbeShape> {}

/** The shape LivenessProbe. */
export const livenessProbe: Schema<LivenessProbe> = named('LivenessProbe', livenessProbeShape);

const podAffinityTermShape = object({
  labelSelector: optional(labelSelector),
  matchLabelKeys: optional(array(string(), { listType: 'atomic' })),
  mismatchLabelKeys: optional(array(string(), { listType: 'atomic' })),
  namespaceSelector: optional(labelSelector),
  namespaces: optional(array(string(), { listType: 'atomic' })),
  topologyKey: string(),
});

/** A value of the shape PodAffinityTerm. */
export interface PodAffinityTerm extends Infer<typeof podAffinityTermShape> {}

/** The shape PodAffinityTerm. */
export const podAffinityTerm: Schema<PodAffinityTerm> = named('PodAffinityTerm', podAffinityTermShape);

const kubevirtClusterSpecShape = object({
  controlPlaneEndpoint: optional(object({ host: string(), port: integer() })),
  controlPlaneServiceTemplate: optional(object({ metadata: optional(nullable(anyObject())), spec: optional(object({ type: optional(string()) })) })),
  infraClusterSecretRef: optional(infraClusterSecretRef),
  sshKeys: optional(object({ configRef: optional(infraClusterSecretRef), dataSecretName: optional(string()) })),
});

/** A value of the shape KubevirtClusterSpec. */
export interface KubevirtClusterSpec extends Infer<typeof kubevirtClusterSpecShape> {}

/** The shape KubevirtClusterSpec. */
export const kubevirtClusterSpec: Schema<KubevirtClusterSpec> = named('KubevirtClusterSpec', kubevirtClusterSpecShape);

const podAffinityShape = object({
  preferredDuringSchedulingIgnoredDuringExecution: optional(array(object({ podAffinityTerm: podAffinityTerm, weight: int32() }), { listType: 'atomic' })),
  requiredDuringSchedulingIgnoredDuringExecution: optional(array(podAffinityTerm, { listType: 'atomic' })),
});

/** A value of the shape PodAffinity. */
export interface PodAffinity extends Infer<typeof podAffinityShape> {}

/** The shape PodAffinity. */
export const podAffinity: Schema<PodAffinity> = named('PodAffinity', podAffinityShape);

const kubevirtMachineSpecShape = object({
  infraClusterSecretRef: optional(infraClusterSecretRef),
  providerID: optional(string()),
  virtualMachineBootstrapCheck: optional(object({ checkStrategy: optional(string({ default: 'ssh', enum: ['none', 'ssh'] })) })),
  virtualMachineTemplate: optional(object({
    metadata: optional(nullable(anyObject())),
    spec: optional(object({
      dataVolumeTemplates: optional(array(nullable(object({
        apiVersion: optional(string()),
        kind: optional(string()),
        metadata: optional(nullable(anyObject())),
        spec: object({
          checkpoints: optional(array(object({ current: string(), previous: string() }))),
          contentType: optional(string({ enum: ['kubevirt', 'archive'] })),
          finalCheckpoint: optional(boolean()),
          preallocation: optional(boolean()),
          priorityClassName: optional(string()),
          pvc: optional(object({
            accessModes: optional(array(string(), { listType: 'atomic' })),
            dataSource: optional(dataSource),
            dataSourceRef: optional(dataSourceRef),
            resources: optional(resources),
            selector: optional(labelSelector),
            storageClassName: optional(string()),
            volumeAttributesClassName: optional(string()),
            volumeMode: optional(string()),
            volumeName: optional(string()),
          })),
          serviceAccountName: optional(string()),
          source: optional(object({
            blank: optional(object({})),
            gcs: optional(object({ secretRef: optional(string()), url: string() })),
            http: optional(object({
              certConfigMap: optional(string()),
              checksum: optional(string()),
              extraHeaders: optional(array(string())),
              secretExtraHeaders: optional(array(string())),
              secretRef: optional(string()),
              url: string(),
            })),
            imageio: optional(object({
              certConfigMap: optional(string()),
              diskId: string(),
              insecureSkipVerify: optional(boolean()),
              secretRef: optional(string()),
              url: string(),
            })),
            pvc: optional(pvc),
            registry: optional(object({
              certConfigMap: optional(string()),
              imageStream: optional(string()),
              platform: optional(object({ architecture: optional(string()) })),
              pullMethod: optional(string()),
              secretRef: optional(string()),
              url: optional(string()),
            })),
            s3: optional(object({ certConfigMap: optional(string()), secretRef: optional(string()), url: string() })),
            snapshot: optional(pvc),
            upload: optional(object({})),
            vddk: optional(object({
              backingFile: optional(string()),
              extraArgs: optional(string()),
              initImageURL: optional(string()),
              secretRef: optional(string()),
              thumbprint: optional(string()),
              url: optional(string()),
              uuid: optional(string()),
            })),
          })),
          sourceRef: optional(object({ kind: string(), name: string(), namespace: optional(string()) })),
          storage: optional(object({
            accessModes: optional(array(string())),
            dataSource: optional(dataSource),
            dataSourceRef: optional(dataSourceRef),
            resources: optional(resources),
            selector: optional(labelSelector),
            storageClassName: optional(string()),
            volumeMode: optional(string()),
            volumeName: optional(string()),
          })),
        }),
        status: optional(nullable(object({}))),
      })))),
      instancetype: optional(preference),
      preference: optional(preference),
      runStrategy: optional(string()),
      running: optional(boolean()),
      template: object({
        metadata: optional(nullable(anyObject())),
        spec: optional(object({
          accessCredentials: optional(array(
            object({
              sshPublicKey: optional(object({
                propagationMethod: object({
                  configDrive: optional(object({})),
                  noCloud: optional(object({})),
                  qemuGuestAgent: optional(object({ users: array(string(), { listType: 'set' }) })),
                }),
                source: object({ secret: optional(object({ secretName: string() })) }),
              })),
              userPassword: optional(object({
                propagationMethod: object({ qemuGuestAgent: optional(object({})) }),
                source: object({ secret: optional(object({ secretName: string() })) }),
              })),
            }),
            { maxItems: 256, listType: 'atomic' },
          )),
          affinity: optional(object({
            nodeAffinity: optional(object({
              preferredDuringSchedulingIgnoredDuringExecution: optional(array(object({ preference: nodeSelectorTerm, weight: int32() }), { listType: 'atomic' })),
              requiredDuringSchedulingIgnoredDuringExecution: optional(object(
                { nodeSelectorTerms: array(nodeSelectorTerm, { listType: 'atomic' }) },
                { mapType: 'atomic' },
              )),
            })),
            podAffinity: optional(podAffinity),
            podAntiAffinity: optional(podAffinity),
          })),
          architecture: optional(string()),
          dnsConfig: optional(object({
            nameservers: optional(array(string(), { listType: 'atomic' })),
            options: optional(array(object({ name: optional(string()), value: optional(string()) }), { listType: 'atomic' })),
            searches: optional(array(string(), { listType: 'atomic' })),
          })),
          dnsPolicy: optional(string()),
          domain: object({
            chassis: optional(object({
              asset: optional(string()),
              manufacturer: optional(string()),
              serial: optional(string()),
              sku: optional(string()),
              version: optional(string()),
            })),
            clock: optional(object(
              {
                timer: optional(object({
                  hpet: optional(pit),
                  hyperv: optional(object({ present: optional(boolean()) })),
                  kvm: optional(object({ present: optional(boolean()) })),
                  pit: optional(pit),
                  rtc: optional(object({ present: optional(boolean()), tickPolicy: optional(string()), track: optional(string()) })),
                })),
                timezone: optional(string()),
                utc: optional(object({ offsetSeconds: optional(integer()) })),
              },
              { preserveUnknown: true },
            )),
            cpu: optional(object({
              cores: optional(int32()),
              dedicatedCpuPlacement: optional(boolean()),
              features: optional(array(object({ name: string(), policy: optional(string()) }))),
              isolateEmulatorThread: optional(boolean()),
              maxSockets: optional(int32()),
              model: optional(string()),
              numa: optional(object({ guestMappingPassthrough: optional(object({})) })),
              realtime: optional(object({ mask: optional(string()) })),
              sockets: optional(int32()),
              threads: optional(int32()),
            })),
            devices: object({
              autoattachGraphicsDevice: optional(boolean()),
              autoattachInputDevice: optional(boolean()),
              autoattachMemBalloon: optional(boolean()),
              autoattachPodInterface: optional(boolean()),
              autoattachSerialConsole: optional(boolean()),
              autoattachVSOCK: optional(boolean()),
              blockMultiQueue: optional(boolean()),
              clientPassthrough: optional(object({})),
              disableHotplug: optional(boolean()),
              disks: optional(array(
                object({
                  blockSize: optional(object({
                    custom: optional(object({
                      discardGranularity: optional(integer()),
                      logical: optional(integer()),
                      physical: optional(integer()),
                    })),
                    matchVolume: optional(object({ enabled: optional(boolean()) })),
                  })),
                  bootOrder: optional(integer()),
                  cache: optional(string()),
                  cdrom: optional(object({ bus: optional(string()), readonly: optional(boolean()), tray: optional(string()) })),
                  changedBlockTracking: optional(boolean()),
                  dedicatedIOThread: optional(boolean()),
                  disk: optional(object({ bus: optional(string()), pciAddress: optional(string()), readonly: optional(boolean()) })),
                  errorPolicy: optional(string()),
                  io: optional(string()),
                  lun: optional(object({ bus: optional(string()), readonly: optional(boolean()), reservation: optional(boolean()) })),
                  name: string(),
                  serial: optional(string()),
                  shareable: optional(boolean()),
                  tag: optional(string()),
                }),
                { maxItems: 256 },
              )),
              downwardMetrics: optional(object({})),
              filesystems: optional(array(object({ name: string(), virtiofs: object({}) }), { listType: 'atomic' })),
              gpus: optional(array(
                object({
                  claimName: optional(string()),
                  deviceName: optional(string()),
                  name: string(),
                  requestName: optional(string()),
                  tag: optional(string()),
                  virtualGPUOptions: optional(object({
                    display: optional(object({ enabled: optional(boolean()), ramFB: optional(object({ enabled: optional(boolean()) })) })),
                  })),
                }),
                { listType: 'atomic' },
              )),
              hostDevices: optional(array(
                object({
                  claimName: optional(string()),
                  deviceName: optional(string()),
                  name: string(),
                  requestName: optional(string()),
                  tag: optional(string()),
                }),
                { listType: 'atomic' },
              )),
              inputs: optional(array(object({ bus: optional(string()), name: string(), type: string() }))),
              interfaces: optional(array(
                object({
                  acpiIndex: optional(integer()),
                  binding: optional(object({ name: string() })),
                  bootOrder: optional(integer()),
                  bridge: optional(object({})),
                  dhcpOptions: optional(object({
                    bootFileName: optional(string()),
                    ntpServers: optional(array(string())),
                    privateOptions: optional(array(object({ option: integer(), value: string() }))),
                    tftpServerName: optional(string()),
                  })),
                  macAddress: optional(string()),
                  macvtap: optional(object({})),
                  masquerade: optional(object({})),
                  model: optional(string()),
                  name: string(),
                  passt: optional(object({})),
                  passtBinding: optional(object({})),
                  pciAddress: optional(string()),
                  ports: optional(array(object({ name: optional(string()), port: int32(), protocol: optional(string()) }))),
                  slirp: optional(object({})),
                  sriov: optional(object({})),
                  state: optional(string()),
                  tag: optional(string()),
                }),
                { maxItems: 256 },
              )),
              logSerialConsole: optional(boolean()),
              networkInterfaceMultiqueue: optional(boolean()),
              panicDevices: optional(array(object({ model: optional(string()) }))),
              rng: optional(object({})),
              sound: optional(object({ model: optional(string()), name: string() })),
              tpm: optional(object({ enabled: optional(boolean()), persistent: optional(boolean()) })),
              useVirtioTransitional: optional(boolean()),
              video: optional(object({ type: optional(string()) })),
              watchdog: optional(object({
                diag288: optional(object({ action: optional(string()) })),
                i6300esb: optional(object({ action: optional(string()) })),
                name: string(),
              })),
            }),
            features: optional(object({
              acpi: optional(object({ enabled: optional(boolean()) })),
              apic: optional(object({ enabled: optional(boolean()), endOfInterrupt: optional(boolean()) })),
              hyperv: optional(object({
                evmcs: optional(object({ enabled: optional(boolean()) })),
                frequencies: optional(object({ enabled: optional(boolean()) })),
                ipi: optional(object({ enabled: optional(boolean()) })),
                reenlightenment: optional(object({ enabled: optional(boolean()) })),
                relaxed: optional(object({ enabled: optional(boolean()) })),
                reset: optional(object({ enabled: optional(boolean()) })),
                runtime: optional(object({ enabled: optional(boolean()) })),
                spinlocks: optional(object({ enabled: optional(boolean()), spinlocks: optional(int32()) })),
                synic: optional(object({ enabled: optional(boolean()) })),
                synictimer: optional(object({ direct: optional(object({ enabled: optional(boolean()) })), enabled: optional(boolean()) })),
                tlbflush: optional(object({
                  direct: optional(object({ enabled: optional(boolean()) })),
                  enabled: optional(boolean()),
                  extended: optional(object({ enabled: optional(boolean()) })),
                })),
                vapic: optional(object({ enabled: optional(boolean()) })),
                vendorid: optional(object({ enabled: optional(boolean()), vendorid: optional(string()) })),
                vpindex: optional(object({ enabled: optional(boolean()) })),
              })),
              hypervPassthrough: optional(object({ enabled: optional(boolean()) })),
              kvm: optional(object({ hidden: optional(boolean()) })),
              pvspinlock: optional(object({ enabled: optional(boolean()) })),
              smm: optional(object({ enabled: optional(boolean()) })),
            })),
            firmware: optional(object({
              acpi: optional(object({ msdmNameRef: optional(string()), slicNameRef: optional(string()) })),
              bootloader: optional(object({
                bios: optional(object({ useSerial: optional(boolean()) })),
                efi: optional(object({ persistent: optional(boolean()), secureBoot: optional(boolean()) })),
              })),
              kernelBoot: optional(object({
                container: optional(object({
                  image: string(),
                  imagePullPolicy: optional(string()),
                  imagePullSecret: optional(string()),
                  initrdPath: optional(string()),
                  kernelPath: optional(string()),
                })),
                kernelArgs: optional(string()),
              })),
              serial: optional(string()),
              uuid: optional(string()),
            })),
            ioThreads: optional(object({ supplementalPoolThreadCount: optional(int32()) })),
            ioThreadsPolicy: optional(string()),
            launchSecurity: optional(object({
              sev: optional(object({
                attestation: optional(object({})),
                dhCert: optional(string()),
                policy: optional(object({ encryptedState: optional(boolean()) })),
                session: optional(string()),
              })),
              snp: optional(object({})),
              tdx: optional(object({})),
            })),
            machine: optional(object({ type: optional(string()) })),
            memory: optional(object({
              guest: optional(quantity()),
              hugepages: optional(object({ pageSize: optional(string()) })),
              maxGuest: optional(quantity()),
              reservedOverhead: optional(object({
                addedOverhead: optional(quantity()),
                memLock: optional(string({ enum: ['NotRequired', 'Required'] })),
              })),
            })),
            rebootPolicy: optional(string({ enum: ['Reboot', 'Terminate'] })),
            resources: optional(object({
              limits: optional(map(quantity())),
              overcommitGuestOverhead: optional(boolean()),
              requests: optional(map(quantity())),
            })),
          }),
          evictionStrategy: optional(string()),
          hostname: optional(string()),
          livenessProbe: optional(livenessProbe),
          networks: optional(array(
            object({
              multus: optional(object({ default: optional(boolean()), networkName: string() })),
              name: string(),
              pod: optional(object({ vmIPv6NetworkCIDR: optional(string()), vmNetworkCIDR: optional(string()) })),
            }),
            { maxItems: 256 },
          )),
          nodeSelector: optional(map(string())),
          priorityClassName: optional(string()),
          readinessProbe: optional(livenessProbe),
          resourceClaims: optional(array(
            object({
              name: string(),
              resourceClaimName: optional(string()),
              resourceClaimTemplateName: optional(string()),
            }),
            { listMapKeys: ['name'], listType: 'map' },
          )),
          schedulerName: optional(string()),
          startStrategy: optional(string()),
          subdomain: optional(string()),
          terminationGracePeriodSeconds: optional(int64()),
          tolerations: optional(array(object({
            effect: optional(string()),
            key: optional(string()),
            operator: optional(string()),
            tolerationSeconds: optional(int64()),
            value: optional(string()),
          }))),
          topologySpreadConstraints: optional(array(
            object({
              labelSelector: optional(labelSelector),
              matchLabelKeys: optional(array(string(), { listType: 'atomic' })),
              maxSkew: int32(),
              minDomains: optional(int32()),
              nodeAffinityPolicy: optional(string()),
              nodeTaintsPolicy: optional(string()),
              topologyKey: string(),
              whenUnsatisfiable: string(),
            }),
            { listMapKeys: ['topologyKey', 'whenUnsatisfiable'], listType: 'map' },
          )),
          utilityVolumes: optional(array(
            object({ claimName: string(), name: string(), readOnly: optional(boolean()), type: optional(string()) }),
            { maxItems: 256, listMapKeys: ['name'], listType: 'map' },
          )),
          volumes: optional(array(
            object({
              cloudInitConfigDrive: optional(cloudInitNoCloud),
              cloudInitNoCloud: optional(cloudInitNoCloud),
              configMap: optional(object(
                {
                  name: optional(string({ default: '' })),
                  optional: optional(boolean()),
                  volumeLabel: optional(string()),
                },
                { mapType: 'atomic' },
              )),
              containerDisk: optional(object({
                image: string(),
                imagePullPolicy: optional(string()),
                imagePullSecret: optional(string()),
                path: optional(string()),
              })),
              containerPath: optional(object({
                path: string({
                  maxLength: 4096,
                  rules: [
                    { message: "path must be absolute (start with '/')", rule: "self.startsWith('/')" },
                    { message: "path must not contain '..'", rule: "!self.contains('..')" },
                  ],
                }),
                readOnly: optional(boolean({
                  default: true,
                  rules: [{ message: 'readOnly must be true, write access is not supported', rule: 'self == true' }],
                })),
              })),
              dataVolume: optional(object({ hotpluggable: optional(boolean()), name: string() })),
              downwardAPI: optional(object({
                fields: optional(array(object({
                  fieldRef: optional(object({ apiVersion: optional(string()), fieldPath: string() }, { mapType: 'atomic' })),
                  mode: optional(int32()),
                  path: string(),
                  resourceFieldRef: optional(object(
                    { containerName: optional(string()), divisor: optional(quantity()), resource: string() },
                    { mapType: 'atomic' },
                  )),
                }))),
                volumeLabel: optional(string()),
              })),
              downwardMetrics: optional(object({})),
              emptyDisk: optional(object({ capacity: quantity() })),
              ephemeral: optional(object({
                persistentVolumeClaim: optional(object({ claimName: string(), readOnly: optional(boolean()) })),
              })),
              hostDisk: optional(object({ capacity: optional(quantity()), path: string(), shared: optional(boolean()), type: string() })),
              memoryDump: optional(memoryDump),
              name: string(),
              persistentVolumeClaim: optional(memoryDump),
              secret: optional(object({
                optional: optional(boolean()),
                secretName: optional(string()),
                volumeLabel: optional(string()),
              })),
              serviceAccount: optional(object({ serviceAccountName: optional(string()) })),
              sysprep: optional(object({
                configMap: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
                secret: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
              })),
            }),
            { maxItems: 256 },
          )),
        })),
      }),
      updateVolumesStrategy: optional(string()),
    })),
  })),
});

/** A value of the shape KubevirtMachineSpec. */
export interface KubevirtMachineSpec extends Infer<typeof kubevirtMachineSpecShape> {}

/** The shape KubevirtMachineSpec. */
export const kubevirtMachineSpec: Schema<KubevirtMachineSpec> = named('KubevirtMachineSpec', kubevirtMachineSpecShape);
