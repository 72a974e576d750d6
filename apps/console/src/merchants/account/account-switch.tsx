import { useLocation } from '@tanstack/react-router';
import { addressIn, baseOf, firstPlace, samePageIn } from '#src/merchants/account/place.ts';
import { useOwnAccounts, useWorkplace } from '#src/merchants/account/workplace.tsx';
import { useSession } from '#src/session/session.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './account-switch.module.css';

const environments = ['live', 'test'] as const;

/**
 * Which account and which environment the tab works in. Another one is another address, and the page is loaded anew: nothing
 * that was read of the one is left for the other.
 */
export function AccountSwitch() {
  const { accounts: memberships } = useSession();
  const { place } = useWorkplace();
  const { texts } = useMerchantTexts();
  const accounts = useOwnAccounts();
  const nameOf = (id: string) => accounts?.find((account) => account.id === id)?.name ?? '';
  const change = (id: string) => {
    const other = memberships.filter(({ account_id: accountId }) => accountId === id);
    const target = firstPlace(other, baseOf({ ...place, accountId: id }));
    if (target) window.location.assign(`${baseOf(target)}/`);
  };
  return (
    <div className={styles['switch']}>
      {memberships.length === 1 ? (
        <p className={styles['account']}>{nameOf(place.accountId)}</p>
      ) : (
        <select
          aria-label={texts.account.label}
          value={place.accountId}
          onChange={({ target }) => change(target.value)}
        >
          {memberships.map(({ account_id: id }) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </select>
      )}
      <EnvironmentSwitch />
    </div>
  );
}

function EnvironmentSwitch() {
  const { accounts } = useSession();
  const { place } = useWorkplace();
  const { texts } = useMerchantTexts();
  // Read anew with every page, which the address of the window has by then.
  useLocation();
  const { below } = addressIn(window.location.pathname);
  const membership = accounts.find(({ account_id: id }) => id === place.accountId);
  return (
    <nav className={styles['environments']} aria-label={texts.environment.label}>
      {environments
        .filter((each) => membership?.environments.includes(each))
        .map((environment) => (
          <a
            key={environment}
            href={samePageIn({ ...place, environment }, below)}
            aria-current={environment === place.environment}
            data-environment={environment}
          >
            {texts.environment[environment]}
          </a>
        ))}
    </nav>
  );
}
