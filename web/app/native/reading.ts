/** What pages that are only read have besides; the app's own links know by themselves what is behind them. */
import './near.ts';
