/**
 * Whether this page can be signed in to with a passkey, before anything is drawn. The browser must know them, and a
 * passkey belongs to a name: a site that is opened by its number has none. The demo's name is localhost.
 */
const hasPasskeys = 'PublicKeyCredential' in window && /(^|\.)[a-z][^.]*$/.test(location.hostname);
document.documentElement.toggleAttribute('data-passkeys', hasPasskeys);
