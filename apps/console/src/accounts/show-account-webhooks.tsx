import { Link, useNavigate } from '@tanstack/react-router';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { listAccountWebhooks } from '#src/generated/sdk.gen.ts';
import type { Environment, ListAccountWebhooksData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { endpointToneOf } from '#src/records/deliveries.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { EnvironmentChoice } from '#src/records/environment-choice.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export interface WebhooksQuery extends Pick<NonNullable<ListAccountWebhooksData['query']>, 'cursor'> {
  readonly environment?: Environment;
}

interface ShowAccountWebhooksProps {
  readonly id: string;
  readonly query: WebhooksQuery;
}

/** The endpoints of an account: those that are sent nothing show why. */
export function ShowAccountWebhooks({ id, query }: ShowAccountWebhooksProps) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { webhooks } = accounts;
  const navigate = useNavigate();
  const { environment: chosen = 'live', cursor } = query;
  const asked = { environment: chosen, ...(cursor === undefined ? {} : { cursor }) };
  return (
    <AccountFrame id={id}>
      {() => (
        <>
          <EnvironmentChoice
            chosen={chosen}
            choose={(environment) =>
              void navigate({ to: '/accounts/$id/webhooks', params: { id }, search: { environment } })
            }
          />
          <RecordList
            name={`webhooks ${id}`}
            query={asked}
            read={(signal) => bodyOf(listAccountWebhooks({ path: { id }, query: asked, signal }))}
            empty={() => webhooks.empty}
          >
            {(rows) => (
              <RecordTable
                caption={webhooks.title}
                rows={rows}
                keyOf={(row) => row.id}
                columns={[
                  {
                    heading: accounts.name,
                    show: ({ id: webhookId, name, environment }) => (
                      <>
                        <Link to="/accounts/$id/webhooks/$webhookId" params={{ id, webhookId }}>
                          {name}
                        </Link>{' '}
                        <EnvironmentBadge environment={environment} />
                      </>
                    ),
                  },
                  {
                    heading: facts.status,
                    show: ({ status }) => <Status tone={endpointToneOf[status]} word={webhooks.status[status]} />,
                  },
                  { heading: webhooks.url, show: ({ url }) => <code>{url}</code> },
                  { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
                ]}
              />
            )}
          </RecordList>
        </>
      )}
    </AccountFrame>
  );
}
