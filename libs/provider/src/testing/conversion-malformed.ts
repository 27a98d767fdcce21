import { roundTripViolations, withoutEmpty } from '@capstan/convert';
import type { Side, TwoWayMap } from '@capstan/convert';
import { providerMap } from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import { canonicalJson, deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { must } from './conformance-subject.js';

/** What nobody expects where something else belongs. */
const oddValues: readonly unknown[] = ['odd', '', 7, 2.5, -1, true, ['odd'], [7], [{}], { odd: 'odd' }, {}, null];

/** Every way to a value inside another one. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}

/** A copy with something else in a place; `undefined` removes what is there. */
function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === name ? replaced(each, rest, by) : each));
  const copy: JsonObject = { ...(value as JsonObject), [name]: replaced((value as JsonObject)[name], rest, by) };
  if (copy[name] === undefined) delete copy[name];
  return copy;
}

/** What is wrong with an odd object: it does not come back, or what is odd leaves no trace. */
function violations(
  map: TwoWayMap<MachineContext>,
  side: Side,
  { odd, without }: { readonly odd: JsonObject; readonly without: JsonObject },
  context: MachineContext,
): string[] {
  if (map.convert(side, odd, context).errors.length > 0) return [];
  const found = roundTripViolations(map, side, odd, context);
  const normal = (object: JsonObject): unknown => withoutEmpty(map.normalise(side, object, context));
  const outcome = (object: JsonObject): string => canonicalJson(map.convert(side, object, context));
  const isLost = outcome(odd) === outcome(without) && !deepEqual(normal(odd), normal(without));
  return isLost ? [...found, 'is lost without an error or a warning'] : found;
}

/**
 * Tries an object with something of another type in the place of each value: that is an error with a path or comes
 * back as it was, and is never lost without an error or a warning, nor thrown.
 */
export function checkMalformed(
  platform: MachinePlatform,
  side: Side,
  object: JsonObject,
  context: MachineContext,
): void {
  const map = providerMap(platform);
  const found = placesIn(object).flatMap((path) =>
    oddValues.flatMap((odd) => {
      const what = `${path.join('.')} = ${JSON.stringify(odd)}`;
      try {
        const pair = {
          odd: replaced(object, path, odd) as JsonObject,
          without: replaced(object, path, undefined) as JsonObject,
        };
        return violations(map, side, pair, context).map((violation) => `${what}: ${violation}`);
      } catch (error) {
        return [`${what}: throws ${String(error)}`];
      }
    }),
  );
  must(found.length === 0, found.join('\n'));
}
