import type { Plan } from '@tallystick/contract/investment';
import {
  notchesAreTrue,
  notchesOf,
  plansFailure,
  planTexts,
  readPlans,
  stickLabel,
} from '../../domain/plans/plan-offer.ts';
import { logFailure } from '../../log.ts';
import { fill, showIn, templateIn } from '../../native/template.ts';

/** Asks for the plans once; whoever sees that none came may ask again. */
export async function showPlans(place: Element, notchNote: HTMLElement): Promise<void> {
  try {
    const plans = await readPlans();
    notchNote.hidden = !plans.every(({ duration }) => notchesAreTrue(duration));
    if (plans.length === 0) showIn(place, templateIn(place, '[data-none]'));
    else showIn(place, cards(place, plans));
  } catch (error) {
    logFailure(plansFailure, error);
    const failed = templateIn(place, '[data-failed]');
    failed.querySelector('button')?.addEventListener('click', () => {
      showIn(place, templateIn(place, '[data-waiting]'));
      void showPlans(place, notchNote);
    });
    showIn(place, failed);
  }
}

function cards(place: Element, plans: Plan[]): DocumentFragment {
  const shown = templateIn(place, '[data-cards]');
  const list = shown.firstElementChild;
  const [form] = list?.children ?? [];
  const sticks = templateIn(place, '[data-sticks]');
  for (const plan of plans) {
    const card = form?.cloneNode(true) as Element;
    const stick = sticks.children[notchesOf(plan.duration) - 1]?.cloneNode(true) as Element;
    stick.setAttribute('aria-label', stickLabel(plan.duration));
    card.querySelector('[data-stick]')?.replaceWith(stick);
    fill(card, planTexts(plan));
    list?.append(card);
  }
  form?.remove();
  return shown;
}
