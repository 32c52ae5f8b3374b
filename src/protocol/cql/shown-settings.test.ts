import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CqlSettings } from './cql-context.ts';
import { shownSettings } from './shown-settings.ts';

const settings = { maxFrameBytes: 1024, readTimeoutMs: 5, writeTimeoutMs: 6, alwaysAsksLogin: true };

test('settings are shown by the names and in the units of Cassandra', () => {
  const shown = shownSettings('here', settings as unknown as CqlSettings);
  const names = ['cluster_name', 'num_tokens', 'batch_size_fail_threshold', 'read_request_timeout'];
  assert.deepEqual(
    names.map((name) => shown.get(name)),
    ['here', '16', '50KiB', '5ms'],
  );
});

test('whether a login is asked shows in the name of the authenticator', () => {
  const nameWith = (alwaysAsksLogin: boolean) =>
    shownSettings('', { ...settings, alwaysAsksLogin } as unknown as CqlSettings).get(
      'authenticator.class_name',
    );
  assert.deepEqual([nameWith(true), nameWith(false)], ['PasswordAuthenticator', 'AllowAllAuthenticator']);
});
