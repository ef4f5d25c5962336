internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import HistoryQueries
package import MessageModel
internal import MessageStorage
internal import TerminalText

struct Sources: ParsableCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "sources",
    abstract: "List what is followed, with message counts; add and remove sources.",
    discussion: """
      Examples:
        scrollback sources
        scrollback sources add --me Ann ~/Library/Messages/chat.db
        scrollback sources remove 2
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "list",
      abstract: "List what is followed: number, messages, when it was last seen, formats, path.",
      discussion: """
        Examples:
          scrollback sources
          scrollback sources --json
        """)

    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let zone = try common.zone(in: shell)
      let note = "nothing is followed; start with: scrollback follow PATH"
      return try common.list(in: shell, as: json, by: pager, otherwise: note) { store in
        try store.sources().map { FollowedAnswer($0.source, messageCount: $0.messageCount) }
      } table: {
        Self.table(of: $0, zone: zone, $1)
      }
    }

    private static func table(of sources: [FollowedAnswer], zone: TimeZone, _ layout: TableLayout) -> String {
      var clock = WallClock(zone: zone)
      let rows = sources.map { source in
        [
          String(source.source), NumberText.grouped(source.messages),
          source.seen.map { DateText.dateAndTime(clock.civil(at: $0), precision: .minute) } ?? "never",
          VisibleText.of(source.formats.joined(separator: ", "), keepsTabs: false),
          VisibleText.of(
            [source.path, source.options ?? ""].filter { !$0.isEmpty }.joined(separator: "  "),
            keepsTabs: false),
          remark(on: source),
        ]
      }
      return TextTable.text(
        rows, alignsRight: [0, 1], layout: layout, cutting: [4, 3], leavingOut: [3, 2])
    }

    private static func remark(on source: FollowedAnswer) -> String {
      let trouble = source.trouble.map { VisibleText.of($0, keepsTabs: false) }
      let gone = source.goneFiles.map { count in
        "\(NumberText.counted(count, "file")) \(count == 1 ? "is" : "are") gone"
      }
      let parts = [trouble, gone].compactMap { $0 }
      guard !parts.isEmpty else { return "" }
      let stays = source.messages > 0 ? ["its messages stay"] : []
      return "(\((parts + stays).joined(separator: "; ")))"
    }
  }

  struct Add: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "add",
      abstract: "Remember files or folders to be followed, and how they are read.",
      discussion: """
        `scrollback follow` imports them; a running one starts at once. A source that is already remembered is read with \
        the new options.

        Example:
          scrollback sources add --time-zone Europe/Berlin ~/irclogs
        """)

    @Argument(help: ArgumentHelp("Files or folders.", valueName: "path"), completion: .file())
    var paths: [String]

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.storeOfSources(paths, in: shell)
      defer { store.close() }
      let console = common.console(in: shell)
      for source in try common.add(paths, reading, to: store, in: shell) {
        console.note("source \(source.id): \(source.path)")
      }
      return .done
    }
  }

  struct Remove: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "remove",
      abstract: "Stop following a source. Its messages stay.",
      discussion: """
        Examples:
          scrollback sources remove 2
          scrollback sources remove ~/inbox
        """)

    @Argument(
      help: ArgumentHelp("Its number, as `sources` lists it, or its path.", valueName: "source"),
      completion: ValueCompletions.sources)
    var source: String

    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let path = URL(fileURLWithPath: PathText.expanded(source)).standardizedFileURL.path
      return try common.change(in: shell) { store, _ in
        let known = try store.sources().map(\.source)
        guard let found = known.first(where: { String($0.id) == source || $0.path == path }) else {
          throw StoreError(
            .notFound, "cannot remove source '\(VisibleText.of(source, keepsTabs: false))'",
            cause: "no such source", remedy: "scrollback sources")
        }
        try store.removeSource(found.id)
      }
    }
  }
}

/// A followed file or folder.
package struct FollowedAnswer: Codable, Hashable, Sendable {
  /// The number by which it can be removed.
  package var source: Int64
  package var path: String
  /// The options for reading it, as typed.
  package var options: String?
  /// The number of messages that it added.
  package var messages: Int
  /// The number of its import.
  package var `import`: Int64?
  /// The formats found in it.
  package var formats: [String]
  /// When it was added.
  package var added: Timestamp
  /// When it was last known to be imported completely.
  package var seen: Timestamp?
  /// The problem at the last look, if any.
  package var trouble: String?
  /// The number of imported files that no longer exist; their messages stay.
  package var goneFiles: Int?
}

extension FollowedAnswer {
  init(_ source: StoredSource, messageCount: Int) {
    let options = SourceSettings(source).text
    self.init(
      source: source.id, path: PathBytes.shown(source.path), options: options.isEmpty ? nil : options,
      messages: messageCount,
      import: source.importNumber, formats: source.formats, added: source.addedAt, seen: source.seenAt,
      trouble: source.trouble, goneFiles: source.goneFileCount > 0 ? source.goneFileCount : nil)
  }
}
