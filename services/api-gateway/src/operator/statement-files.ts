import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf } from '@gateway/contracts/messages';
import {
  appendStatementFile,
  beginStatementFile,
  getStatementFile,
  importStatementFile,
  listStatementFiles,
  listStatementMappings,
  statementChunkBytes,
} from '@gateway/contracts/reconciler';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  presentStatementDryRun,
  presentStatementFile,
  presentStatementMapping,
  statementDryRunResourceSchema,
  statementFileResourceSchema,
  statementFilesQuerySchema,
  statementFileUploadQuerySchema,
  statementMappingRequestSchema,
  statementMappingsQuerySchema,
  statementMappingsResourceSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { proposeMapping } from '#src/proposals/approve-statement-mapping.ts';

const statementFileBytesMax = 50 * 1_024 * 1_024;
/** A large file is sent on in a hundred messages, and its lines are matched. */
const importTimeoutMs = 180_000;

export const statementFileEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/statement-files',
    operation: 'submitStatementFile',
    permission: 'operations:write',
    summary: "Import a bank's statement",
    description:
      'The body is the file as the bank wrote it, up to 50 MiB: CNAB 240 (segment E), OFX 1.02 or 2, camt.053 or CSV. Each ' +
      'of its lines is compared with the payments from then on, once, also when it was in another file. The same bytes are ' +
      'answered with the file they were before. What cannot be read is refused as a whole, by its line and field.',
    query: statementFileUploadQuerySchema,
    upload: { bytesMax: statementFileBytesMax },
    timeoutMs: importTimeoutMs,
    answers: { 201: statementFileResourceSchema, 200: statementFileResourceSchema.or(statementDryRunResourceSchema) },
    refusals: ['INVALID_STATE'],
    handle: async (call, { bus, database }) => {
      const { query, operator, upload } = call;
      if (query.mapping_version !== undefined && !query.dry_run) {
        throw new ValidationError([{ path: 'mapping_version', message: 'is for a dry run alone' }]);
      }
      if (!upload) throw new ValidationError([{ path: 'body', message: 'is required' }]);
      const send = () => sendFile(bus, { ...query, operator }, upload);
      if (query.dry_run) {
        const { dryRun } = await send();
        if (!dryRun) throw new Error('a dry run has no result');
        return { status: 200, body: presentStatementDryRun(dryRun) };
      }
      const change = { action: 'statement-file.import', target: query.provider } as const;
      const { after, created } = await auditAcross(database, actOf(call), change, async () => {
        const imported = await send();
        if (!imported.file) throw new Error('an import has no file');
        const { file } = imported;
        return { before: null, after: presentStatementFile(file), target: file.id, created: imported.created };
      });
      return { status: created ? 201 : 200, body: after };
    },
  }),
  operatorList({
    path: '/ops/statement-files',
    operation: 'listStatementFiles',
    permission: 'operations:read',
    summary: 'List statement files, newest first',
    description: 'Answers with the files that were sent, newest first, those that were refused with the reason.',
    query: statementFilesQuerySchema,
    name: 'statement-files',
    schema: statementFileResourceSchema,
    page: async ({ query: { provider, state } }, { bus }, page) => {
      const { files, nextCursor } = await callRpc(bus, listStatementFiles, { provider, state, ...page });
      return { data: files.map(presentStatementFile), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/statement-files/:id',
    operation: 'getStatementFile',
    permission: 'operations:read',
    summary: 'Read what became of a statement file',
    description: 'Answers with the file, its days and balances, and how many of its lines were new.',
    answers: { 200: statementFileResourceSchema },
    handle: async (call, { bus }) => {
      const { file } = await callRpc(bus, getStatementFile, { id: idIn(call, 'statementFile', 'statement file') });
      return { status: 200, body: presentStatementFile(file) };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/statement-mappings',
    operation: 'listStatementMappings',
    permission: 'operations:read',
    summary: "List how a provider's CSV is read, and was",
    description: 'Answers with every version of the mapping of a provider, the latest first, with who approved it.',
    query: statementMappingsQuerySchema,
    answers: { 200: statementMappingsResourceSchema },
    handle: async ({ query }, { bus }) => {
      const { mappings } = await callRpc(bus, listStatementMappings, query);
      return { status: 200, body: { data: mappings.map(presentStatementMapping), next_cursor: null } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/statement-mappings',
    operation: 'createStatementMapping',
    permission: 'money:propose',
    summary: "Propose how a provider's CSV is read, for another operator to approve",
    description:
      'The draft has a version at once, with which files can be read in dry runs. None is imported with it before another ' +
      'operator approves.',
    body: statementMappingRequestSchema,
    example: {
      provider: 'efi',
      mapping: {
        encoding: 'latin-1',
        delimiter: ';',
        date: { column: 'Data', format: 'DD/MM/YYYY', zone: 'America/Sao_Paulo' },
        amount: { column: 'Valor', decimal: ',', sign: { column: 'Tipo', credit: ['C'], debit: ['D'] } },
        id: 'Documento',
        text: 'Lançamento',
      },
      reason: 'the statement of the account at this provider',
    },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, services) => {
      const approval = await proposeMapping(services, actOf(call), call.body);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];

type Sent = z.output<typeof statementFileUploadQuerySchema> & { readonly operator: string };

/** In chunks, since the broker takes no message of this size: the memory of one is needed, here and there. */
async function sendFile(bus: Askable, sent: Sent, file: Readable): Promise<ReplyOf<typeof importStatementFile>> {
  const { provider, currency, format, mapping_version, dry_run, operator, account = null } = sent;
  const version = mapping_version ?? null;
  const begun = { provider, currency, format, mappingVersion: version, dryRun: dry_run, operator, account };
  const { id } = await callRpc(bus, beginStatementFile, begun);
  const hash = createHash('sha256');
  let chunks = 0;
  for await (const chunk of chunksOf(file)) {
    hash.update(chunk);
    await callRpc(bus, appendStatementFile, { id, number: chunks, bytes: chunk.toString('base64') });
    chunks += 1;
  }
  return await callRpc(bus, importStatementFile, { id, chunks, sha256: hash.digest('hex') });
}

/** @throws DomainError PAYLOAD_TOO_LARGE */
async function* chunksOf(file: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let bytes = 0;
  // The connection is left as it is when this ends early: the refusal still has to be sent on it.
  for await (const piece of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > statementFileBytesMax) throw new DomainError('PAYLOAD_TOO_LARGE', 'the file has more than 50 MiB');
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes < statementChunkBytes) continue;
    const all = Buffer.concat(held);
    let from = 0;
    for (; all.length - from >= statementChunkBytes; from += statementChunkBytes) {
      yield all.subarray(from, from + statementChunkBytes);
    }
    held = [all.subarray(from)];
    heldBytes = all.length - from;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
