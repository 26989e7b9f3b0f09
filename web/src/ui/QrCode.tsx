import encodeQR from 'qr'
import { Button } from './Button.tsx'

interface Props {
  value: string
  /** Read aloud instead of the picture. */
  alternative: string
  saveLabel: string
  /** The name of the saved picture, without its extension. */
  fileName: string
}

/** The white edge that readers need, in modules. */
const QUIET_ZONE = 4
const PICTURE_SIZE = 1_200

/** Dark on white in dark mode too: many readers do not find an inverted one. */
export function QrCode({ value, alternative, saveLabel, fileName }: Props) {
  const modules = encodeQR(value, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  return (
    <div className="flex flex-col items-center gap-2">
      <svg
        role="img"
        aria-label={alternative}
        viewBox={`0 0 ${modules.length} ${modules.length}`}
        shapeRendering="crispEdges"
        className="aspect-square w-full max-w-64 rounded-control border border-line"
      >
        <rect width="100%" height="100%" fill="#fff" />
        <path d={modulesPath(modules)} fill="#000" />
      </svg>
      <Button variant="bare" onClick={() => void savePicture(modules, fileName)}>
        {saveLabel}
      </Button>
    </div>
  )
}

/** A square for each dark module. */
function modulesPath(modules: readonly (readonly boolean[])[]): string {
  return modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x},${y}h1v1h-1z` : ''))).join('')
}

/** As a PNG with whole pixels for each module, to print or send. */
async function savePicture(modules: readonly (readonly boolean[])[], fileName: string): Promise<void> {
  const scale = Math.ceil(PICTURE_SIZE / modules.length)
  const canvas = new OffscreenCanvas(modules.length * scale, modules.length * scale)
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [y, row] of modules.entries())
    for (const [x, dark] of row.entries()) if (dark) context.fillRect(x * scale, y * scale, scale, scale)
  const url = URL.createObjectURL(await canvas.convertToBlob({ type: 'image/png' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = `${fileName}.png`
  anchor.click()
  // Safari reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
