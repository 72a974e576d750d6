import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { listDisputes } from '#src/generated/merchants/sdk.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { listTeamApprovals, teamApprovalsKey } from '#src/merchants/approvals/team-approval.ts';
import { contract } from '#src/merchants/contract.ts';
import { rowsMax } from '#src/merchants/list-filters.tsx';
import { useEndpoints } from '#src/merchants/webhooks/use-endpoints.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatAge, formatTime } from '#src/texts/time.ts';
import styles from './home.module.css';

const headers = contract;

interface Task {
  readonly key: string;
  readonly link: ReactNode;
}

/** What waits for the merchant: proposals of colleagues, disputes to answer, the nearest deadline first, and endpoints that nothing is sent to. */
export function ToDo() {
  const { texts } = useMerchantTexts();
  const disputes = useDisputeTasks();
  const endpoints = useEndpointTasks();
  const approvals = useApprovalTasks();
  const failed = [approvals, disputes, endpoints].filter(({ error }) => error !== null);
  const tasks = [...approvals.tasks, ...disputes.tasks, ...endpoints.tasks];
  if (tasks.length === 0 && failed.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{texts.home.toDo}</h2>
      {failed.map(({ name, error, retry }) => (
        <Failed key={name} error={error} retry={retry} />
      ))}
      <ul className={styles['tasks']}>
        {tasks.map(({ key, link }) => (
          <li key={key}>{link}</li>
        ))}
      </ul>
    </section>
  );
}

function useApprovalTasks() {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { data, error, refetch } = useQuery({
    queryKey: [teamApprovalsKey, 'waiting'],
    queryFn: ({ signal }) => listTeamApprovals({ state: 'PROPOSED' }, signal),
    enabled: may('money:decide'),
  });
  const waiting = (data?.data ?? []).filter(({ actions }) => actions.includes('approve'));
  const link = (
    <Link to="/approvals" search={{ state: 'PROPOSED' }}>
      {texts.home.approvals(waiting.length)}
    </Link>
  );
  const tasks: Task[] = waiting.length === 0 ? [] : [{ key: 'approvals', link }];
  return { name: 'approvals', tasks, error, retry: () => void refetch() };
}

function useDisputeTasks() {
  const { texts, language } = useMerchantTexts();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['open-disputes'],
    queryFn: ({ signal }) => bodyOf(listDisputes({ query: { status: 'OPEN', limit: rowsMax }, headers, signal })),
  });
  const due = (data?.data ?? []).flatMap(({ id, defense_due_at: at, amount, currency }) =>
    at === null ? [] : [{ id, at: new Date(at), amount: formatMoney(amount, currency, language) }],
  );
  const now = new Date(dataUpdatedAt);
  const tasks = due
    .filter(({ at }) => at > now)
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ id, at, amount }): Task => {
      const words = texts.home.dispute(amount, formatTime(at, language), formatAge(now, at, language));
      const link = (
        <Link to="/disputes/$id" params={{ id }}>
          {words}
        </Link>
      );
      return { key: id, link };
    });
  return { name: 'disputes', tasks, error, retry: () => void refetch() };
}

function useEndpointTasks() {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { data, error, refetch } = useEndpoints(may('webhooks:read'));
  const disabled = (data?.data ?? []).filter(({ status }) => status === 'disabled');
  const tasks = disabled.map(({ id, name }): Task => {
    const link = (
      <Link to="/webhooks/$id" params={{ id }}>
        {texts.home.endpointDisabled(name)}
      </Link>
    );
    return { key: id, link };
  });
  return { name: 'endpoints', tasks, error, retry: () => void refetch() };
}
