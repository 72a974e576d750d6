import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * What one operator did: never changed, never removed. `before` and `after` are null as long as it is not known what came
 * of it.
 */
export const AuditEntity = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  properties: {
    id: p.string().primary(),
    operator: p.string(),
    action: p.string(),
    /** Id of the record that was changed. */
    target: p.string(),
    before: p.json<object>().nullable(),
    after: p.json<object>().nullable(),
    requestId: p.string(),
    createdAt: p.datetime(),
  },
});
export type AuditEntity = InferEntity<typeof AuditEntity>;
