import type { SqlMigration } from '@gateway/persistence';

/** Which stored files belong to a piece of evidence: their ids, names, types, sizes and SHA-256. */
export const evidenceFiles: SqlMigration = {
  name: '0030-evidence-files',
  sql: `alter table dispute_evidence add column files jsonb not null default '[]';`,
};
