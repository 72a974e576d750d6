import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';
import { merchantApi, operatorApi } from '../../services/api-gateway/src/description/apis.ts';
import { connectorApi, connectorEndpoints } from '../../services/api-gateway/src/description/connector.ts';
import { describe, type DocumentOptions } from '../../services/api-gateway/src/description/document.ts';
import { pictureEndpoints } from '../../services/api-gateway/src/merchant/deposit-pictures.ts';
import { merchantRoutes } from '../../services/api-gateway/src/merchant/routes.ts';
import { operatorRoutes } from '../../services/api-gateway/src/operator/routes.ts';
import type {} from '../../services/api-gateway/src/http/listener.ts';
import { breakingChanges, type Description, type Operation } from './breaking-changes.ts';

const urls = ['https://gateway.example'];
const endpoints = [...merchantRoutes, ...pictureEndpoints];

const described: Readonly<Record<string, DocumentOptions>> = {
  'docs/api/openapi-0.1.json': { api: merchantApi('0.1'), endpoints, urls },
  'docs/api/openapi-1.0.json': { api: merchantApi('1.0'), endpoints, urls },
  'docs/api/operators.json': { api: operatorApi, endpoints: operatorRoutes, urls: ['/'] },
  'docs/api/connector.json': { api: connectorApi, endpoints: connectorEndpoints, urls },
};

/** The interface as it was released, a file per contract. */
export const apiDescriptions: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(described).map(([path, options]) => [path, () => released(path, options)]),
);

/**
 * The description as it is now: it replaces the released one while it only adds to it, or when its version has risen.
 *
 * @throws Error with a line per change that breaks clients of the released one
 */
async function released(path: string, options: DocumentOptions): Promise<string> {
  checkPlanted();
  const text = `${JSON.stringify(describe(options), null, 1)}\n`;
  const before = await readFile(join(repositoryRoot, path), 'utf8').catch(() => text);
  const earlier = JSON.parse(before) as Description;
  const current = JSON.parse(text) as Description;
  const breaking = earlier.info.version === current.info.version ? breakingChanges(earlier, current) : [];
  if (breaking.length === 0) return text;
  const advice = `${path}: version ${current.info.version} was released without this, so that its clients break; raise the version or keep it`;
  throw new Error([advice, ...breaking].join('\n  '));
}

const planted: Description = {
  info: { version: '1' },
  paths: {
    '/a': {
      get: operation({ properties: { kept: { type: 'string' }, lost: { type: 'string' } }, required: ['kept'] }),
      post: {
        ...operation({ enum: ['A', 'B'] }),
        requestBody: { content: { json: { schema: { properties: { x: { type: 'string' } }, required: [] } } } },
      },
    },
    '/b': { get: operation({ type: 'string' }) },
  },
  components: { schemas: {} },
};

const plantedChange: Description = {
  ...planted,
  paths: {
    '/a': {
      get: operation({ properties: { kept: { type: 'string' }, added: { type: 'string' } }, required: [] }),
      post: {
        ...operation({ enum: ['A', 'C'] }),
        requestBody: { content: { json: { schema: { properties: { x: { type: 'string' } }, required: ['x'] } } } },
      },
    },
  },
};

const plantedComplaints = [
  'GET /a 200.lost is gone',
  'GET /a 200.kept may be missing now',
  'POST /a body.x is required now',
  'POST /a 200 is "B" no more',
  'GET /b is gone',
];

function operation(schema: Description['components']['schemas'][string]): Operation {
  return { operationId: 'planted', responses: { 200: { content: { json: { schema } } } } };
}

/** @throws Error when a change that breaks clients is not found, or one that does not is complained about */
function checkPlanted(): void {
  const found = breakingChanges(planted, plantedChange);
  if (JSON.stringify(found) !== JSON.stringify(plantedComplaints)) {
    throw new Error(`planted, but found otherwise: ${found.join('; ')}`);
  }
}
