import type { ReactNode } from 'react';
import type { Environment } from '#src/generated/merchants/types.gen.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { useLanguage } from '#src/texts/language.tsx';

interface WebhookHeadingProps {
  /** What kind of record it is, as a word. */
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly state: ReactNode;
  readonly environment?: Environment;
}

/** What a page about webhooks is about: its name first, then its state. */
export function WebhookHeading({ kind, name, id, state, environment }: WebhookHeadingProps) {
  const { texts } = useLanguage();
  return (
    <header className={styles['heading']}>
      <title>{`${name} · ${texts.product}`}</title>
      <p className={styles['kind']}>{kind}</p>
      <h1>{name}</h1>
      {state}
      {environment === undefined ? null : <EnvironmentBadge environment={environment} />}
      <RecordId id={id} />
    </header>
  );
}
