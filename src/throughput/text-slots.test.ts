import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_SLOT, TextSlots } from './text-slots.ts';

// Few, alike at both ends, and some as long as keys are.
const anyText = fc
  .record({ head: fc.nat(1), middle: fc.nat(6), tail: fc.nat(1), pad: fc.constantFrom(0, 30) })
  .map(
    ({ head, middle, tail, pad }) =>
      `${head}${'.'.repeat(pad)}${middle || ''}${'.'.repeat(pad)}${tail || ''}`,
  );

test('each text has the slot it was given last, and nobody else has it', () => {
  const count = 8;
  const calls = fc.array(fc.record({ text: anyText, slot: fc.nat(count - 1) }), { maxLength: 200 });
  const property = fc.property(calls, fc.array(anyText), (given, asked) => {
    const slots = new TextSlots(count);
    const model: (string | undefined)[] = new Array(count).fill(undefined);
    for (const { text, slot } of given) {
      if (!model.includes(text)) {
        slots.give(slot, text);
        model[slot] = text;
      }
      for (const other of [...asked, ...model])
        if (other !== undefined) assert.equal(slots.find(other), model.indexOf(other));
      for (const [at, held] of model.entries()) assert.equal(slots.textOf(at), held);
    }
  });
  fc.assert(property);
});

test('a text that nobody was given has no slot', () => {
  assert.equal(new TextSlots(64).find('any'), NO_SLOT);
  assert.equal(new TextSlots(64).find(''), NO_SLOT);
});
