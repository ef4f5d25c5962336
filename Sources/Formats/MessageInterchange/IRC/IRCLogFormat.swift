struct IRCLogFormat: ImportFormat {
  let dialect: IRCDialect

  var name: String { dialect.name }
  var title: String { dialect.title }
  var growsByLines: Bool { true }

  func score(_ sample: FormatSample) -> Int { score(sample, ofAtLeast: 1) }

  /// The score if it reaches `least`, or else 0; a dialect that cannot reach it checks only a few lines.
  func score(_ sample: FormatSample, ofAtLeast least: Int) -> Int {
    let score = least > 100 ? 0 : fit(sample, for: least)
    return score >= least ? score : 0
  }

  private func fit(_ sample: FormatSample, for least: Int) -> Int {
    if let beginning = dialect.beginning, let first = sample.lines.first,
      first.withUnsafeBytes(beginning.fits)
    {
      return 100
    }
    if dialect.needsBeginning { return 0 }
    if let decides = dialect.decides { return decides(sample) ? 95 : 0 }
    let fitting = sample.percent(ofAtLeast: leastFitting(for: least)) { dialect.fits($0) }
    guard sample.lines.contains(where: { $0.withUnsafeBytes(dialect.fitsTimed) }) else { return 0 }
    // If messages span lines, most lines may lack a time, but not the first.
    if dialect.continuesMessages {
      return sample.lines.first.map { $0.withUnsafeBytes(dialect.fitsTimed) } == true
        ? max(fitting, 70) : fitting / 2
    }
    // A few lines of unknown shape are normal; with many, it is another program's log.
    return fitting < 50 ? 0 : fitting * 9 / 10 + (dialect.isTypical(sample) ? 10 : 0)
  }

  private func leastFitting(for least: Int) -> Int {
    if dialect.continuesMessages { return least > 70 ? least : 0 }
    return max(50, ((least - 10) * 10 + 8) / 9)
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    IRCLogReader(dialect, file: file, options: options)
  }
}

extension IRCDialect {
  fileprivate func fits(_ line: Bytes) -> Bool {
    fitsTimed(line)
      || untimedShapes.contains { IRCSentence(line, shapes: [$0], rankMarks: rankMarks) != nil }
      || markers.contains { $0.fits(line) }
  }

  fileprivate func fitsTimed(_ line: Bytes) -> Bool {
    for clock in clocks {
      guard let reading = clock.read(line),
        let rest = withoutChannel(line.dropping(reading.byteCount))?.rest
      else { continue }
      if IRCSentence(rest, shapes: shapes, rankMarks: rankMarks) != nil {
        return true
      }
    }
    return false
  }
}

/// Names of conversations that logs state, where files are not named after channels. Only logs that begin
/// with joining the channel do; the conversation's others have the same file name but for the date.
enum TalkNames {
  /// The conversation's name in the logs; `nil` if they do not state it or the path does.
  static func name(of file: InputFile, _ dialect: IRCDialect) -> String? {
    guard !dialect.namings.isEmpty else { return nil }
    let place = place(of: file)
    guard place.last?.contains("#") != true else { return nil }
    return told(in: file, dialect) ?? file.companions.talkName(place, dialect)
  }

  static func place(of file: InputFile) -> [String] {
    file.folder + [PathNames(file.components).conversation]
  }

  /// The only conversation that the log's beginning names; `nil` if it names none or several.
  static func told(in file: InputFile, _ dialect: IRCDialect) -> String? {
    guard let start = try? file.source.peek(FormatSample.byteCount) else { return nil }
    var found: String?
    for line in start.split(separator: 0x0A) {
      guard let name = told(by: Bytes(rebasing: line), dialect), name != found else { continue }
      guard found == nil else { return nil }
      found = name
    }
    return found
  }

  private static func told(by line: Bytes, _ dialect: IRCDialect) -> String? {
    for clock in dialect.clocks + dialect.chosenClocks {
      guard let reading = clock.read(line) else { continue }
      return named(line.dropping(reading.byteCount), dialect)
    }
    return named(line, dialect)
  }

  private static func named(_ rest: Bytes, _ dialect: IRCDialect) -> String? {
    for naming in dialect.namings where rest.starts(with: naming.utf8) {
      let name = rest.dropping(naming.utf8.count).string.trimming { $0.isWhitespace }
      return name.isEmpty || name.contains(" ") ? nil : name
    }
    return nil
  }
}
