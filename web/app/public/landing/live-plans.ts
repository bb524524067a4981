import type { Plan } from '@tallystick/contract/investment';
import {
  notchesAreTrue,
  planStick,
  plansFailure,
  planTexts,
  readPlans,
  stickLabel,
} from '../../domain/plans/plan-offer.ts';
import { logFailure } from '../../log.ts';
import { fill, repeat, showIn, templateIn } from '../../native/template.ts';
import { stickOutlines } from '../../ui/brand/stick-outline.ts';

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
  repeat(shown.firstElementChild, plans, (card, plan) => {
    fill(card, planTexts(plan));
    const stick = card.querySelector('svg');
    if (stick) cut(stick, plan);
  });
  return shown;
}

/** What parts of a stick call each other by are names of the whole page, so each stick gets its own. */
function cut(stick: Element, { _id, duration }: Plan): void {
  stick.setAttribute('aria-label', stickLabel(duration));
  stick.innerHTML = stick.innerHTML.replace(/(id="|url\(#)/g, `$1${_id}`);
  const outlines = stickOutlines(planStick(duration));
  for (const path of stick.querySelectorAll<SVGElement>('[data-outline]')) {
    path.setAttribute('d', outlines[path.dataset.outline as keyof typeof outlines]);
  }
}
