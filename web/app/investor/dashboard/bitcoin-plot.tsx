import {
  AreaSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineStyle,
  type MouseEventParams,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import { dayOf, shortDayOf } from '../../domain/dates.ts';
import { grouped } from '../../domain/money/amount.ts';
import { useTheme } from '../../theme.tsx';
import { bitcoinText, type ChartPoint } from './chart-figures.ts';

const narrowPx = 500;
const isoOf = (time: unknown) => new Date(Number(time) * 1000).toISOString();
const secondsOf = (iso: string) => Math.floor(Date.parse(iso) / 1000) as UTCTimestamp;

interface Hovered {
  x: number;
  point: ChartPoint;
}

/** The line itself. It is loaded when it is needed, and knows nothing that the words beside it do not say. */
export function BitcoinPlot({ points }: { points: ChartPoint[] }) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<{ chart: IChartApi; series: ISeriesApi<'Area'> } | null>(null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const scheme = useColourScheme();

  useEffect(() => {
    if (!place.current) return;
    const chart = createChart(place.current, chartOptions(place.current.clientWidth < narrowPx));
    const series = chart.addSeries(AreaSeries, {
      lineWidth: 2,
      priceLineVisible: false,
      lastValueVisible: false,
    });
    drawing.current = { chart, series };
    chart.subscribeCrosshairMove((event) => setHovered(hoveredOf(event, series)));
    return () => {
      drawing.current = null;
      chart.remove();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme means other colours
  useEffect(() => {
    if (drawing.current && place.current) paint(drawing.current, coloursAt(place.current));
  }, [scheme]);

  useEffect(() => {
    drawing.current?.series.setData(points.map(({ at, usd }) => ({ time: secondsOf(at), value: usd })));
    drawing.current?.chart.timeScale().fitContent();
  }, [points]);

  return (
    <div className="relative size-full">
      <div ref={place} className="size-full" />
      {hovered && <Tooltip {...hovered} />}
    </div>
  );
}

function Tooltip({ x, point }: Hovered) {
  return (
    <div
      className="pointer-events-none absolute top-1.5 z-10 rounded-small bg-ink px-3 py-1.5 text-caption text-on-ink-2"
      // To the side of the crosshair that has room.
      style={x < 180 ? { left: x + 12 } : { left: x - 12, transform: 'translateX(-100%)' }}
    >
      {dayOf(point.at)}
      <b className="block text-label font-semibold text-on-ink">{bitcoinText(point.usd)}</b>
    </div>
  );
}

function hoveredOf(event: MouseEventParams, series: ISeriesApi<'Area'>): Hovered | null {
  const value = event.seriesData.get(series);
  if (!event.point || event.time === undefined || !value || !('value' in value)) return null;
  return { x: event.point.x, point: { at: isoOf(event.time), usd: value.value } };
}

/** Changes with the reader's choice and, without one, with the system's. */
function useColourScheme(): string {
  const theme = useTheme();
  const [systemIsDark, setSystemIsDark] = useState(false);
  useEffect(() => {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setSystemIsDark(query.matches);
    onChange();
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return `${theme} ${systemIsDark}`;
}

const tokens = ['accent-text', 'text-3', 'color-line', 'color-line-strong', 'color-surface'] as const;
type Colours = Record<(typeof tokens)[number], string>;

/** A canvas cannot read `light-dark()`: the browser is asked what each token comes to here. */
function coloursAt(place: HTMLElement): Colours {
  const probe = document.createElement('span');
  place.append(probe);
  const colours = tokens.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Colours;
}

const translucent = (rgb: string, alpha: number) => rgb.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`);

function paint({ chart, series }: { chart: IChartApi; series: ISeriesApi<'Area'> }, colours: Colours): void {
  const accent = colours['accent-text'];
  chart.applyOptions({
    layout: { textColor: colours['text-3'] },
    grid: { horzLines: { color: colours['color-line'] } },
    crosshair: { vertLine: { color: colours['color-line-strong'] } },
  });
  series.applyOptions({
    lineColor: accent,
    topColor: translucent(accent, 0.2),
    bottomColor: translucent(accent, 0),
    crosshairMarkerBackgroundColor: colours['color-surface'],
    crosshairMarkerBorderColor: accent,
  });
}

function chartOptions(isNarrow: boolean) {
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' } as const,
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 12,
      // The link that the licence asks for stands beneath the chart, where the keyboard finds it.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { style: LineStyle.Dashed } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.08 } },
    timeScale: {
      borderVisible: false,
      fixLeftEdge: true,
      fixRightEdge: true,
      tickMarkFormatter: (time: unknown) => shortDayOf(isoOf(time)),
    },
    crosshair: {
      mode: CrosshairMode.Magnet,
      vertLine: { style: LineStyle.Solid, width: 1 as const, labelVisible: false },
      horzLine: { visible: false, labelVisible: false },
    },
    localization: {
      priceFormatter: (usd: number) =>
        isNarrow ? `$${Number((usd / 1000).toFixed(1))}k` : `$${grouped(String(Math.round(usd)))}`,
    },
    // The page is scrolled over it, so it must not take the wheel or the finger.
    handleScroll: false,
    handleScale: false,
  };
}
