/** The attachments of volumes to nodes. */
import { fieldImmutable, forbidden, invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, keepMetadata } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkSubdomain } from '../shared/checks.js';
import { equalJson, fields, record, text } from '../shared/json.js';
import { structText } from '../shared/internal.js';
import type { ResourceStrategy } from '../strategy.js';
import { checkDriverName } from '../core/volumes.js';

function checkAttachmentSource(out: Errors, source: Readonly<JsonObject>): void {
  const path = 'spec.source';
  const inline = record(source['inlineVolumeSpec']);
  const name = source['persistentVolumeName'];
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (!inline && name === undefined) out.push(required(path, detail));
  else if (inline && name !== undefined) out.push(forbidden(path, detail));
  else if (name === '')
    out.push(required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName'));
}

function validateAttachment(attachment: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(attachment['spec']);
  checkDriverName(out, 'spec.attacher', text(spec['attacher']));
  checkAttachmentSource(out, fields(spec['source']));
  checkSubdomain(out, 'spec.nodeName', text(spec['nodeName']));
  const { persistentVolumeName } = fields(spec['source']);
  if (typeof persistentVolumeName === 'string')
    checkSubdomain(out, 'spec.source.persistentVolumeName', persistentVolumeName);
  return out;
}

/** Under the server's internal names. */
function shownAttachment(spec: Readonly<JsonObject>): JsonObject {
  const { persistentVolumeName, inlineVolumeSpec } = fields(spec['source']);
  const Source = { PersistentVolumeName: persistentVolumeName ?? null, InlineVolumeSpec: inlineVolumeSpec ?? null };
  return { Attacher: text(spec['attacher']), Source, NodeName: text(spec['nodeName']) };
}

function validateAttachmentUpdate(attachment: KubeObject, old: KubeObject): FieldError[] {
  const out = validateAttachment(attachment);
  if (!equalJson(attachment['spec'], old['spec']))
    out.push(invalid('spec', structText(shownAttachment(fields(attachment['spec']))), fieldImmutable));
  return out;
}

/** Strategy of volume attachments. */
export const volumeAttachmentStrategy: ResourceStrategy = {
  ...BASE,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  prepareForCreate: (attachment) => {
    attachment['status'] = { attached: false };
  },
  validate: validateAttachment,
  prepareForUpdate: (attachment, old) => keepField(attachment, old, 'status'),
  validateUpdate: validateAttachmentUpdate,
  subresources: {
    status: {
      prepareForUpdate: (attachment, old) => {
        keepField(attachment, old, 'spec');
        keepMetadata(attachment, old);
      },
      validateUpdate: validateAttachmentUpdate,
    },
  },
};
