import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { StatementAnswer } from '../../execution/cql/statement-request.ts';
import { type ByteString, hexOf } from '../../foundation/byte-string.ts';
import { fromHundredths } from '../../throughput/request-units.ts';
import type { CqlSettings } from './cql-context.ts';
import { encodeRequest, frameOf, plainParameters } from './encode-request.samples.ts';
import { flagBits } from './frame.ts';
import { idOfColumns } from './known-statement.ts';
import { opcodes } from './opcode.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import type { BatchEntry } from './requests/batch.ts';
import { type StubTables, TestClient, TestDoor, voidAnswer } from './test-door.samples.ts';

const columns = [{ keyspace: 'ks', table: 'words', name: 'word', type: { kind: 'text' as const } }];
const columnsNow = [
  ...columns,
  { ...columns[0], keyspace: 'ks', table: 'words', name: 'more', type: { kind: 'int' as const } },
];

const wordsAnswer: StatementAnswer = {
  kind: 'rows',
  columns,
  rows: [[Buffer.from('hello')], [null]],
  pagingState: undefined,
  chargeRu: fromHundredths(250),
  warnings: [],
};

const words: StubTables = {
  words: () => ({ resultColumns: columns, run: () => wordsAnswer }),
  later: () => ({ resultColumns: columns, run: async () => wordsAnswer }),
};

async function withDoor(
  tables: StubTables,
  run: (door: TestDoor) => Promise<void>,
  settings: Partial<CqlSettings> = {},
): Promise<void> {
  const door = await TestDoor.open(tables, settings);
  try {
    await run(door);
  } finally {
    await door.stop();
  }
}

test('every version, with and without compression, is served: now or later, small or large', async () => {
  const large = Buffer.alloc(400_000, 'large ');
  const tables: StubTables = {
    ...words,
    large: () => ({ resultColumns: columns, run: async () => ({ ...wordsAnswer, rows: [[large]] }) }),
  };
  await withDoor(tables, async (door) => {
    const ways: readonly (readonly [ProtocolVersion, string | undefined])[] = [
      [3, undefined],
      [3, 'snappy'],
      [4, undefined],
      [4, 'lz4'],
      [4, 'snappy'],
      [5, undefined],
      [5, 'lz4'],
    ];
    for (const [version, compression] of ways) {
      const options = new Map(compression === undefined ? [] : [['COMPRESSION', compression]]);
      const client = await door.connect(version, options);
      assert.deepEqual((await client.query('SELECT * FROM ks.words')).rows, wordsAnswer.rows);
      assert.deepEqual((await client.query('SELECT * FROM ks.later')).rows, wordsAnswer.rows);
      assert.deepEqual((await client.query('SELECT * FROM ks.large')).rows, [[large]]);
      client.close();
    }
  });
});

test('a handshake: OPTIONS, STARTUP, and what comes out of turn is refused and the connection lives', async () => {
  await withDoor(words, async (door) => {
    const client = await TestClient.open(door.port, 4);
    const early = await client.query('SELECT * FROM ks.words');
    assert.deepEqual(early.error, {
      error: 'protocol',
      message: 'Unexpected message QUERY, expecting STARTUP or OPTIONS',
    });
    const { supported } = await client.ask({ kind: 'options' });
    assert.deepEqual(
      supported,
      new Map([
        ['PROTOCOL_VERSIONS', ['3/v3', '4/v4', '5/v5']],
        ['COMPRESSION', ['snappy', 'lz4']],
        ['CQL_VERSION', ['3.4.7']],
      ]),
    );
    assert.match(
      (await client.ask({ kind: 'startup', options: new Map() })).error?.message ?? '',
      /^Missing value CQL_VERSION in STARTUP message$/,
    );
    assert.match(
      (await client.start(new Map([['COMPRESSION', 'zip']]))).error?.message ?? '',
      /^Unknown compression algorithm: zip$/,
    );
    assert.equal((await client.start()).what, 'ready');
    assert.match(
      (await client.start()).error?.message ?? '',
      /^Unexpected message STARTUP, the connection is already initialized$/,
    );
    assert.equal((await client.query('SELECT * FROM ks.words')).what, 'rows');
    client.write(frameOf(3, 0, 77, opcodes.options, Buffer.alloc(0)));
    assert.match(
      (await client.answer(77))?.error?.message ?? '',
      /^Invalid message version. Got 3\/v3 but previous messages on this connection had version 4\/v4$/,
    );
    client.close();
  });
});

test('a BATCH names its statements by text or id; wrong ones are refused in the words of Cassandra', async () => {
  await withDoor(words, async (door) => {
    const client = await door.connect();
    const refusal = async (...statements: BatchEntry[]) =>
      (await client.ask({ kind: 'batch', type: 'logged', statements, parameters: plainParameters })).error;
    const unknown = Buffer.alloc(16, 1).toString('latin1') as ByteString;
    assert.equal((await refusal({ id: unknown, values: [] }))?.error, 'unprepared');
    assert.deepEqual(await refusal({ text: 'INSERT INTO ks.t (a) VALUES (?)', values: [] }), {
      error: 'invalid',
      message: 'There were 1 markers(?) in CQL but 0 bound variables',
    });
    assert.deepEqual(await refusal({ text: 'SELECT * FROM ks.words', values: [] }), {
      error: 'invalid',
      message: 'Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.',
    });
    client.close();
  });
});

test('a version nobody knows is answered with the words that drivers look for, and the connection ends', async () => {
  await withDoor(words, async (door) => {
    for (const version of [0x42, 0x41, 7, 6, 2, 1]) {
      const client = await TestClient.open(door.port, 5);
      client.write(frameOf(version, 0, 0, opcodes.options, Buffer.alloc(0)));
      const answer = await client.answer(0);
      assert.equal(answer?.frame.version, 5);
      assert.equal(
        answer?.error?.message,
        `Invalid or unsupported protocol version (${version}); supported versions are (3/v3, 4/v4, 5/v5)`,
      );
      await client.closed();
    }
  });
});

test('every RESULT and ERROR of version 4 and 5 carries its charge; version 3 knows no payload', async () => {
  const tables: StubTables = {
    ...words,
    wrong: () => ({
      run: () => {
        throw new RingfoldError('bad-request', { reason: 'no', chargeRu: 1.5 });
      },
    }),
  };
  await withDoor(tables, async (door) => {
    for (const version of [3, 4, 5] as const) {
      const client = await door.connect(version);
      const charges = [
        await client.query('SELECT * FROM ks.words'),
        await client.query('SELECT * FROM ks.wrong'),
        await client.query('INSERT INTO ks.t (a) VALUES (1)'),
        await client.query('SELECT'),
        await client.ask({ kind: 'prepare', text: 'SELECT * FROM ks.words', keyspace: undefined }),
      ].map(({ prefix }) => prefix?.customPayload?.get('RequestCharge')?.readDoubleBE());
      assert.deepEqual(charges, version === 3 ? Array(5).fill(undefined) : [2.5, 1.5, 0, 0, 0]);
      client.close();
    }
  });
});

test('a prepared statement has the id that Cassandra gives it, and unknown ones are refused with theirs', async () => {
  await withDoor(words, async (door) => {
    const client = await door.connect();
    const text = 'SELECT word FROM ks.words WHERE a = ?';
    const { prepared } = await client.ask({ kind: 'prepare', text, keyspace: undefined });
    assert.ok(prepared !== undefined);
    // md5sum of the text.
    assert.equal(hexOf(prepared.id).toLowerCase(), '8720783e02b5d3ba3f5ccc6e8cea07a5');
    const execute = (id: ByteString, values: readonly Buffer[]) =>
      client.ask({
        kind: 'execute',
        id,
        resultMetadataId: undefined,
        parameters: { ...plainParameters, values },
      });
    assert.deepEqual((await execute(prepared.id, [Buffer.from('a')])).rows, wordsAnswer.rows);
    assert.deepEqual((await execute(prepared.id, [])).error, {
      error: 'invalid',
      message: 'there were 1 markers(?) in CQL but 0 bound variables',
    });
    const unknown = Buffer.alloc(16, 0xab).toString('latin1') as ByteString;
    const { error } = await execute(unknown, []);
    assert.equal(error?.error, 'unprepared');
    assert.match(error?.message ?? '', new RegExp(`^Prepared query with ID ${'ab'.repeat(16)} not found`));
    assert.equal(error?.error === 'unprepared' ? error.id : '', unknown);
    client.close();
  });
});

test('a name without a keyspace makes another statement in each keyspace, and is warned of once', async () => {
  await withDoor(words, async (door) => {
    const client = await door.connect();
    const prepare = (text: string) => client.ask({ kind: 'prepare', text, keyspace: undefined });
    await client.query('USE a');
    const inA = await prepare('SELECT * FROM words');
    await client.query('USE b');
    const inB = await prepare('SELECT * FROM words');
    assert.notEqual(inA.prepared?.id, inB.prepared?.id);
    assert.match(
      inA.prefix?.warnings?.[0] ?? '',
      /^`USE <keyspace>` with prepared statements .* Keyspace used: a, /,
    );
    assert.equal(inB.prefix?.warnings, undefined);
    const qualified = await prepare('SELECT * FROM ks.words');
    await client.query('USE a');
    assert.equal((await prepare('SELECT * FROM ks.words')).prepared?.id, qualified.prepared?.id);
    client.close();
  });
});

test('named values find their markers; too many, too few or misnamed ones are refused', async () => {
  await withDoor(words, async (door) => {
    const client = await door.connect();
    const text = 'SELECT * FROM ks.words WHERE a = :x AND b = :y AND c = :x';
    const [x, y] = [Buffer.from('x'), Buffer.from('y')];
    assert.equal((await client.query(text, { values: [y, x], names: ['y', 'x'] })).what, 'rows');
    assert.deepEqual(door.seen.requests.at(-1)?.values, [x, y, x]);
    assert.equal((await client.query(text, { values: [x, y, x] })).what, 'rows');
    const refused = { error: 'invalid', message: 'Invalid amount of bind variables' };
    assert.deepEqual((await client.query(text, { values: [x], names: ['x'] })).error, refused);
    assert.deepEqual((await client.query(text, { values: [x, y] })).error, refused);
    client.close();
  });
});

test('columns are skipped only for clients that have them: in version 5 by their id, before it unless they ever changed', async () => {
  let isAltered = false;
  const tables: StubTables = {
    words: () => {
      const wasAltered = isAltered;
      const resultColumns = wasAltered ? columnsNow : columns;
      const rows = [resultColumns.map(() => Buffer.from('abcd'))];
      return {
        resultColumns,
        isCurrent: () => wasAltered === isAltered,
        run: () => ({ ...wordsAnswer, columns: resultColumns, rows }),
      };
    },
  };
  await withDoor(tables, async (door) => {
    const [four, five] = [await door.connect(4), await door.connect(5)];
    const text = 'SELECT * FROM ks.words';
    const prepare = async (client: TestClient) =>
      (await client.ask({ kind: 'prepare', text, keyspace: undefined })).prepared;
    const { id, resultMetadataId } = (await prepare(five)) ?? assert.fail();
    await prepare(four);
    assert.equal(resultMetadataId, idOfColumns(columns));
    const parameters = { ...plainParameters, skipMetadata: true };
    const execute = (client: TestClient, metadataId?: ByteString) =>
      client.ask({ kind: 'execute', id, resultMetadataId: metadataId, parameters });
    assert.equal((await execute(four)).options?.skip, true);
    assert.deepEqual((await execute(five, resultMetadataId)).options, {
      skip: true,
      pagingState: undefined,
      changedTo: undefined,
    });
    isAltered = true;
    assert.equal((await execute(five, resultMetadataId)).error?.error, 'unprepared');
    assert.equal((await execute(four)).error?.error, 'unprepared');
    const anew = (await prepare(five)) ?? assert.fail();
    assert.equal(anew.id, id);
    assert.equal(anew.resultMetadataId, idOfColumns(columnsNow));
    const changed = await execute(five, resultMetadataId);
    assert.equal(changed.options?.changedTo, anew.resultMetadataId);
    assert.equal(changed.options?.skip, false);
    assert.equal((await execute(five, anew.resultMetadataId)).options?.skip, true);
    assert.equal((await execute(four)).options?.skip, false, 'it may still have the old columns');
    four.close();
    five.close();
  });
});

test('prepared statements die with their table or keyspace', async () => {
  await withDoor(words, async (door) => {
    const client = await door.connect();
    const prepare = async (text: string) =>
      (await client.ask({ kind: 'prepare', text, keyspace: undefined })).prepared?.id ?? assert.fail();
    const execute = async (id: ByteString) =>
      (await client.ask({ kind: 'execute', id, resultMetadataId: undefined, parameters: plainParameters }))
        .what;
    const [one, other] = [await prepare('SELECT * FROM ks.words'), await prepare('SELECT * FROM ks.later')];
    door.tell({ change: 'DROPPED', target: 'TABLE', keyspace: 'ks', name: 'words' });
    assert.deepEqual([await execute(one), await execute(other)], ['error unprepared', 'rows']);
    door.tell({ change: 'DROPPED', target: 'KEYSPACE', keyspace: 'ks' });
    assert.equal(await execute(other), 'error unprepared');
    client.close();
  });
});

test('clients that registered for it, and only they, are told of schema changes', async () => {
  await withDoor(words, async (door) => {
    const [one, other] = [await door.connect(4), await door.connect(5)];
    const events = ['SCHEMA_CHANGE', 'STATUS_CHANGE'] as const;
    assert.equal((await one.ask({ kind: 'register', events: [...events] })).what, 'ready');
    const change = { change: 'CREATED', target: 'TABLE', keyspace: 'ks', name: 't' } as const;
    door.tell(change);
    assert.deepEqual((await one.answer(-1))?.change, change);
    assert.equal((await other.query('SELECT * FROM ks.words')).what, 'rows');
    other.close();
    one.close();
  });
});

test('a login is asked where it must be, and only the right password is one', async () => {
  await withDoor(
    words,
    async (door) => {
      for (const version of [4, 5] as const) {
        const client = await TestClient.open(door.port, version);
        const asked = await client.start();
        assert.equal(asked.text, 'org.apache.cassandra.auth.PasswordAuthenticator');
        const login = (token: string) => client.ask({ kind: 'auth-response', token: Buffer.from(token) });
        const refusal = async (token: string) => (await login(token)).error;
        assert.deepEqual((await client.query('SELECT * FROM ks.words')).error, {
          error: 'protocol',
          message: 'Unexpected message QUERY, expecting SASL_RESPONSE',
        });
        assert.deepEqual(await refusal('\0cassandra\0wrong'), {
          error: 'bad-credentials',
          message: 'Provided username cassandra and/or password are incorrect',
        });
        assert.deepEqual(await refusal('\0nobody\0cassandra'), {
          error: 'bad-credentials',
          message: 'Provided username nobody and/or password are incorrect',
        });
        assert.equal((await refusal('cassandra'))?.message, 'Password must not be null');
        assert.equal((await login('\0cassandra\0cassandra')).what, 'auth success');
        assert.equal((await client.query('SELECT * FROM ks.words')).what, 'rows');
        assert.equal(door.seen.requests.at(-1)?.session.role, 'cassandra');
        client.close();
      }
    },
    { alwaysAsksLogin: true },
  );
});

test('a traced request is answered with the id under which its trace is kept', async () => {
  const tables: StubTables = {
    words: () => ({
      run: ({ trace }) => {
        trace?.event('something happened');
        return wordsAnswer;
      },
    }),
  };
  await withDoor(tables, async (door) => {
    const client = await door.connect();
    const text = 'SELECT * FROM ks.words';
    const traced = await client.ask(
      { kind: 'query', text, parameters: { ...plainParameters, pageSize: 7 } },
      flagBits.tracing,
    );
    const id = traced.prefix?.tracingId ?? assert.fail();
    const session = door.traces.find(id) ?? assert.fail();
    assert.equal(session.request, 'Execute CQL3 query');
    assert.deepEqual(
      session.parameters,
      new Map([
        ['consistency_level', 'ONE'],
        ['page_size', '7'],
        ['query', text],
        ['serial_consistency_level', 'SERIAL'],
      ]),
    );
    assert.ok(session.events.some(({ activity }) => activity === 'something happened'));
    assert.equal(typeof session.durationMicros, 'number');
    assert.equal((await client.query(text)).prefix?.tracingId, undefined);
    client.close();
  });
});

test('what takes too long is answered with a timeout, and its late end with nothing', async () => {
  let finish = (): void => {};
  const tables: StubTables = {
    slow: () => ({
      run: () =>
        new Promise((resolve) => {
          finish = () => resolve(wordsAnswer);
        }),
    }),
  };
  await withDoor(
    tables,
    async (door) => {
      const client = await door.connect();
      const { error } = await client.query('SELECT * FROM ks.slow', { consistency: 'QUORUM' });
      assert.deepEqual(error, {
        error: 'read-timeout',
        message: 'Operation timed out - received only 0 responses.',
        consistency: 'QUORUM',
        received: 0,
        required: 1,
        dataPresent: false,
      });
      finish();
      assert.equal((await client.query('INSERT INTO ks.t (a) VALUES (1)')).what, 'void');
      client.close();
    },
    { readTimeoutMs: 10 },
  );
});

test('with server-side retry a request beyond its throughput waits, and is answered when there is room', async () => {
  const refusal = new RingfoldError('throughput-exceeded', { retryAfterMs: 3 });
  let runs = 0;
  const tables: StubTables = {
    busy: () => ({
      run: () => {
        runs += 1;
        if (runs % 3 === 1) throw refusal;
        return runs % 3 === 2 ? Promise.reject(refusal) : wordsAnswer;
      },
    }),
  };
  await withDoor(tables, async (door) => {
    const client = await door.connect();
    assert.equal((await client.query('SELECT * FROM ks.busy')).what, 'error overloaded');
    client.close();
  });
  runs = 0;
  await withDoor(
    tables,
    async (door) => {
      const client = await door.connect();
      assert.equal((await client.query('SELECT * FROM ks.busy')).what, 'rows');
      assert.equal(runs, 3);
      client.close();
    },
    { retriesRefused: true },
  );
});

test('TLS is spoken on the same port', async () => {
  await withDoor(words, async (door) => {
    for (const version of [4, 5] as const) {
      const client = await TestClient.openSecurely(door.port, version);
      await client.start();
      assert.equal((await client.query('SELECT * FROM ks.words')).what, 'rows');
      assert.match(door.clients[0]?.tls?.protocol ?? '', /^TLSv1/);
      client.close();
    }
  });
});

test('a statement that breaks down is a server error, is written down, and hurts nobody', async () => {
  const tables: StubTables = {
    ...words,
    broken: () => ({
      run: () => {
        throw new TypeError('oops');
      },
    }),
    later_broken: () => ({ run: () => Promise.reject(new TypeError('oops')) }),
    refused: () => ({ run: () => Promise.reject(invalidRequest('no')) }),
  };
  await withDoor(tables, async (door) => {
    const client = await door.connect();
    assert.equal((await client.query('SELECT * FROM ks.broken')).what, 'error server');
    assert.equal((await client.query('SELECT * FROM ks.later_broken')).what, 'error server');
    assert.equal(door.seen.warnings.length, 2);
    assert.deepEqual((await client.query('SELECT * FROM ks.refused')).error, {
      error: 'invalid',
      message: 'no',
    });
    assert.equal(door.seen.warnings.length, 2);
    assert.equal((await client.query('SELECT * FROM ks.words')).what, 'rows');
    client.close();
  });
});

test('requests of one turn are answered together, in one piece where nothing waits', async () => {
  await withDoor(words, async (door) => {
    const client = await door.connect();
    const pieces: number[] = [];
    client.socket.on('data', (chunk: Buffer) => pieces.push(chunk.length));
    const text = 'SELECT * FROM ks.words';
    const request = { kind: 'query', text, parameters: plainParameters } as const;
    client.write(
      Buffer.concat(Array.from({ length: 50 }, (_, stream) => encodeRequest(4, stream + 100, request))),
    );
    for (let stream = 100; stream < 150; stream++) assert.equal((await client.answer(stream))?.what, 'rows');
    assert.equal(pieces.length, 1);
    client.close();
  });
});

test('stopping does not wait for clients that have said nothing', async () => {
  // The time that is given to clients never ends: only who does not need it gets on.
  const door = await TestDoor.open(words, {}, undefined, { after: () => () => {} });
  const silent = await TestClient.open(door.port, 4);
  let wasWaitedFor = false;
  const patience = setTimeout(() => {
    wasWaitedFor = true;
    silent.close();
  }, 60_000);
  await door.stop();
  await silent.closed();
  clearTimeout(patience);
  assert.ok(!wasWaitedFor);
});

test('stopping answers what is in flight', async () => {
  let begin = (): void => {};
  let finish = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const tables: StubTables = {
    slow: () => ({
      run: () =>
        new Promise((resolve) => {
          begin();
          finish = () => resolve(voidAnswer);
        }),
    }),
  };
  const door = await TestDoor.open(tables);
  const client = await door.connect();
  const answer = client.query('SELECT * FROM ks.slow');
  await begun;
  const stopped = door.stop();
  finish();
  assert.equal((await answer).what, 'void');
  await client.closed();
  await stopped;
});
