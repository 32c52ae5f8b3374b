export type ProtocolVersion = 3 | 4 | 5;

export const newestVersion: ProtocolVersion = 5;

const versions: readonly ProtocolVersion[] = [3, 4, 5];

/** As SUPPORTED lists them: `4/v4`. */
export const versionNames: readonly string[] = versions.map(nameOfVersion);

export function nameOfVersion(version: ProtocolVersion): string {
  return `${version}/v${version}`;
}

export function isVersion(version: number): version is ProtocolVersion {
  return version === 3 || version === 4 || version === 5;
}

/** Drivers that begin with a newer version look for these words and step down. */
export function unsupportedVersionText(version: number): string {
  return `Invalid or unsupported protocol version (${version}); supported versions are (${versionNames.join(', ')})`;
}
