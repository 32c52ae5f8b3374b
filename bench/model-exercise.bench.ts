// `npm run bench -- model-exercise`: what the ten requests of a published modelling exercise are charged here, beside what they are charged
// in the article. bench/README.md says where it is from and what is not the same.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CosmosClient } from '@azure/cosmos';
import { wellKnownKey } from '../src/protocol/nosql/account-keys.ts';
import { Blog } from './blog-data.ts';
import {
  BlogModels,
  type Containers,
  contentsOf,
  load,
  type Model,
  makeContainers,
  type RequestName,
  requestNames,
} from './blog-models.ts';
import { startRingfold } from './cql-servers.ts';
import { machineLine } from './machine-line.ts';
import { makeScratchDirectory } from './scratch-directory.ts';
import { whenProcessIdle } from './server-process.ts';
import { count, decimals, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    users: { type: 'string', default: '20' },
    /** Of each container, in RU/s: decides how many physical partitions it has. */
    throughput: { type: 'string', default: '40000' },
    json: { type: 'boolean', default: false },
  },
});

/** First model, denormalised, re-partitioned; in request units. */
const published: Readonly<Record<RequestName, readonly [number, number, number]>> = {
  C1: [5.71, 5.71, 5.71],
  Q1: [1, 1, 1],
  C2: [8.76, 8.76, 8.76],
  Q2: [19.54, 1, 1],
  Q3: [619.41, 201.54, 6.46],
  C3: [8.57, 15.27, 15.27],
  Q4: [27.72, 7.72, 7.72],
  C4: [7.05, 14.67, 14.67],
  Q5: [58.92, 8.92, 8.92],
  Q6: [2063.54, 532.33, 16.97],
};

const meanings: Readonly<Record<RequestName, string>> = {
  C1: 'create a user',
  Q1: 'read a user',
  C2: 'create a post',
  Q2: 'read a post',
  Q3: "list a user's posts",
  C3: 'add a comment',
  Q4: "list a post's comments",
  C4: 'like a post',
  Q5: "list a post's likes",
  Q6: 'list the newest posts',
};

const loaders = 16;

interface Measured {
  readonly charge: number;
  readonly ms: number;
}

await main();

async function main(): Promise<void> {
  console.log(machineLine());
  const directory = makeScratchDirectory();
  const ringfold = await startRingfold(join(directory, 'ringfold'), [], []);
  const client = new CosmosClient({
    endpoint: `http://127.0.0.1:${ringfold.httpPort}`,
    key: wellKnownKey,
    // Loading spends all that the containers have.
    connectionPolicy: {
      retryOptions: {
        maxRetryAttemptCount: 1_000,
        maxWaitTimeInSeconds: 600,
        fixedRetryIntervalInMilliseconds: 0,
      },
    },
  });
  const blog = new Blog(Number(flags.users));
  const { database } = await client.databases.create({ id: 'blog' });
  const containers = await makeContainers(database, Number(flags.throughput));
  await loadAll(containers, blog);
  await whenProcessIdle(ringfold.pid ?? 0, 600);
  const models = new BlogModels(containers, blog);
  const columns: Readonly<Record<RequestName, Measured>>[] = [];
  for (const model of [models.first(), models.denormalised(), models.repartitioned()])
    columns.push(await measure(model));
  console.log(`\n${tableOf(columns)}`);
  if (flags.json) console.log(JSON.stringify(columns));
  client.dispose();
  await ringfold.stop();
}

async function loadAll(containers: Containers, blog: Blog): Promise<void> {
  const beganMs = performance.now();
  const contents = contentsOf(blog);
  let posts = 0;
  let items = 0;
  const loadOn = async (): Promise<void> => {
    for (const together of contents) {
      if (together.container === 'posts') posts++;
      const loaded = await load(containers, together);
      items += loaded;
    }
  };
  await Promise.all(Array.from({ length: loaders }, loadOn));
  const seconds = (performance.now() - beganMs) / 1_000;
  console.log(
    `${count(blog.userCount)} users, ${count(posts)} posts, ${count(items)} items in five containers, loaded in ${decimals(seconds)} s`,
  );
}

/** Each twice: the first time caches are cold, and the charge of what only reads must be the same. */
async function measure(model: Model): Promise<Readonly<Record<RequestName, Measured>>> {
  const measured: Partial<Record<RequestName, Measured>> = {};
  for (const name of requestNames) {
    const first = await model[name]();
    const beganMs = performance.now();
    const charge = await model[name]();
    measured[name] = { charge, ms: performance.now() - beganMs };
    const isReading = name.startsWith('Q');
    // Additions of decimals in another order may differ in the last place.
    if (isReading && Math.abs(first - charge) > 0.001)
      console.log(`${name} was charged ${first} RU, and then ${charge} RU`);
  }
  return measured as Readonly<Record<RequestName, Measured>>;
}

function tableOf(columns: readonly Readonly<Record<RequestName, Measured>>[]): string {
  const heads = [
    'RU',
    ...['first', 'denormalised', 're-partitioned'].flatMap((model) => [model, 'published', 'ms']),
  ];
  const rows = requestNames.map((name) => [
    `${name} ${meanings[name]}`,
    ...columns.flatMap((column, at) => [
      decimals(column[name].charge, 2),
      decimals(published[name][at], 2),
      decimals(column[name].ms),
    ]),
  ]);
  return table(heads, rows);
}
