import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { people } from '#src/migrations/0001-people.ts';
import { approvedTokens } from '#src/migrations/0002-approved-tokens.ts';
import { issuers } from '#src/migrations/0003-issuers.ts';
import { approvedInvitations } from '#src/migrations/0004-approved-invitations.ts';

/** The schema of identity, in the order of its growth. */
export const migrations: readonly SqlMigration[] = [
  ...kitMigrations,
  people,
  approvedTokens,
  issuers,
  approvedInvitations,
];
