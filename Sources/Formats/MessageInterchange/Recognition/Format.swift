/// A built-in format as a row of ``ImportFormats/programs``: how its files are recognised and read.
struct Format: ImportFormat {
  typealias Reading = @Sendable (InputFile, ImportOptions) -> any HistoryReader
  typealias Companion = @Sendable (FormatSample, Companions) -> Bool

  let name: String
  let title: String
  private let reader: Reading
  /// Scores, each with signs of which a file needs all. The first score whose signs it has is the file's.
  private let scores: KeyValuePairs<Int, [FormatSign]>
  /// Returns the score if signs cannot express it.
  private let scoring: (@Sendable (FormatSample) -> Int)?
  /// Exports as nouns (`a Zulip export`), each with a condition for files without messages that belong to one.
  private let companions: KeyValuePairs<String, Companion>
  /// How a file changes while others read it, if it is no database.
  let nature: FileNature
  var growsByLines: Bool { nature == .lines }
  /// Of an assistant, its entries in ``ImportFormats/assistants``.
  private let entries: [AssistantEntry]
  let resume: ResumeCommand?

  init(
    _ name: String, _ title: String, _ reader: @escaping Reading,
    _ scores: KeyValuePairs<Int, [FormatSign]> = [:],
    scoring: (@Sendable (FormatSample) -> Int)? = nil, nature: FileNature = .document,
    companions: KeyValuePairs<String, Companion> = [:], resume: ResumeCommand? = nil
  ) {
    entries = ImportFormats.assistants.filter { $0.format == name }
    self.name = name
    self.title = title
    self.reader = reader
    self.scores = scores
    self.scoring = scoring
    self.nature = entries.lazy.compactMap(\.kind.nature).first ?? nature
    self.companions = companions
    self.resume = resume
  }

  func score(_ sample: FormatSample) -> Int {
    entries.reduce(ownScore(sample)) { max($0, $1.score(sample)) }
  }

  private func ownScore(_ sample: FormatSample) -> Int {
    scoring?(sample) ?? scores.first { _, signs in signs.allSatisfy { $0.fits(sample) } }?.key ?? 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    guard let (entry, shape) = entry(of: file) else { return reader(file, options) }
    return JSONRowsReader(ChatLines(entry, shape, file: file, options: options), file: file)
  }

  /// The entry whose keys the lines have; of lines that fit no entry, the first one.
  private func entry(of file: InputFile) -> (AssistantEntry, ChatShape)? {
    let shaped = entries.compactMap { entry in entry.shape.map { (entry, $0) } }
    guard let first = shaped.first, let sample = try? FormatSample(file),
      sample.firstSign == UInt8(ascii: "{")
    else { return nil }
    if let fitting = shaped.first(where: { $0.0.score(sample) > 0 }) { return fitting }
    return ownScore(sample) == 0 ? first : nil
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    companions.first { _, isCompanion in isCompanion(sample, files) }?.key
      ?? entries.lazy.compactMap { $0.companion(of: sample, beside: files) }.first
  }
}

/// What the beginning of a file shows of its format. Texts and keys lie in the first bytes, or among the keys
/// and short values of long JSON, as ``FormatSample/has(_:inFirst:)`` finds them.
enum FormatSign: Sendable {
  /// The first visible character: `{`, `[` or `<`.
  case begins(Unicode.Scalar)
  /// `{` or `[`.
  case json
  /// All of these keys, or short strings, of JSON.
  case keys([StaticString], inFirst: Int = FormatSample.usualByteCount)
  case anyKey([StaticString], inFirst: Int = FormatSample.usualByteCount)
  /// All of these texts.
  case texts([StaticString], inFirst: Int = FormatSample.usualByteCount)
  case anyText([StaticString], inFirst: Int = FormatSample.usualByteCount)
  /// An SQLite database, in an archive or a pipe, too, where its tables are not known.
  case database
  /// All of these tables of a database on disk.
  case tables([String])
  case anyTable([String])
  /// One of these names, with one `*` at most.
  case named([String])
  /// The beginning of the first line.
  case beginning(StaticString)
  case firstLine(where: @Sendable (Bytes) -> Bool)
  /// A line of JSON with all of these keys.
  case record(having: [String])
  case anyRecord(where: @Sendable (JSONFields) -> Bool)
  /// The first lines have JSON objects, all of them such.
  case onlyRecords(where: @Sendable (JSONFields) -> Bool)
  /// At least half of the first lines are such.
  case half(where: @Sendable (Bytes) -> Bool)
  /// One line, or its beginning, that begins with one of these texts.
  case cutLine([StaticString])
  /// It fits no program's format, or only this one: a file without messages may be of its exports.
  case of(String)
  /// The name of the folder.
  case folder(String)
  case check(@Sendable (FormatSample) -> Bool)

  func fits(_ sample: FormatSample) -> Bool {
    switch self {
    case .begins(let character): sample.firstSign == UInt8(ascii: character)
    case .json: sample.beginsJSON
    case .keys(let keys, let count): keys.allSatisfy { sample.hasKey($0, inFirst: count) }
    case .anyKey(let keys, let count): keys.contains { sample.hasKey($0, inFirst: count) }
    case .texts(let texts, let count): texts.allSatisfy { sample.has($0, inFirst: count) }
    case .anyText(let texts, let count): texts.contains { sample.has($0, inFirst: count) }
    case .database: SQLiteFile.fits(sample)
    case .tables(let names): sample.tables.isSuperset(of: names)
    case .anyTable(let names): !sample.tables.isDisjoint(with: names)
    case .named(let names): names.contains { AssistantPlace.fits(sample.name, $0) }
    case .beginning(let text): sample.lines.first?.withUnsafeBytes { $0.has(text) } ?? false
    case .firstLine(let fits): sample.lines.first?.withUnsafeBytes(fits) ?? false
    case .record(let keys): sample.hasRecord { record in keys.allSatisfy { record[$0] != nil } }
    case .anyRecord(let isOwn): sample.hasRecord(where: isOwn)
    case .onlyRecords(let isOwn): sample.hasOnlyRecords(where: isOwn)
    case .half(let fits): sample.percent(ofAtLeast: 50, where: fits) >= 50
    case .cutLine(let texts): texts.contains { sample.hasCutFirstLine(beginningWith: $0) }
    case .of(let format): sample.mayGoWith(format)
    case .folder(let name): sample.folder.last == name
    case .check(let fits): fits(sample)
    }
  }
}
