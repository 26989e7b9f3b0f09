declare module 'virtual:licences' {
  const build: import('./licences.ts').Build
  export default build
}
