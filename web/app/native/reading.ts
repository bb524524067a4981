/** What pages that are only read have besides; the app's own links know by themselves what is behind them. */
import './near.ts';

/** What the page was drawn without (`load-order.ts`): the connection was for the face that everything is written in. */
for (const { media } of document.styleSheets) media.mediaText = '';
