import { describe, expect, test } from 'vitest';
import { effectiveFormat, stringFormat } from './formats.js';

interface FormatCase {
  readonly format: string;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const uuid4 = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';

const cases: readonly FormatCase[] = [
  {
    format: 'date',
    good: ['2024-02-29', '2000-02-29', '0000-01-01', '9999-12-31'],
    bad: ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-01', '2024-01-00', '24-01-01', '2024-1-1', ''],
  },
  {
    format: 'date-time',
    good: [
      '2024-01-01T00:00:00Z',
      '2024-01-01t10:20:30.5+01:00',
      '2024-01-01T10:20:30,5z',
      '2024-01-01T23:59:59-23:59',
    ],
    bad: [
      '2024-01-01',
      '2024-01-01 00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T00:60:00Z',
      '2024-01-01T00:00:60Z',
      '2024-01-01T00:00:00',
    ],
  },
  {
    format: 'duration',
    good: ['1h', '1.5h', '-1h', '0', '5 days', '2 Weeks', '1 hr', '3\u00b5s', 'takes 5 min', '7 milliseconds'],
    bad: ['', 'h', '5', '5 parsecs', '99999999999999999999 s'],
  },
  {
    format: 'ipv4',
    good: ['10.0.0.1', '010.000.0.1', '::ffff:1.2.3.4'],
    bad: ['10.0.0.256', '10.0.0', '10.0.0.1.1', '::1', ' 10.0.0.1', '10.0.0.1/8', '10.0.0.x'],
  },
  {
    format: 'ipv6',
    good: ['::', '::1', '1:2:3:4:5:6:7:8', '1::8', '2001:db8::ff00:42:8329', '::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4'],
    bad: [
      '10.0.0.1',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7::8:9',
      '12345::',
      'g::',
      'fe80::1%eth0',
      '::1.2.3.04',
    ],
  },
  {
    format: 'cidr',
    good: ['10.0.0.0/8', '10.0.0.1/32', '010.0.0.0/08', '2001:db8::/32', '::/0', '::/128'],
    bad: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '::/129', '/8', '10.0.0.0/8/8'],
  },
  {
    format: 'mac',
    good: ['3D:F2:C9:A6:B3:4F', '3d-f2-c9-a6-b3-4f', '3DF2.C9A6.B34F', '00:00:5e:00:53:01:02:03', '3DF2C9A6B34F'],
    bad: ['3D-F2-C9-A6-B3:4F', '3D:F2:C9:A6:B3', '3DF2.C9A6', '3DF2C9A6B3', 'g0:00:00:00:00:00', ''],
  },
  {
    format: 'uuid',
    good: [uuid4, uuid4.toUpperCase(), uuid4.replaceAll('-', '')],
    bad: [`${uuid4}0`, 'x', uuid4.slice(1)],
  },
  { format: 'uuid3', good: ['f47ac10b-58cc-3372-a567-0e02b2c3d479'], bad: [uuid4] },
  {
    format: 'uuid4',
    good: [uuid4],
    bad: ['f47ac10b-58cc-4372-c567-0e02b2c3d479', 'f47ac10b-58cc-5372-a567-0e02b2c3d479'],
  },
  { format: 'uuid5', good: ['f47ac10b-58cc-5372-a567-0e02b2c3d479'], bad: [uuid4] },
  {
    format: 'byte',
    good: ['aGVsbG8=', 'YQ==', 'YWJj', 'YWJjZGVm'],
    bad: ['', 'a', 'YQ=', '====', 'YW-j', 'YQ==YQ==', 'A==='],
  },
  {
    format: 'uri',
    good: [
      'http://a.b/c?d=e#f',
      '/abs/path',
      'mailto:x@y',
      'http://[::1]:80/',
      'http://u:p@h/',
      'pg://a:1,b:2/',
      '*',
      'http://h/%20',
      'http://[fe80::1%25en0]/',
      'a:b',
    ],
    bad: [
      '',
      'foo',
      './rel',
      ':x',
      'http://h/%zz',
      'http://[1.2.3.4]/',
      'http://[::1',
      'http://a:b',
      'http://a:1:2',
      'http://a b/',
      'http://u p@h/',
      'http://h/\u0001',
      '%2f',
    ],
  },
  {
    format: 'hostname',
    good: ['a', 'foo.com', 'a-b.example.org', '0-0.com', 'b\u00fccher.de', 'x'.repeat(63)],
    bad: ['', '-a', 'a_b.com', 'a.b', 'foo.com.', '.com', 'x'.repeat(64), `${'x.'.repeat(130)}com`],
  },
  {
    format: 'email',
    good: [
      'x@y.com',
      'X Y <x@y.com>',
      '"q q"@y.z',
      'x@[1.2.3.4]',
      'x@y (comment)',
      'g: x@y;',
      'x@y (a (b))',
      '<x@y>',
      'ü@ö.de',
    ],
    bad: [
      'x',
      'x@',
      '@y',
      'x@y@z',
      '.x@y',
      'x.@y',
      'x..y@z',
      'x@[1.2.3.300]',
      'x@y (open',
      'X <x@y',
      '""@y',
      'g: x@y, z@y;',
      '(c) x@y',
    ],
  },
  { format: 'password', good: ['', 'anything'], bad: [] },
  {
    format: 'isbn10',
    good: ['3836221195', '3 401 01319 X', '1-61729-085-8'],
    bad: ['3836221194', 'X836221195', '9784873113685'],
  },
  { format: 'isbn13', good: ['9784873113685', '978-3-8362-2119-1'], bad: ['9784873113684', '3836221195'] },
  { format: 'isbn', good: ['3836221195', '9784873113685'], bad: ['12', ''] },
  {
    format: 'creditcard',
    good: ['4220855426222389', '4220-8554-2622-2389', '374953669708156'],
    bad: ['4220855426213389', '', '1234'],
  },
  { format: 'ssn', good: ['191-60-2869', '191 60 2869'], bad: ['191602869', '19-160-2869'] },
  { format: 'hexcolor', good: ['#fff', 'CCccCC'], bad: ['#ff', '#ff12FG', ''] },
  {
    format: 'rgbcolor',
    good: ['rgb(0,31,255)', 'rgb( 0 , 31, 255 )'],
    bad: ['rgb(256,0,0)', 'rgb(01,0,0)', 'rgba(0,0,0)'],
  },
  {
    format: 'bsonobjectid',
    good: ['507f1f77bcf86cd799439011'],
    bad: ['507f1f77bcf86cd79943901', 'x07f1f77bcf86cd799439011'],
  },
  { format: 'k8s-short-name', good: ['my-name', 'a', '0'], bad: ['My', 'a.b', '-a', 'a-', 'x'.repeat(64)] },
  {
    format: 'k8s-long-name',
    good: ['my.long-name', 'a', `${'x'.repeat(70)}.y`],
    bad: ['a..b', '.a', 'A', 'x'.repeat(254)],
  },
];

describe.each(cases)('format $format', ({ format, good, bad }) => {
  const check = stringFormat(format, 36);
  test.each(good.map((text) => ({ text })))('takes $text', ({ text }) => {
    expect(check?.(text)).toBe(true);
  });
  test.each(bad.map((text) => ({ text })))('refuses $text', ({ text }) => {
    expect(check?.(text)).toBe(false);
  });
});

describe('a format has a meaning', () => {
  const meanings = [
    { type: 'string', format: 'date-time', minor: 36, effective: 'date-time' },
    { type: 'string', format: 'ip', minor: 36, effective: '' },
    { type: '', format: 'uuid', minor: 36, effective: 'uuid' },
    { type: 'integer', format: 'int32', minor: 36, effective: 'int32' },
    { type: 'integer', format: 'int32', minor: 35, effective: '' },
    { type: 'integer', format: 'date', minor: 36, effective: '' },
    { type: 'integer', format: 'date', minor: 35, effective: 'date' },
    { type: 'number', format: 'double', minor: 36, effective: 'double' },
    { type: 'number', format: 'int64', minor: 36, effective: '' },
    { type: 'boolean', format: 'date', minor: 36, effective: '' },
  ];
  test.each(meanings)('$effective for $format of $type in 1.$minor', ({ type, format, minor, effective }) => {
    expect(effectiveFormat(type, format, minor)).toBe(effective);
  });
});
