// A process to be killed: writes items as fast as it can, splits and merges, while the index follows.

import { SeededRandom } from '../../src/foundation/random.ts';
import { openIndexStore } from './index-on-disk.ts';

const [dataDir = '', life = '0'] = process.argv.slice(2);

const { store } = await openIndexStore(dataDir, Number(life));
const random = new SeededRandom(Number(life));
const pick = (below: number): number => Math.floor(random.next() * below);
process.send?.('open');

async function write(): Promise<void> {
  for (;;) {
    const pk = `p${pick(200)}`;
    const items = Array.from({ length: 1 + pick(3) }, (_, at) => ({
      id: `${pick(20)}-${at}`,
      n: pick(1_000),
      o: { s: 'x'.repeat(pick(300)) },
      tags: [pick(9), pick(9)],
    }));
    if (pick(5) > 0) await store.put(pk, items);
    else await store.remove(pk, [`${pick(20)}-0`]);
  }
}

async function change(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100 + pick(200)));
    if (store.map.partitions.length < 3) await store.split(pick(3));
    else await store.merge(pick(2));
    process.send?.('changed');
  }
}

await Promise.all([change(), ...Array.from({ length: 16 }, write)]);
