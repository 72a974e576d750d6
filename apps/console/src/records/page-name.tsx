import { createContext, type ReactNode, useContext } from 'react';

/** Whether what is shown stands beside a list, and is a part of its page. */
export const IsBeside = createContext(false);

interface PageNameProps {
  /** In the title of the browser's tab. */
  readonly tab?: string;
  readonly className?: string | undefined;
  /** The heading of the page. */
  readonly children: ReactNode;
}

/**
 * What a page is called, as its one heading of the first level and in the title of its tab. A record beside a list has a
 * heading below that of the list, whose name the tab keeps.
 */
export function PageName({ tab, className, children }: PageNameProps) {
  const isBeside = useContext(IsBeside);
  const Heading = isBeside ? 'h2' : 'h1';
  return (
    <>
      {tab === undefined || isBeside ? null : <title>{tab}</title>}
      <Heading className={className}>{children}</Heading>
    </>
  );
}

/** What a part of a record's page is called, one level below the page. */
export function SectionName({ children }: { readonly children: ReactNode }) {
  const Heading = useContext(IsBeside) ? 'h3' : 'h2';
  return <Heading>{children}</Heading>;
}
