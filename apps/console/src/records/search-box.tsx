import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useRef } from 'react';
import styles from './search-box.module.css';

const lengthMax = 120;

interface SearchBoxProps {
  readonly label: string;
  /** What can be searched by, in a few words. */
  readonly placeholder: string;
}

/** Search from any page, which the key `/` goes to. */
export function SearchBox({ label, placeholder }: SearchBoxProps) {
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const q = box.current?.value.trim() ?? '';
    if (q === '') return;
    void navigate({ to: '/search', search: { q } });
    // The next page says what was searched for; the box is for the next search.
    if (box.current) box.current.value = '';
  };
  return (
    <form role="search" className={styles['search']} onSubmit={submit}>
      <input
        ref={box}
        type="search"
        name="q"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        maxLength={lengthMax}
        autoComplete="off"
        spellCheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
