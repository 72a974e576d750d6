import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listDeposits, listWebhooks } from '#src/generated/merchants/sdk.gen.ts';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { keysKey, listKeys } from '#src/merchants/developers/keys.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './home.module.css';

const headers = contract;

/** The first day of an account: a key, an endpoint and a payment. Each is ticked off by itself, and then all are gone. */
export function FirstSteps() {
  const { texts } = useMerchantTexts();
  const { may, environment } = useWorkplace();
  const { firstSteps: words } = texts.home;
  const isTheirs = may('keys:read') && may('webhooks:read');
  const { data } = useQuery({
    queryKey: ['first-steps', keysKey],
    enabled: isTheirs,
    queryFn: async ({ signal }) => {
      const [keys, endpoints, paid] = await Promise.all([
        listKeys({ status: 'active' }, signal),
        bodyOf(listWebhooks({ query: { limit: 1 }, headers, signal })),
        bodyOf(listDeposits({ query: { limit: 1, status: 'PAID' }, headers, signal })),
      ]);
      return [keys, endpoints, paid].map((page) => page.data.length > 0);
    },
  });
  if (!data || data.every(Boolean)) return null;
  const [hasKey = false, hasEndpoint = false, hasPaid = false] = data;
  const steps = [
    { name: words.key, isDone: hasKey, link: <Link to="/developers">{words.key}</Link> },
    { name: words.endpoint, isDone: hasEndpoint, link: <Link to="/webhooks">{words.endpoint}</Link> },
    {
      name: words.payment[environment],
      isDone: hasPaid,
      link: <Link to="/payments">{words.payment[environment]}</Link>,
    },
  ];
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      <ol className={styles['steps']}>
        {steps.map(({ name, isDone, link }) => (
          <li key={name}>
            {link}
            <Status tone={isDone ? 'good' : 'neutral'} word={isDone ? words.done : words.open} />
          </li>
        ))}
      </ol>
    </section>
  );
}
