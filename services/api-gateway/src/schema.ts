import { kitMigrations } from '@gateway/persistence';
import { AccountEntity } from '#src/accounts/account.ts';
import { BrandingEntity } from '#src/accounts/branding.ts';
import { ApiKeyEntity } from '#src/accounts/api-key.ts';
import { ApprovalEntity } from '#src/approvals/approval.ts';
import { AuditEntity } from '#src/approvals/audit.ts';
import { ExportEntity } from '#src/exports/export.ts';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';
import { migrations } from '../migrations/index.ts';

/** The tables of this service. */
export const schema = {
  entities: [AccountEntity, AdjustmentEntity, ApiKeyEntity, ApprovalEntity, AuditEntity, BrandingEntity, ExportEntity],
  migrations: [...kitMigrations, ...migrations],
};
