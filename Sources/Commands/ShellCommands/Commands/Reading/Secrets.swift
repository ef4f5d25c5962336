internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import HistoryTransfer
package import MessageModel
internal import MessageStorage
internal import Redaction
internal import TerminalText

struct Secrets: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "secrets",
    abstract: "Find keys, tokens and passwords in messages: where, what kind, and the beginning of each.",
    discussion: """
      Finds keys of known forms, private keys, passwords in addresses, and random values that are assigned to names \
      like API_KEY or password, in texts, earlier texts and kept originals, newest first. The same secret has the \
      same number in front. Secrets are masked unless --whole is given. `export --redact secrets` replaces them. \
      docs/redact.md has more. Exit code 1: nothing was found.

      Examples:
        scrollback secrets
        scrollback secrets -c general 'since:2024 kind:result'
        scrollback secrets --json -n 100
      """)

  @Argument(help: "Of which messages; several arguments are one query, see docs/queries.md.")
  var query: [String] = []

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("At most this many places.", valueName: "count"))
  var limit: Int?

  @Flag(help: "Print secrets as they are.")
  var whole = false

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let limit { try LimitOption.validate(limit) }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let typed = try query.isEmpty ? nil : MessageQuery(query.joined(separator: " "))
    let selection = try conversation.choice(otherwise: .all).selection(in: store)
      .narrowed(to: try common.predicate(typed, in: store, shell))
    var clock = WallClock(zone: try common.zone(in: shell))
    var names = ConversationNames(store)
    var left = limit ?? .max
    shell.listenForInterruption()
    let isCancelled = { Interruption.isAskedFor }
    let outcome = try SecretSearch(selection).run(store, isCancelled: isCancelled) { place in
      guard left > 0 else { return false }
      left -= 1
      let answer = SecretAnswer(
        place, in: try names.name(of: place.record.message.conversation), whole: whole)
      if json.json {
        try console.write(answers: CollectionOfOne(answer))
      } else {
        console.write(styled: Self.line(answer, &clock))
      }
      console.flush()
      return left > 0
    }
    console.flush()
    if Interruption.isAskedFor { return .interrupted }
    let places = NumberText.counted(outcome.placeCount, "place")
    console.note(
      "\(NumberText.counted(outcome.secretCount, "secret")) in \(places); "
        + "\(NumberText.counted(outcome.messageCount, "message")) searched")
    return DamageReport.status(outcome.placeCount == 0 ? .nothingFound : .done, after: store, console)
  }

  private static func line(_ answer: SecretAnswer, _ clock: inout WallClock) -> String {
    let words = [
      "\(answer.secret)", "#\(answer.id)",
      DateText.minute(of: answer.time, answer.precision, &clock), answer.conversation,
      answer.sender ?? "", answer.kind, answer.shown, answer.part.map { "(in \($0))" } ?? "",
    ]
    return words.map { VisibleText.of($0, keepsTabs: false) }.filter { !$0.isEmpty }.joined(separator: "  ")
      + "\n"
  }
}

extension SecretAnswer {
  fileprivate init(_ place: SecretSearch.Place, in conversation: String, whole: Bool) {
    let message = place.record.message
    // An assistant's session is named after its first question, which may contain the secret.
    func shown(_ name: String) -> String { whole ? name : MaskedSecret.text(masking: name) }
    self.init(
      secret: place.number, kind: place.kind,
      shown: whole ? place.secret : MaskedSecret.text(of: place.secret[...]), id: message.id,
      conversation: shown(conversation), time: message.time,
      precision: message.precision == .millisecond ? nil : message.precision,
      sender: message.sender.map { shown($0.name) },
      part: place.part == .text ? nil : place.part.rawValue)
  }
}

/// A key or token found in a message.
package struct SecretAnswer: Codable, Hashable, Sendable {
  /// The number of the secret: equal secrets have equal numbers.
  package var secret: Int
  /// The kind of secret: `github-token`.
  package var kind: String
  /// Its beginning and length, or all of it if asked for.
  package var shown: String
  package var id: Message.ID
  /// The name of its conversation.
  package var conversation: String
  /// When the message was written.
  package var time: Timestamp
  /// The precision of the time; `nil` for milliseconds.
  package var precision: TimePrecision?
  /// The name of the sender.
  package var sender: String?
  /// The part of the message that contains it, unless it is the text: `edit`, `original`.
  package var part: String?
}
