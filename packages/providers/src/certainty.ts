/**
 * How far something a provider says may be believed, from the least to the most:
 *
 * - `hint`: unsigned, or no more is known than who connected (BACEN, Efí). It makes us ask, and does nothing else.
 * - `platform`: signed with a key that all customers of the provider share (Woovi's RSA signature). The same as a hint:
 *   another customer's payment is signed just so.
 * - `ours`: signed with a secret of our own registration. It may do what only holds money back: open a dispute.
 * - `asked`: the answer to our own question over our own credentials, for our own reference or the provider's id, with
 *   reference, amount and currency as they are recorded. It may do everything.
 * - `people`: two operators with evidence. It may do everything, and is audited.
 */
export type Grade = 'hint' | 'platform' | 'ours' | 'asked' | 'people';

/** The grades a notification can have: whatever moves money that may be spent is asked for. */
export type NotificationGrade = 'hint' | 'platform' | 'ours';

/** What a grade includes: code that is content with a lower one takes a higher one too. */
interface Includes {
  readonly hint: 'hint';
  readonly platform: 'hint' | 'platform';
  readonly ours: 'hint' | 'platform' | 'ours';
  readonly asked: 'hint' | 'platform' | 'ours' | 'asked';
  readonly people: 'hint' | 'platform' | 'ours' | 'asked' | 'people';
}

declare const certainty: unique symbol;

/**
 * A fact of at least the grade `G`. The grade exists in types only: a fact of a lower grade where a higher one is needed
 * does not compile, and nothing but `graded` and `byPeople` gives a fact a grade.
 */
export type Graded<G extends Grade, Fact> = Fact & {
  readonly [certainty]: Readonly<Record<Includes[G], true>>;
};

export type Asked<Fact> = Graded<'asked', Fact>;

/** Gives a fact the grade of where it came from. For adapters: the package's index does not export it. */
export function graded<G extends Exclude<Grade, 'people'>, Fact>(_grade: G, fact: Fact): Graded<G, Fact> {
  return fact as Graded<G, Fact>;
}

/** The answer to our own question. For adapters: the package's index does not export it. */
export function asked<Fact>(fact: Fact): Asked<Fact> {
  return graded('asked', fact);
}

export interface TwoPeople {
  readonly proposedBy: string;
  readonly approvedBy: string;
}

/** What two operators say happened, with evidence of it. @throws RangeError when they are one person */
export function byPeople<Fact>(fact: Fact, { proposedBy, approvedBy }: TwoPeople): Graded<'people', Fact> {
  if (proposedBy === approvedBy) throw new RangeError('what moves money by hand needs two people');
  return fact as Graded<'people', Fact>;
}
