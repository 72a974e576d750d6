import type { SqlMigration } from '@gateway/service-kit';
import { createWebhooks } from '#src/migrations/0001-webhooks.ts';
import { connectorFormat } from '#src/migrations/0002-connector-format.ts';

export const migrations: readonly SqlMigration[] = [createWebhooks, connectorFormat];
