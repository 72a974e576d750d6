import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { CommonTexts } from '#src/texts/common-en.ts';

/** The languages of the consoles, with what each calls itself. */
export const languages = { 'pt-BR': 'Português', en: 'English', 'es-MX': 'Español' } as const;
export type Language = keyof typeof languages;

const storedAs = 'language';

interface Spoken {
  readonly language: Language;
  /** What every console says, with the name of this one. */
  readonly texts: CommonTexts & { readonly product: string };
  readonly speak: (language: Language) => void;
}

const LanguageContext = createContext<Spoken | undefined>(undefined);

interface LanguageProviderProps {
  /** The texts of the console, in each language. */
  readonly textsOf: Readonly<Record<Language, Spoken['texts']>>;
  readonly children: ReactNode;
}

export function LanguageProvider({ textsOf, children }: LanguageProviderProps) {
  const [language, speak] = useState(() => chosenLanguage(localStorage.getItem(storedAs), navigator.languages));
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(storedAs, language);
  }, [language]);
  const spoken = useMemo(() => ({ language, texts: textsOf[language], speak }), [language, textsOf]);
  return <LanguageContext value={spoken}>{children}</LanguageContext>;
}

export function useLanguage(): Spoken {
  const spoken = use(LanguageContext);
  if (!spoken) throw new Error('no LanguageProvider above this component');
  return spoken;
}

/** What was chosen before, otherwise the first language of the browser that we have, otherwise English. */
export function chosenLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (stored !== null && isLanguage(stored)) return stored;
  for (const wanted of preferred) {
    const [spoken] = wanted.toLowerCase().split('-');
    const match = Object.keys(languages).find((language) => language.toLowerCase().split('-')[0] === spoken);
    if (match !== undefined && isLanguage(match)) return match;
  }
  return 'en';
}

export function isLanguage(text: string): text is Language {
  return text in languages;
}
