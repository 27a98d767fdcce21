/** What a machine's disk is made from: an image by its id, or one of the marketplace. */
import { joint, refused } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, Reading } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';
import { NO_SUBSCRIPTION, subscriptionOf } from './cluster.js';

const MARKETPLACE = ['publisher', 'offer', 'sku', 'version'] as const;
type Marketplace = (typeof MARKETPLACE)[number];
type MachineApiField = Marketplace | 'resourceID' | 'type';
type ClusterApiField = Marketplace | 'id' | 'thirdPartyImage';

const TYPES = ['ID', 'MarketplaceNoPlan', 'MarketplaceWithPlan'];
const SUBSCRIPTIONS = '/subscriptions/';

/** Machine API puts the subscription before the id, and so cannot have it twice. */
const isWithoutSubscription = (id: string): boolean =>
  id.startsWith('/') && !id.toLowerCase().startsWith(SUBSCRIPTIONS);

function idOf(read: Reading<MachineApiField>, resourceID: string, type: string | undefined): string | undefined {
  for (const name of MARKETPLACE)
    if (read.text(name) !== undefined) read.error(name, 'cannot be set together with resourceID: keep one of them');
  if (type !== undefined && type !== 'ID')
    read.error('type', `is ${goQuote(type)}, but resourceID names no image of the marketplace: keep one of them`);
  if (!isWithoutSubscription(resourceID))
    read.error('resourceID', 'must begin with /resourceGroups/, as Machine API puts the subscription before it');
  const subscription = subscriptionOf(read.context);
  if (subscription === undefined) read.error('resourceID', NO_SUBSCRIPTION, 'ClusterUnknown');
  else return `${SUBSCRIPTIONS}${subscription}${resourceID}`;
  return undefined;
}

function marketplaceOf<Name extends string>(
  read: Reading<Name | Marketplace>,
): Partial<Record<Marketplace, string | undefined>> {
  const found = Object.fromEntries(MARKETPLACE.map((name) => [name, read.text(name)]));
  for (const name of MARKETPLACE)
    if (found[name] === undefined) read.error(name, 'must be set, as images of the marketplace have all four names');
  return found;
}

function toClusterApi(read: Reading<MachineApiField>): Partial<Record<ClusterApiField, unknown>> {
  const type = read.text('type');
  const resourceID = read.text('resourceID');
  if (type !== undefined && !TYPES.includes(type)) {
    const known = TYPES.map((each) => goQuote(each)).join(', ');
    read.error('type', `Unsupported value: ${goQuote(type)}: supported values: ${known}`);
    return {};
  }
  if (resourceID !== undefined) return { id: idOf(read, resourceID, type) };
  if (type === 'ID' || MARKETPLACE.every((name) => read.text(name) === undefined)) {
    read.error('resourceID', 'must be set, or publisher, offer, sku and version: Cluster API has images of its own');
    return {};
  }
  return { ...marketplaceOf(read), thirdPartyImage: type === 'MarketplaceWithPlan' };
}

function resourceIDOf(read: Reading<ClusterApiField>, id: string, context: MachineContext): string | undefined {
  const subscription = subscriptionOf(context);
  if (subscription === undefined) {
    read.error('id', NO_SUBSCRIPTION, 'ClusterUnknown');
    return undefined;
  }
  const prefix = `${SUBSCRIPTIONS}${subscription}`;
  const rest = id.slice(prefix.length);
  if (id.toLowerCase().startsWith(`${prefix.toLowerCase()}/`) && isWithoutSubscription(rest)) return rest;
  read.error('id', `must begin with ${prefix}/, as Machine API takes images of the cluster's subscription alone`);
  return undefined;
}

/** Texts that are not set are written as empty ones, as the programs of Machine API do. */
const NOTHING = { publisher: '', offer: '', sku: '', version: '', resourceID: '' };

function toMachineApi(read: Reading<ClusterApiField>): Partial<Record<MachineApiField, unknown>> {
  const id = read.text('id');
  const isThirdParty = read.flag('thirdPartyImage');
  const names = MARKETPLACE.filter((name) => read.text(name) !== undefined);
  if (id !== undefined) {
    for (const name of names) read.error(name, 'cannot be set together with id: keep one of them');
    if (isThirdParty === true)
      read.error('thirdPartyImage', 'cannot be set together with id: Machine API has no plan there');
    return { ...NOTHING, resourceID: resourceIDOf(read, id, read.context) };
  }
  if (names.length === 0) {
    read.error('id', 'must be set, or marketplace: Machine API has no images of its own');
    return {};
  }
  const type = isThirdParty === true ? 'MarketplaceWithPlan' : 'MarketplaceNoPlan';
  return { ...NOTHING, ...marketplaceOf(read), type };
}

const gallery = 'images of galleries have no name in Machine API: write the id of the image, or one of the marketplace';

/** Both sides of `image`. */
export const image: readonly MachineRule[] = [
  joint<MachineApiField, ClusterApiField>({
    left: {
      publisher: 'image.publisher',
      offer: 'image.offer',
      sku: 'image.sku',
      version: 'image.version',
      resourceID: 'image.resourceID',
      type: 'image.type',
    },
    right: {
      id: 'image.id',
      publisher: 'image.marketplace.publisher',
      offer: 'image.marketplace.offer',
      sku: 'image.marketplace.sku',
      version: 'image.marketplace.version',
      thirdPartyImage: 'image.marketplace.thirdPartyImage',
    },
    forward: toClusterApi,
    backward: toMachineApi,
  }),
  refused('right', 'image.computeGallery', gallery),
  refused('right', 'image.sharedGallery', gallery),
];
