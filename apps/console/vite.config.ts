import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const compressible = /\.(?:js|css|svg)$/;

/** Beside each file its compressed forms: they are sent as they are, and made once. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    async writeBundle({ dir = '' }, bundle) {
      for (const file of Object.values(bundle).filter(({ fileName }) => compressible.test(fileName))) {
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        await writeFile(join(dir, `${file.fileName}.br`), await promisify(brotliCompress)(bytes));
        await writeFile(join(dir, `${file.fileName}.gz`), await promisify(gzip)(bytes, { level: 9 }));
      }
    },
  };
}

/** The order of the layers, as `look/layers.css` has it. */
const layers = '@layer tokens,ground,parts;';

/** Pages load their styles when they are opened, in no certain order: each file begins with the order of the layers. */
function layered(): Plugin {
  return {
    name: 'layered',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset' && file.fileName.endsWith('.css')) {
            file.source = `${layers}${Buffer.from(file.source).toString()}`;
          }
        }
      },
    },
  };
}

/** Two years of browsers. Nothing is inlined: the policy of the page takes scripts and styles of its own origin alone. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [layered(), compressed()],
  build: {
    target: ['chrome131', 'firefox133', 'safari18.2'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: {
      input: ['operators.html', 'merchants.html'].map((page) => resolve(import.meta.dirname, page)),
      // Marks for servers that render React, of which there is none here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
