export interface ReasonChoice {
  name: string;
  /** What the investor would read; empty where only the operator can say it. */
  text: string;
}

export const depositReasons: readonly ReasonChoice[] = [
  {
    name: 'No payment reached the address',
    text: 'No payment for this request has reached our address. If you did send it, please contact us with the transaction id.',
  },
  {
    name: 'Wrong coin or network',
    text: 'The payment came in another coin or on another network than the one of this request. Please contact us.',
  },
  {
    name: 'Asked for twice',
    text: 'This payment is already in your balance under another request. It counts once.',
  },
  { name: 'Another reason', text: '' },
];

export const withdrawalReasons: readonly ReasonChoice[] = [
  {
    name: 'The address cannot receive it',
    text: 'The address cannot receive this payment. Please check it and ask again.',
  },
  {
    name: 'Asked for twice',
    text: 'This withdrawal was asked for twice. The other request goes on.',
  },
  {
    name: 'The investor asked us to',
    text: 'You asked us not to pay this withdrawal.',
  },
  { name: 'Another reason', text: '' },
];

/** A choice fills in its words, unless the operator has written some already. */
export function messageAfter(
  choice: ReasonChoice,
  choices: readonly ReasonChoice[],
  written: string,
): string {
  const isOurs = written.trim() === '' || choices.some(({ text }) => text === written);
  return isOurs ? choice.text : written;
}
