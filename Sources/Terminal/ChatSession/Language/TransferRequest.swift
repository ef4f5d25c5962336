internal import Foundation
internal import HistoryTransfer
internal import MessageInterchange
internal import MessageModel
internal import TerminalText

package struct TransferRequest: Hashable, Sendable {
  var paths: [String] = []
  var conversation: String?
  var format: String?
  /// A file of redaction rules, or `secrets`; `nil` for none.
  var redaction: String?
  /// The shell command to pipe an export to; `nil` for a file.
  var command: String?

  /// `PATH… [--into NAME] [--format NAME]`; `nil` without a path, or if an option lacks its value.
  init?(words text: Substring) {
    guard var words = Self.words(of: text)?[...] else { return nil }
    while let word = words.popFirst() {
      switch word {
      case "--into", "--format":
        guard let value = words.popFirst() else { return nil }
        if word == "--into" { conversation = value } else { format = value }
      default: paths.append(PathText.expanded(word))
      }
    }
    if paths.isEmpty { return nil }
  }

  /// `PATH [--format NAME] [--redact RULES]`; `nil` if an option lacks its value.
  private init?(ofExport words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--format", "--redact":
        guard let value = words.popFirst() else { return nil }
        if word == "--redact" { redaction = value } else { format = value }
      default: paths.append(PathText.expanded(word))
      }
    }
  }

  init?(export text: Substring) {
    let bar = Self.bar(in: text)
    guard let words = Self.words(of: bar.map { text[..<$0] } ?? text) else { return nil }
    self.init(ofExport: words)
    guard let bar else {
      if paths.isEmpty { return nil }
      return
    }
    let command = text[bar...].dropFirst().trimming(while: \.isWhitespace)
    guard !command.isEmpty, paths.isEmpty else { return nil }
    self.command = String(command)
  }

  /// The first unquoted `|` at the start of a word.
  private static func bar(in text: Substring) -> Substring.Index? {
    var (isQuoted, before) = (false, Character(" "))
    for (place, character) in zip(text.indices, text) {
      if character == "|", before.isWhitespace, !isQuoted { return place }
      if character == "\"" { isQuoted.toggle() }
      before = character
    }
    return nil
  }

  /// Splits at spaces outside double quotes; `nil` if a quote is not closed.
  private static func words(of text: Substring) -> [String]? {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case _ where character.isWhitespace && !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return isQuoted ? nil : words + [word].compactMap { $0 }
  }

  /// Throws ``UsageError`` or ``InterchangeError`` if the import cannot begin.
  func importCommand(zone: TimeZone) throws -> ImportCommand {
    if paths.contains("-") {
      throw UsageError("'-' is where the commands come from", remedy: "scrollback import -")
    }
    let command = ImportCommand(
      paths: paths,
      options: ImportOptions(
        format: format, conversation: conversation, timeZone: zone, latest: HistoryIntake.latest()))
    _ = try ImportReader(paths, options: command.options)
    return command
  }

  func pipedFormat(zone: TimeZone) throws -> any ExportFormat {
    try ExportFormats.named(format ?? "text", options: ExportOptions(timeZone: zone))
  }

  func exportTarget(zone: TimeZone) throws -> (path: String, format: any ExportFormat) {
    guard let path = paths.first, paths.count == 1 else {
      throw UsageError("an export is one file", remedy: "/export FILE")
    }
    if FileManager.default.fileExists(atPath: path) {
      throw UsageError("'\(SafeText.oneLine(path))' already exists", status: .cannotCreate)
    }
    guard let name = try format ?? ExportChoice.name(ofFile: path) else { throw ExportChoice.unknown(path) }
    return (path, try ExportFormats.named(name, options: ExportOptions(timeZone: zone)))
  }
}
