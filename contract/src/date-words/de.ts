import type { DateWords } from './date-words.ts'

const adverbs = [
  ...['etwa', 'ungefähr', 'circa', 'zirka', 'ca', 'ca.', 'c.', 'rund', 'wohl', 'vermutlich', 'wahrscheinlich'],
  ...['vielleicht', 'möglicherweise', 'irgendwann'],
]
/** "Um 1950", "ca. um 1950", "so um 1950". */
const about = ['', 'so ', ...adverbs.map(word => `${word} `)].flatMap(word => [`${word}um`, `${word}gegen`])

/** As in "letzten Sommer", "im letzten Sommer", "letztes Frühjahr". */
const inflected = (stem: string) => ['er', 'en', 'em', 'es', 'e'].map(ending => stem + ending)

/** "Die Sechziger", "in den Sechzigern", "Sechzigerjahre". "Sechziger Jahre" is two words. */
const decade = (name: string) => ['', 'n', 'jahre', 'jahren', '-jahre', '-jahren'].map(ending => name + ending)

const dayOfChristmas = (number: string) => [`${number} Weihnachtstag`, `${number} Weihnachtsfeiertag`]

export const german: DateWords = {
  language: 'de',
  unknown: [
    ...['unbekannt', 'undatiert', 'ohne Datum', 'kein Datum', 'weiß niemand', 'niemand weiß es', 'das weiß niemand'],
    ...['weiß keiner', 'keiner weiß es', 'weiß nicht', 'weiß ich nicht', 'keine Ahnung'],
  ],
  fillers: [
    ...['in', 'im', 'an', 'aus', 'von', 'vom', 'zu', 'zum', 'zur', 'der', 'die', 'das', 'den', 'dem', 'des'],
    ...['Jahr', 'Jahre', 'Jahren', 'Jahres', 'anno'],
  ],
  leads: ['am'],
  before: ['vor'],
  until: ['bis', 'spätestens'],
  after: ['nach'],
  since: ['seit', 'ab', 'frühestens'],
  between: ['zwischen'],
  and: ['und'],
  to: ['bis', 'oder'],
  early: ['Anfang', 'Beginn', ...inflected('früh')],
  middle: ['Mitte', ...inflected('mittler')],
  late: ['Ende', ...inflected('spät')],
  about: [...adverbs, ...about, 'so etwa'],
  orSo: ['oder so', ...adverbs],
  at: ['um', 'gegen'],
  oClock: ['Uhr'],
  ordinals: [],
  seasons: {
    spring: ['Frühling', 'Frühjahr'],
    summer: ['Sommer'],
    autumn: ['Herbst'],
    winter: ['Winter'],
  },
  last: ['letzt', 'vorig', 'vergangen'].flatMap(inflected),
  decadeEndings: ['er', '-er', 'iger'].flatMap(decade),
  decades: {
    twenties: decade('zwanziger'),
    thirties: decade('dreißiger'),
    forties: decade('vierziger'),
    fifties: decade('fünfziger'),
    sixties: decade('sechziger'),
    seventies: decade('siebziger'),
    eighties: decade('achtziger'),
    nineties: decade('neunziger'),
  },
  weekdays: ['Sonnabend'],
  months: { 1: ['Jänner'], 2: ['Feber'], 3: ['März', 'Mrz'] },
  holidays: {
    newYear: ['Jahreswechsel'],
    newYearsDay: ['Neujahr', 'Neujahrstag'],
    goodFriday: ['Karfreitag'],
    easter: ['Ostern'],
    easterSunday: ['Ostersonntag'],
    easterMonday: ['Ostermontag'],
    ascension: ['Himmelfahrt', 'Christi Himmelfahrt'],
    pentecost: ['Pfingsten'],
    pentecostSunday: ['Pfingstsonntag'],
    pentecostMonday: ['Pfingstmontag'],
    christmas: ['Weihnachten', 'Weihnacht'],
    christmasEve: ['Heiligabend', 'Heilig Abend', 'Heiliger Abend', 'Weihnachtsabend'],
    christmasDay: ['1.', 'erster', 'ersten'].flatMap(dayOfChristmas),
    boxingDay: ['2.', 'zweiter', 'zweiten'].flatMap(dayOfChristmas),
    newYearsEve: ['Silvester', 'Sylvester'],
  },
}
