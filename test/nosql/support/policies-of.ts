export type Policies = Readonly<Record<string, unknown>>;

/** What is shown of a container, without its system properties. */
export function policiesOf(resource: object | undefined): Policies {
  return Object.fromEntries(Object.entries(resource ?? {}).filter(([name]) => !name.startsWith('_')));
}
