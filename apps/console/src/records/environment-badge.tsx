import type { Environment } from '#src/generated/types.gen.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './environment-badge.module.css';

/** The word TEST, striped, wherever no real money moves; nothing where it does. */
export function EnvironmentBadge({ environment }: { readonly environment: Environment }) {
  const { texts } = useLanguage();
  if (environment === 'live') return null;
  return <span className={styles['test']}>{texts.environment.test}</span>;
}
