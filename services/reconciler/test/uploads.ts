import { createHash } from 'node:crypto';
import { statementChunkBytes } from '@gateway/contracts/reconciler';
import {
  appendStatementFile,
  beginStatementFile,
  type ReceivingDependencies,
} from '#src/files/receive-statement-file.ts';

export interface Upload {
  readonly provider?: string;
  readonly format?: 'ofx' | 'csv' | 'camt053' | 'cnab240';
  readonly dryRun?: boolean;
  readonly mappingVersion?: number;
  readonly account?: string;
}

/** Sends a file as the gateway does, up to where it is imported. */
export async function uploadFile(
  dependencies: ReceivingDependencies,
  bytes: Buffer,
  { provider = 'efi', format = 'ofx', dryRun = false, mappingVersion, account }: Upload = {},
) {
  const asked = { provider, currency: 'BRL', format, mappingVersion: mappingVersion ?? null, dryRun } as const;
  const { id } = await beginStatementFile(dependencies, { ...asked, operator: 'ana', account: account ?? null });
  let chunks = 0;
  for (let at = 0; at < bytes.length; at += statementChunkBytes, chunks += 1) {
    const chunk = bytes.subarray(at, at + statementChunkBytes).toString('base64');
    await appendStatementFile(dependencies, { id, number: chunks, bytes: chunk });
  }
  return { id, chunks, sha256: createHash('sha256').update(bytes).digest('hex') };
}
