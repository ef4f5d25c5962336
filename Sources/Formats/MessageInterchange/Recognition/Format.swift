/// A built-in format as data, a row of ``ImportFormats/all``: how its files are recognised, and what reads them.
struct Format: ImportFormat {
  let name: String
  let title: String
  let reader: @Sendable (InputFile, ImportOptions) -> any HistoryReader
  /// Scores, each with signs of which a file needs all. The first score whose signs it has is the file's.
  let scores: KeyValuePairs<Int, [FormatSign]>
  /// The exports as nouns (`a Zulip export`), each with a condition for files without messages that belong to one.
  var companions: KeyValuePairs<String, @Sendable (FormatSample, Companions) -> Bool> = [:]
  /// The places where an assistant keeps its sessions. They are the only list: `scrollback assistants` looks
  /// there, imports of folders read the hidden files there, and docs/assistants.md lists them.
  var places: [AssistantPlace] = []
  var resume: ResumeCommand?

  func score(_ sample: FormatSample) -> Int {
    scores.first { _, signs in signs.allSatisfy { $0.fits(sample) } }?.key ?? 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader { reader(file, options) }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    companions.first { _, isCompanion in isCompanion(sample, files) }?.key
  }
}

/// What the beginning of a file shows. Its texts lie within the first bytes, or among the keys and short values
/// of long JSON, as ``FormatSample/has(_:inFirst:)`` finds them.
enum FormatSign: Sendable {
  /// The first visible character: `{`, `[` or `<`.
  case begins(Unicode.Scalar)
  /// All of these keys, or short strings, of JSON.
  case keys([StaticString], inFirst: Int = FormatSample.usualByteCount)
  case anyKey([StaticString], inFirst: Int = FormatSample.usualByteCount)
  /// All of these texts.
  case texts([StaticString], inFirst: Int = FormatSample.usualByteCount)
  case anyText([StaticString], inFirst: Int = FormatSample.usualByteCount)
  /// All of these tables of a database.
  case tables([String])

  func fits(_ sample: FormatSample) -> Bool {
    switch self {
    case .begins(let character): sample.firstSign == UInt8(ascii: character)
    case .keys(let keys, let count): keys.allSatisfy { sample.hasKey($0, inFirst: count) }
    case .anyKey(let keys, let count): keys.contains { sample.hasKey($0, inFirst: count) }
    case .texts(let texts, let count): texts.allSatisfy { sample.has($0, inFirst: count) }
    case .anyText(let texts, let count): texts.contains { sample.has($0, inFirst: count) }
    case .tables(let names): sample.tables.isSuperset(of: names)
    }
  }
}
