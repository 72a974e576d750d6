import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';
import { collectionOf } from '../../services/api-gateway/src/description/collection.ts';
import type { ApiDocument } from '../../services/api-gateway/src/description/document.ts';

/** docs/api/postman-<contract>.json: what a gateway serves at `/postman.json` and `/postman-1.0.json`. */
export const postmanCollections: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  (['0.1', '1.0'] as const).map((contract) => [
    `docs/api/postman-${contract}.json`,
    async () => {
      const released = await readFile(join(repositoryRoot, `docs/api/openapi-${contract}.json`), 'utf8');
      return `${JSON.stringify(collectionOf(contract, JSON.parse(released) as ApiDocument), null, 1)}\n`;
    },
  ]),
);
