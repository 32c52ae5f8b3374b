import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Ringfold, startRingfold } from '../../src/index.ts';
import { postJson } from '../support/start-ringfold.ts';

let server: Ringfold;
before(async () => {
  server = await startRingfold();
});
after(() => server.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
}

/** Everything any answer here has. */
interface AnswerBody {
  readonly name: string;
  readonly cql: unknown;
  readonly routes: readonly string[];
  readonly healthy: boolean;
  readonly reasons: readonly string[];
  readonly nodes: readonly { readonly state: string }[];
  readonly container: number;
  readonly containers: readonly { readonly container: number; readonly partitions: number }[];
  readonly partitions: readonly { readonly id: number }[];
  readonly states: readonly { readonly state: string }[];
  readonly version: number;
  readonly differences: number;
  readonly code: string;
  readonly details: { readonly reason: string };
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  return { status: response.status, headers: response.headers, body: (await response.json()) as AnswerBody };
}

async function makeContainer(body: unknown): Promise<number> {
  const { status, body: map } = await ask('/_ringfold/containers', postJson(body));
  assert.equal(status, 201);
  return map.container;
}

test('the front page says what this is and lists every route', async () => {
  const { status, body } = await ask('/');
  assert.equal(status, 200);
  assert.equal(body.name, 'Ringfold');
  assert.deepEqual(body.cql, { port: server.cqlPort, isOpen: true });
  assert.ok(body.routes.includes('GET /_ringfold/health'));
});

test('a server whose nodes are all up is healthy', async () => {
  const { status, body } = await ask('/_ringfold/health');
  assert.equal(status, 200);
  assert.equal(body.healthy, true);
  assert.deepEqual(body.reasons, []);
  assert.deepEqual(
    body.nodes.map((node) => node.state),
    ['up', 'up', 'up', 'up'],
  );
});

test('a container is made, listed, divided, joined again and dropped', async () => {
  const container = await makeContainer({ partitions: 2, ring: 'v2' });
  const path = `/_ringfold/containers/${container}`;
  const listed = await ask('/_ringfold/containers');
  assert.ok(listed.body.containers.some((one) => one.container === container && one.partitions === 2));
  const split = await ask(`${path}/split`, postJson({ partition: 0 }));
  assert.deepEqual(
    split.body.partitions.map(({ id }) => id),
    [2, 3, 1],
  );
  const merged = await ask(`${path}/merge`, postJson({ left: 2, right: 3 }));
  assert.deepEqual(
    merged.body.partitions.map(({ id }) => id),
    [4, 1],
  );
  const partitions = await ask(`${path}/partitions`);
  assert.equal(partitions.body.version, 3);
  assert.deepEqual(
    partitions.body.states.map(({ state }) => state),
    ['serving', 'serving'],
  );
  assert.equal((await ask(path, { method: 'DELETE' })).status, 200);
  assert.equal((await ask(`${path}/partitions`)).body.code, 'container-not-found');
});

test('a row is put, read, replaced and deleted, with any bytes and any text as keys', async () => {
  const container = await makeContainer({});
  const path = `/_ringfold/containers/${container}/rows/${encodeURIComponent('a/b ü')}/${encodeURIComponent('%')}`;
  const bytes = Buffer.from([0, 255, 10, 13]);
  assert.equal((await ask(path)).status, 404);
  assert.equal((await ask(path, { method: 'PUT', body: 'first' })).status, 200);
  assert.equal((await ask(path, { method: 'PUT', body: bytes })).status, 200);
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  assert.equal((await ask(path, { method: 'DELETE' })).status, 200);
  assert.equal((await ask(path)).status, 404);
});

test('a scrub of sound replicas finds no difference', async () => {
  const { status, body } = await ask('/_ringfold/scrub', { method: 'POST' });
  assert.equal(status, 200);
  assert.equal(body.differences, 0);
});

test('an unknown path is 404 and a wrong method 405, with what is allowed', async () => {
  assert.equal((await ask('/nowhere')).status, 404);
  assert.equal((await ask('/_ringfold/containers/1/rows/onlyone')).status, 404);
  const wrong = await ask('/_ringfold/containers', { method: 'PATCH' });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET, POST');
});

test('a body that is no JSON, no object, of another type, or has an unknown field is refused', async () => {
  const json = { 'content-type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = json): Promise<Answer> =>
    ask('/_ringfold/containers', { method: 'POST', headers, body });
  assert.match((await post('{')).body.details.reason, /not JSON/);
  assert.match((await post('[]')).body.details.reason, /not a JSON object/);
  assert.match(
    (await post('{"shards": 3}')).body.details.reason,
    /no field "shards"; there are: partitions, ring/,
  );
  assert.match((await post('{"partitions": 0}')).body.details.reason, /from 1 to 100/);
  assert.match((await post('{"ring": "v9"}')).body.details.reason, /"cql" or "v2"/);
  assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await post('{')).status, 400);
});

test('a body of more than 1 MB is refused, and the server goes on', async () => {
  const container = await makeContainer({});
  const path = `/_ringfold/containers/${container}/rows/a/b`;
  assert.equal((await ask(path, { method: 'PUT', body: Buffer.alloc(2 ** 20) })).status, 200);
  assert.equal((await ask(path, { method: 'PUT', body: Buffer.alloc(2 ** 20 + 1) })).status, 413);
  assert.equal((await ask('/_ringfold/health')).status, 200);
});

test('what the store refuses has the status of its code', async () => {
  const container = await makeContainer({ partitions: 3 });
  const path = `/_ringfold/containers/${container}`;
  const refusal = async (action: string, body: unknown): Promise<unknown[]> => {
    const answer = await ask(`${path}/${action}`, postJson(body));
    return [answer.status, answer.body.code];
  };
  assert.deepEqual(await refusal('split', { partition: 9 }), [404, 'partition-not-found']);
  assert.deepEqual(await refusal('split', { partition: 0, at: 'FF' }), [409, 'split-refused']);
  assert.deepEqual(await refusal('split', { partition: 0, at: 'middle' }), [400, 'bad-request']);
  assert.deepEqual(await refusal('merge', { left: 0, right: 2 }), [409, 'merge-refused']);
  assert.deepEqual(await refusal('move', { partition: 0, from: 0, to: 1 }), [409, 'move-refused']);
  assert.deepEqual((await ask('/_ringfold/containers/77/partitions')).status, 404);
});

test('on a server that others can reach, and through a proxy, admin JSON asks for an account key', async (context) => {
  const reachable = await startRingfold({ host: '0.0.0.0' });
  context.after(() => reachable.stop());
  const { primary, primaryReadonly } = reachable.keys;
  const statusOf = async (path: string, key?: string, init: RequestInit = {}): Promise<number> => {
    const headers = { ...init.headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
    const url = `http://127.0.0.1:${reachable.port}/_ringfold/${path}`;
    return (await fetch(url, { ...init, headers })).status;
  };
  assert.equal(await statusOf('status'), 401);
  assert.equal(await statusOf('status', 'wrong'), 401);
  assert.equal(await statusOf('containers', undefined, postJson({ partitions: 1 })), 401);
  assert.equal(await statusOf('nowhere'), 401);
  assert.equal(await statusOf('health'), 200);
  assert.equal(await statusOf('status', primaryReadonly), 200);
  assert.equal(await statusOf('containers', primaryReadonly, postJson({ partitions: 1 })), 403);
  assert.equal(await statusOf('containers', primary, postJson({ partitions: 1 })), 201);
  const proxied = await ask('/_ringfold/status', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  assert.equal(proxied.status, 401);
  assert.equal(proxied.body.code, 'bad-signature');
  assert.match(proxied.headers.get('www-authenticate') ?? '', /^Bearer/);
});
