// The signature that a client makes with an account key: HMAC-SHA256 over verb, resource type, resource link and date.

import { timingSafeEqual } from 'node:crypto';
import type { HmacKey } from './hmac-key.ts';
import type { ResourcePath } from './resource-path.ts';

/** Of 32 bytes in base64. */
const signatureLength = 44;
const given: Buffer = Buffer.alloc(signatureLength);
const expected: Buffer = Buffer.alloc(signatureLength);

/** What nearly every client signs: names, decoded, as the client knows them; of a feed those of its owner. */
export function signedForm(method: string, { segments, type, id }: ResourcePath, dates: string): string {
  const link = linkOf(segments, id === undefined ? segments.length - 1 : segments.length);
  return `${method.toLowerCase()}\n${type ?? ''}\n${link}\n${dates}`;
}

/** What a client may have signed instead. */
export function otherSignedForms(method: string, path: ResourcePath, dates: string): string[] {
  const { segments, type, id } = path;
  const verb = method.toLowerCase();
  const form = (signedType: string, link: string): string => `${verb}\n${signedType}\n${link}\n${dates}`;
  const ownerRid = segments.at(-2)?.id?.toLowerCase() ?? '';
  if (type === 'operations') {
    // JS signs what is done to a container as the container itself; Python and Java have a type for it.
    const container = linkOf(segments, segments.length - 1);
    return ['colls', 'partitionkey', type].flatMap((each) => [form(each, container), form(each, ownerRid)]);
  }
  // By rid only the last one is signed, in small letters.
  const byRid = form(type ?? '', id?.toLowerCase() ?? ownerRid);
  if (type !== 'conflicts') return [byRid];
  // JS signs the reading of a conflict as if it were a user's, and asks for the conflicts of that conflict.
  return [byRid, form('users', linkOf(segments, id === undefined ? segments.length - 1 : segments.length))];
}

/** Both dates as they are signed: `date` counts only where there is no `x-ms-date`. */
export function signedDates(xMsDate: string | undefined, date: string | undefined): string {
  return xMsDate === undefined ? `\n${(date ?? '').toLowerCase()}\n` : `${xMsDate.toLowerCase()}\n\n`;
}

export function isSignedWith(key: HmacKey, form: string, signature: string): boolean {
  return isSameSignature(signature, key.sign(form));
}

/** In a time that tells nothing of how far they agree. */
export function isSameSignature(asked: string, known: string): boolean {
  if (asked.length !== signatureLength) return false;
  given.write(asked, 'latin1');
  expected.write(known, 'latin1');
  return timingSafeEqual(given, expected);
}

function linkOf(segments: ResourcePath['segments'], count: number): string {
  let link = '';
  for (let at = 0; at < count; at++) {
    const segment = segments[at];
    if (segment === undefined) break;
    link += at === 0 ? segment.type : `/${segment.type}`;
    if (segment.id !== undefined) link += `/${segment.id}`;
  }
  return link;
}
