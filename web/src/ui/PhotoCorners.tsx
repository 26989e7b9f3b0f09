const corners = ['top-0 left-0', 'top-0 right-0 rotate-90', 'right-0 bottom-0 rotate-180', 'bottom-0 left-0 -rotate-90']

/** The four corners of a photo album, for a positioned parent. */
export function PhotoCorners() {
  return corners.map(corner => (
    <svg key={corner} viewBox="0 0 28 28" aria-hidden="true" className={`absolute size-7 text-ink ${corner}`}>
      <path d="M0 4a4 4 0 0 1 4-4h24L0 28Z" fill="var(--line)" />
      <path d="M4 19.5 19.5 4" stroke="currentColor" opacity="0.16" />
    </svg>
  ))
}
