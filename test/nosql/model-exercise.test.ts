// The published modelling exercise in small: `npm run bench -- model-exercise` is the same at a like size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Blog } from '../../bench/blog-data.ts';
import { BlogModels, type Containers, contentsOf, load, makeContainers } from '../../bench/blog-models.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

test('what the requests of the published exercise are charged is like what was published, where it does not depend on the size', async () => {
  const containers: Containers = await makeContainers(await server.database(), 40_000);
  const blog = new Blog(1);
  const [post] = blog.postsOf(0);
  for (const { container, key, items } of contentsOf(blog)) {
    // Comments and likes of one post are enough.
    const isAsked = key === post?.id || container === 'usersWithPosts';
    await load(containers, { container, key, items: isAsked ? items : items.slice(0, 1) });
  }
  const models = new BlogModels(containers, blog);
  const [first, denormalised, repartitioned] = [
    models.first(),
    models.denormalised(),
    models.repartitioned(),
  ];
  const isLike = (charge: number, published: number) =>
    assert.ok(Math.abs(charge / published - 1) < 0.3, `${charge} RU, and published are ${published}`);
  isLike(await first.C1(), 5.71);
  isLike(await first.C2(), 8.76);
  isLike(await first.C3(), 8.57);
  isLike(await first.C4(), 7.05);
  isLike(await denormalised.Q2(), 1);
  const ofUser = await repartitioned.Q3();
  isLike(ofUser, 6.46);
  assert.equal(await repartitioned.Q3(), ofUser, 'the same on every run');
  assert.ok((await first.Q3()) > 30 * ofUser, 'what refers is put together by many requests');
  assert.ok((await denormalised.Q3()) > 2 * ofUser, 'what fans out pays for every partition');
});
