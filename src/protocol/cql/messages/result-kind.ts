/** The first field of a RESULT. */
export const resultKinds = { void: 1, rows: 2, setKeyspace: 3, prepared: 4, schemaChange: 5 } as const;
