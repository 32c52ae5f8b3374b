import type { Exchange } from '../exchange.ts';
import { writeReady } from '../messages/simple-responses.ts';
import type { EventType } from '../requests/request.ts';

export function handleRegister(events: readonly EventType[], { session, out, stream }: Exchange): void {
  for (const event of events) session.events.add(event);
  writeReady(out, stream);
}
