import type { Environment } from '#src/generated/types.gen.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './environment-choice.module.css';

interface EnvironmentChoiceProps {
  readonly chosen: Environment;
  readonly choose: (environment: Environment) => void;
}

/** Live or test, where one of them is shown at a time. */
export function EnvironmentChoice({ chosen, choose }: EnvironmentChoiceProps) {
  const { texts } = useLanguage();
  return (
    <label className={styles['choice']}>
      <span>{texts.environment.label}</span>
      <select value={chosen} onChange={({ target }) => choose(target.value === 'test' ? 'test' : 'live')}>
        <option value="live">{texts.environment.live}</option>
        <option value="test">{texts.environment.test}</option>
      </select>
    </label>
  );
}
