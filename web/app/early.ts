/**
 * Runs in <head> before anything is drawn: applies the remembered theme, writes whether somebody is signed in, and
 * holds what is pressed before the app has taken over the page: a submitted form, so that its fields neither get lost
 * nor reach the address bar, and buttons such as the phone's menu, which would do nothing yet. A button is held once:
 * whoever presses it again, because nothing happened, means the same. It also tells zod, before any schema is made,
 * not to try whether it may compile code: our Content-Security-Policy says no, and each try would be reported as a
 * violation.
 * With `data-scripts` a page knows that scripts run: what waits for them is hidden only then.
 * Static on purpose: the server allows inline scripts by their hash.
 */
export const earlyScript = `(function(){var d=document,r=d.documentElement;
window.__zod_globalConfig={jitless:true};r.dataset.scripts="on";
try{var t=localStorage.getItem("theme");if(t==="light"||t==="dark")r.dataset.theme=t}catch(e){}
try{var u=JSON.parse(localStorage.getItem("userdata"));if(u&&typeof u.token==="string"&&typeof u.fullname==="string")r.dataset.session=""}catch(e){}
var form=null,buttons=[];
function holdForm(e){e.preventDefault();form=[e.target,e.submitter]}
function holdButton(e){var b=e.target.closest&&e.target.closest("button[type=button]");if(b&&buttons.indexOf(b)<0)buttons.push(b)}
d.addEventListener("submit",holdForm,true);d.addEventListener("click",holdButton,true);
window.releaseHeld=function(){d.removeEventListener("submit",holdForm,true);d.removeEventListener("click",holdButton,true);
var h={form:form,buttons:buttons};form=null;buttons=[];return h}})()`;

declare global {
  interface Window {
    releaseHeld?: () => {
      form: [form: HTMLFormElement, submitter: HTMLElement | null] | null;
      buttons: HTMLButtonElement[];
    };
  }
}

/** Called once the app answers to events: what was pressed too early is pressed now. */
export function pressHeld(): void {
  const held = window.releaseHeld?.();
  delete window.releaseHeld;
  for (const button of held?.buttons ?? []) if (button.isConnected) button.click();
  if (held?.form?.[0].isConnected) held.form[0].requestSubmit(held.form[1]);
}
