import { openCheckpoint, parseVkey } from '@tallystick/verify/note';
import { seemsPaper } from '@tallystick/verify/paper';
import type { Wrong } from '@tallystick/verify/plain';
import {
  checkProofFile,
  type ProofFile,
  readProofFile,
  type Step,
  type Trust,
} from '@tallystick/verify/proof-file';
import { element } from './element.ts';
import { shownPaper } from './paper.ts';
import { pictures, stateIcons } from './pictures.ts';
import { sampleWitness, stateWords, words } from './words.ts';

/** The whole page: choose a file, type an address, see what holds. What a file says is only ever shown as text. */

function part<Part extends HTMLElement>(id: string, kind: new () => Part): Part {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

const form = part('form', HTMLFormElement);
const file = part('file', HTMLInputElement);
const email = part('email', HTMLInputElement);
const vkey = part('vkey', HTMLInputElement);
const witnesses = part('witnesses', HTMLTextAreaElement);
const found = part('found', HTMLElement);

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Says beside a field what is wrong with it; nothing when it is null. */
function complain(field: Field, wrong: string | null): void {
  part(`${field.id}-error`, HTMLElement).textContent = wrong ?? '';
  if (wrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

function shownStep({ name, state, says, why }: Step): HTMLElement {
  const item = element('li', `step ${state}`);
  item.dataset.step = name;
  item.insertAdjacentHTML('beforeend', pictures[name]);
  const told = element('div', '');
  const stateLine = element('p', 'state', stateWords[state]);
  stateLine.insertAdjacentHTML('afterbegin', stateIcons[state]);
  told.append(element('h3', '', words[name].title), stateLine, element('p', '', says));
  if (why) told.append(element('p', 'why', why));
  const about = element('dl', '');
  const [proves, not] =
    state === 'holds' ? ['What it proves', 'What it does not'] : ['What it would prove', 'What it would not'];
  about.append(element('dt', '', proves), element('dd', '', words[name].proves));
  about.append(element('dt', '', not), element('dd', '', words[name].not));
  told.append(about);
  item.append(told);
  return item;
}

function verdictOf(steps: readonly Step[], trust: Trust): HTMLElement {
  const count = (state: Step['state']) => steps.filter((step) => step.state === state).length;
  const [broken, unchecked] = [count('broken'), count('unchecked')];
  const box = element('div', `verdict${broken ? ' broken' : ''}`);
  if (broken) {
    box.setAttribute('role', 'alert');
    const parts = broken === 1 ? 'One part' : `${broken} parts`;
    box.append(
      element('h2', '', `${parts} of this proof ${broken === 1 ? 'is' : 'are'} broken`),
      element(
        'p',
        '',
        'Either this file was damaged or altered, or the address is not the one it was made for, or the house did not keep its books as it says. Save a new proof and check that, too.',
      ),
      element(
        'p',
        '',
        'If it stays broken: keep both files and this page, note the time, and show them to someone you trust and to an auditor. The signatures in them can be checked by anyone.',
      ),
    );
  } else if (unchecked) {
    box.append(
      element('h2', '', `Nothing is broken, ${unchecked} of ${steps.length} could not be checked`),
      element('p', '', 'What could be checked holds. Below stands what is missing.'),
    );
  } else {
    box.append(
      element('h2', '', 'All five hold'),
      element('p', '', 'Your own record, the total that was published and the log agree, to the cent.'),
    );
  }
  if (!broken && (trust.vkey === null || trust.witnesses === null)) {
    box.append(
      element(
        'p',
        '',
        'Keys that you did not give were taken from the file. With keys that you have from elsewhere the check shows more.',
      ),
    );
  }
  return box;
}

/** The witness of a demo signs like any other, beside the server that it is to watch: it counts for nothing. */
function withoutSample(
  step: Step,
  { checkpoint, vkey: ownKey, witnesses: own }: ProofFile,
  trust: Trust,
): Step {
  if (step.name !== 'witnesses' || step.state !== 'holds') return step;
  const opened = openCheckpoint(checkpoint, trust.vkey ?? ownKey, trust.witnesses ?? own);
  if ('wrong' in opened || opened.cosigned.some(({ name }) => name !== sampleWitness.name)) return step;
  return { ...step, state: 'unchecked', says: sampleWitness.says, why: sampleWitness.why };
}

function show(parts: HTMLElement[]): void {
  found.replaceChildren(...parts);
  found.hidden = false;
  found.focus();
}

function showSteps(steps: readonly Step[], trust: Trust): void {
  const list = element('ol', 'steps');
  list.append(...steps.map(shownStep));
  show([verdictOf(steps, trust), list]);
}

/** The keys that were typed; null after saying what is wrong with them. */
function typedTrust(): Trust | null {
  const lines = witnesses.value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const wrongOf = (text: string) => {
    const key = parseVkey(text);
    return 'wrong' in key ? key.wrong : null;
  };
  const ofLog = vkey.value.trim();
  complain(vkey, ofLog ? wrongOf(ofLog) : null);
  complain(witnesses, lines.map(wrongOf).find((wrong) => wrong !== null) ?? null);
  if (form.querySelector('#vkey[aria-invalid], #witnesses[aria-invalid]')) return null;
  return { vkey: ofLog || null, witnesses: lines.length > 0 ? lines : null };
}

/** Larger than any proof and than a statement of a million entries; a browser could not hold much more. */
const fileBytesMax = 500_000_000;
const kindBytes = 64;

/** What was chosen, or why it is nothing that can be checked. */
async function readChosen(chosen: File): Promise<Uint8Array | Wrong> {
  if (chosen.size === 0) return { wrong: 'This file is empty.' };
  if (chosen.size > fileBytesMax) {
    return {
      wrong: 'This file is too large to be a proof or an account statement: at most 500 MB are read.',
    };
  }
  try {
    const beginning = new Uint8Array(await chosen.slice(0, kindBytes).arrayBuffer());
    const isJson = /^\s*\{/.test(new TextDecoder().decode(beginning));
    if (!isJson && !seemsPaper(beginning)) {
      return { wrong: 'This file is neither a proof nor an account statement.' };
    }
    return new Uint8Array(await chosen.arrayBuffer());
  } catch {
    return { wrong: 'This file could not be read. Is it still where it was?' };
  }
}

/** A statement names no key: whoever had made it up would name their own. */
function verifyPaper(bytes: Uint8Array, { vkey: ofLog }: Trust): void {
  part('keys', HTMLDetailsElement).open = true;
  if (ofLog) show(shownPaper(bytes, ofLog));
  else complain(vkey, 'A statement is checked with the key of the log. It stands at /log/vkey of the site.');
}

function verifyProof(bytes: Uint8Array, trust: Trust): void {
  const proof = readProofFile(new TextDecoder().decode(bytes));
  if ('wrong' in proof) {
    complain(file, proof.wrong);
    return;
  }
  const steps = checkProofFile(proof, email.value, trust);
  showSteps(
    steps.map((step) => withoutSample(step, proof, trust)),
    trust,
  );
}

async function verify(): Promise<void> {
  found.hidden = true;
  const [chosen] = file.files ?? [];
  const bytes = chosen ? await readChosen(chosen) : { wrong: 'Choose the file that was saved.' };
  complain(file, 'wrong' in bytes ? bytes.wrong : null);
  const isPaper = !('wrong' in bytes) && seemsPaper(bytes);
  const isAddressWanted = !isPaper && !(chosen && 'wrong' in bytes) && !email.value.trim();
  complain(email, isAddressWanted ? 'Type the address that you sign in with.' : null);
  const trust = typedTrust();
  if (!('wrong' in bytes) && trust) {
    if (isPaper) verifyPaper(bytes, trust);
    else if (email.value.trim()) verifyProof(bytes, trust);
  }
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
}

const button = part('verify', HTMLButtonElement);
/** A long record takes a while, in which the page can do nothing else: that is said before it begins. */
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  button.textContent = 'Checking';
  setTimeout(() =>
    verify().finally(() => {
      button.ariaBusy = null;
      button.textContent = 'Verify';
    }),
  );
});
// What was found belongs to what was checked.
form.addEventListener('input', () => {
  found.hidden = true;
});

const over = (is: boolean) => document.body.classList.toggle('over', is);
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  over(true);
});
document.addEventListener('dragleave', () => over(false));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  over(false);
  if (!event.dataTransfer?.files.length) return;
  file.files = event.dataTransfer.files;
  complain(file, null);
  found.hidden = true;
  email.focus();
});
