import type { MigrationObject } from '@mikro-orm/core';
import { Migration } from '@mikro-orm/migrations';

/** One step of a service's schema: plain SQL, applied once, in the order of the list. */
export interface SqlMigration {
  /** `0001-payouts`: unique within the service, never renamed. */
  readonly name: string;
  readonly sql: string;
}

/** The form MikroORM's migrator takes. */
export function toMigrationObject(step: SqlMigration): MigrationObject {
  return {
    name: step.name,
    class: class extends Migration {
      override up(): void {
        this.addSql(step.sql);
      }
    },
  };
}
