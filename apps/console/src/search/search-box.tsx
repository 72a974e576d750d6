import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useRef } from 'react';
import { isTyping } from '#src/search/is-typing.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './search-box.module.css';

const lengthMax = 120;

/** Search from any page: `/` goes there, unless something is being typed. */
export function SearchBox() {
  const { texts } = useLanguage();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const q = box.current?.value.trim() ?? '';
    if (q !== '') void navigate({ to: '/search', search: { q } });
  };
  return (
    <form role="search" className={styles['search']} onSubmit={submit}>
      <input
        ref={box}
        type="search"
        name="q"
        aria-label={texts.search.label}
        aria-keyshortcuts="/"
        placeholder={texts.search.placeholder}
        maxLength={lengthMax}
        autoComplete="off"
        spellCheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
