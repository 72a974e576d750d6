import styles from './checks.module.css';

interface ChecksProps<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly values: readonly Value[];
  readonly words?: Readonly<Record<Value, string>>;
  readonly initial?: readonly Value[];
}

/** Any of several, all visible, under a name of the form. */
export function Checks<Value extends string>({ name, label, values, words, initial = [] }: ChecksProps<Value>) {
  return (
    <fieldset className={styles['checks']}>
      <legend>{label}</legend>
      {values.map((value) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={initial.includes(value)} />
          <span>{words?.[value] ?? value}</span>
        </label>
      ))}
    </fieldset>
  );
}
