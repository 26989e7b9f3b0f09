const CONVERTED_EXTENSIONS = new Set(['mts', 'm2ts', 'avi', 'mov', 'mkv', 'wmv', 'flv', 'm4v', 'mpg', 'mpeg', '3gp'])
const PLAYED_TYPES = new Set(['video/mp4', 'video/webm', 'video/ogg'])

/** Whether a video has to be converted, going by its name and type alone. */
export function needsConversion({ name, type }: { name: string; type: string }): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return CONVERTED_EXTENSIONS.has(extension) || !PLAYED_TYPES.has(type)
}
