/// All formats that can be read.
public enum ImportFormats {
  static let all: [any ImportFormat] =
    [
      JSONLinesFormat(), TelegramFormat(), SlackFormat(), DiscordFormat(), DiscordPageFormat(),
      MessengerFormat(),
      MattermostFormat(), GoogleChatFormat(), MatrixFormat(), SignalDesktopFormat(), SignalExportFormat(),
      SignalBackupFormat(), ZulipFormat(), ZulipArchiveFormat(), IMessageFormat(), SlackdumpFormat(),
      HangoutsFormat(), AdiumFormat(), SMSFormat(), DiscordTableFormat(), SlackEventsFormat(),
      LINEFormat(), SignalChatFormat(), WhatsAppFormat(), MailFormat(),
      ClaudeCodeFormat(), CodexFormat(), ChatGPTFormat(), ClaudeAIFormat(), GeminiFormat(), LLMFormat(),
      OpenCodeFormat(),
    ] + IRCDialect.all.map(IRCLogFormat.init) + loose

  /// Those that are no program's own: anything with a time and a text fits them.
  private static let loose: [any ImportFormat] = [
    LooseJSONFormat(), LooseDocumentFormat(), TableFormat.csv, TableFormat.tsv,
  ]

  /// Whether a format is no program's own.
  static func isLoose(_ format: any ImportFormat) -> Bool { loose.contains { $0.name == format.name } }

  /// The least score with which a format is taken.
  static let leastScore = 30

  /// The names that `--format` takes, each with the name for people.
  public static var names: [(name: String, title: String)] { all.map { ($0.name, $0.title) } }

  /// Returns the format called `name`.
  ///
  /// - Throws: ``InterchangeError`` that lists the names there are.
  static func named(_ name: String) throws(InterchangeError) -> any ImportFormat {
    if let format = all.first(where: { $0.name == name }) { return format }
    throw InterchangeError(
      .unknownFormat, "no format is called '\(name)'",
      remedy: "one of: " + all.map(\.name).joined(separator: ", "))
  }

  /// The score with which a format is taken without asking those behind it; dialects of IRC look too much alike.
  private static let certainty = 90

  /// Returns the format that fits best; of equals the first, and `nil` if none fits.
  static func best(for sample: FormatSample) -> (any ImportFormat)? {
    var best: (format: any ImportFormat, score: Int)?
    for format in all {
      let score = format.score(sample)
      if score >= certainty, !(format is IRCLogFormat) { return format }
      if score >= leastScore, score > best?.score ?? 0 { best = (format, score) }
    }
    return best?.format
  }
}
