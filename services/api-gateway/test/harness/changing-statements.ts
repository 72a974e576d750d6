import {
  appendStatementFile,
  approveStatementMapping,
  beginStatementFile,
  csvMappingSchema,
  draftStatementMapping,
  importStatementFile,
  type StatementFile,
  type StatementMapping,
} from '@gateway/contracts/reconciler';
import { answering, type RpcRoute } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { OperationTable, WhenAsked } from './changing-services.ts';

const mapping = csvMappingSchema.parse({
  date: { column: 'Data', format: 'DD/MM/YYYY', zone: 'America/Sao_Paulo' },
  amount: { column: 'Valor', decimal: ',' },
});

const file: StatementFile = {
  ...{ id: newId('statementFile'), provider: 'efi', currency: 'BRL', format: 'ofx', mappingVersion: null, bytes: 5 },
  ...{ state: 'IMPORTED', sha256: '0'.repeat(64), summary: null, refusal: null, uploadedBy: 'ana' },
  receivedAt: '2026-01-02T10:04:37.250Z',
};
const draft: StatementMapping = {
  ...{ provider: 'efi', version: 1, state: 'DRAFT', mapping, proposedBy: 'ana', approvedBy: null, approvedAt: null },
  createdAt: '2026-01-02T10:04:37.250Z',
};

/** A reconciler that imports whatever it is sent. */
export function importingReconciler(whenAsked: WhenAsked): RpcRoute[] {
  return [
    answering(beginStatementFile, async () => {
      await whenAsked();
      return { id: file.id };
    }),
    answering(appendStatementFile, async () => ({})),
    answering(importStatementFile, async () => ({ file, created: true, dryRun: null })),
    answering(draftStatementMapping, async () => ({ mapping: draft })),
    answering(approveStatementMapping, async () => ({ mapping: draft })),
  ];
}

/** The reconciler has the file; the gateway keeps the proposal of a mapping. */
export const importOperations: OperationTable = {
  'POST /ops/statement-files': () => ({
    ...{ path: '/ops/statement-files?provider=efi&format=ofx', body: { any: 'bytes' } },
    ...{ action: 'statement-file.import', before: null, after: { id: file.id, state: 'IMPORTED' } },
  }),
};
export const mappingOperations: OperationTable = {
  'POST /ops/statement-mappings': () => ({
    ...{ path: '/ops/statement-mappings', body: { provider: 'efi', mapping, reason: 'the account at Efí' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'statement-mapping.approve', target: 'efi/1', state: 'PROPOSED' },
  }),
};
