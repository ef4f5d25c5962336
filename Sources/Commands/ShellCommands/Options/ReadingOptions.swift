internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryTransfer
internal import MessageInterchange
internal import MessageModel

/// Facts for reading a history that its files do not contain.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The format; detected if left out.", valueName: "name"),
    completion: ValueCompletions.importFormats)
  var format: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Import everything into this conversation.", valueName: "conversation"),
    completion: ValueCompletions.conversations)
  var into: String?

  @Option(help: ArgumentHelp("The day of a log that has only times of day.", valueName: "yyyy-mm-dd"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "What numbers like 05/06/24 mean: dmy, mdy or ymd (WhatsApp: guessed if not given).",
      valueName: "order"), completion: .list(ImportOptions.DateOrder.allCases.map(\.rawValue)))
  var dateOrder: String?

  @Option(
    help: ArgumentHelp(
      "How tables and JSON write times, if in no usual way: %d.%m.%Y %Hh%M as in strftime.",
      valueName: "format"))
  var timeFormat: String?

  @Option(
    help: ArgumentHelp(
      "Which column or key holds what: time, sender, text, conversation, id, kind.",
      valueName: "role=name,…"))
  var map: [String] = []

  @Option(help: ArgumentHelp("The encoding of lines that are not UTF-8.", valueName: "name"))
  var encoding: String?

  @Option(help: ArgumentHelp("Your name, for histories that only say \"me\".", valueName: "name"))
  var me: String?

  @Flag(help: "Keep the original record of each message.")
  var keepOriginal = false

  @Flag(help: "Also import messages dated more than a day in the future.")
  var allowFuture = false

  /// - Parameter zone: The zone of times written without one.
  func options(zone: TimeZone, in shell: Shell) throws -> ImportOptions {
    var options = ImportOptions(
      format: format, conversation: into, timeZone: zone, me: me, keepsOriginal: keepOriginal,
      latest: allowFuture ? nil : HistoryIntake.latest(now: shell.now()))
    options.standardInput = shell.standardInput
    options.day = try date.map(Self.day)
    options.timeFormat = timeFormat
    options.columns = try Self.columns(map)
    if let dateOrder {
      guard let known = ImportOptions.DateOrder(rawValue: dateOrder) else {
        throw UsageError(
          "unknown date order '\(dateOrder)'",
          remedy: "one of: \(ImportOptions.DateOrder.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      options.dateOrder = known
    }
    if let encoding {
      guard let known = FallbackEncoding(name: encoding) else {
        throw UsageError(
          "unknown encoding '\(encoding)'",
          remedy: "a single-byte encoding: \(FallbackEncoding.commonNames.joined(separator: ", "))")
      }
      options.fallbackEncoding = known
    }
    return options
  }

  /// Parses `time=ts,sender=user`.
  private static func columns(_ map: [String]) throws -> [String: String] {
    var columns: [String: String] = [:]
    for pair in map.flatMap({ $0.split(separator: ",") }) {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("'\(pair)' is not role=column", remedy: "--map time=ts,sender=user,text=body")
      }
      columns[parts[0]] = parts[1]
    }
    return columns
  }

  private static func day(_ text: String) throws -> CivilTime {
    let fields = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if fields.count == 3, let year = fields[0], let month = fields[1], let day = fields[2] {
      let civil = CivilTime(year: year, month: month, day: day)
      if civil.isValid { return civil }
    }
    throw UsageError("'\(text)' is not a day", remedy: "--date 2024-05-01")
  }
}
