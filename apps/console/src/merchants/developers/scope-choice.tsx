import { type Scope, type ScopeNoun, scopeNouns } from '#src/merchants/developers/keys.ts';
import styles from '#src/merchants/developers/keys.module.css';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const ways = ['read', 'write'] as const;

interface ScopeChoiceProps {
  /** Null: the key is limited to nothing. */
  readonly chosen: readonly Scope[] | null;
  readonly choose: (chosen: readonly Scope[] | null) => void;
  readonly fault: string | undefined;
}

/** What a key may do: all of it, or what is chosen, with what each of it means. */
export function ScopeChoice({ chosen, choose, fault }: ScopeChoiceProps) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  const toggle = (scope: Scope, isChosen: boolean) => {
    const others = (chosen ?? []).filter((each) => each !== scope);
    choose(isChosen ? [...others, scope] : others);
  };
  return (
    <fieldset className={styles['scopes']}>
      <legend>{developers.may}</legend>
      <label className={styles['whole']}>
        <input type="radio" name="limited" checked={chosen !== null} onChange={() => choose([])} />
        {developers.limited}
      </label>
      {chosen === null ? null : (
        <ul>
          {scopeNouns.map((noun) => (
            <ScopeRow key={noun} noun={noun} chosen={chosen} toggle={toggle} />
          ))}
        </ul>
      )}
      <label className={styles['whole']}>
        <input type="radio" name="limited" checked={chosen === null} onChange={() => choose(null)} />
        {developers.everything}
      </label>
      {fault === undefined ? null : <p role="alert">{fault}</p>}
    </fieldset>
  );
}

interface ScopeRowProps {
  readonly noun: ScopeNoun;
  readonly chosen: readonly Scope[];
  readonly toggle: (scope: Scope, isChosen: boolean) => void;
}

function ScopeRow({ noun, chosen, toggle }: ScopeRowProps) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  const { name, about } = developers.scopes[noun];
  return (
    <li>
      <span>
        <strong>{name}</strong>
        <span>{about}</span>
      </span>
      {ways.map((way) => (
        <label key={way}>
          <input
            type="checkbox"
            checked={chosen.includes(`${noun}:${way}`)}
            onChange={({ target }) => toggle(`${noun}:${way}`, target.checked)}
            aria-label={`${name}: ${developers[way]}`}
          />
          {developers[way]}
        </label>
      ))}
    </li>
  );
}
