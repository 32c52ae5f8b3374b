// Stored procedures, triggers, user-defined functions and conflicts as resources.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TriggerOperation, TriggerType } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();
const body = 'function () { getContext().getResponse().setBody("done"); }';

test('stored procedures are created, read, listed, queried, replaced and deleted', async () => {
  const container = await server.container();
  const { storedProcedures } = container.scripts;
  const { resource, statusCode } = await storedProcedures.create({ id: 's', body });
  assert.equal(statusCode, 201);
  assert.ok(resource);
  const { _rid, _self, _etag, _ts } = resource;
  assert.deepEqual(resource, { id: 's', body, _rid, _self, _etag, _ts });
  const rid = Buffer.from(_rid.replaceAll('-', '/'), 'base64');
  assert.deepEqual([rid.length, (rid[15] ?? 0) >> 4], [16, 8]);
  assert.match(_self, /^dbs\/.+\/colls\/.+\/sprocs\/.+\/$/);
  const procedure = container.scripts.storedProcedure('s');
  assert.deepEqual((await procedure.read()).resource, resource);
  const replaced = await procedure.replace({ id: 's', body: 'function () {}' });
  assert.deepEqual([replaced.resource?.body, replaced.resource?._rid], ['function () {}', _rid]);
  assert.notEqual(replaced.resource?._etag, _etag);
  assert.equal((await failure(storedProcedures.create({ id: 's', body }))).code, 409);
  await storedProcedures.create({ id: 't', body });
  const listed = await storedProcedures.readAll().fetchAll();
  assert.deepEqual(
    listed.resources.map(({ id }) => id),
    ['s', 't'],
  );
  const queried = await storedProcedures.query({ query: 'SELECT * FROM root r WHERE r.id = "t"' }).fetchAll();
  assert.equal(queried.resources.length, 1);
  assert.equal((await procedure.delete()).statusCode, 204);
  assert.equal((await failure(procedure.read())).code, 404);
});

test('a stored procedure is not run by this version, and that is said', async () => {
  const container = await server.container();
  await container.scripts.storedProcedures.create({ id: 's', body });
  const refused = await failure(container.scripts.storedProcedure('s').execute('a', []));
  assert.equal(refused.code, 501);
  assert.match(refused.message, /cannot be run/);
  assert.equal((await failure(container.scripts.storedProcedure('none').execute('a', []))).code, 404);
});

test('triggers say when and for what they would run', async () => {
  const container = await server.container();
  const { triggers } = container.scripts;
  const definition = {
    id: 't',
    body,
    triggerType: TriggerType.Pre,
    triggerOperation: TriggerOperation.All,
  };
  const { resource } = await triggers.create(definition);
  assert.ok(resource);
  const { id, triggerType, triggerOperation } = resource;
  assert.deepEqual({ id, body: resource.body, triggerType, triggerOperation }, definition);
  const trigger = container.scripts.trigger('t');
  const replaced = await trigger.replace({ ...definition, triggerType: TriggerType.Post });
  assert.equal(replaced.resource?.triggerType, 'post');
  for (const wrong of [{ triggerType: 'around' }, { triggerOperation: 'read' }, { triggerType: undefined }])
    assert.equal((await failure(triggers.create({ ...definition, id: 'u', ...wrong } as never))).code, 400);
  assert.equal((await triggers.readAll().fetchAll()).resources.length, 1);
  assert.equal((await trigger.delete()).statusCode, 204);
});

test('user-defined functions are kept beside other scripts of the same id', async () => {
  const container = await server.container();
  const { userDefinedFunctions, storedProcedures } = container.scripts;
  await storedProcedures.create({ id: 'f', body });
  const { resource } = await userDefinedFunctions.create({ id: 'f', body });
  const rid = Buffer.from((resource?._rid ?? '').replaceAll('-', '/'), 'base64');
  assert.equal((rid[15] ?? 0) >> 4, 6);
  const userDefinedFunction = container.scripts.userDefinedFunction('f');
  assert.equal((await userDefinedFunction.replace({ id: 'f', body: 'function () {}' })).statusCode, 200);
  assert.equal((await container.scripts.storedProcedure('f').read()).resource?.body, body);
  assert.equal((await userDefinedFunction.delete()).statusCode, 204);
});

test('a script without a body is refused', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/c`;
  for (const type of ['sprocs', 'udfs', 'triggers']) {
    const answer = await server.send('POST', `/${link}/${type}`, { type, link, body: '{"id":"x"}' });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /'body; ' - are missing/);
  }
});

test('there are no conflicts where there is one region', async () => {
  const container = await server.container();
  assert.deepEqual((await container.conflicts.readAll().fetchAll()).resources, []);
  assert.deepEqual((await container.conflicts.query('SELECT * FROM c').fetchAll()).resources, []);
});

test('scripts go with their container', async () => {
  const container = await server.container();
  await container.scripts.storedProcedures.create({ id: 's', body });
  await container.delete();
  await container.database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  assert.deepEqual((await container.scripts.storedProcedures.readAll().fetchAll()).resources, []);
});
