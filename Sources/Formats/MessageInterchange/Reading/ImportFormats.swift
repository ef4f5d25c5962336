/// The formats that are built in.
public enum ImportFormats {
  static let all: [any ImportFormat] =
    [
      JSONLinesFormat(), TelegramFormat(), SlackFormat(), DiscordFormat(), DiscordPageFormat(),
      MessengerFormat(),
      MattermostFormat(), GoogleChatFormat(), MatrixFormat(), MatrixPageFormat(), SignalDesktopFormat(),
      SignalExportFormat(),
      SignalBackupFormat(), ZulipFormat(), ZulipArchiveFormat(), IMessageFormat(), SlackdumpFormat(),
      HangoutsFormat(), AdiumFormat(), SMSFormat(), DiscordTableFormat(), SlackEventsFormat(),
      LINEFormat(), SignalChatFormat(), WhatsAppFormat(), MailFormat(),
      ClaudeCodeFormat(), CodexFormat(), ChatGPTFormat(), ClaudeAIFormat(), GeminiFormat(), LLMFormat(),
      OpenCodeFormat(), CursorFormat(), OpenWebUIFormat(), SillyTavernFormat(), CrushFormat(),
      LMStudioFormat(), GeminiTakeoutFormat(), CharacterAIFormat(),
      WhatsAppAndroidFormat(), WhatsAppPhoneFormat(), SignalPlainFormat(),
      SkypeFormat(), DiscordPackageFormat(), TelegramPageFormat(), TwitchFormat(),
      AiderFormat(), ClineFormat(), CopilotFormat(), CopilotChatFormat(), PiFormat(), AmpFormat(),
      KimiFormat(), HermesFormat(),
      DiscordTrackerFormat(), TeamsFormat(), BeeperFormat(),
    ] + IRCDialect.all.map(IRCLogFormat.init) + loose

  /// Those that are no program's own: anything with a time and a text fits them.
  private static let loose: [any ImportFormat] = [
    LooseJSONFormat(), LooseDocumentFormat(), TableFormat.csv, TableFormat.tsv,
  ]

  /// Whether a format is no program's own.
  static func isLoose(_ format: any ImportFormat) -> Bool { loose.contains { $0.name == format.name } }

  /// Those whose every record says whose it is are asked first: what tools gave them may hold the words of any other.
  private static let asked: [any ImportFormat] = {
    let first: [any ImportFormat] = [ClaudeCodeFormat(), CodexFormat()]
    return first + all.filter { format in !first.contains { $0.name == format.name } }
  }()

  /// The least score with which a format is taken.
  static let leastScore = 30

  /// The names that `--format` takes, each with the name for people.
  public static var names: [(name: String, title: String)] { all.map { ($0.name, $0.title) } }

  /// Returns the format called `name`, of two the one from outside.
  ///
  /// - Throws: ``InterchangeError`` that lists the names there are.
  static func named(
    _ name: String, or formats: [any ImportFormat] = []
  ) throws(InterchangeError) -> any ImportFormat {
    let known = formats + all
    if let format = known.first(where: { $0.name == name }) { return format }
    throw InterchangeError(
      .unknownFormat, "unknown format '\(name)'",
      remedy: "one of: \(known.map(\.name).joined(separator: ", "))")
  }

  /// The score with which a format is taken without asking those behind it; dialects of IRC look too much alike.
  private static let certainty = 90

  /// Returns the format of a program that a file can only be of; `nil` if it may be of others.
  static func certain(for sample: FormatSample, or formats: [any ImportFormat] = []) -> (any ImportFormat)? {
    (formats + asked).first { !($0 is IRCLogFormat) && $0.score(sample) >= certainty }
  }

  /// Returns the format that fits best; of equals the first, those from outside before ours, and `nil` if none fits.
  ///
  /// - Parameter likely: The format of the file before. Where that is a dialect of IRC it is asked first, so that of the
  ///   others few lines are looked at: they look alike, there are dozens, and folders have a file for each day.
  static func best(
    for sample: FormatSample, or formats: [any ImportFormat] = [], likely: (any ImportFormat)? = nil
  ) -> (any ImportFormat)? {
    let candidates = formats + asked
    var best: Candidate?
    if let dialect = likely as? IRCLogFormat,
      let place = candidates.firstIndex(where: { $0 is IRCLogFormat && $0.name == dialect.name })
    {
      best = Candidate(place: place, score: dialect.score(sample, ofAtLeast: leastScore))
    }
    for (place, format) in candidates.enumerated() where place != best?.place {
      let least = max(leastScore, best.map { $0.place < place ? $0.score + 1 : $0.score } ?? 0)
      let dialect = format as? IRCLogFormat
      let score = dialect?.score(sample, ofAtLeast: least) ?? format.score(sample)
      if score >= certainty, dialect == nil { return format }
      if score >= least { best = Candidate(place: place, score: score) }
    }
    return best.flatMap { $0.score >= leastScore ? candidates[$0.place] : nil }
  }

  /// A format by its place among those that are asked, and how well it fits.
  private struct Candidate {
    let place: Int
    let score: Int
  }
}
