import type { Exchange } from '../exchange.ts';
import { writeAuthenticate, writeReady } from '../messages/simple-responses.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { StartupRequest } from '../requests/request.ts';

const maxOptions = 32;
const maxOptionLength = 256;
/** Drivers know by this name that a login by user and password is meant. */
const authenticator = 'org.apache.cassandra.auth.PasswordAuthenticator';

export function handleStartup({ options }: StartupRequest, exchange: Exchange): void {
  const { session, out, stream } = exchange;
  checkCqlVersion(options.get('CQL_VERSION'));
  const compression = compressionOf(options.get('COMPRESSION'), exchange.version);
  exchange.handshake = { compression };
  session.options = new Map(shownOptions(options));
  if (/\bJava\b/i.test(options.get('DRIVER_NAME') ?? '')) out.putPayloadFirst();
  if (session.asksLogin) {
    session.stage = 'authenticating';
    writeAuthenticate(out, stream, authenticator);
  } else {
    session.stage = 'ready';
    writeReady(out, stream);
  }
}

/** What is kept of them is shown to operators; drivers send a handful of short ones. */
function shownOptions(options: ReadonlyMap<string, string>): [string, string][] {
  return [...options]
    .slice(0, maxOptions)
    .map(([key, value]) => [key.slice(0, maxOptionLength), value.slice(0, maxOptionLength)]);
}

function checkCqlVersion(version: string | undefined): void {
  if (version === undefined) throw new ProtocolError('Missing value CQL_VERSION in STARTUP message');
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined)
    throw new ProtocolError(`Invalid version value: ${version}`);
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 99)) {
    throw new ProtocolError(
      `CQL version ${version} is not supported by the binary protocol (supported version are >= 3.0.0)`,
    );
  }
}

function compressionOf(name: string | undefined, version: number): 'lz4' | 'snappy' | undefined {
  const wanted = name?.toLowerCase();
  switch (wanted) {
    case undefined:
    case 'lz4':
      return wanted;
    case 'snappy':
      if (version >= 5) throw new ProtocolError('Snappy compression is not supported in protocol V5');
      return wanted;
    default:
      throw new ProtocolError(`Unknown compression algorithm: ${wanted}`);
  }
}
