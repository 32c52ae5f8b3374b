import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zoneOffset } from './zone-offset.ts';

const hourMs = 3_600_000;

function hoursAt(zone: string, wall: string): number | undefined {
  const offset = zoneOffset(zone, Date.parse(`${wall}Z`));
  return offset === undefined ? undefined : offset / hourMs;
}

test('a zone has the offset of the season, by its region or by an abbreviation', () => {
  assert.equal(hoursAt('Europe/Berlin', '2020-01-01T10:00'), 1);
  assert.equal(hoursAt('Europe/Berlin', '2020-07-01T10:00'), 2);
  assert.equal(hoursAt('CEST', '2020-01-01T10:00'), 1);
  assert.equal(hoursAt('PST', '2020-07-01T10:00'), -7);
  assert.equal(hoursAt('EST5EDT', '2020-01-01T10:00'), -5);
});

test('a time that is there twice is the first, and one that is skipped is later by as much', () => {
  assert.equal(hoursAt('Europe/Berlin', '2021-10-31T02:30'), 2);
  assert.equal(hoursAt('Europe/Berlin', '2021-10-31T03:00'), 1);
  assert.equal(hoursAt('Europe/Berlin', '2021-03-28T02:30'), 1);
  assert.equal(hoursAt('Europe/Berlin', '2021-03-28T03:00'), 2);
  assert.equal(hoursAt('Australia/Lord_Howe', '2021-10-03T02:15'), 10.5);
});

test('long before there were zones, and long after today, there are offsets too', () => {
  assert.equal(
    zoneOffset('America/Halifax', Date.parse('0001-01-01T00:00Z')),
    -(4 * 3600 + 14 * 60 + 24) * 1000,
  );
  assert.equal(zoneOffset('Asia/Tokyo', 1e18), 9 * hourMs);
});

test('a zone that is not known has none', () => {
  for (const zone of [
    'Nowhere/Else',
    'europe/berlin',
    'EUROPE/BERLIN',
    'Etc/GMT+5',
    '',
    '+01:00',
    'cet',
    'X',
  ])
    assert.equal(zoneOffset(zone, 0), undefined, zone);
});

test('however many zones are asked for, each is right', () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 80);
  const once = zones.map((zone) => zoneOffset(zone, 0));
  assert.deepEqual(
    zones.map((zone) => zoneOffset(zone, 0)),
    once,
  );
});
