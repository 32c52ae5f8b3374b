import { version } from '../../version.ts';
import { headerLine } from '../http/http-answer.ts';
import type { NosqlResponse } from './nosql-message.ts';

/** Of the API, for clients that do not say which they speak. */
const apiVersion = '2020-07-15';
const serverVersion = `version=${version}`;
const ofEveryAnswer =
  headerLine('x-ms-gatewayversion', serverVersion) + headerLine('x-ms-serviceversion', serverVersion);
const json = headerLine('content-type', 'application/json');

/** What every answer has, and what this one has beside it. */
export function responseHeaders(
  activityId: string,
  askedVersion: string | undefined,
  durationMs: number,
  own: NosqlResponse['headers'],
  body: NosqlResponse['body'],
): string {
  let lines = `x-ms-activity-id: ${activityId}\r\nx-ms-request-duration-ms: ${durationMs.toFixed(3)}\r\n${ofEveryAnswer}${versionLine(askedVersion)}`;
  let hasCharge = false;
  for (const name in own) {
    const value = own[name];
    if (value === undefined) continue;
    lines += headerLine(name, value);
    if (name === 'x-ms-request-charge') hasCharge = true;
  }
  if (!hasCharge) lines += 'x-ms-request-charge: 0\r\n';
  return body === undefined ? lines : lines + json;
}

let lastVersion: string | undefined;
let lastVersionLine = headerLine('x-ms-version', apiVersion);

/** A client asks for the same one each time. */
function versionLine(asked: string | undefined): string {
  if (asked !== lastVersion) {
    lastVersion = asked;
    lastVersionLine = headerLine('x-ms-version', asked ?? apiVersion);
  }
  return lastVersionLine;
}
