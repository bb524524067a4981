import { encode } from 'uqr';

/** What one code holds so that the camera of a phone still reads it off a screen. */
export const qrLengthMax = 1_800;

interface QrProps {
  text: string;
  label: string;
  /** For long texts: as wide as there is room, with less to spare for damage, which a screen does not have. */
  isLarge?: boolean;
  /** At least as many dots as this version has, so that codes of about the same length look alike. */
  versionMin?: number;
}

/** A QR code as one path, always dark on white: scanners expect it so in a dark theme, too. */
export function Qr({ text, label, isLarge = false, versionMin = 1 }: QrProps) {
  const { data, size } = encode(text, { border: 0, ecc: isLarge ? 'L' : 'M', minVersion: versionMin });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const room = isLarge ? 'aspect-square w-full max-w-110 p-4' : 'size-28 p-2 tablet:size-33';
  return (
    <span className={`block rounded-control bg-white inset-ring inset-ring-line ${room}`}>
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
