import type { Grant, OperatorPermission } from '@gateway/contracts/identity';

/** Who calls the operator API. */
export interface Principal {
  /** As the audit trail and proposals have it. */
  readonly name: string;
  /** How far they may go with a permission; null when they have nothing of it. */
  readonly grantOf: (permission: OperatorPermission) => Grant | null;
}
