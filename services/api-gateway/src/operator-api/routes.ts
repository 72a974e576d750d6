import { accountEndpoints } from '#src/operator-api/accounts.ts';
import { auditEndpoints } from '#src/operator-api/audit.ts';
import { keyEndpoints } from '#src/operator-api/keys.ts';
import type { OperatorEndpointRow } from '#src/operator-api/operator-endpoint.ts';

/** Every operation of the operator API (api.md 5). */
export const operatorRoutes: readonly OperatorEndpointRow[] = [...accountEndpoints, ...keyEndpoints, ...auditEndpoints];
