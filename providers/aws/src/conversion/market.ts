/** How an instance is bought, and where in the data centre it stands. */
import { isRecord, same } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { numberBetween, oneOf, optionalText, refused } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';

type Convert = Codec<MachineContext>['forward'];
const both = (convert: Convert, like: Codec<MachineContext>): Codec<MachineContext> => ({
  ...like,
  forward: convert,
  backward: convert,
});

const SPOT = 'spotMarketOptions';
const RESERVATION = 'capacityReservationId';
const marketTypes = oneOf('OnDemand', 'Spot', 'CapacityBlock');

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The CRD of AWSMachines refuses null; it means no price in Machine API. */
function withoutNullPrice(value: unknown): unknown {
  if (!isRecord(value) || value['maxPrice'] !== null) return value;
  const { maxPrice: _none, ...rest } = value;
  return rest;
}

/** An empty record is a wish too: spot instances at whatever price. */
const spot: Convert = (value, field) => {
  if (value === undefined) return undefined;
  if (!isRecord(value)) {
    field.error('must be an object');
    return undefined;
  }
  for (const name of Object.keys(value))
    if (name !== 'maxPrice') field.error(`has a field this conversion does not know: ${name}`);
  if (isSet(value['maxPrice']) && typeof value['maxPrice'] !== 'string') field.error('must have a string for maxPrice');
  return withoutNullPrice(value);
};

const marketType: Convert = (value, field) => {
  const { record } = field;
  if (value === 'OnDemand' || value === 'CapacityBlock') {
    if (isSet(record[SPOT])) field.error(`is ${goQuote(value)}, which cannot be together with ${SPOT}: remove one`);
    if (value === 'CapacityBlock' && !isSet(record[RESERVATION])) field.error(`needs ${RESERVATION}: set it`);
  }
  return marketTypes.forward(value, field);
};

const reservation: Convert = (value, field) => {
  const { record } = field;
  if (isSet(value) && (record['marketType'] === 'Spot' || isSet(record[SPOT])))
    field.error('cannot be set for spot instances: remove it, or have them on demand');
  return optionalText.forward(value, field);
};

/** Market, reservations and placement groups, which are the same on both sides. */
export const market: readonly MachineRule[] = [
  same('marketType', both(marketType, marketTypes)),
  same(SPOT, { forward: spot, backward: spot, normal: { left: withoutNullPrice, right: withoutNullPrice } }),
  same(RESERVATION, both(reservation, optionalText)),
  refused('right', 'capacityReservationPreference', `cannot be kept: Machine API has ${RESERVATION} alone`),
  same('placementGroupName', optionalText),
  same('placementGroupPartition', numberBetween(1, 7)),
];
