import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A script by the address at which pages load it: as long as the address is the same, so is the script. */
export interface PageScript {
  readonly path: string;
  readonly text: string;
}

const require = createRequire(import.meta.url);

/** Those of every page. */
export const pageScripts: readonly PageScript[] = ['reading', 'searching'].map((name) =>
  scriptAt(name, new URL(`./assets/${name}.js`, import.meta.url)),
);

/** What a page loads when its reader begins to search: the module that browsers know, beside the one that `require` finds. */
export const searchLibrary = scriptAt(
  'minisearch',
  new URL('../es/index.js', pathToFileURL(require.resolve('minisearch'))),
);

function scriptAt(name: string, file: URL): PageScript {
  const text = readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/docs/${name}-${hash}.js`, text };
}
