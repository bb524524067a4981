import { encode } from 'uqr';

/** A QR code as one path, always dark on white: scanners expect it so in a dark theme, too. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <span className="block size-28 rounded-control bg-white p-2 inset-ring inset-ring-line tablet:size-33">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label={label}
        className="block size-full"
      >
        <path d={path} fill="#0d1830" />
      </svg>
    </span>
  );
}
