import type { Passkey } from '@gateway/contracts/identity';
import { unixSeconds, unixSecondsOrNull } from '@gateway/contracts/values';

export interface PasskeyRow {
  readonly id: string;
  readonly person_id: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: string[];
  readonly backed_up: boolean;
  readonly label: string;
  readonly step_up_from: Date;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    label: row.label,
    backedUp: row.backed_up,
    createdAt: unixSeconds(row.created_at),
    lastUsedAt: unixSecondsOrNull(row.last_used_at),
  };
}
