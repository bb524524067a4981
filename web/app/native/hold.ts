/**
 * Runs at the head of the app's pages, after `head.ts`: holds what is pressed before the app has taken over the page: a
 * submitted form, so that its fields neither get lost nor reach the address bar, and buttons that would do nothing yet.
 * The button that sent the form says that it was heard. A button is held once: whoever presses it again, because nothing happened, means the same. Buttons that have answered
 * already, such as the phone's menu, are not held. It also tells zod, before any schema is made, not to try whether it
 * may compile code: our Content-Security-Policy says no, and each try would be reported as a violation.
 */
let form: HeldForm | null = null;
const buttons: HTMLButtonElement[] = [];

type HeldForm = [form: HTMLFormElement, submitter: HTMLElement | null];

declare global {
  interface Window {
    __zod_globalConfig?: { jitless: boolean };
    releaseHeld?: () => { form: HeldForm | null; buttons: HTMLButtonElement[] };
  }
}

function holdForm(event: SubmitEvent): void {
  event.preventDefault();
  form = [event.target as HTMLFormElement, event.submitter];
  event.submitter?.setAttribute('aria-busy', 'true');
}

function holdButton(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[type=button]');
  if (button && !event.defaultPrevented && !buttons.includes(button)) buttons.push(button);
}

window.__zod_globalConfig = { jitless: true };
document.addEventListener('submit', holdForm, true);
document.addEventListener('click', holdButton);
window.releaseHeld = () => {
  document.removeEventListener('submit', holdForm, true);
  document.removeEventListener('click', holdButton);
  delete window.releaseHeld;
  form?.[1]?.removeAttribute('aria-busy');
  return { form, buttons };
};

export {};
