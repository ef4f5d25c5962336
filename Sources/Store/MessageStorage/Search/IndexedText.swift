struct IndexedText {
  let words: String
  let isSpaced: Bool

  init(_ text: String) {
    isSpaced = text.unicodeScalars.contains { UnspacedScripts.contains($0) }
    let limit = isSpaced ? SearchSchema.signLimit : SearchSchema.characterLimit
    let beginning = text.utf8.count <= limit ? text : String(text.unicodeScalars.prefix(limit))
    words = isSpaced ? UnspacedScripts.spaced(beginning) : beginning
  }
}
