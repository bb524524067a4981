/** Runs at the end of the landing page: what it shows of the server. */
import { showPlans } from './live-plans.ts';
import { keepPricesLive } from './live-prices.ts';

const byId = (id: string) => document.getElementById(id) as HTMLElement;

keepPricesLive(byId('price-tiles'), byId('price-ticker'));
void showPlans(byId('plan-cards'), byId('notch-note'));
