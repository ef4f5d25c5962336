import ArgumentParser
import MessageModel
import TestSupport

/// `scrollback-bench generate`: a made-up history, the same for the same options.
struct Generate: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl, irc
  }

  static let configuration = CommandConfiguration(
    abstract: "Write a made-up history of COUNT messages; the same options give the same bytes.",
    discussion: """
      Examples:
        scrollback-bench generate 1000000 > million.jsonl
        scrollback-bench generate 100000000 --from 2005-01-01 > hundred.jsonl
        scrollback-bench generate 50000 --format irc --output logs
      """)

  @Argument(help: "How many messages.") var count: Int
  @Option(help: "Other seeds give other histories.") var seed: UInt64 = 1
  @Option(help: "How many conversations.") var conversations = 12
  @Option(help: "jsonl to standard output, or irc to a folder.") var format = Format.jsonl
  @Option(name: .customLong("from"), help: "The day it begins, as 2015-01-01.") var start = "2015-01-01"
  @Option(
    name: .customLong("to"),
    help: "The day before which it ends. What is too much for the usual pace comes faster.")
  var end = "2024-01-01"
  @Flag(name: .customLong("ids"), help: "Give messages ids, and replies by id (jsonl).") var withIDs = false
  @Option(name: .shortAndLong, help: "The folder for the daily files of irc: CONVERSATION/YEAR/DATE.")
  var output: String?

  func validate() throws {
    guard count >= 0 else { throw ValidationError("COUNT cannot be negative.") }
    guard (1...10_000).contains(conversations) else {
      throw ValidationError("There are from 1 to 10000 conversations.")
    }
    guard let first = Self.day(start) else {
      throw ValidationError("'\(start)' is not a day such as 2015-01-01.")
    }
    guard let after = Self.day(end) else {
      throw ValidationError("'\(end)' is not a day such as 2024-01-01.")
    }
    guard first < after else { throw ValidationError("'\(end)' is no later than '\(start)'.") }
    guard (format == .irc) == (output != nil) else {
      throw ValidationError("--output DIR belongs to --format irc, whose lines carry no date.")
    }
  }

  func run() throws {
    guard let first = Self.day(start), let after = Self.day(end) else { return }
    var generator = HistoryGenerator(
      HistoryGenerator.Options(
        count: count, seed: seed, conversations: conversations, start: first, end: after))
    if let output {
      try DailyLogs(folder: output).write(&generator)
    } else {
      try writeJSONLines(&generator)
    }
  }

  private func writeJSONLines(_ generator: inout HistoryGenerator) throws {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(2 * Self.chunk)
    var hasMore = true
    while hasMore {
      hasMore = generator.appendJSONLines(to: &buffer, upTo: Self.chunk, withIDs: withIDs)
      try OutputFile.standardOutput.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
  }

  private static func day(_ text: String) -> Timestamp? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (0...9_000).contains(parts[0]) else { return nil }
    let civil = CivilTime(year: parts[0], month: parts[1], day: parts[2])
    return civil.isValid ? Timestamp(utc: civil) : nil
  }

  private static let chunk = 256 * 1_024
}
