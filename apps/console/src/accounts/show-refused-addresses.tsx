import { useQuery } from '@tanstack/react-query';
import { AssignAllowlist } from '#src/accounts/assign-allowlist.tsx';
import { refusedAddresses } from '#src/accounts/refused-addresses.ts';
import { listRequests } from '#src/generated/sdk.gen.ts';
import type { Key } from '#src/generated/types.gen.ts';
import { Empty, Failed } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const hourMs = 3_600_000;
const requestsMax = 200;

interface ShowRefusedProps {
  readonly accountId: string;
  readonly keys: readonly Key[];
}

/**
 * From where keys of the account were used in the last hour with the right secret and against their allowlist, by its log of
 * requests: what a merchant that is locked out has to be asked about.
 */
export function ShowRefusedAddresses({ accountId, keys }: ShowRefusedProps) {
  const { texts, language } = useOperatorTexts();
  const words = texts.accounts.keys.refused;
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['account', accountId, 'refused-addresses'],
    queryFn: async ({ signal }) => {
      const from = Math.floor((Date.now() - hourMs) / 1_000);
      const query = { account_id: accountId, code: 'AUTH_IP_BLOCKED', from, limit: requestsMax };
      return refusedAddresses((await bodyOf(listRequests({ query, signal }))).data);
    },
    enabled: may('webhooks:read'),
  });
  const isLimited = keys.some(({ ip_allowlist: entries, revoked_at: at }) => entries.length > 0 && at === null);
  if (!may('webhooks:read') || !isLimited) return null;
  return (
    <>
      <h3>{words.title}</h3>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Empty>{words.none}</Empty> : null}
      {data && data.length > 0 ? (
        <RecordTable
          caption={words.title}
          rows={data}
          keyOf={({ key, address }) => `${key} ${address}`}
          columns={[
            { heading: words.address, show: ({ address }) => <code>{address}</code> },
            { heading: texts.accounts.keys.key, show: ({ key }) => <RecordId id={key} /> },
            { heading: words.times, align: 'right', show: ({ times }) => times },
            { heading: words.last, show: ({ lastAt }) => formatTime(fromUnix(lastAt), language) },
            {
              heading: texts.changes.action,
              show: ({ key, address }) => {
                const found = keys.find(({ public_key: each, revoked_at: at }) => each === key && at === null);
                return found ? <AssignAllowlist apiKey={found} adding={address} /> : '–';
              },
            },
          ]}
        />
      ) : null}
    </>
  );
}
