/// Names of conversations that logs state themselves, where files are not named after channels.
///
/// Only logs that begin with joining the channel state it; the conversation's other logs have the same file
/// name but for the date.
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
