/**
 * Runs in <head> of every page, so that no page is ever a dead picture: what is pressed is answered from the first
 * pixel on. Everything listens at the document and asks the markup, whoever drew it: the build or the app.
 * With `data-scripts` a page knows that scripts run: what waits for them is hidden only then.
 */
import './remembered.ts';
import './menu.ts';
import './accordion.ts';
import './tabs.ts';
import './passkeys.ts';

document.documentElement.dataset.scripts = 'on';
