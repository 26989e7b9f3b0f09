import type { CSSProperties } from 'react'
import { rotationStep } from '#contract/limits.ts'

export interface Size {
  width: number
  height: number
}

export function isSideways(rotation: number): boolean {
  return Math.abs(rotation / rotationStep) % 2 === 1
}

/** Fills a box of this size with an image that is rotated by these degrees. */
export function rotatedStyle(box: Size, degrees: number): CSSProperties | undefined {
  const rotate = (degrees + 360) % 360
  if (rotate === 0) return undefined
  const { width, height } = isSideways(rotate) ? { width: box.height, height: box.width } : box
  return {
    inset: 'auto',
    left: '50%',
    maxWidth: 'none',
    position: 'absolute',
    top: '50%',
    translate: '-50% -50%',
    width,
    height,
    rotate: `${rotate}deg`,
  }
}
