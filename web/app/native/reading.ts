/** What pages that are only read have besides; the app's own links know by themselves what is behind them. */
import './near.ts';

/** What the page was drawn without (`load-order.ts`): the connection was for the face that everything is written in. */
const later = document.querySelector<HTMLStyleElement>('style[media="not all"]');
if (later) later.media = 'all';
