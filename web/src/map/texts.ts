export const texts = {
  label: 'Map. Arrow keys move it, plus and minus zoom.',
  pointLabel: 'Map. Arrow keys move it, plus and minus zoom, Enter chooses its centre.',
  role: 'map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
} as const
