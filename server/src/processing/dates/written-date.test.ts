import { expect, test } from 'vitest'
import { dateWrittenInName } from './date-from-name.ts'

const [berlin, newYork] = ['Europe/Berlin', 'America/New_York']

test.each([
  ['24.12.2019.jpg', '2019-12-24'],
  ['24-12-2019.jpg', '2019-12-24'],
  ['24_12_2019.jpg', '2019-12-24'],
  ['1.5.1968.jpg', '1968-05-01'],
  ['Foto vom 31.12.1999.jpg', '1999-12-31'],
  ['Weihnachten 24.12.2019 (2).jpg', '2019-12-24'],
  ['Taufe_03.04.1955_2.tif', '1955-04-03'],
  ['Photo 02-01-2019, 12 34 56.jpg', '2019-01-02T12:34:56'],
  ['Photo 24-12-2019 12.34.56.jpg', '2019-12-24T12:34:56'],
  ['4 July 1976.jpg', '1976-07-04'],
  ['July 4, 1976.jpg', '1976-07-04'],
  ['Picnic on July 4th 1976.jpg', '1976-07-04'],
  ['the 3rd of May 1951.jpg', '1951-05-03'],
  ['24. Dezember 1969.jpg', '1969-12-24'],
  ['24. Dez. 1969 Oma.jpg', '1969-12-24'],
  ['3. März 1972.jpg', '1972-03-03'],
  ['14 juillet 1989.jpg', '1989-07-14'],
  ['1er août 1958.jpg', '1958-08-01'],
  ['14 de julio de 1976.jpg', '1976-07-14'],
  ['25 dicembre 1963.jpg', '1963-12-25'],
  ['5 mei 1945.jpg', '1945-05-05'],
  ['12-Jun-1974.jpg', '1974-06-12'],
  ['Dezember 1969.jpg', '1969-12'],
  ['Oma im Dezember 1969 02.jpg', '1969-12'],
  ['décembre 1969.jpg', '1969-12'],
  ['de\u0301cembre 1969.jpg', '1969-12'],
  ['enero de 1950.jpg', '1950-01'],
  ['agosto 1971.jpg', '1971-08'],
  ['October_1931.png', '1931-10'],
  ['augustus 1966.jpg', '1966-08'],
  ['1969 Dezember 04.jpg', '1969-12'],
  ['Sommer 1974.jpg', '1974-22'],
  ['Sommer_1974_03.jpg', '1974-22'],
  ['Urlaub Summer 1974.jpg', '1974-22'],
  ['Frühling 1961.jpg', '1961-21'],
  ['Frühjahr 1961.jpg', '1961-21'],
  ['Fruehjahr 1961.jpg', '1961-21'],
  ['Oma im Herbst 1961.jpg', '1961-23'],
  ['Jänner 1974.jpg', '1974-01'],
  ['3. Jaenner 1974.jpg', '1974-01-03'],
  ['Feber 1974.jpg', '1974-02'],
  ['Maerz 1974.jpg', '1974-03'],
  ['Mrz 1974.jpg', '1974-03'],
  ['été 1982.jpg', '1982-22'],
  ['verano de 1982.jpg', '1982-22'],
  ['otoño 1949.jpg', '1949-23'],
  ['autunno 1949.jpg', '1949-23'],
  ['zomer 1953.jpg', '1953-22'],
  ['Winter 1974.jpg', '1974-24'],
  ['Winter 1974-75.jpg', '1975-24'],
  ['1974 summer.jpg', '1974-22'],
  ['Oma 1974.jpg', '1974'],
  ['Oma_1974.jpg', '1974'],
  ['Dad 1974.jpg', '1974'],
  ['Oma und Opa 1974.jpg', '1974'],
  ['Oma 1974 (2).jpg', '1974'],
  ['03 Oma 1974.jpg', '1974'],
  ['Oma 1974 im Garten.jpg', '1974'],
  ['Scan von 1974.jpg', '1974'],
  ['Urlaub Italien 2003.jpg', '2003'],
  ['1974.jpg', '1974'],
  ['ca. 1950.jpg', '1950~'],
  ['Großvater um 1910.jpg', '1910~'],
  ['Großvater, ungefähr 1910.jpg', '1910~'],
  ['zirka 1950.jpg', '1950~'],
  ['Opa um das Jahr 1950.jpg', '1950~'],
  ['Oma 1960er.jpg', '196X'],
  ['Oma in den 1960ern.jpg', '196X'],
  ['1960er-Jahre Oma.jpg', '196X'],
  ['1960s wedding.jpg', '196X'],
  ['03062017123.jpg', '2017-06-03'],
  ['24122009001.jpg', '2009-12-24'],
])('%s is of %s', (name, edtf) => {
  expect(dateWrittenInName(name, berlin)).toBe(edtf)
})

test.each([
  ['02-01-2019.jpg', newYork, '2019-02-01'],
  ['02-01-2019.jpg', 'Europe/London', '2019-01-02'],
  ['02-01-2019.jpg', 'UTC', '2019'],
  ['05-05-2019.jpg', 'UTC', '2019-05-05'],
  ['02.01.2019.jpg', newYork, '2019-01-02'],
  ['24-12-2019.jpg', newYork, '2019-12-24'],
  ['12-24-2019.jpg', berlin, '2019-12-24'],
  ['Foto vom 02-01-2019.jpg', newYork, '2019-01-02'],
  ['Photo 02-01-2019, 12 34 56.jpg', newYork, '2019-02-01T12:34:56'],
])('%s is written in %s for %s', (name, zone, edtf) => {
  expect(dateWrittenInName(name, zone)).toBe(edtf)
})

test.each([
  // Counters of cameras, phones and programs.
  ...['IMG_1974.jpg', 'IMG 1974.jpg', 'img-1974.jpg', 'DSC01974.JPG', 'DSC_1974.NEF', 'P1974.jpg', 'P 1974.jpg'],
  ...['PANO_1974.jpg', 'SAM_1974.JPG', 'STA_1974.jpg', 'CIMG1974.JPG', 'MVI_1974.AVI', '_MG_1974.CR2', 'KIF-1974.jpg'],
  ...[
    '100_1974.JPG',
    'GOPR1974.MP4',
    'GX011974.MP4',
    'DJI_1974.JPG',
    'Scan 0012.jpg',
    'Scan 1974.jpg',
    'scan_2001.tif',
  ],
  ...['Photo 2012.jpg', 'Foto 1999.jpg', 'Bild 1975.jpg', 'Image 2001.png', 'Picture 1980.jpg', 'Screenshot 1999.png'],
  ...[
    'Film 1974.jpg',
    'Seite 1974.jpg',
    'Page 1974.jpg',
    'Nr. 1974.jpg',
    'No 1974.jpg',
    'Room 1974.jpg',
    'Dia 1974.jpg',
  ],
  ...['Version 2019.jpg', 'Windows 2000.jpg', 'ISO 1600.jpg', 'iso 2000.jpg', 'Order 1975.pdf', 'untitled 1975.jpg'],
  ...['1999 (1).jpg', '1999 - Copy.jpg', '1999 copy.jpg', '1974a.jpg', '1974-1.jpg', '1974_2.jpg', 'Oma1974.jpg'],
  // Sizes, versions, addresses, telephone numbers, hashes and other digits.
  ...[
    '1974 x 1080.jpg',
    '1920x1080.jpg',
    '1920_1080.jpg',
    '1920-1080.jpg',
    'Garten 1920 x 1080.jpg',
    'Berg 1974 m.jpg',
  ],
  ...[
    'Weg 1974 km.jpg',
    'Oma 1920 px.jpg',
    'v1.2.2019.jpg',
    'Version 1.2.2019.jpg',
    '10.1.2012.5.jpg',
    '1.10.4.2011.jpg',
  ],
  ...['+49 170 1974123.jpg', '0171-20-10-2019.jpg', '07700900123.jpg', '01701234567.jpg', '15551234567.jpg'],
  ...['030 12 2019.jpg', '12 34 2019 11.jpg', '99.99.2019.jpg', '31.02.2019.jpg', '24.13.2019.jpg', '0.5.2019.jpg'],
  ...['24.12.1700.jpg', '24.12.2199.jpg', '24.12.19.jpg', '24.12.jpg', '03062027123.jpg', '03132017123.jpg'],
  ...['20190101-4a3b-4c1d-9e8f-0123456789ab.jpg', 'e4d909c290d0fb1ca068ffaddf22cbd0.jpg', 'deadbeef 1974.jpg'],
  ...['abc1974def.jpg', '9f3ab 1974.jpg', '1974.1975.1976.jpg', 'Oma 19745.jpg', 'Oma 0974.jpg'],
  ...['Jan 1974x.jpg', 'Mayor 1974x.jpg', 'Summertime.jpg', 'Sommer.jpg', 'Dezember.jpg', '1985s.jpg', '1900s.jpg'],
  ...['Sommer 1974-75.jpg', 'Oma 1825.jpg', 'Oma 2199.jpg', 'Dezember 1700.jpg', '32 Dezember 1969x.jpg', ''],
])('%j has no date that a person has written', name => {
  for (const zone of [berlin, newYork, 'UTC']) expect([zone, dateWrittenInName(name, zone)]).toEqual([zone, undefined])
})

test('a long name is searched at once', () => {
  const names = [
    'a'.repeat(255),
    'a '.repeat(127),
    '1974 '.repeat(51),
    '1-'.repeat(127),
    'Oma, '.repeat(51),
    'ca '.repeat(85),
  ]
  const begun = process.threadCpuUsage()
  const found = names.map(name => dateWrittenInName(name, berlin))
  const { user, system } = process.threadCpuUsage(begun)
  expect(found).toHaveLength(names.length)
  if (process.env.LONG) expect((user + system) / 1_000).toBeLessThan(200)
})
