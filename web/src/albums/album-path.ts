export function albumPath(id: number): string {
  return `/albums/${id}`
}
