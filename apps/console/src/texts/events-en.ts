/** The texts of the event log in English. */
export const events = {
  title: 'Events',
  first: 'Nothing has happened yet. Every event is listed here, whether or not an endpoint receives it.',
  happened: 'Happened',
  kinds: {
    deposit: 'All of payments',
    refund: 'All of refunds',
    payout: 'All of payouts',
    med: 'All of disputes',
    conversion: 'All of conversions',
    export: 'All of exports',
    webhook: 'All of webhooks',
  },
  payload: 'The record as it was then',
  payloadAbout:
    'This is the “data” of the event in contract 1.0. Personal data is masked on this page; your endpoints receive it whole.',
  noDeliveries: 'No endpoint was given it.',
  noEndpoints: 'There is no endpoint yet. Create one under Webhooks first.',
  deliver: {
    open: 'Deliver…',
    title: 'Deliver the event',
    about:
      'It goes to the endpoint whether or not that subscribes to it, with the record as it was then. An endpoint that was given it before is sent it again, under the same event id.',
    confirm: 'Deliver it',
  },
  replay: {
    open: 'Replay…',
    title: 'Replay a period',
    about: 'The endpoint is sent, in their order, the events of the period that it subscribes to and was never given.',
    since: 'From',
    until: 'Until',
    untilHint: 'Left empty: until now.',
    zone: (zone: string) => `In the zone ${zone}.`,
    all: 'All that it subscribes to',
    confirm: 'Replay',
    outcome: (count: number) =>
      count === 0
        ? 'Nothing is sent: the endpoint was given every event of this period that it subscribes to.'
        : count === 1
          ? '1 event that the endpoint was never given is on its way to it.'
          : `${count} events that the endpoint was never given are on their way to it.`,
    notSent: 'What is not sent',
    leftOut: [
      'What the endpoint was given before. What of it failed is sent by “Recover…” on the page of the endpoint.',
      'Events that it does not subscribe to. One of them is sent by “Deliver…” on the page of the event.',
      'Events that are no longer in the log, and those about the endpoint itself.',
      'What is still to be sent when the endpoint is disabled.',
    ],
    seeDeliveries: 'See what became of each',
  },
};
