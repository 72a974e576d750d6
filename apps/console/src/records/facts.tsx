import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** Name and value; what has no value is left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** What is known of a record, name beside value. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles['facts']}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
