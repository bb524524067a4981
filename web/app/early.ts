/**
 * Runs in <head> before anything is drawn: applies the remembered theme, and holds a form that is submitted before
 * the app has taken over the page, so that its fields neither get lost nor reach the address bar. It also tells zod,
 * before any schema is made, not to try whether it may compile code: our Content-Security-Policy says no, and each try
 * would be reported as a violation.
 * With `data-scripts` a page knows that scripts run: what waits for them is hidden only then.
 * Static on purpose: the server allows inline scripts by their hash.
 */
export const earlyScript = `(function(){var d=document,r=d.documentElement;
window.__zod_globalConfig={jitless:true};r.dataset.scripts="on";
try{var t=localStorage.getItem("theme");if(t==="light"||t==="dark")r.dataset.theme=t}catch(e){}
function hold(e){e.preventDefault();held=[e.target,e.submitter]}
var held=null;d.addEventListener("submit",hold,true);
window.releaseHeldForm=function(){d.removeEventListener("submit",hold,true);var h=held;held=null;return h}})()`;

declare global {
  interface Window {
    releaseHeldForm?: () => [form: HTMLFormElement, submitter: HTMLElement | null] | null;
  }
}

/** Called once the app answers to events: what was submitted too early is submitted now. */
export function resubmitHeldForm(): void {
  const held = window.releaseHeldForm?.();
  if (held?.[0].isConnected) held[0].requestSubmit(held[1]);
}
