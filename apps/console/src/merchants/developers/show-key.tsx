import { Status } from '#src/look/status.tsx';
import { KeyActions } from '#src/merchants/developers/key-actions.tsx';
import {
  type Key,
  keysKey,
  keyToneOf,
  nameOf,
  readKey,
  type ShownKey,
  stateOf,
} from '#src/merchants/developers/keys.ts';
import styles from '#src/merchants/developers/keys.module.css';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Empty, Notice } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import page from '#src/records/record-page.module.css';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';

/** One key: what it may do, from where, when it was used, and what can be done with it. */
export function ShowKey({ id }: { readonly id: string }) {
  const queryKey = [keysKey, id];
  return (
    <ShowRecord
      queryKey={queryKey}
      read={(signal) => readKey(id, signal)}
      heading={({ key }) => <Heading shown={key} />}
    >
      {(shown, now) => {
        const { key } = shown;
        return key ? (
          <>
            <KeyActions keyOfPage={key} address={shown.address} queryKey={queryKey} />
            <KeyFacts shown={{ ...shown, key }} now={now} />
          </>
        ) : null;
      }}
    </ShowRecord>
  );
}

function Heading({ shown }: { readonly shown: Key | undefined }) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  const name = shown ? nameOf(shown) : developers.one;
  return (
    <header className={page['heading']}>
      <title>{`${name} · ${texts.product}`}</title>
      <p className={page['kind']}>{developers.one}</p>
      <h1>{name}</h1>
      {shown ? (
        <>
          <Status tone={keyToneOf[stateOf(shown)]} word={developers.state[stateOf(shown)]} />
          <EnvironmentBadge environment={shown.environment} />
          <RecordId id={shown.public_key} />
        </>
      ) : (
        <Empty>{texts.states.notFound}</Empty>
      )}
    </header>
  );
}

interface KeyFactsProps {
  readonly shown: ShownKey & { readonly key: Key };
  readonly now: Date;
}

function KeyFacts({ shown: { key, address }, now }: KeyFactsProps) {
  const { texts, language } = useMerchantTexts();
  const { developers, facts } = texts;
  const time = (at: number | null) => (at === null ? null : formatTime(fromUnix(at), language));
  const { last_used_at: used, scopes, ip_allowlist: entries } = key;
  return (
    <>
      {stateOf(key) === 'unclaimed' ? (
        <Notice>{developers.waitsForClaim(formatTime(fromUnix(key.claim_expires_at ?? 0), language))}</Notice>
      ) : null}
      <Facts
        facts={[
          [
            developers.used,
            used === null
              ? developers.neverUsed
              : `${developers.ago(formatAge(fromUnix(used), now, language))} · ${time(used) ?? ''}`,
          ],
          [
            developers.may,
            scopes === null ? (
              developers.everything
            ) : (
              <span key="scopes" className={styles['entries']}>
                {scopes.map((scope) => (
                  <code key={scope}>{scope}</code>
                ))}
              </span>
            ),
          ],
          [developers.allowlist, <Entries key="entries" entries={entries} address={address} />],
          [texts.webhooks.contract, key.api_version],
          [facts.created, time(key.created_at)],
          [developers.claimed, time(key.claimed_at)],
          [developers.revoked, time(key.revoked_at)],
        ]}
      />
    </>
  );
}

interface EntriesProps {
  readonly entries: readonly string[];
  readonly address: string;
}

/** From where a key may be used; the address of the person who looks at it is marked. */
function Entries({ entries, address }: EntriesProps) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  if (entries.length === 0) return developers.anywhere;
  return (
    <span className={styles['entries']}>
      {entries.map((entry) => (
        <span key={entry}>
          <code>{entry}</code>
          {entry === address ? <span className={styles['mine']}> {developers.yours}</span> : null}
        </span>
      ))}
    </span>
  );
}
