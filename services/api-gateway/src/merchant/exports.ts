import { NotFoundError } from '@gateway/contracts/errors';
import type { Export } from '@gateway/contracts/exports';
import { exportRequestSchema, exportsQuerySchema, pageOf, presenters, shownSchemas } from '@gateway/public-api';
import { createExport } from '#src/exports/create-export.ts';
import { findExport, listExports } from '#src/exports/export.ts';
import {
  idIn,
  merchantEndpoint,
  ownerOf,
  type MerchantCall,
  type MerchantServices,
} from '#src/merchant/merchant-endpoint.ts';
import { answerPage, csvMedia } from '#src/statements/list-answer.ts';

const shown = ({ apiVersion }: MerchantCall, { exportLinks }: MerchantServices, exported: Export) =>
  presenters[apiVersion].export(exported, exportLinks.linkTo(exported, new Date()));

export const exportEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/exports',
    operation: 'createExport',
    summary: 'Ask for a file of movements or records',
    description:
      'Writes a file of whole days in the background and answers 202 with an export that is PROCESSING. The webhook ' +
      '`export.completed` follows, or read the export until it is COMPLETED or FAILED. Formats other than CSV, and ' +
      'settlements, are of days that are over. A second call with the same `external_id` answers 200 with the existing ' +
      'export. Five exports of an account are written at once; a sixth is 429 `RATE_LIMITED`, as is one beyond a ' +
      'thousand files or 4 GiB of them (compressed) that are kept.',
    refusals: ['CURRENCY_NOT_SUPPORTED'],
    body: exportRequestSchema,
    example: {
      kind: 'statement',
      format: 'ofx',
      currency: 'BRL',
      from: '2026-01-01',
      to: '2026-01-31',
      external_id: 'january',
    },
    answers: { 202: shownSchemas.export, 200: shownSchemas.export },
    leadsTo: { getExport: '/id' },
    handle: async (call, services) => {
      const { created, exported } = await createExport(services.database, call, new Date());
      if (created) services.announceExport(new Date());
      return { status: created ? 202 : 200, body: shown(call, services, exported) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/exports',
    operation: 'listExports',
    summary: 'List exports, newest first',
    description:
      'Answers with the exports of the account in the environment of the key, newest first. A file is kept for seven ' +
      'days; the record of its export stays.',
    query: exportsQuerySchema,
    answers: { 200: pageOf(shownSchemas.export) },
    otherMedia: csvMedia,
    handle: async (call, services) => {
      const { status, kind, external_id: externalId } = call.query;
      return await answerPage(call, services.bus, {
        name: 'exports',
        schema: shownSchemas.export,
        page: async (_asked, page) => {
          const wanted = { ...ownerOf(call), status, kind, externalId };
          const { exports, nextCursor } = await listExports(services.database, wanted, page);
          return { data: exports.map((exported) => shown(call, services, exported)), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/exports/:id',
    operation: 'getExport',
    summary: 'Read an export',
    description:
      'Answers with the export as it is now. Of one that is COMPLETED, `download_url` is a link to its file without key ' +
      'headers, for 15 minutes; each call answers with a new one. `sha256` is that of the file.',
    answers: { 200: shownSchemas.export },
    handle: async (call, services) => {
      const exported = await findExport(services.database, ownerOf(call), idIn(call, 'export'));
      if (!exported) throw new NotFoundError('export');
      return { status: 200, body: shown(call, services, exported) };
    },
  }),
];
