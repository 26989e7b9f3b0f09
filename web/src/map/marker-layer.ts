import { offsetTo, project, type Size, type View, worldWidth } from './view.ts'

interface Position {
  latitude: number
  longitude: number
}

/** How far a drag may go until the markers are placed again, in pixels: those so far outside are ready to come in. */
const BEYOND = 256
/** Half of the largest marker. */
const MARKER = 60

/**
 * Places the markers, which are the children of an element. While the map is only dragged, the element as a whole is moved:
 * hundreds of changed styles in every frame would cost more than the map.
 */
export function createMarkerLayer() {
  let placed: { markers: readonly Position[]; count: number; view: View; size: Size } | undefined

  return (layer: HTMLElement, markers: readonly Position[], view: View, size: Size): void => {
    const world = worldWidth(view.zoom)
    if (
      placed?.markers === markers &&
      placed.count === layer.childElementCount &&
      placed.view.zoom === view.zoom &&
      placed.size === size
    ) {
      const [right, down] = [-offsetTo(placed.view, view.x) * world, (placed.view.y - view.y) * world]
      if (Math.abs(right) <= BEYOND && Math.abs(down) <= BEYOND) {
        layer.style.transform = `translate(${right.toFixed(1)}px, ${down.toFixed(1)}px)`
        return
      }
    }
    placed = { markers, count: layer.childElementCount, view, size }
    layer.style.transform = ''
    const edge = BEYOND + MARKER
    markers.forEach(({ latitude, longitude }, index) => {
      const element = layer.children[index]
      if (!(element instanceof HTMLElement)) return
      const { x, y } = project(latitude, longitude)
      const [right, down] = [size.width / 2 + offsetTo(view, x) * world, size.height / 2 + (y - view.y) * world]
      const isNear = right > -edge && down > -edge && right < size.width + edge && down < size.height + edge
      element.style.display = isNear ? '' : 'none'
      if (isNear) element.style.transform = `translate(${right.toFixed(1)}px, ${down.toFixed(1)}px)`
    })
  }
}
