// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, int64, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const clusterApiSpecShape = object(
  {
    unmanagedCustomResourceDefinitions: optional(array(
      string({
        maxLength: 253,
        minLength: 1,
        rules: [
          {
            message: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character.",
            rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
          },
          { message: "CRD names must contain at least two '.' characters.", rule: "self.split('.').size() > 2" },
        ],
      }),
      {
        maxItems: 128,
        minItems: 1,
        listType: 'set',
        rules: [
          {
            message: 'items cannot be removed from unmanagedCustomResourceDefinitions list',
            rule: 'oldSelf.all(item, item in self)',
          },
        ],
      },
    )),
  },
  {
    minProperties: 0,
    rules: [
      {
        message: 'unmanagedCustomResourceDefinitions cannot be unset once set',
        rule: '!has(oldSelf.unmanagedCustomResourceDefinitions) || has(self.unmanagedCustomResourceDefinitions)',
      },
    ],
  },
);

/** A value of the shape ClusterAPISpec. */
export interface ClusterAPISpec extends Infer<typeof clusterApiSpecShape> {}

/** The shape ClusterAPISpec. */
export const clusterApiSpec: Schema<ClusterAPISpec> = named('ClusterAPISpec', clusterApiSpecShape);

const installerComponentShape = object(
  {
    image: optional(object({
      profile: string({
        maxLength: 255,
        minLength: 1,
        rules: [
          {
            message: "profile must consist of alphanumeric characters, '-', or '_'",
            rule: "self.matches('^[a-zA-Z0-9-_]+$')",
          },
        ],
      }),
      ref: string({
        maxLength: 447,
        minLength: 1,
        rules: [
          {
            message: "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long",
            rule: "(self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$'))",
          },
          {
            message: 'the OCI Image name should follow the host[:port][/namespace[/namespace...]]/name format, where host is a domain name, IPv4, or IPv6 address in brackets',
            rule: "(self.split('@')[0].matches('^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\\\\[(?:[a-fA-F0-9:]+)\\\\])(?::[0-9]+)?/[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*)*$'))",
          },
        ],
      }),
    })),
    name: optional(string({
      maxLength: 255,
      minLength: 1,
      rules: [
        { message: "name must consist of alphanumeric characters or '-'", rule: "self.matches('^[A-Za-z0-9-]+$')" },
      ],
    })),
    type: string({ enum: ['Image'] }),
  },
  {
    rules: [
      {
        message: 'image is required when type is Image, and forbidden otherwise',
        rule: "self.type == 'Image' ? has(self.image) : !has(self.image)",
      },
    ],
  },
);

/** A value of the shape InstallerComponent. */
export interface InstallerComponent extends Infer<typeof installerComponentShape> {}

/** The shape InstallerComponent. */
export const installerComponent: Schema<InstallerComponent> = named('InstallerComponent', installerComponentShape);

const installerRevisionShape = object(
  {
    components: optional(array(installerComponent, { maxItems: 32, minItems: 1, listType: 'atomic' })),
    contentID: string({ maxLength: 255, minLength: 1 }),
    manifestSubstitutions: optional(array(
      object({
        key: string({
          maxLength: 255,
          minLength: 1,
          rules: [
            {
              message: 'key must start with a letter or underscore, followed by letters, digits, or underscores',
              rule: "self.matches('^[A-Za-z_][A-Za-z0-9_]*$')",
            },
          ],
        }),
        value: string({ maxLength: 4096, minLength: 0 }),
      }),
      { maxItems: 32, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    name: string({ maxLength: 255, minLength: 1 }),
    revision: int64({ minimum: 1 }),
    unmanagedCustomResourceDefinitions: optional(array(
      string({
        maxLength: 253,
        minLength: 1,
        rules: [
          {
            message: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character.",
            rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
          },
        ],
      }),
      { maxItems: 128, minItems: 1, listType: 'atomic' },
    )),
  },
  { mapType: 'atomic' },
);

/** A value of the shape InstallerRevision. */
export interface InstallerRevision extends Infer<typeof installerRevisionShape> {}

/** The shape InstallerRevision. */
export const installerRevision: Schema<InstallerRevision> = named('InstallerRevision', installerRevisionShape);

const clusterApiStatusShape = object(
  {
    currentRevision: optional(string({ maxLength: 255, minLength: 1 })),
    desiredRevision: string({ maxLength: 255, minLength: 1 }),
    observedRevisionGeneration: optional(int64({
      maximum: 9007199254740991,
      minimum: 1,
      rules: [{ message: 'observedRevisionGeneration may not decrease', rule: 'self >= oldSelf' }],
    })),
    revisions: array(
      installerRevision,
      {
        maxItems: 16,
        minItems: 1,
        listType: 'atomic',
        rules: [
          {
            message: 'each revision must have a unique name',
            rule: 'self.all(x, self.exists_one(y, x.name == y.name))',
          },
          {
            message: 'each revision must have a unique revision number',
            rule: 'self.all(x, self.exists_one(y, x.revision == y.revision))',
          },
          {
            message: 'new revisions must have a revision number greater than all existing revisions',
            rule: 'self.all(new, oldSelf.exists(old, old.name == new.name) || oldSelf.all(old, new.revision > old.revision))',
          },
          {
            message: 'existing revisions are immutable, but may be removed',
            rule: 'oldSelf.all(old, !self.exists(new, new.name == old.name) || self.exists(new, new == old))',
          },
        ],
      },
    ),
  },
  {
    rules: [
      {
        message: 'desiredRevision must be the name of the revision with the highest revision number',
        rule: 'self.revisions.exists(r, r.name == self.desiredRevision && self.revisions.all(s, s.revision <= r.revision))',
      },
      {
        message: 'currentRevision must correspond to an entry in the revisions list',
        rule: '!has(self.currentRevision) || self.revisions.exists(r, r.name == self.currentRevision)',
      },
      {
        message: 'observedRevisionGeneration may not be unset once set',
        rule: '!has(oldSelf.observedRevisionGeneration) || has(self.observedRevisionGeneration)',
      },
    ],
  },
);

/** A value of the shape ClusterAPIStatus. */
export interface ClusterAPIStatus extends Infer<typeof clusterApiStatusShape> {}

/** The shape ClusterAPIStatus. */
export const clusterApiStatus: Schema<ClusterAPIStatus> = named('ClusterAPIStatus', clusterApiStatusShape);

/** The kind ClusterAPI. */
export const clusterApi = kind({
  group: 'operator.openshift.io',
  kind: 'ClusterAPI',
  plural: 'clusterapis',
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      subresources: { status: true },
      schema: object(
        { metadata: object({}), spec: clusterApiSpec, status: optional(clusterApiStatus) },
        {
          rules: [
            {
              message: "clusterapi is a singleton, .metadata.name must be 'cluster'",
              rule: "self.metadata.name == 'cluster'",
            },
            { message: 'status may not be removed once set', rule: '!has(oldSelf.status) || has(self.status)' },
          ],
        },
      ),
    },
  ],
});

/** ClusterAPI in `operator.openshift.io/v1alpha1`. */
export type ClusterAPI = KindOf<typeof clusterApi, 'v1alpha1'>;
