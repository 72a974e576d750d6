import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with it, as the server or the form says. */
  readonly fault?: string | undefined;
}

interface ShellProps extends Labelled {
  readonly id: string;
  readonly children: ReactNode;
}

function Shell({ id, label, hint, fault, children }: ShellProps) {
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children}
      {hint === undefined ? null : (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p className={styles['fault']} id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, { hint, fault }: Labelled): string | undefined {
  const names = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].filter(Boolean);
  return names.length === 0 ? undefined : names.join(' ');
}

export function TextField({ label, hint, fault, ...input }: Labelled & Omit<ComponentProps<'input'>, 'id'>) {
  const id = useId();
  const labelled = { label, ...(hint === undefined ? {} : { hint }), fault };
  return (
    <Shell id={id} {...labelled}>
      <input
        {...input}
        id={id}
        className={styles['input']}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={describedBy(id, labelled)}
      />
    </Shell>
  );
}

export function TextArea({ label, hint, fault, ...area }: Labelled & Omit<ComponentProps<'textarea'>, 'id'>) {
  const id = useId();
  const labelled = { label, ...(hint === undefined ? {} : { hint }), fault };
  return (
    <Shell id={id} {...labelled}>
      <textarea
        rows={3}
        {...area}
        id={id}
        className={styles['input']}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={describedBy(id, labelled)}
      />
    </Shell>
  );
}

interface FieldGroupProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Fields that belong together, below what holds for each of them. */
export function FieldGroup({ label, children }: FieldGroupProps) {
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

interface SelectFieldProps<Value extends string> extends Labelled {
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of several, of which the chosen one is visible. */
export function SelectField<Value extends string>({ options, value, onChange, ...labelled }: SelectFieldProps<Value>) {
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <Shell id={id} {...labelled}>
      <select
        id={id}
        className={styles['input']}
        value={value}
        onChange={({ target }) => choose(target.value)}
        aria-describedby={describedBy(id, labelled)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Shell>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly about?: string }[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}

/** One of few, all of them visible. */
export function Choice<Value extends string>({ label, name, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles['choice']}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            required
          />
          <span>
            {option.label}
            {option.about === undefined ? null : <span className={styles['hint']}>{option.about}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly about?: string }[];
  readonly values: readonly Value[];
  readonly onChange: (values: readonly Value[]) => void;
  readonly fault?: string | undefined;
}

/** Any of few, all of them visible. */
export function Choices<Value extends string>({ label, options, values, onChange, fault }: ChoicesProps<Value>) {
  const toggle = (value: Value, isChosen: boolean) =>
    onChange(options.map((each) => each.value).filter((each) => (each === value ? isChosen : values.includes(each))));
  return (
    <fieldset className={styles['choice']}>
      <legend>{label}</legend>
      {options.map(({ value, label: name, about }) => (
        <label key={value} className={styles['option']}>
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={({ target }) => toggle(value, target.checked)}
          />
          <span>
            {name}
            {about === undefined ? null : <span className={styles['hint']}>{about}</span>}
          </span>
        </label>
      ))}
      {fault === undefined ? null : (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
