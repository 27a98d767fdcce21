/** Named formats: `format.dns1123Label().validate(text)`. */
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkQualifiedName,
} from '@capstan/meta';
import { parseTimestamp } from '../values/data.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration } from './declarations.js';
import { noOverload } from '../values/order.js';
import { listType, optionalType, stringType } from '../types/types.js';
import { CelOpaque, optionalNone, optionalOf } from '../values/values.js';
import { formatType } from './kinds.js';
import { urlComplaint } from './urls.js';

type Check = (text: string) => readonly string[];

class CelFormat extends CelOpaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly check: Check;
  readonly #patternSize: number;
  constructor(name: string, patternSize: number, check: Check) {
    super();
    this.name = name;
    this.check = check;
    this.#patternSize = patternSize;
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelFormat && other.name === this.name;
  }
  override get patternSize(): number {
    return this.#patternSize;
  }
}

/** A prefix may end in a dash, because something will follow it. */
function prefix(check: Check): Check {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function unless(test: (text: string) => boolean, complaint: string): Check {
  return (text) => (test(text) ? [] : [complaint]);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
}

const clock = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/;

function isDateTime(text: string): boolean {
  const [day, time] = text.toLowerCase().split('t');
  const [, hours, minutes, seconds] = clock.exec(time ?? '') ?? [];
  if (day === undefined || hours === undefined || minutes === undefined || seconds === undefined) return false;
  return isDate(day) && hours <= '23' && minutes <= '59' && seconds <= '59';
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuidSize = 70;
const dateTimeSize = 71;

const formats: Readonly<Record<string, CelFormat>> = {
  dns1123Label: new CelFormat('DNS1123Label', 30, checkDns1123Label),
  dns1123Subdomain: new CelFormat('DNS1123Subdomain', 60, checkDns1123Subdomain),
  dns1035Label: new CelFormat('DNS1035Label', 30, checkDns1035Label),
  qualifiedName: new CelFormat('QualifiedName', 60, checkQualifiedName),
  dns1123LabelPrefix: new CelFormat('DNS1123LabelPrefix', 30, prefix(checkDns1123Label)),
  dns1123SubdomainPrefix: new CelFormat('DNS1123SubdomainPrefix', 60, prefix(checkDns1123Subdomain)),
  dns1035LabelPrefix: new CelFormat('DNS1035LabelPrefix', 30, prefix(checkDns1035Label)),
  labelValue: new CelFormat('LabelValue', 40, checkLabelValue),
  uri: new CelFormat('URI', 1103, (text) => {
    const complaint = urlComplaint(text);
    return complaint === undefined ? [] : [complaint];
  }),
  uuid: new CelFormat(
    'uuid',
    uuidSize,
    unless((text) => uuid.test(text), 'does not match the UUID format'),
  ),
  byte: new CelFormat(
    'byte',
    84,
    unless((text) => base64.test(text), 'invalid base64'),
  ),
  date: new CelFormat('date', dateTimeSize, unless(isDate, 'invalid date')),
  datetime: new CelFormat('datetime', dateTimeSize, unless(isDateTime, 'invalid datetime')),
};

/** Functions on formats. */
export const formatFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'validate',
    overloads: [
      method('format-validate', [formatType, stringType], optionalType(listType(stringType)), (format, text) => {
        if (!(format instanceof CelFormat) || typeof text !== 'string') return noOverload;
        const complaints = format.check(text);
        return complaints.length === 0 ? optionalNone : optionalOf(complaints);
      }),
    ],
  },
  {
    name: 'format.named',
    overloads: [
      global('format-named', [stringType], optionalType(formatType), (name) =>
        typeof name === 'string' && Object.hasOwn(formats, name) ? optionalOf(formats[name]) : optionalNone,
      ),
    ],
  },
  ...Object.entries(formats).map(([name, format]) => ({
    name: `format.${name}`,
    overloads: [global(`format.${name}`, [], formatType, () => format)],
  })),
];
