import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the sources are, wherever the tests were compiled to: tests may run from dist/ or from a copy. */
export const repositoryRoot: string = findRoot();

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'biome.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return existsSync(join(folder, 'biome.json')) ? folder : process.cwd();
}

/** Paths relative to the root of all files below these folders whose name ends so. */
export function filesIn(folders: readonly string[], ending: string): string[] {
  return folders.flatMap((folder) => {
    const path = join(repositoryRoot, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => relative(repositoryRoot, join(entry.path, entry.name)));
  });
}
