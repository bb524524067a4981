import { checkPaper, type Paper } from '@tallystick/verify/paper';
import { dayOf, dollars, isWrong } from '@tallystick/verify/plain';
import { element } from './element.ts';

/** What is shown of an account statement: whether it is as it was signed, and what it covers. */

const accounts = [
  ['wallet', 'Wallet'],
  ['invested', 'Invested'],
  ['withdrawing', 'Being withdrawn'],
] as const;
const owedNames = ['In the wallet', 'Invested', 'Profit so far', 'Being withdrawn'];

function verdict(title: string, texts: string[], isBroken = false): HTMLElement {
  const box = element('div', `verdict${isBroken ? ' broken' : ''}`);
  if (isBroken) box.setAttribute('role', 'alert');
  box.append(element('h2', '', title), ...texts.map((text) => element('p', '', text)));
  return box;
}

function facts(title: string, rows: [string, string][], look = ''): HTMLElement {
  const card = element('section', `step facts ${look}`);
  const list = element('dl', '');
  for (const [name, value] of rows) list.append(element('dt', '', name), element('dd', '', value));
  card.append(element('h3', '', title), list);
  return card;
}

function coverage({ kind, origin, from, to, bytes, owed, ...paper }: Paper): HTMLElement[] {
  const heads = accounts.map(([name, words]): [string, string] => {
    const { account, seq, hash } = paper[name];
    return [words, account === null ? 'No entry yet' : `Entry ${seq}\nAccount ${account}\nHash ${hash}`];
  });
  const together = owed.reduce((sum, cents) => sum + cents, 0n);
  return [
    facts('What it covers', [
      ['Signed by', origin],
      ['Days', `${dayOf(Date.parse(from))} to ${dayOf(Date.parse(to))}, both included, in UTC`],
      ['File', `${kind.toUpperCase()}, all ${bytes.toLocaleString('en')} bytes before the signature`],
    ]),
    facts('What was owed at the end', [
      ...owedNames.map((name, at): [string, string] => [name, dollars(owed[at] ?? 0n)]),
      ['Together', dollars(together)],
    ]),
    facts('Where the three accounts stood at the end', heads, 'heads'),
    facts('What this shows', [
      [
        'What it proves',
        'The house has stated exactly this file, and cannot take it back or say that it was another.',
      ],
      [
        'What it does not',
        'That the money is there, or whose it is now. For the first there is the proof of the whole house; what happened after the last day is not in it.',
      ],
    ]),
  ];
}

export function shownPaper(bytes: Uint8Array, vkey: string): HTMLElement[] {
  const paper = checkPaper(bytes, vkey);
  if (!isWrong(paper)) {
    return [
      verdict('This statement is as it was signed', ['Not a byte of it was changed.']),
      ...coverage(paper),
    ];
  }
  return [
    verdict(
      'This statement is not what was signed',
      [
        paper.wrong,
        'Either the file was damaged or altered, for example by a program that saved it anew, or the key is another’s. Download it again, and check the key. Do not rely on the figures in it.',
      ],
      true,
    ),
  ];
}
