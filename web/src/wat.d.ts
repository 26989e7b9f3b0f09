declare module '*.wat' {
  const module: Uint8Array<ArrayBuffer>
  export default module
}
